// Stacks with their weights, out of the call tree: what flame graphs of other tools are made of. Trees may have half a million nodes
// and stacks be as deep: what is deeper than others can show counts with the frame there, and the lightest stacks go where
// there are too many frames in all.
import * as ABI from '../generated/abi.js';

/** @import {TraceModel} from './trace-model.js' */

/** Frames of a stack; deeper ones count with the last of these. */
export const MOST_LEVELS = 500;
/** Frames of all stacks. */
const MOST_FRAMES = 4_000_000;

/**
 * @typedef {object} WeightedStack
 * @property {number[]} frames functions, outermost first
 * @property {number} weight
 *
 * @typedef {object} StackWeights
 * @property {'time' | 'calls'} weight what is counted: self time, in the clock's unit, or calls without a clock
 * @property {WeightedStack[]} stacks those with weight, in the order of the tree
 * @property {number} left weight of the stacks that are left out
 * @property {number} deep stacks that were deeper than MOST_LEVELS
 */

/** The frames of a node that is not too deep. @param {TraceModel['paths']} paths @param {number} node @returns {number[]} */
function framesOf({ parent, func }, node) {
  const frames = [];
  for (let at = node; at >= ABI.NODE_FIRST; at = parent[at]) if (func[at] !== ABI.UNCERTAIN) frames.push(func[at]);
  return frames.reverse();
}

/** How many frames there are down to each node. @param {TraceModel['paths']} paths */
function depthsOf({ parent, func }) {
  const depths = new Uint32Array(parent.length);
  for (let node = ABI.NODE_FIRST; node < parent.length; node++) depths[node] = depths[parent[node]] + (func[node] === ABI.UNCERTAIN ? 0 : 1);
  return depths;
}

/**
 * Moves the weight of nodes that are too deep to the ones that stand for them.
 * @param {TraceModel['paths']} paths @param {Uint32Array} depths @param {Float64Array} weights changed
 * @returns {number} how many there were
 */
function liftDeep({ parent }, depths, weights) {
  const standIn = new Uint32Array(weights.length);
  let deep = 0;
  for (let node = ABI.NODE_FIRST; node < weights.length; node++) {
    standIn[node] = depths[node] > MOST_LEVELS ? standIn[parent[node]] : node;
    if (standIn[node] === node || weights[node] <= 0) continue;
    weights[standIn[node]] += weights[node];
    weights[node] = 0;
    deep++;
  }
  return deep;
}

/** The heaviest nodes whose frames are not too many in all. @param {Uint32Array} depths @param {Float64Array} weights @param {number} most */
function heaviest(depths, weights, most) {
  const nodes = Array.from(weights.keys()).filter((node) => node >= ABI.NODE_FIRST && depths[node] > 0 && weights[node] > 0);
  const order = nodes.slice().sort((a, b) => weights[b] - weights[a] || a - b);
  let room = most;
  const end = order.findIndex((node) => (room -= depths[node]) < 0);
  return end < 0 ? nodes : order.slice(0, end).sort((a, b) => a - b);
}

/**
 * @param {TraceModel} model
 * @param {number} [most] frames of all stacks
 * @returns {StackWeights}
 */
export function stackWeights({ paths, clock, counted }, most = MOST_FRAMES) {
  const timed = clock !== null && paths.self;
  const weights = timed ? Float64Array.from(timed, Math.round) : paths.count.map((count, node) => (counted(paths.func[node]) ? count : 0));
  const depths = depthsOf(paths);
  const deep = liftDeep(paths, depths, weights);
  const nodes = heaviest(depths, weights, most);
  let left = 0;
  for (let node = ABI.NODE_FIRST; node < weights.length; node++) if (depths[node] > 0) left += Math.max(0, weights[node]);
  for (const node of nodes) left -= weights[node];
  return {
    weight: timed ? 'time' : 'calls',
    stacks: nodes.map((node) => ({ frames: framesOf(paths, node), weight: weights[node] })),
    left,
    deep,
  };
}
