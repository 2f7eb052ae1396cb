// Frames of a call tree, or of one upside down, as charts take them: columns that nobody changes, with the name of what is
// counted. Frames keep the numbers that they have in their tree.
import * as ABI from '../generated/abi.js';
import { HOST, invertedTree } from './inverted-tree.js';

/** @import {CallTree, Paths} from './call-tree.js' */

/**
 * Frame 0 is the root, the host; parents come before their children.
 * @typedef {object} FrameTable
 * @property {number} length frames
 * @property {Uint32Array} parent
 * @property {Uint32Array} func HOST for the root and, upside down, where a path ends
 * @property {Float64Array} self weight of the frame without those below
 * @property {Float64Array} total weight with them; that of the root is the whole
 * @property {Uint8Array} uncertain 1: the caller may have been left by a trap before
 * @property {Uint32Array} chain frames of one function, each called by the one before, that this frame stands for at most
 * @property {Weight} weight what self and total count
 * @property {boolean} inverted callers stand below the called
 * @property {number} left frames that were found and are not in the table, being the lightest
 */

/** What makes frames wide: their calls, or the clock's time. @typedef {'calls' | 'time'} Weight */

/** One step of the way to a frame. @typedef {{func: number, uncertain: number}} PathStep */

/**
 * @param {CallTree} tree
 * @param {number} whole weight of the root
 * @param {Pick<FrameTable, 'weight' | 'inverted' | 'left'>} facts
 * @returns {FrameTable}
 */
function tableOf(tree, whole, facts) {
  const { length, parent, func, uncertain, chain } = tree;
  const { self, total } = columnsOf(tree, facts.weight);
  const table = {
    length,
    parent: parent.slice(0, length),
    func: func.slice(0, length),
    self: self.slice(0, length),
    total: total.slice(0, length),
    uncertain: uncertain.slice(0, length),
    chain: chain.slice(0, length),
    ...facts,
  };
  table.func[0] = HOST;
  table.total[0] = whole;
  return Object.freeze(table);
}

/**
 * @param {CallTree} tree
 * @param {Weight} weight
 * @returns {Pick<CallTree, 'self' | 'total'>}
 */
function columnsOf(tree, weight) {
  if (weight === 'calls') return tree;
  if (!tree.time) throw new RangeError('no clock ran: there are calls only');
  return tree.time;
}

/**
 * @param {CallTree} tree
 * @param {Weight} [weight] time: only where a clock ran
 */
export function frameTable(tree, weight = 'calls') {
  return tableOf(tree, columnsOf(tree, weight).total[0], { weight, inverted: false, left: 0 });
}

/**
 * Functions at the top, callers below them: the heaviest frames, as many as the limit says.
 * @param {Paths} paths
 * @param {number} limit frames
 * @param {(func: number) => boolean} [counted] whose weight counts
 * @param {Weight} [weight] time: only where a clock ran
 */
export function invertedFrameTable(paths, limit, counted = () => true, weight = 'calls') {
  const { tree, left } = invertedTree(paths, limit, counted, { byTime: weight === 'time' });
  const whole = wholeOf(paths, (weight === 'time' && paths.self) || paths.count, counted);
  return tableOf(tree, whole, { weight, inverted: true, left });
}

/** @param {Paths} paths @param {Float64Array} weights @param {(func: number) => boolean} counted */
function wholeOf({ func }, weights, counted) {
  let whole = 0;
  for (let path = ABI.NODE_FIRST; path < func.length; path++) if (counted(func[path])) whole += weights[path];
  return whole;
}

/** The way to a frame from the root, which is left out. @param {FrameTable} table @param {number} frame @returns {PathStep[]} */
export function pathTo({ parent, func, uncertain }, frame) {
  const path = [];
  for (let at = frame; at > 0; at = parent[at]) path.push({ func: func[at], uncertain: uncertain[at] });
  return path.reverse();
}

/**
 * As far as it goes: the innermost frame on the way that the table has. One sweep does, as children come after their parents.
 * @param {FrameTable} table
 * @param {readonly PathStep[]} path
 * @returns {{frame: number, whole: boolean}} whole: the way goes to its end
 */
export function frameAt({ length, parent, func, uncertain }, path) {
  let frame = 0;
  let depth = 0;
  for (let at = 1; at < length && depth < path.length; at++) {
    const step = path[depth];
    if (parent[at] !== frame || func[at] !== step.func || uncertain[at] !== step.uncertain) continue;
    frame = at;
    depth++;
  }
  return { frame, whole: depth === path.length };
}

/**
 * The frames of some functions, and their share of the whole. A frame below another one of them is in that one's total and
 * adds nothing to the share.
 * @param {FrameTable} table
 * @param {(func: number) => boolean} wanted
 * @returns {{frames: Uint8Array, matches: number, share: number}} frames: 1 for those that match
 */
export function matchFrames({ length, parent, func, total }, wanted) {
  const frames = new Uint8Array(length);
  const covered = new Uint8Array(length);
  let [matches, weight] = [0, 0];
  for (let frame = 1; frame < length; frame++) {
    const above = covered[parent[frame]];
    covered[frame] = above;
    if (!wanted(func[frame]) || total[frame] === 0) continue;
    frames[frame] = covered[frame] = 1;
    matches++;
    if (!above) weight += total[frame];
  }
  return { frames, matches, share: total[0] > 0 ? weight / total[0] : 0 };
}
