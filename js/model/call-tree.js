// The call tree as displays want it: counts of the events of interest, sums over subtrees, and chains of direct
// recursion folded into one frame; and the time that was spent there, when a clock ran. Built from the runtime's nodes or, when
// only events were kept, from calls. All in columns and in loops over them: half a million nodes, and stacks that are as deep.
import * as ABI from '../generated/abi.js';

/** @import {Metadata} from '../trace/metadata.js' */
/** @import {TreeNodes} from '../trace/snapshot.js' */
/** @import {Calls} from './calls.js' */

/**
 * Node 0 is the root, the host. Parents come before their children.
 * @typedef {object} CallTree
 * @property {number} length nodes
 * @property {Uint32Array} parent
 * @property {Uint32Array} func
 * @property {Float64Array} self calls of this very frame
 * @property {Float64Array} total with all that are below
 * @property {Uint8Array} uncertain 1: the caller may have been left by a trap before (uncertain.js)
 * @property {Uint32Array} chain how many frames of one function, each called by the one before, this node stands for at most
 * @property {TreeTime | null} [time] null without a clock
 *
 * @typedef {object} TreeTime columns by node, in the clock's unit. The root has none: what passes outside of traced calls is
 *   nobody's
 * @property {Float64Array} self
 * @property {Float64Array} total with all that are below
 * @property {Float64Array} min the shortest call; NaN when none returned
 * @property {Float64Array} max the longest call that returned
 * @property {Float64Array} wall nanoseconds that calls to the host took, by another clock; 0 where none ran
 *
 * @typedef {object} PathTime when there was a clock, columns as those of TreeTime; null without
 * @property {Float64Array | null} [self]
 * @property {Float64Array | null} [min]
 * @property {Float64Array | null} [max]
 * @property {Float64Array | null} [wall]
 *
 * @typedef {Pick<TreeNodes, 'parent' | 'func' | 'count'> & {uncertain?: Uint8Array} & PathTime} Paths counted paths of calls,
 *   parents first; doubt stands in frames of its own (the runtime's tree) or in a column
 */

const SWEEPING = /^\s*(calls|traps)\s*$/;

/**
 * Which functions' calls a tree counts. Stacks need every function in the tree, to show the way; then only those count
 * that were asked for, and these have a probe.
 * @param {Pick<Metadata, 'probes' | 'trace' | 'stacks'>} metadata
 * @returns {(func: number) => boolean}
 */
export function countedFunctions({ probes, trace, stacks }) {
  const waysOnly = stacks || [...probes.values()].some((probe) => probe.stack);
  const everything = !waysOnly || probes.size === 0 || trace.some((spec) => SWEEPING.test(spec));
  return everything ? (func) => func !== ABI.UNCERTAIN : (func) => probes.has(func);
}

/** Finds nodes by parent, function and doubt: an open hash over the columns of the nodes themselves. */
export class Children {
  #parent;
  #func;
  #uncertain;
  #slots;

  /** @param {Pick<CallTree, 'parent' | 'func' | 'uncertain'>} nodes columns as long as there will be nodes */
  constructor({ parent, func, uncertain }) {
    this.#parent = parent;
    this.#func = func;
    this.#uncertain = uncertain;
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(parent.length * 2 + 1)));
  }

  /**
   * The node of the child; `next`, which it then is, when there is none.
   * @param {number} parent
   * @param {number} func
   * @param {number} next
   * @param {number} [uncertain] 1 or 0
   */
  find(parent, func, next, uncertain = 0) {
    const mask = this.#slots.length - 1;
    // Odd multipliers of Knuth and MurmurHash3, as in the runtime.
    const mixed = Math.imul(parent, 0x9e3779b1) ^ Math.imul(func, 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    for (let node = this.#slots[slot]; node !== 0; node = this.#slots[slot]) {
      if (this.#parent[node] === parent && this.#func[node] === func && this.#uncertain[node] === uncertain) return node;
      slot = (slot + 1) & mask;
    }
    this.#parent[next] = parent;
    this.#func[next] = func;
    this.#uncertain[next] = uncertain;
    return (this.#slots[slot] = next);
  }
}

/**
 * Sums of subtrees: parents come first, so one sweep from the end does.
 * @param {Pick<CallTree, 'length' | 'parent'>} tree
 * @param {Float64Array} self
 * @returns {Float64Array}
 */
export function sumTotals({ length, parent }, self) {
  const total = self.slice();
  for (let node = length - 1; node > 0; node--) total[parent[node]] += total[node];
  return total;
}

/**
 * Folds f calling f calling f ... into one node; children of the folded frames are added up by function. A frame of doubt is
 * no node: it marks the one below it.
 * @param {Paths} paths
 * @param {(func: number) => boolean} [counted] whose calls are counted
 * @param {{folded?: boolean}} [options] folded: false leaves a frame for each level of recursion
 * @returns {CallTree}
 */
export function buildCallTree(paths, counted = () => true, { folded = true } = {}) {
  const size = paths.parent.length;
  const tree = emptyTree(Math.max(1, size));
  const children = new Children(tree);
  const nodeOf = new Uint32Array(size);
  const depthInChain = new Uint32Array(size);
  for (let path = ABI.NODE_FIRST; path < size; path++) {
    const above = paths.parent[path];
    const func = paths.func[path];
    nodeOf[path] = nodeOf[above];
    if (func === ABI.UNCERTAIN) continue;
    const recursive = folded && above >= ABI.NODE_FIRST && paths.func[above] === func;
    const below = above >= ABI.NODE_FIRST && paths.func[above] === ABI.UNCERTAIN;
    const doubt = below ? 1 : (paths.uncertain?.[path] ?? 0);
    const node = recursive ? nodeOf[above] : children.find(nodeOf[above], func, tree.length, doubt);
    if (node === tree.length) tree.length++;
    nodeOf[path] = node;
    depthInChain[path] = recursive ? depthInChain[above] + 1 : 1;
    tree.chain[node] = Math.max(tree.chain[node], depthInChain[path]);
    if (counted(func)) tree.self[node] += paths.count[path];
  }
  tree.total = sumTotals(tree, tree.self);
  tree.time = timeOf(paths, nodeOf, tree);
  return tree;
}

/**
 * What passes in a frame of doubt is its caller's.
 * @template {Pick<TreeNodes, 'parent' | 'func' | 'self'>} Nodes
 * @param {Nodes} nodes
 * @returns {Nodes} without time in such frames
 */
export function settleDoubt(nodes) {
  if (!nodes.self || !nodes.func.includes(ABI.UNCERTAIN)) return nodes;
  const self = nodes.self.slice();
  for (let node = self.length - 1; node >= ABI.NODE_FIRST; node--) {
    if (nodes.func[node] !== ABI.UNCERTAIN) continue;
    self[nodes.parent[node]] += self[node];
    self[node] = 0;
  }
  return { ...nodes, self };
}

/**
 * @param {Paths} paths
 * @param {Uint32Array} nodeOf the node of each path
 * @param {CallTree} tree
 * @returns {TreeTime | null}
 */
function timeOf({ func, self, min, max, wall }, nodeOf, tree) {
  if (!self || !min || !max) return null;
  const size = tree.parent.length;
  const time = { self: new Float64Array(size), min: new Float64Array(size).fill(NaN), max: new Float64Array(size), wall: new Float64Array(size) };
  for (let path = ABI.NODE_FIRST; path < func.length; path++) {
    const node = nodeOf[path];
    if (node === 0) continue;
    time.self[node] += self[path];
    time.wall[node] += wall?.[path] ?? 0;
    if (func[path] === ABI.UNCERTAIN) continue;
    time.min[node] = lesser(time.min[node], min[path]);
    time.max[node] = Math.max(time.max[node], max[path]);
  }
  return { ...time, total: sumTotals(tree, time.self) };
}

/** The lesser of two numbers; NaN is none. @param {number} a @param {number} b */
export function lesser(a, b) {
  return b < a || Number.isNaN(a) ? b : a;
}

/** @param {number} size @returns {CallTree} with the root only */
function emptyTree(size) {
  return {
    length: 1,
    parent: new Uint32Array(size),
    func: new Uint32Array(size),
    uncertain: new Uint8Array(size),
    chain: new Uint32Array(size),
    self: new Float64Array(size),
    total: new Float64Array(size),
  };
}

/** @param {number} size */
function emptyPaths(size) {
  return {
    parent: new Uint32Array(size),
    func: new Uint32Array(size),
    uncertain: new Uint8Array(size),
    count: new Float64Array(size),
  };
}

/**
 * The paths that calls took, for traces without the runtime's tree. They tell of the retained events only.
 * @param {Calls} calls
 * @returns {Paths}
 */
export function pathsOfCalls(calls) {
  const size = calls.length + ABI.NODE_FIRST;
  const paths = emptyPaths(size);
  const children = new Children(paths);
  const pathOf = new Uint32Array(calls.length);
  let next = ABI.NODE_FIRST;
  for (let call = 0; call < calls.length; call++) {
    const above = calls.parent[call] < 0 ? ABI.NODE_ROOT : pathOf[calls.parent[call]];
    const path = children.find(above, calls.func[call], next, Number(calls.uncertain.has(call)));
    if (path === next) next++;
    pathOf[call] = path;
    paths.count[path]++;
  }
  return {
    parent: paths.parent.subarray(0, next),
    func: paths.func.subarray(0, next),
    count: paths.count.subarray(0, next),
    uncertain: paths.uncertain.subarray(0, next),
  };
}

/**
 * Calls of each function, most called first.
 * @param {Paths} paths
 * @returns {{func: number, count: number}[]}
 */
export function callsByFunction({ func, count }) {
  const counts = new Map();
  for (let path = ABI.NODE_FIRST; path < func.length; path++) {
    if (func[path] === ABI.UNCERTAIN) continue;
    counts.set(func[path], (counts.get(func[path]) ?? 0) + count[path]);
  }
  const rows = [...counts].map(([of, calls]) => ({ func: of, count: calls })).filter((row) => row.count > 0);
  return rows.sort((a, b) => b.count - a.count || a.func - b.func);
}

/**
 * The `limit` nodes with the largest totals, each with its parent: a node's total is never above its parent's, and the
 * parent comes first among equals. Where there is time, it is what counts.
 * @param {CallTree} tree
 * @param {number} limit
 * @returns {{nodes: number[], left: number}} nodes without the root, in order of index; left: how many more have events
 */
export function heaviestNodes({ length, total: calls, time }, limit) {
  const total = time?.total ?? calls;
  const isUsed = (/** @type {number} */ node) => calls[node] > 0 || total[node] > 0;
  const used = nodesWhere(length, isUsed);
  if (used.length <= limit) return { nodes: used, left: 0 };
  const totals = Float64Array.from(used, (node) => total[node]).sort();
  const least = limit > 0 ? totals[totals.length - limit] : Infinity;
  let equals = limit - (totals.length - firstAbove(totals, least));
  const nodes = used.filter((node) => total[node] > least || (total[node] === least && equals-- > 0));
  return { nodes, left: used.length - limit };
}

/** @param {number} length @param {(node: number) => boolean} wanted */
function nodesWhere(length, wanted) {
  const nodes = [];
  for (let node = 1; node < length; node++) if (wanted(node)) nodes.push(node);
  return nodes;
}

/** Index of the first number above `limit` in a sorted list. @param {Float64Array} sorted @param {number} limit */
function firstAbove(sorted, limit) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
