// What each function took, added up over all ways to it: the flat profile.
//
// self: time in the function itself. total: with all that it called. A recursive function's total counts the outermost calls only
// when recursion is folded: those within are part of them. Average, least, most and percentiles are of single calls, those within
// others too, folded or not.
import * as ABI from '../generated/abi.js';
import { lesser, sumTotals } from './call-tree.js';
import { percentiles, sum } from './durations.js';

/** @import {Metadata} from '../trace/metadata.js' */
/** @import {Paths} from './call-tree.js' */

export const PERCENTS = /** @type {const} */ ([50, 90, 99]);

/**
 * @typedef {object} FunctionProfile
 * @property {number} func
 * @property {boolean} host an import: its time is the host's
 * @property {number} calls
 * @property {FunctionTime | null} time null without a clock
 *
 * @typedef {object} FunctionTime in the clock's unit
 * @property {number} total
 * @property {number} self
 * @property {number} avg of a call; NaN without calls
 * @property {number} min NaN when no call returned
 * @property {number} max NaN when no call returned
 * @property {number} wall nanoseconds that calls to the host took, by another clock; 0 where none ran
 * @property {readonly number[] | null} percentiles those of PERCENTS; null where durations were not asked for
 *
 * @typedef {object} Profile
 * @property {FunctionProfile[]} rows functions with calls, by index
 * @property {number} whole time in traced calls, all of it
 * @property {number} outside time outside of them: the host's, between calls; NaN where the clock is an import, of
 *   which nobody knows when it began to count
 * @property {number} dropped time in calls that did not fit into the tree
 * @property {number} unmeasured calls of which no end was seen, as far as durations are counted: they are in totals and averages only
 * @property {boolean} hasWall
 *
 * @typedef {object} ProfileSource
 * @property {Paths} paths
 * @property {Pick<Metadata, 'importCount' | 'durations' | 'clock'>} metadata
 * @property {readonly BigUint64Array[]} durations
 */

/** One function's sums, while they are made. */
class Sums {
  calls = 0;
  self = 0;
  /** Of the outermost calls. */
  outer = 0;
  /** Of all calls. */
  all = 0;
  min = NaN;
  max = 0;
  wall = 0;

  /** @param {FunctionTime['percentiles']} found @param {boolean} folded @returns {FunctionTime} */
  time(found, folded) {
    const { calls, self, outer, all, min, wall } = this;
    const max = Number.isNaN(min) ? NaN : this.max;
    return { total: folded ? outer : all, self, avg: all / calls, min, max, wall, percentiles: found && within(found, min, max) };
  }
}

/** No percentile lies beyond what single calls took: a bucket's middle may. @param {readonly number[]} found @param {number} min @param {number} max */
function within(found, min, max) {
  return found.map((value) => Math.min(Math.max(value, Number.isNaN(min) ? value : min), Number.isNaN(max) ? value : max));
}

/** Children of each path as linked lists; 0 ends one. @param {Pick<Paths, 'parent'>} paths */
function linkChildren({ parent }) {
  const first = new Uint32Array(parent.length);
  const next = new Uint32Array(parent.length);
  for (let path = parent.length - 1; path >= ABI.NODE_FIRST; path--) {
    next[path] = first[parent[path]];
    first[parent[path]] = path;
  }
  return { first, next };
}

/**
 * Which paths have none like them above: of the same function. Depth first, by links instead of a stack: trees are as deep as
 * the debuggee's.
 * @param {Pick<Paths, 'parent' | 'func'>} paths
 * @param {(path: number) => number} [kindOf] paths of one kind are alike
 * @returns {Uint8Array} 1 for those
 */
export function outermostPaths({ parent, func }, kindOf = (path) => func[path]) {
  const { first, next } = linkChildren({ parent });
  const outermost = new Uint8Array(parent.length);
  /** How many of each kind are open. @type {Map<number, number>} */
  const open = new Map();
  for (let path = first[ABI.NODE_ROOT]; path !== 0;) {
    const inside = open.get(kindOf(path)) ?? 0;
    outermost[path] = inside === 0 ? 1 : 0;
    open.set(kindOf(path), inside + 1);
    let from = path;
    path = first[from];
    while (path === 0 && from !== ABI.NODE_ROOT) {
      open.set(kindOf(from), /** @type {number} */ (open.get(kindOf(from))) - 1);
      path = next[from];
      from = parent[from];
    }
  }
  return outermost;
}

/** @param {Paths} paths @returns {Map<number, Sums>} by function, in the order of their indices */
function sumByFunction(paths) {
  const { func, count, self, min, max, wall } = paths;
  const total = self ? sumTotals({ ...paths, length: func.length }, self) : null;
  const outermost = total ? outermostPaths(paths) : null;
  /** @type {Map<number, Sums>} */
  const sums = new Map();
  for (let path = ABI.NODE_FIRST; path < func.length; path++) {
    if (func[path] === ABI.UNCERTAIN) continue;
    let row = sums.get(func[path]);
    if (!row) sums.set(func[path], (row = new Sums()));
    row.calls += count[path];
    if (!self || !total || !outermost) continue;
    row.self += self[path];
    row.all += total[path];
    if (outermost[path]) row.outer += total[path];
    row.wall += wall?.[path] ?? 0;
    row.min = lesser(row.min, min?.[path] ?? NaN);
    row.max = Math.max(row.max, max?.[path] ?? 0);
  }
  return new Map([...sums].filter(([, { calls, all }]) => calls > 0 || all > 0).sort(([a], [b]) => a - b));
}

/** Time in traced calls, those included that did not fit into the tree. @param {Pick<Paths, 'self'>} paths */
export function tracedTime({ self }) {
  return self ? self.reduce((all, one) => all + one, 0) - self[ABI.NODE_ROOT] : 0;
}

/**
 * @param {ProfileSource} source
 * @param {{folded?: boolean}} [options]
 * @returns {Profile}
 */
export function profileOf({ paths, metadata, durations }, { folded = true } = {}) {
  const { self, wall } = paths;
  const tables = new Map((metadata.durations).map((func, i) => [func, durations[i]]));
  const rows = [...sumByFunction(paths)].map(([func, sums]) => {
    const table = tables.get(func);
    const found = table ? percentiles(table, PERCENTS) : null;
    return { func, host: func < metadata.importCount, calls: sums.calls, time: self ? sums.time(found, folded) : null };
  });
  const unmeasured = rows.map(({ func, calls }) => (tables.has(func) ? calls - Number(sum(/** @type {BigUint64Array} */ (tables.get(func)))) : 0));
  const apart = (/** @type {number} */ node) => self?.[node] ?? 0;
  return {
    rows,
    whole: tracedTime(paths),
    outside: metadata.clock?.kind === 'import' ? NaN : apart(ABI.NODE_ROOT),
    dropped: apart(ABI.NODE_DROPPED),
    unmeasured: unmeasured.reduce((all, calls) => all + Math.max(0, calls), 0),
    hasWall: wall?.some((time) => time > 0) ?? false,
  };
}

/** @typedef {'total' | 'self' | 'calls' | 'avg' | 'min' | 'max' | 'name'} ProfileOrder */

/** @type {readonly ProfileOrder[]} */
export const PROFILE_ORDERS = Object.freeze(['total', 'self', 'calls', 'avg', 'min', 'max', 'name']);

/**
 * Largest numbers first, names from A on; where there is no time, by calls.
 * @param {readonly FunctionProfile[]} rows
 * @param {ProfileOrder} order
 * @param {(func: number) => string} nameOf
 * @returns {FunctionProfile[]}
 */
export function sortProfile(rows, order, nameOf) {
  if (order === 'name') {
    const named = rows.map((row) => ({ row, name: nameOf(row.func) }));
    return named.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)) || a.row.func - b.row.func).map(({ row }) => row);
  }
  const value = (/** @type {FunctionProfile} */ { calls, time }) => (order === 'calls' || !time ? calls : time[order]);
  return rows.slice().sort((a, b) => descending(value(a), value(b)) || b.calls - a.calls || a.func - b.func);
}

/** What is not known comes last. @param {number} a @param {number} b */
function descending(a, b) {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return Number(b > a) - Number(b < a);
}
