// Times of events, in columns in front of the lines of a log: when it happened, and what the call took that ended there.
//        time (ms) |    took |
//         0.000000 |         | call main
//         0.812000 |  812 us | return from main
import * as STEP from '../model/step.js';
import { grouped } from './text.js';
import { amountCell, clockLine } from './units.js';

/** @import {TraceModel} from '../model/trace-model.js' */
/** @import {Resolution} from './recorded.js' */
/** @import {ClockUnit} from './units.js' */
/** @import {Styles} from './ansi.js' */

const WHEN_WIDTH = 14;
const TOOK_WIDTH = 9;
const NS_IN_MS = 1e6;

/** @param {string} when @param {string} took */
function columns(when, took) {
  return `${when.padStart(WHEN_WIDTH)} | ${took.padStart(TOOK_WIDTH)} | `;
}

/** Milliseconds to the nanosecond; counts as they are. @param {number} time @param {ClockUnit} unit */
function when(time, unit) {
  return unit === 'ns' ? (time / NS_IN_MS).toFixed(6) : grouped(time);
}

/** What a call took; '' when its begin or its end is not known. @param {TraceModel} model @param {number} call @param {ClockUnit} unit */
function took({ calls, events }, call, unit) {
  const { enter, leave } = calls;
  return enter[call] >= 0 && leave[call] >= 0 ? amountCell(events.time(leave[call]) - events.time(enter[call]), unit) : '';
}

/**
 * What puts the columns in front of a step's lines: those that times make different are not folded.
 * @callback Lead
 * @param {number} step
 * @param {string} text lines
 * @returns {string}
 */

/** No columns. @type {Lead} */
export const plain = (_, text) => text;

/**
 * @param {TraceModel} model
 * @param {ReadonlySet<number>} ends kinds of steps that tell what their call took
 * @returns {Lead}
 */
function leadOf(model, ends) {
  const { events, clock, calls } = model;
  if (!clock || !hasTimes(model)) return plain;
  const origin = events.time(0);
  const blank = columns('', '');
  return (step, text) => {
    const event = calls.steps.event[step];
    const time = event < 0 ? '' : when(events.time(event) - origin, clock.unit);
    const [first, ...others] = text.split('\n');
    const duration = ends.has(calls.steps.kind[step]) ? took(model, calls.steps.call[step], clock.unit) : '';
    return [columns(time, duration) + first, ...others.map((line) => blank + line)].join('\n');
  };
}

/** @type {ReadonlySet<number>} */
const ENDS = new Set([STEP.LEAVE, STEP.TAIL, STEP.THROWN]);
/** @type {ReadonlySet<number>} */
const BEGINNINGS = new Set([STEP.ENTER, STEP.OPEN]);

/** For steps on lines of their own: the end of a call says what it took. @param {TraceModel} model */
export function stepLead(model) {
  return leadOf(model, ENDS);
}

/** For calls on one line each. @param {TraceModel} model */
export function callLead(model) {
  return leadOf(model, BEGINNINGS);
}

/** @param {TraceModel} model */
function hasTimes({ clock, events }) {
  return clock !== null && events.timed && events.length > 0;
}

/** What stands above the columns. @param {TraceModel} model @param {Styles} style @returns {string[]} lines */
export function timeHeading(model, style) {
  if (!hasTimes(model)) return [];
  const unit = model.clock?.unit;
  return [style.heading(columns(unit === 'ns' ? 'time (ms)' : String(unit), 'took').trimEnd())];
}

/** What stands below. @param {TraceModel} model @param {Styles} style @param {Resolution} [resolution] @returns {string[]} lines */
export function timeEnd(model, style, resolution) {
  if (!hasTimes(model) || !model.clock) return [];
  const since = model.lost > 0 ? 'since the oldest event that is left' : 'since the first event';
  return [style.dim(`${clockLine(model.clock, resolution)}; ${since}`)];
}
