// The flat profile: a row for each function, what took most first.
//         Total |     Self | Self % | Calls |     Avg |     Min |     Max | Function
//     ----------+----------+--------+-------+---------+---------+---------+------------------------
//       1.63 ms |   812 us |   49.8 |     1 | 1.63 ms | 1.63 ms | 1.63 ms | main
import { PERCENTS, sortProfile } from '../model/profile.js';
import { styles } from './ansi.js';
import { tableLines } from './table.js';
import { counted, grouped, joinLines, lossNotes, tinyNotes } from './text.js';
import { amountCell, amountWithUnit, clockLine, percent } from './units.js';

/** @import {FunctionProfile, FunctionTime, Profile, ProfileOrder} from '../model/profile.js' */
/** @import {TraceModel} from '../model/trace-model.js' */
/** @import {Clock} from '../trace/metadata.js' */
/** @import {FunctionNames} from '../trace/names.js' */
/** @import {Styles} from './ansi.js' */
/** @import {ViewOptions} from './log.js' */
/** @import {Column} from './table.js' */

const PROFILE_LIMIT = 50;

/** Behind imports: what passes there is the host's. */
export const HOST_MARK = ' (host)';

/** Columns that are not of single calls, in order; the others are those of FunctionTime. */
const SINGLE = /** @type {const} */ ([['Avg', 'avg'], ['Min', 'min'], ['Max', 'max']]);

/**
 * @param {readonly FunctionProfile[]} rows
 * @param {Profile} profile
 * @param {Clock} clock
 * @param {ProfileOrder} order
 * @returns {Column[]}
 */
function timeColumns(rows, { whole, hasWall }, { unit }, order) {
  const column = (/** @type {string} */ heading, /** @type {(time: FunctionTime) => string} */ cell) => ({
    heading,
    cells: rows.map(({ time }) => (time ? cell(time) : '')),
  });
  const share = (/** @type {'total' | 'self'} */ key) => (/** @type {FunctionTime} */ time) => percent(time[key], whole);
  const durations = rows.some(({ time }) => time?.percentiles);
  return [
    column('Total', ({ total }) => amountCell(total, unit)),
    ...(order === 'total' ? [column('Total %', share('total'))] : []),
    column('Self', ({ self }) => amountCell(self, unit)),
    ...(order === 'total' ? [] : [column('Self %', share('self'))]),
    { heading: 'Calls', cells: rows.map(({ calls }) => grouped(calls)) },
    ...SINGLE.map(([heading, key]) => column(heading, (time) => amountCell(time[key], unit))),
    ...(durations ? PERCENTS.map((name, i) => column(`p${name}`, (time) => (time.percentiles ? amountCell(time.percentiles[i], unit) : ''))) : []),
    ...(hasWall ? [column('Host Time', ({ wall }) => (wall > 0 ? amountCell(wall, 'ns') : ''))] : []),
  ];
}

/** @param {readonly FunctionProfile[]} rows @param {number} calls of all functions @returns {Column[]} */
function callColumns(rows, calls) {
  return [
    { heading: 'Calls', cells: rows.map((row) => grouped(row.calls)) },
    { heading: 'Calls %', cells: rows.map((row) => percent(row.calls, calls)) },
  ];
}

/** Why an average may lie beyond the shortest and the longest call. @param {number} calls */
export function unmeasuredNote(calls) {
  return `Total and Avg include ${counted(calls, 'call that was', 'calls that were')} not seen to return; Min, Max and percentiles do not`;
}

/** What the table does not have. @param {TraceModel} model @param {Profile} profile @param {number} left */
function notesOf({ metadata, clock, treeLosses }, { outside, dropped, unmeasured, rows }, left) {
  const notes = lossNotes(treeLosses);
  if (clock && dropped > 0) notes.push(`${amountWithUnit(dropped, clock.unit)} passed in calls that are not in the tree`);
  notes.push(...tinyNotes(metadata));
  if (left > 0) notes.unshift(`${counted(left, 'more function')} left out; a larger --limit shows more`);
  if (rows.some(({ time }) => time?.percentiles)) notes.push(`${PERCENTS.map((name) => `p${name}`).join(', ')}: of single calls, at most 1/16 off`);
  if (unmeasured > 0) notes.push(unmeasuredNote(unmeasured));
  if (clock && outside > 0) notes.push(`outside of traced calls: ${amountWithUnit(outside, clock.unit)}`);
  return notes;
}

/** @param {FunctionProfile} row @param {Pick<FunctionNames, 'name'>} names @param {Styles} style */
function nameOf({ func, host }, names, style) {
  return style.name(names.name(func)) + (host ? style.dim(HOST_MARK) : '');
}

/**
 * @param {TraceModel} model
 * @param {Pick<FunctionNames, 'name'>} names
 * @param {ViewOptions} [options] limit: functions
 * @returns {string}
 */
export function renderProfile(model, names, { limit = PROFILE_LIMIT, color, sort = 'self', recursion = false, resolution } = {}) {
  const style = styles(color);
  const { clock } = model;
  const profile = model.profile({ folded: !recursion });
  const all = sortProfile(profile.rows, clock || sort === 'name' ? sort : 'calls', (func) => names.name(func));
  const rows = all.slice(0, limit);
  const columns = clock ? timeColumns(rows, profile, clock, sort) : callColumns(rows, all.reduce((sum, { calls }) => sum + calls, 0));
  const last = { heading: 'Function', cells: rows.map((row) => nameOf(row, names, style)) };
  const lines = rows.length > 0 ? tableLines(columns, last, style) : ['no calls'];
  const notes = notesOf(model, profile, all.length - rows.length).map((note) => `(${note})`);
  const end = clock ? [clockLine(clock, resolution)] : ['(no clock: calls only; --clock auto measures time)'];
  return joinLines([...lines, ...[...notes, ...end].map(style.dim)]);
}
