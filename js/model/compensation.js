// What tracing itself cost, and times without it. A call has two events, its enter and its leave, and each reads the clock once
// on its way. What an event costs before that belongs to whoever was running: at an enter the caller; what it costs after that,
// to who runs then: the callee. So of the two events of a call one is in the callee's time, and one in the caller's.

import * as ABI from '../generated/abi.js';

/** @import {CallCost} from '../trace/block.js' */
/** @import {TreeNodes} from '../trace/snapshot.js' */

/** What a call and its return cost in the callee's time and in the caller's. @param {number | CallCost} cost @returns {CallCost} */
function callCost(cost) {
  return typeof cost === 'number' ? { inner: cost, outer: cost, first: 0 } : cost;
}

/**
 * Calls and returns that the tree counts.
 * @param {Pick<TreeNodes, 'count'>} nodes
 * @returns {number}
 */
export function countEvents({ count }) {
  let calls = 0;
  for (let node = ABI.NODE_DROPPED; node < count.length; node++) calls += count[node];
  return calls * 2;
}

/** What recording added to each node's own time. @param {Pick<TreeNodes, 'parent' | 'count'>} nodes @param {number | CallCost} cost */
function addedTimes({ parent, count }, cost) {
  const { inner, outer, first } = callCost(cost);
  const added = count.map((calls) => inner * calls + (calls > 0 ? first : 0));
  for (let node = ABI.NODE_DROPPED; node < parent.length; node++) added[parent[node]] += outer * count[node];
  return added;
}

/**
 * @template {Pick<TreeNodes, 'parent' | 'count' | 'self'>} Nodes
 * @param {Nodes} nodes timed
 * @param {number | CallCost} cost of an event, or of a call where its two sides are known, in the clock's unit
 * @returns {Nodes} with `self` as it would be without tracing: an estimate, never below 0. Totals are sums of it.
 */
export function compensate(nodes, cost) {
  const { self } = nodes;
  if (!self) return nodes;
  const added = addedTimes(nodes, cost);
  const compensated = self.map((value, node) => Math.max(0, value - added[node]));
  return { ...nodes, self: compensated };
}

/**
 * @typedef {object} TracingCost
 * @property {number} events calls and returns
 * @property {number} each what one costs
 * @property {number} total what those in traced functions cost; not more than the time there. Where the clock is coarse, less of it can be
 *   subtracted: from a node that shows no time, nothing
 * @property {number} share of the time in traced functions
 */

/**
 * @param {Pick<TreeNodes, 'parent' | 'count' | 'self'>} nodes timed
 * @param {number | CallCost} cost as above
 * @returns {TracingCost}
 */
export function tracingCost(nodes, cost) {
  const before = sumTraced(nodes.self);
  const total = Math.min(before, sumTraced(addedTimes(nodes, cost)));
  const { inner, outer } = callCost(cost);
  return { events: countEvents(nodes), each: (inner + outer) / 2, total, share: before > 0 ? total / before : 0 };
}

/** Without the root: time outside of traced calls. @param {Float64Array | null} self */
function sumTraced(self) {
  let sum = 0;
  for (let node = ABI.NODE_DROPPED; self && node < self.length; node++) sum += self[node];
  return sum;
}

/**
 * A snapshot as it is to be shown.
 * @template {{nodes: TreeNodes}} Recorded
 * @param {Recorded} snapshot
 * @param {number | CallCost | null | undefined} cost as above; null: not known
 * @param {boolean} [subtracted]
 * @returns {Recorded}
 */
export function withoutCost(snapshot, cost, subtracted = true) {
  return cost && subtracted ? { ...snapshot, nodes: compensate(snapshot.nodes, cost) } : snapshot;
}
