// Who calls a function and whom it calls, added up over the whole tree. Recursion shows: a function that calls itself is among
// its own callers. No row counts time twice: of a call that is made while the same caller waits for the same function further
// out, the total is in that one's.
import * as ABI from '../generated/abi.js';
import { sumTotals } from './call-tree.js';
import { HOST } from './inverted-tree.js';
import { outermostPaths } from './profile.js';

/** @import {Paths} from './call-tree.js' */

/**
 * @typedef {{total: number, self: number}} Time
 *
 * @typedef {object} Neighbour
 * @property {number} func HOST for the host
 * @property {number} count calls
 * @property {boolean} uncertain the caller may have been left by a trap before
 * @property {Time} [time] of these calls, when there was a clock: the function's from this caller, or the callee's from the
 *   function
 *
 * @typedef {object} Neighbours
 * @property {number} calls of the function itself
 * @property {Time} [time] of the function itself, when there was a clock
 * @property {Neighbour[]} callers the most frequent first
 * @property {Neighbour[]} callees the most frequent first
 */

/** Counts by function, doubtful ones apart. */
class Tally {
  /** @type {Map<number, Neighbour>} */
  #rows = new Map();

  /** @param {number} func @param {boolean} uncertain @param {number} count @param {Neighbour['time']} time */
  add(func, uncertain, count, time) {
    const key = func * 2 + Number(uncertain);
    const row = this.#rows.get(key) ?? { func, uncertain, count: 0, ...(time && { time: { total: 0, self: 0 } }) };
    row.count += count;
    if (row.time && time) addTime(row.time, time);
    this.#rows.set(key, row);
  }

  get rows() {
    const weight = (/** @type {Neighbour} */ { time, count }) => time?.total ?? count;
    return [...this.#rows.values()].sort((a, b) => weight(b) - weight(a) || b.count - a.count || a.func - b.func);
  }
}

/** @param {Time} sum @param {Time} more */
function addTime(sum, { total, self }) {
  sum.total += total;
  sum.self += self;
}

/** One number for the functions at both ends of a call. @param {Paths} paths @param {number} path */
function edgeOf(paths, path) {
  const { caller } = callerOf(paths, path);
  return (caller >= ABI.NODE_FIRST ? paths.func[caller] + 1 : 0) * 2 ** ABI.POSITION_BITS * 2 + paths.func[path];
}

/**
 * The time of each path as one of its function's calls, and as one by its caller.
 * @param {Paths} paths
 * @returns {{ofFunction: (path: number) => Time, ofEdge: (path: number) => Time} | null} null without a clock
 */
function timesOf(paths) {
  const { self } = paths;
  if (!self) return null;
  const total = sumTotals({ ...paths, length: self.length }, self);
  const [functions, edges] = [outermostPaths(paths), outermostPaths(paths, (path) => edgeOf(paths, path))];
  const time = (/** @type {Uint8Array} */ outermost) => (/** @type {number} */ path) => ({ total: outermost[path] ? total[path] : 0, self: self[path] });
  return { ofFunction: time(functions), ofEdge: time(edges) };
}

/** The path that a path was called from, passing over a frame of doubt. @param {Paths} paths @param {number} path */
function callerOf({ parent, func, uncertain }, path) {
  const above = parent[path];
  const doubted = above >= ABI.NODE_FIRST && func[above] === ABI.UNCERTAIN;
  return { caller: doubted ? parent[above] : above, uncertain: doubted || uncertain?.[path] === 1 };
}

/**
 * @param {Paths} paths
 * @param {number} func
 * @param {(func: number) => boolean} [counted] whose calls are counted
 * @returns {Neighbours}
 */
export function neighbours(paths, func, counted = () => true) {
  const [callers, callees] = [new Tally(), new Tally()];
  const times = timesOf(paths);
  const time = { total: 0, self: 0 };
  let calls = 0;
  for (let path = ABI.NODE_FIRST; path < paths.func.length; path++) {
    const called = paths.func[path];
    const count = paths.count[path];
    if (called === ABI.UNCERTAIN || count === 0 || !counted(called)) continue;
    const { caller, uncertain } = callerOf(paths, path);
    const from = caller >= ABI.NODE_FIRST ? paths.func[caller] : HOST;
    const spent = from === func || called === func ? times?.ofEdge(path) : undefined;
    if (from === func) callees.add(called, uncertain, count, spent);
    if (called !== func) continue;
    callers.add(from, uncertain, count, spent);
    calls += count;
    if (times) addTime(time, times.ofFunction(path));
  }
  return { calls, ...(times && { time }), callers: callers.rows, callees: callees.rows };
}
