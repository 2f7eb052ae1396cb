// The nested log: calls and returns line by line, indented by the depth of the call.
//     call crate::mod::func(123, 456)
//       call crate::mod::helper(0)
//       return 42 from crate::mod::helper
import * as END from '../model/end.js';
import * as STEP from '../model/step.js';
import { styles } from './ansi.js';
import { EventText } from './event-text.js';
import { plain, stepLead, timeEnd, timeHeading } from './event-times.js';
import { foldNewest } from './fold.js';
import { LOG_LIMIT, UNCERTAIN, beginText, earlierNotes, laterNotes, nothingLines, stackLines } from './log.js';
import { counted, joinLines } from './text.js';

/** @import {FunctionNames} from '../trace/names.js' */
/** @import {TraceModel} from '../model/trace-model.js' */
/** @import {Ending, ViewOptions} from './log.js' */

const MAX_LEVELS = 40;
const STACK_INDENT = '    ';
const CHAIN_SHOWN = 12;

/** @param {number} level */
function indent(level) {
  return level <= MAX_LEVELS ? '  '.repeat(level) : `${'  '.repeat(MAX_LEVELS)}(+${level - MAX_LEVELS}) `;
}

/** Functions of the calls around a call, and its own, outermost first. @param {TraceModel['calls']} calls @param {number} call */
function chainOf({ func, parent }, call) {
  const funcs = [];
  for (let at = call; at >= 0; at = parent[at]) funcs.push(func[at]);
  return funcs.reverse();
}

/** @param {EventText} text @param {number[]} funcs outermost first */
function chainText(text, funcs) {
  const hidden = Math.max(0, funcs.length - CHAIN_SHOWN);
  const names = funcs.slice(hidden).map((func) => text.name(func));
  return `${hidden > 0 ? `${counted(hidden, 'outer call')} > ` : ''}${names.join(' > ')}`;
}

/** @param {EventText} text @param {TraceModel} model @param {number} step */
function stepText(text, { calls }, step) {
  const func = calls.func[calls.steps.call[step]];
  const event = calls.steps.event[step];
  switch (calls.steps.kind[step]) {
    case STEP.OPEN:
      return `call ${beginText(text, calls, calls.steps.call[step])}`;
    case STEP.ENTER:
      return `call ${text.call(event)}${calls.uncertain.has(calls.steps.call[step]) ? UNCERTAIN : ''}`;
    case STEP.LEAVE: {
      const results = text.results(event);
      return `return ${results && `${results} `}from ${text.name(func)}`;
    }
    case STEP.UNWOUND:
      return `unwound ${text.name(func)}`;
    case STEP.CUT:
      return `recording stopped in ${chainText(text, chainOf(calls, calls.steps.call[step]))}`;
    case STEP.THROWN:
      return `throw from ${text.name(func)}`;
    case STEP.RESUMED:
      return `resume ${beginText(text, calls, calls.steps.call[step])}`;
    case STEP.TAIL:
      return `tail call from ${text.name(func)}`;
    case STEP.GROW:
      return text.grow(event);
    default:
      return text.trap(event);
  }
}

/** Where a stack is to be shown: a call's own is told when it begins. @type {ReadonlySet<number>} */
const WITH_STACK = new Set([STEP.ENTER, STEP.GROW, STEP.TRAP]);

/** Said before the calls that did not return. @type {Readonly<Record<Ending, string>>} */
const UNFINISHED = Object.freeze({
  running: 'still running',
  ended: 'unfinished when the program ended',
  trapped: 'ended by the trap',
});

/** What happens inside of its call. @type {ReadonlySet<number>} */
const INSIDE = new Set([STEP.GROW, STEP.TRAP, STEP.CUT]);

/** Levels below the host at which a step stands. @param {TraceModel['calls']} calls @param {number} step */
function levelOf({ depth, steps }, step) {
  const call = steps.call[step];
  if (call < 0) return 0;
  return INSIDE.has(steps.kind[step]) ? depth[call] + 1 : depth[call];
}

/**
 * The least level from a step on: what is above it is not there to be seen.
 * @param {TraceModel['calls']} calls
 * @param {number} first
 */
function leastLevel(calls, first) {
  let least = Infinity;
  for (let step = first; step < calls.steps.length; step++) {
    if (calls.steps.kind[step] !== STEP.NOTHING) least = Math.min(least, levelOf(calls, step));
  }
  return Number.isFinite(least) ? least : 0;
}

/**
 * The newest lines, indented as little as they allow.
 * @param {EventText} text
 * @param {TraceModel} model
 * @param {number} limit lines
 * @param {number} [first] step
 * @param {boolean} [times] in front of each line, where a clock ran
 * @returns {{lines: string[], left: number, least: number}} least: levels that are not shown
 */
export function nestedLines(text, model, limit, first = 0, times = false) {
  const { calls } = model;
  const { steps } = calls;
  const least = leastLevel(calls, first);
  const lead = times ? stepLead(model) : plain;
  const entries = {
    length: steps.length - first,
    has: (/** @type {number} */ i) => steps.kind[first + i] !== STEP.NOTHING,
    text: (/** @type {number} */ i) => {
      const step = first + i;
      const space = indent(levelOf(calls, step) - least);
      const stack = WITH_STACK.has(steps.kind[step]) ? stackLines(text, steps.event[step], space + STACK_INDENT) : '';
      return lead(step, space + stepText(text, model, step) + stack);
    },
  };
  return { ...foldNewest(entries, limit), least };
}

/**
 * The calls that did not return, outermost first, in one line.
 * @param {EventText} text
 * @param {TraceModel} model
 * @param {Ending} ending
 */
function unfinishedLine(text, { calls }, ending) {
  const open = [];
  for (let call = 0; call < calls.length; call++) if (calls.end[call] === END.RUNNING) open.push(calls.func[call]);
  return open.length === 0 ? [] : [`${UNFINISHED[ending]}: ${chainText(text, open)}`];
}

/**
 * The newest lines without any notes, and the calls that did not return, in a line or none.
 * @param {TraceModel} model
 * @param {Pick<FunctionNames, 'name'>} names
 * @param {ViewOptions & {times?: boolean}} [options] times: in front of each line (event-times.js), where a clock ran
 */
export function nestedReport(model, names, { limit = LOG_LIMIT, color, ending = 'running', times = false } = {}) {
  const text = new EventText(model, names, styles(color));
  return { ...nestedLines(text, model, limit, 0, times), unfinished: unfinishedLine(text, model, ending) };
}

/**
 * @param {TraceModel} model
 * @param {Pick<FunctionNames, 'name'>} names
 * @param {ViewOptions} [options] limit: the newest lines are kept
 * @returns {string}
 */
export function renderNested(model, names, options = {}) {
  const style = styles(options.color);
  const { lines, left, least, unfinished } = nestedReport(model, names, { ...options, times: true });
  const heading = lines.length > 0 ? timeHeading(model, style) : [];
  if (lines.length === 0) lines.push(...nothingLines(model, style.dim));
  const notes = earlierNotes(model, { ...options, left }, style.dim);
  if (least > 0)
    notes.push(style.dim(`(${counted(least, 'outer level')} not shown: their calls are older than these lines)`));
  return joinLines([...notes, ...heading, ...lines, ...unfinished, ...laterNotes(model, style.dim), ...timeEnd(model, style, options.resolution)]);
}
