// Who calls a function and whom it calls, added up over the whole tree. Recursion shows: a function that calls itself is among
// its own callers. Its total does not: what passes in a call of the function within another one is counted with the outer one, so
// callers' totals add up to the function's, and callees' totals are what it took beside its own.
import { ABI } from '../generated/records.js';
import { sumTotals } from './call-tree.js';
import { HOST } from './inverted-tree.js';
import { outermostPaths } from './profile.js';

/** @import {Paths} from './call-tree.js' */

/**
 * @typedef {object} Neighbour
 * @property {number} func HOST for the host
 * @property {number} count calls
 * @property {boolean} uncertain the caller may have been left by a trap before
 * @property {{total: number, self: number}} [time] of these calls, when there was a clock: the function's from this caller, or
 *   the callee's from the function
 *
 * @typedef {object} Neighbours
 * @property {number} calls of the function itself
 * @property {{total: number, self: number}} [time] of the function itself, when there was a clock
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

/** @param {{total: number, self: number}} sum @param {{total: number, self: number}} more */
function addTime(sum, { total, self }) {
  sum.total += total;
  sum.self += self;
}

/**
 * The time of each path as a call of the function or by it; a call within another of the function's adds none.
 * @param {Paths} paths
 * @param {number} func
 * @returns {((path: number, caller: number) => {total: number, self: number}) | null} null without a clock
 */
function timesAround(paths, func) {
  const { self } = paths;
  if (!self) return null;
  const total = sumTotals({ ...paths, length: self.length }, self);
  const outermost = outermostPaths(paths);
  const inChain = chainsOf(paths, func, outermost);
  return (path, caller) => {
    const isOwn = paths.func[path] === func;
    const counts = isOwn ? outermost[path] === 1 : inChain[caller] === 1;
    return { total: counts ? total[path] : 0, self: isOwn || counts ? self[path] : 0 };
  };
}

/**
 * The function's outermost calls, and those that these make directly of itself.
 * @param {Paths} paths @param {number} func @param {Uint8Array} outermost
 */
function chainsOf(paths, func, outermost) {
  const inChain = new Uint8Array(paths.func.length);
  for (let path = ABI.NODE_FIRST; path < inChain.length; path++) {
    if (paths.func[path] !== func) continue;
    inChain[path] = outermost[path] || inChain[callerOf(paths, path).caller];
  }
  return inChain;
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
  const timeOf = timesAround(paths, func);
  const time = { total: 0, self: 0 };
  let calls = 0;
  for (let path = ABI.NODE_FIRST; path < paths.func.length; path++) {
    const called = paths.func[path];
    const count = paths.count[path];
    if (called === ABI.UNCERTAIN || count === 0 || !counted(called)) continue;
    const { caller, uncertain } = callerOf(paths, path);
    const from = caller >= ABI.NODE_FIRST ? paths.func[caller] : HOST;
    const spent = from === func || called === func ? timeOf?.(path, caller) : undefined;
    if (from === func) callees.add(called, uncertain, count, spent);
    if (called !== func) continue;
    callers.add(from, uncertain, count, spent);
    calls += count;
    if (spent) addTime(time, spent);
  }
  return { calls, ...(timeOf && { time }), callers: callers.rows, callees: callees.rows };
}
