// Who called a function and whom it called: callers above it, callees below.
//       Total |     Self | Calls | Function
//     --------+----------+-------+------------------------
//     1.23 ms |   300 us |    12 |     main
//     1.23 ms |   300 us |    12 | walk
//      930 us |   930 us |   100 |     visit
import * as ABI from '../generated/abi.js';
import { HOST } from '../model/inverted-tree.js';
import { neighbours } from '../model/neighbours.js';
import { styles } from './ansi.js';
import { UNCERTAIN } from './log.js';
import { functionPattern, loosePattern } from './pattern.js';
import { HOST_MARK } from './profile.js';
import { tableLines } from './table.js';
import { counted, grouped, joinLines, lossNotes, tinyNotes } from './text.js';
import { amountCell, clockLine } from './units.js';

/** @import {Neighbour} from '../model/neighbours.js' */
/** @import {TraceModel} from '../model/trace-model.js' */
/** @import {FunctionNames} from '../trace/names.js' */
/** @import {Styles} from './ansi.js' */
/** @import {ViewOptions} from './log.js' */
/** @import {Column} from './table.js' */

const CALLERS_LIMIT = 200;

const INDENT = '    ';

/**
 * Functions with calls that are meant: the module's own, or where there is none its imports, as it is with probes.
 * @param {TraceModel} model
 * @param {string} pattern
 * @param {Pick<FunctionNames, 'name'>} names
 */
function meant(model, pattern, names) {
  const isMeant = functionPattern(pattern, names, model.metadata.importCount);
  const rows = model.profile().rows.filter(({ func }) => isMeant(func));
  const own = rows.filter(({ host }) => !host);
  return own.length > 0 ? own : rows;
}

/**
 * Those that took most first.
 * @param {TraceModel} model
 * @param {string} pattern
 * @param {Pick<FunctionNames, 'name'>} names
 */
function matching(model, pattern, names) {
  const exact = meant(model, pattern, names);
  const rows = exact.length > 0 ? exact : meant(model, loosePattern(pattern), names);
  return rows.sort((a, b) => (b.time?.total ?? b.calls) - (a.time?.total ?? a.calls) || a.func - b.func).map(({ func }) => func);
}

/**
 * @param {number} func
 * @param {TraceModel} model
 * @param {Pick<FunctionNames, 'name'>} names
 * @param {Styles} style
 * @returns {string[]}
 */
function block(func, model, names, style) {
  const { calls, time, callers, callees } = neighbours(model.paths, func, (called) => called !== ABI.UNCERTAIN);
  const own = { func, count: calls, uncertain: false, time };
  const rows = [...callers, own, ...callees];
  const cells = rows.map((row) => {
    const name = nameOf(row, model, names, style);
    return row === own ? name : INDENT + name;
  });
  return tableLines(columnsOf(rows, model), { heading: 'Function', cells }, style);
}

/** @param {Neighbour} row @param {TraceModel} model @param {Pick<FunctionNames, 'name'>} names @param {Styles} style */
function nameOf({ func, uncertain }, { metadata }, names, style) {
  if (func === HOST) return style.dim('(host)');
  const mark = func < metadata.importCount ? style.dim(HOST_MARK) : '';
  return style.name(names.name(func)) + mark + (uncertain ? UNCERTAIN : '');
}

/** @param {readonly Neighbour[]} rows @param {TraceModel} model @returns {Column[]} */
function columnsOf(rows, { clock }) {
  const calls = { heading: 'Calls', cells: rows.map(({ count }) => grouped(count)) };
  if (!clock) return [calls];
  const column = (/** @type {'total' | 'self'} */ key) => rows.map(({ time }) => (time ? amountCell(time[key], clock.unit) : ''));
  return [{ heading: 'Total', cells: column('total') }, { heading: 'Self', cells: column('self') }, calls];
}

/**
 * @param {TraceModel} model
 * @param {Pick<FunctionNames, 'name'>} names
 * @param {ViewOptions & {pattern: string}} options limit: lines; a function is shown whole or not at all
 * @returns {string}
 */
export function renderCallers(model, names, { pattern, limit = CALLERS_LIMIT, color, resolution }) {
  const style = styles(color);
  const funcs = matching(model, pattern, names);
  const lines = [];
  let shown = 0;
  for (const func of funcs) {
    const next = block(func, model, names, style);
    if (shown > 0 && lines.length + next.length >= limit) break;
    lines.push(...(shown++ > 0 ? ['', ...next] : next));
  }
  if (shown === 0) lines.push(`no calls of ${pattern}`);
  const notes = lossNotes(model.treeLosses);
  if (shown < funcs.length) notes.unshift(`${counted(funcs.length - shown, 'more function')} left out; a larger --limit shows more`);
  if (shown > 0) notes.push('callers above: figures of the function when they called it; below: of those that it called');
  const clock = model.clock ? [clockLine(model.clock, resolution)] : [];
  return joinLines([...lines, ...[...notes, ...tinyNotes(model.metadata)].map((note) => style.dim(`(${note})`)), ...clock.map(style.dim)]);
}
