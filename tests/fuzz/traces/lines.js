// How steps are written down to be compared, the true ones and the traced ones.

/** @import {Value} from '../../../js/model/values.js' */

/** @param {Value} value */
const valueText = (value) => (Object.is(value, -0) ? '-0' : typeof value === 'bigint' ? `${value}n` : String(value));

/** @param {readonly Value[]} values */
const list = (values) => values.map(valueText).join(', ');

/** @param {number} depth @param {string} text */
const indented = (depth, text) => '| '.repeat(depth) + text;

/** @param {number} depth @param {number} func @param {readonly Value[]} args */
export const enterLine = (depth, func, args) => indented(depth, `enter ${func}(${list(args)})`);

/** @param {number} depth @param {number} func @param {readonly Value[]} results */
export const leaveLine = (depth, func, results) => indented(depth, `leave ${func} = ${list(results)}`);

/** @param {number} depth @param {number} func */
export const tailLine = (depth, func) => indented(depth, `tail ${func}`);

/** @param {number} depth @param {number} func */
export const unwoundLine = (depth, func) => indented(depth, `unwound ${func}`);

/** @param {number} func @param {readonly Value[]} values */
export const growLine = (func, values) => (/** @type {number} */ depth) => indented(depth, `grow in ${func} ${list(values)}`);

/** @param {number} func */
export const trapLine = (func) => (/** @type {number} */ depth) => indented(depth, `trap in ${func}`);

/** The kind of a line, its first word, and its depth. @param {string | undefined} text */
export function lineFacts(text) {
  if (text === undefined) return { kind: 'nothing', depth: 0 };
  const bare = text.replace(/^(\| )*/, '');
  return { kind: bare.split(' ')[0], depth: (text.length - bare.length) / 2 };
}

/** Those at the end of which no later event could tell. @param {readonly string[]} lines */
export function withoutLastUnwound(lines) {
  const last = lines.findLastIndex((text) => lineFacts(text).kind !== 'unwound');
  return lines.slice(0, last + 1);
}
