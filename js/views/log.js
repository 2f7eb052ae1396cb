// The flat log: a line for each call, in the order in which the calls began, with its result where that is known.
//     query_selector(0x12345678) -> 0xbad0bad1
import { END, STEP } from '../model/calls.js';
import { styles } from './ansi.js';
import { EventText } from './event-text.js';
import { foldNewest } from './fold.js';
import { counted, joinLines, lossNotes } from './text.js';

/** @import {FunctionNames} from '../trace/names.js' */
/** @import {Entries} from './fold.js' */
/** @import {TraceModel} from '../model/trace-model.js' */

/**
 * @typedef {object} ViewOptions
 * @property {number} [limit] lines
 * @property {boolean} [color] for terminals
 * @property {boolean} [invert] trees: callers below the called
 */

export const LOG_LIMIT = 1000;

const STACK_INDENT = '    ';

/**
 * Why a log begins where it begins.
 * @param {TraceModel} model
 * @param {number} left lines cut off
 * @param {(note: string) => string} dim
 */
export function earlierNotes(model, left, dim) {
  const notes = lossNotes({ lost: model.lost });
  if (left > 0) notes.push(`${counted(left, 'earlier line')} left out; a larger --limit shows more`);
  return notes.map((note) => dim(`(${note})`));
}

/** @param {EventText} text @param {TraceModel} model @param {number} call */
function outcome(text, { calls }, call) {
  switch (calls.end[call]) {
    case END.RETURNED: {
      const results = text.results(calls.leave[call]);
      return results && ` -> ${results}`;
    }
    case END.UNWOUND:
      return ' (unwound)';
    case END.TAIL:
      return ' (ended in a tail call)';
    default:
      return ' (running)';
  }
}

/**
 * One call in a line: arguments, result or what became of it.
 * @param {EventText} text @param {TraceModel} model @param {number} call
 */
export function callLine(text, model, call) {
  const { calls } = model;
  const enter = calls.enter[call];
  const begin = enter >= 0 ? text.call(enter) : `${text.name(calls.func[call])} (unknown start)`;
  return begin + outcome(text, model, call);
}

/** Steps that have a line in the log; the others it tells at the call's. @type {ReadonlySet<number>} */
const SHOWN = new Set([STEP.OPEN, STEP.ENTER, STEP.GROW, STEP.TRAP]);

/** @param {EventText} text @param {TraceModel} model @param {number} step */
function stepLine(text, model, step) {
  const { kind, call, event } = model.calls.steps;
  switch (kind[step]) {
    case STEP.GROW:
      return text.grow(event[step]);
    case STEP.TRAP:
      return text.trap(event[step]);
    default:
      return callLine(text, model, call[step]);
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

/** What the log is made of, step by step. @param {EventText} text @param {TraceModel} model @returns {Entries} */
export function logEntries(text, model) {
  const { steps } = model.calls;
  return {
    length: steps.length,
    has: (step) => SHOWN.has(steps.kind[step]),
    text: (step) => stepLine(text, model, step) + stackLines(text, steps.event[step], STACK_INDENT),
  };
}

/**
 * @param {TraceModel} model
 * @param {Pick<FunctionNames, 'name'>} names
 * @param {ViewOptions} [options] limit: the newest lines are kept
 * @returns {string}
 */
export function renderLog(model, names, { limit = LOG_LIMIT, color } = {}) {
  const style = styles(color);
  const { lines, left } = foldNewest(logEntries(new EventText(model, names, style), model), limit);
  if (lines.length === 0) lines.push('no events');
  return joinLines([...earlierNotes(model, left, style.dim), ...lines]);
}
