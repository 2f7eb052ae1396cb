// The flat log: a line for each call, in the order in which the calls began, with its result where that is known.
//     query_selector(0x12345678) -> 0xbad0bad1
import * as END from '../model/end.js';
import * as STEP from '../model/step.js';
import { styles } from './ansi.js';
import { EventText } from './event-text.js';
import { foldNewest } from './fold.js';
import { counted, joinLines, lossNotes, tinyNotes } from './text.js';
import { callLead, plain, timeEnd, timeHeading } from './event-times.js';

/** @import {FunctionNames} from '../trace/names.js' */
/** @import {ProfileOrder} from '../model/profile.js' */
/** @import {Entries} from './fold.js' */
/** @import {TraceModel} from '../model/trace-model.js' */

/**
 * @typedef {object} ViewOptions
 * @property {number} [limit] lines
 * @property {boolean} [color] for terminals
 * @property {boolean} [invert] trees: callers below the called
 * @property {ProfileOrder} [sort] tables and trees: what comes first
 * @property {boolean} [recursion] trees have a frame for each level of recursion, totals what passed within other calls of a function
 * @property {number | import('../trace/block.js').CallCost | null} [cost] what recording a call or a return costs, in the clock's unit: it is told
 * @property {boolean} [compensate] and subtracted from what functions took
 * @property {string} [compensateBy] what asks for that
 * @property {import('./recorded.js').Resolution} [resolution] how finely the clock goes, in its unit
 * @property {string} [drainedTo] the file that has the events which are not in the buffer any more
 * @property {Ending} [ending] what has become of the calls that did not return; running when left out
 *
 * @typedef {'running' | 'ended' | 'trapped'} Ending the program still runs, has ended otherwise, has ended in a trap of the
 *   module
 */

export const LOG_LIMIT = 1000;

const STACK_INDENT = '    ';

/**
 * Why a log begins where it begins.
 * @param {TraceModel} model
 * @param {{left: number, drainedTo?: string}} what left: lines cut off; drainedTo: see ViewOptions
 * @param {(note: string) => string} dim
 */
export function earlierNotes(model, { left, drainedTo }, dim) {
  const notes = lossNotes({ lost: model.lost, drainedTo });
  if (left > 0) notes.push(`${counted(left, 'earlier line')} left out; a larger --limit shows more`);
  return notes.map((note) => dim(`(${note})`));
}

/** Why a log ends where it ends. @param {TraceModel} model @param {(note: string) => string} dim */
export function laterNotes({ missed, stoppedFull }, dim) {
  return lossNotes({ missed, stopped: stoppedFull }).map((note) => dim(`(${note})`));
}

/** In place of events, where there are none. @param {TraceModel} model @param {(note: string) => string} dim */
export function nothingLines({ metadata }, dim) {
  if (!metadata.ring) return ['no log was kept: the displays that were asked for do without'];
  return ['no events', ...tinyNotes(metadata).map((note) => dim(`(${note})`))];
}

/** Said of a call that may have been made from elsewhere than shown. */
export const UNCERTAIN = ' (caller uncertain)';

/** Said of one call that did not return. @type {Readonly<Record<Ending, string>>} */
const UNFINISHED = Object.freeze({ running: 'running', ended: 'unfinished', trapped: 'trapped' });

/** @param {EventText} text @param {TraceModel} model @param {number} call @param {Ending} ending */
function outcome(text, { calls }, call, ending) {
  switch (calls.end[call]) {
    case END.RETURNED: {
      const results = text.results(calls.leave[call]);
      return results && ` -> ${results}`;
    }
    case END.UNWOUND:
      return ' (unwound)';
    case END.CUT:
      return ' (still open when recording stopped)';
    case END.THROWN:
      return ' (threw)';
    case END.TAIL:
      return ' (ended in a tail call)';
    default:
      return ` (${UNFINISHED[ending]})`;
  }
}

/** The call with its arguments. @param {EventText} text @param {TraceModel['calls']} calls @param {number} call */
export function beginText(text, { enter, func }, call) {
  return enter[call] >= 0 ? text.call(enter[call]) : `${text.name(func[call])} (unknown start)`;
}

/**
 * One call in a line: arguments, result or what became of it.
 * @param {EventText} text @param {TraceModel} model @param {number} call @param {Ending} ending
 */
export function callLine(text, model, call, ending) {
  return beginText(text, model.calls, call) + outcome(text, model, call, ending);
}

/** Steps that have a line in the log; the others it tells at the call's. @type {ReadonlySet<number>} */
const SHOWN = new Set([STEP.OPEN, STEP.ENTER, STEP.GROW, STEP.TRAP]);

/** @param {EventText} text @param {TraceModel} model @param {number} step @param {Ending} ending */
function stepLine(text, model, step, ending) {
  const { kind, call, event } = model.calls.steps;
  switch (kind[step]) {
    case STEP.GROW:
      return text.grow(event[step]);
    case STEP.TRAP:
      return text.trap(event[step]);
    default:
      return callLine(text, model, call[step], ending);
  }
}

/**
 * The stack of an event as lines to go below its own.
 * @param {EventText} text
 * @param {number} event
 * @param {string} space
 */
export function stackLines(text, event, space) {
  const frames = event < 0 ? [] : text.stack(event);
  return frames.map((frame) => `\n${space}${frame}`).join('');
}

/**
 * What the log is made of, step by step.
 * @param {EventText} text @param {TraceModel} model @param {Ending} ending @param {boolean} times
 * @returns {Entries}
 */
function logEntries(text, model, ending, times) {
  const { steps } = model.calls;
  const lead = times ? callLead(model) : plain;
  return {
    length: steps.length,
    has: (step) => SHOWN.has(steps.kind[step]),
    text: (step) => lead(step, stepLine(text, model, step, ending) + stackLines(text, steps.event[step], STACK_INDENT)),
  };
}

/**
 * The newest lines without any notes.
 * @param {TraceModel} model
 * @param {Pick<FunctionNames, 'name'>} names
 * @param {ViewOptions & {times?: boolean}} [options] times: in front of each line (event-times.js), where a clock ran
 * @returns {{lines: string[], left: number}} left: older entries that are not shown
 */
export function logLines(model, names, { limit = LOG_LIMIT, color, ending = 'running', times = false } = {}) {
  return foldNewest(logEntries(new EventText(model, names, styles(color)), model, ending, times), limit);
}

/**
 * @param {TraceModel} model
 * @param {Pick<FunctionNames, 'name'>} names
 * @param {ViewOptions} [options] limit: the newest lines are kept
 * @returns {string}
 */
export function renderLog(model, names, options = {}) {
  const style = styles(options.color);
  const { lines, left } = logLines(model, names, { ...options, times: true });
  const heading = lines.length > 0 ? timeHeading(model, style) : [];
  if (lines.length === 0) lines.push(...nothingLines(model, style.dim));
  return joinLines([...earlierNotes(model, { ...options, left }, style.dim), ...heading, ...lines, ...laterNotes(model, style.dim), ...timeEnd(model, style, options.resolution)]);
}
