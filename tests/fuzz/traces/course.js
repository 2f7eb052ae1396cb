// The course of a run as both sides tell it: calls with their callers, and the steps in order. `true` ones come from the notes
// (truth.js), recorded ones from the trace (recorded.js).

/**
 * @typedef {object} Call
 * @property {number} func
 * @property {number} parent the recorded call around it; -1 for none
 * @property {boolean} uncertain the trace says that it does not know the caller for sure
 *
 * @typedef {object} Step
 * @property {'enter' | 'leave' | 'tail' | 'thrown' | 'unwound' | 'grow' | 'trap' | 'unknown start'} kind
 * @property {number} func
 * @property {number} call index; of a grow or a trap the innermost one around it, -1 for none
 * @property {string} values
 * @property {string} stack function indices from the outermost; empty where it is not told; with a "?" where there is doubt
 * @property {boolean} [uncertain] a grow or a trap that was recorded in a call which may not have been inside of --only
 * @property {string} [entered] true ones: how the call came to be
 * @property {string} [after] true ones: what left frames without a word before it
 *
 * @typedef {{calls: Call[], steps: Step[], paths: Map<string, number>, doubted?: Set<number>}} Course paths: how often each path of
 *   traced functions was taken; function indices from the outermost, "3 5 5"; doubted: where the trace has frames of doubt, calls inside of
 *   which these are shown
 */

/** @import {Value} from '../../../js/model/values.js' */

/** @param {Value} value */
const valueText = (value) => (Object.is(value, -0) ? '-0' : typeof value === 'bigint' ? `${value}n` : String(value));

/** @param {readonly Value[]} values */
export const valuesText = (values) => values.map(valueText).join(', ');

/** A call and those around it, innermost first. @param {readonly Call[]} calls @param {number} call @returns {number[]} */
export function chainOf(calls, call) {
  const chain = [];
  for (let at = call; at >= 0; at = calls[at].parent) chain.push(at);
  return chain;
}

/** A step in a line, indented by its depth. @param {Course} course @param {Step} step */
export function stepText({ calls }, { kind, func, call, values }) {
  const around = chainOf(calls, call).length;
  const inside = kind === 'grow' || kind === 'trap';
  const doubt = kind === 'enter' && calls[call].uncertain ? ' (caller uncertain)' : '';
  return `${'| '.repeat(inside ? around : around - 1)}${kind} ${func}(${values})${doubt}`;
}
