// The call tree upside down: functions at the top, their callers below them. The whole of it can be far larger than the
// tree, so nodes are opened on demand, the heaviest first, until there are as many as will be shown.
import * as ABI from '../generated/abi.js';
import { Heap } from './heap.js';

/** @import {CallTree, Paths} from './call-tree.js' */

/** Stands for the host in `func`. */
export const HOST = 0xffffffff;

/**
 * @typedef {object} Branch calls of one function (at the top), as far as they came this way
 * @property {number} func
 * @property {number} parent node in the result
 * @property {number} calls
 * @property {number} time self time of the calls at the top; 0 without a clock
 * @property {number} chain
 * @property {number} found how many were found before it: among equals, the one found first is the heavier
 * @property {number[]} paths those that came this way
 * @property {number[]} frames the frame reached on each path
 */

/** @param {number} func @param {number} parent @returns {Branch} */
function newBranch(func, parent) {
  return { func, parent, calls: 0, time: 0, chain: 1, found: 0, paths: [], frames: [] };
}

/** @param {Map<number, Branch>} branches @param {number} func @param {number} parent @returns {Branch} */
function branchOf(branches, func, parent) {
  let branch = branches.get(func);
  if (!branch) {
    branch = newBranch(func, parent);
    branches.set(func, branch);
  }
  return branch;
}

/** @param {Branch} branch @param {number} frame @param {number} path @param {Paths} paths */
function addPath(branch, frame, path, { count, self }) {
  branch.calls += count[path];
  branch.time += self?.[path] ?? 0;
  branch.paths.push(path);
  branch.frames.push(frame);
}

/** One branch for each function that has events. @param {Paths} paths @param {(func: number) => boolean} counted */
function topBranches(paths, counted) {
  const { func, count, self } = paths;
  /** @type {Map<number, Branch>} */
  const branches = new Map();
  for (let path = ABI.NODE_FIRST; path < func.length; path++) {
    const isUsed = count[path] > 0 || (self !== null && self !== undefined && self[path] > 0);
    if (isUsed && counted(func[path])) addPath(branchOf(branches, func[path], 0), path, path, paths);
  }
  return [...branches.values()];
}

/**
 * The callers of a branch. Frames of the function itself, one above the other, are passed over and counted in `chain`.
 * @param {Branch} branch @param {number} node the branch's own, in the result @param {Paths} paths
 * @param {boolean} folded
 */
function callerBranches(branch, node, paths, folded) {
  const { parent, func } = paths;
  /** @type {Map<number, Branch>} */
  const callers = new Map();
  if (branch.func === HOST) return [];
  branch.frames.forEach((frame, i) => {
    let chain = 1;
    let above = parent[frame];
    for (; folded && above >= ABI.NODE_FIRST && func[above] === branch.func; above = parent[above]) chain++;
    branch.chain = Math.max(branch.chain, chain);
    addPath(branchOf(callers, above >= ABI.NODE_FIRST ? func[above] : HOST, node), above, branch.paths[i], paths);
  });
  return [...callers.values()];
}

/**
 * Self counts stand at the top frames, the calls themselves; a caller has none. A path ends with HOST. Time is the self time of
 * the calls at the top: a caller's total is what they took when it called.
 * @param {Paths} paths
 * @param {number} limit nodes
 * @param {(func: number) => boolean} [counted] whose calls are counted
 * @param {{byTime?: boolean, folded?: boolean}} [options] byTime: what makes a branch heavy, when there is time: time, or false for
 *   calls; folded: false leaves a frame for each level of recursion
 * @returns {{tree: CallTree, left: number}} left: branches known and not opened
 */
export function invertedTree(paths, limit, counted = () => true, { byTime = true, folded = true } = {}) {
  const weight = byTime && paths.self ? 'time' : 'calls';
  /** @type {Heap<Branch>} */
  const waiting = new Heap((a, b) => a[weight] > b[weight] || (a[weight] === b[weight] && a.found < b.found));
  let found = 0;
  const wait = (/** @type {Branch} */ branch) => waiting.push(Object.assign(branch, { found: found++ }));
  topBranches(paths, counted).forEach(wait);
  /** @type {Branch[]} */
  const opened = [];
  while (opened.length < limit) {
    const branch = waiting.pop();
    if (!branch) break;
    opened.push(branch);
    callerBranches(branch, opened.length, paths, folded).forEach(wait);
    branch.paths = branch.frames = [];
  }
  return { tree: treeOf(opened, paths.self ? timeOf(opened) : null), left: waiting.length };
}

/** Time of single calls is the tree's that stands upright. @param {Branch[]} branches @returns {CallTree['time']} */
function timeOf(branches) {
  const total = Float64Array.from([0, ...branches.map((branch) => branch.time)]);
  const self = Float64Array.from([0, ...branches.map((branch) => (branch.parent === 0 ? branch.time : 0))]);
  const { length } = total;
  return { total, self, min: new Float64Array(length).fill(NaN), max: new Float64Array(length), wall: new Float64Array(length) };
}

/** @param {Branch[]} branches @param {CallTree['time']} time @returns {CallTree} */
function treeOf(branches, time) {
  const rows = [{ func: 0, parent: 0, calls: 0, chain: 0 }, ...branches];
  return {
    length: rows.length,
    parent: Uint32Array.from(rows, (row) => row.parent),
    func: Uint32Array.from(rows, (row) => row.func),
    total: Float64Array.from(rows, (row) => row.calls),
    self: Float64Array.from(rows, (row, i) => (i > 0 && row.parent === 0 ? row.calls : 0)),
    chain: Uint32Array.from(rows, (row) => row.chain),
    uncertain: new Uint8Array(rows.length), // doubt is a caller of its own here
    time,
  };
}
