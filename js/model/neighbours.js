// Who calls a function and whom it calls, added up over the whole tree. Recursion shows: a function that calls itself is among
// its own callers.
import { ABI } from '../generated/records.js';
import { HOST } from './inverted-tree.js';

/** @import {Paths} from './call-tree.js' */

/**
 * @typedef {object} Neighbour
 * @property {number} func HOST for the host
 * @property {number} count calls
 * @property {boolean} uncertain the caller may have been left by a trap before
 *
 * @typedef {object} Neighbours
 * @property {number} calls of the function itself
 * @property {Neighbour[]} callers the most frequent first
 * @property {Neighbour[]} callees the most frequent first
 */

/** Counts by function, doubtful ones apart. */
class Tally {
  /** @type {Map<number, Neighbour>} */
  #rows = new Map();

  /** @param {number} func @param {boolean} uncertain @param {number} count */
  add(func, uncertain, count) {
    const key = func * 2 + Number(uncertain);
    const row = this.#rows.get(key) ?? { func, uncertain, count: 0 };
    row.count += count;
    this.#rows.set(key, row);
  }

  get rows() {
    return [...this.#rows.values()].sort((a, b) => b.count - a.count || a.func - b.func);
  }
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
  let calls = 0;
  for (let path = ABI.NODE_FIRST; path < paths.func.length; path++) {
    const called = paths.func[path];
    const count = paths.count[path];
    if (called === ABI.UNCERTAIN || count === 0 || !counted(called)) continue;
    const { caller, uncertain } = callerOf(paths, path);
    const from = caller >= ABI.NODE_FIRST ? paths.func[caller] : HOST;
    if (from === func) callees.add(called, uncertain, count);
    if (called !== func) continue;
    callers.add(from, uncertain, count);
    calls += count;
  }
  return { calls, callers: callers.rows, callees: callees.rows };
}
