// Snapshots of several instances of one module as one: call trees joined path by path, times and histograms added up. The events are
// left out: there is no order between those of two threads.
import * as ABI from '../generated/abi.js';
import { Children, lesser } from './call-tree.js';

/** @import {Snapshot, TreeNodes} from '../trace/snapshot.js' */

/**
 * @param {readonly Snapshot[]} snapshots at least one
 * @returns {Snapshot}
 */
export function mergeSnapshots(snapshots) {
  const [{ treePositions, capacityWords }] = snapshots;
  return Object.freeze({
    position: ABI.NODE_ROOT,
    idle: true,
    treePositions,
    records: new BigUint64Array(0),
    ringWords: 0n,
    ringEvents: 0n,
    missedEvents: 0n,
    capacityWords,
    nodes: joinTrees(snapshots.map(({ nodes }) => nodes)),
    nodesDropped: snapshots.reduce((sum, { nodesDropped }) => sum + nodesDropped, 0n),
    histograms: addHistograms(snapshots.map(({ histograms }) => histograms)),
    clock: latestClock(snapshots),
    durations: addHistograms(snapshots.map(({ durations }) => durations)),
    closed: snapshots.reduce((all, { closed }) => all | closed, 0),
  });
}

/** @param {readonly Snapshot[]} snapshots @returns {Snapshot['clock']} */
function latestClock(snapshots) {
  const clocks = snapshots.flatMap(({ clock }) => (clock ? [clock] : []));
  return clocks.length > 0 ? clocks.reduce((latest, clock) => (clock.now > latest.now ? clock : latest)) : null;
}

/** @typedef {{self: Float64Array, min: Float64Array, max: Float64Array, wall: Float64Array}} Time */

/** @param {number} length @returns {Time} */
function emptyTime(length) {
  return { self: new Float64Array(length), min: new Float64Array(length).fill(NaN), max: new Float64Array(length), wall: new Float64Array(length) };
}

/** @param {readonly TreeNodes[]} trees @returns {TreeNodes} */
function joinTrees(trees) {
  /** @type {number} */
  let most = ABI.NODE_FIRST;
  for (const tree of trees) most += tree.parent.length;
  const [parent, func, depth] = [0, 1, 2].map(() => new Uint32Array(most));
  const time = trees.some(({ self }) => self) ? emptyTime(most) : null;
  const joined = { parent, func, depth, count: new Float64Array(most), time };
  const children = new Children({ parent, func, uncertain: new Uint8Array(most) });
  /** @type {number} */
  let length = ABI.NODE_FIRST;
  for (const tree of trees) length = joinTree(joined, tree, children, length);
  return {
    parent: parent.subarray(0, length),
    func: func.subarray(0, length),
    depth: depth.subarray(0, length),
    count: joined.count.subarray(0, length),
    self: time && time.self.subarray(0, length),
    min: time && time.min.subarray(0, length),
    max: time && time.max.subarray(0, length),
    wall: time && time.wall.subarray(0, length),
  };
}

/** @typedef {Pick<TreeNodes, 'parent' | 'func' | 'depth' | 'count'> & {time: Time | null}} Joined */

/** @param {Joined} joined @param {TreeNodes} tree @param {Children} children @param {number} next @returns {number} the next free node */
function joinTree(joined, tree, children, next) {
  const nodeOf = new Uint32Array(tree.parent.length);
  for (let node = ABI.NODE_ROOT; node < nodeOf.length; node++) {
    if (node < ABI.NODE_FIRST) {
      nodeOf[node] = node;
    } else {
      const above = nodeOf[tree.parent[node]];
      nodeOf[node] = children.find(above, tree.func[node], next);
      if (nodeOf[node] === next) joined.depth[next++] = joined.depth[above] + 1;
    }
    joined.count[nodeOf[node]] += tree.count[node];
    if (joined.time) addTime(joined.time, nodeOf[node], tree, node);
  }
  return next;
}

/** @param {Time} time @param {number} at @param {TreeNodes} tree @param {number} node */
function addTime(time, at, { self, min, max, wall }, node) {
  if (!self || !min || !max || !wall) return;
  time.self[at] += self[node];
  time.wall[at] += wall[node];
  time.min[at] = lesser(time.min[at], min[node]);
  time.max[at] = Math.max(time.max[at], max[node]);
}

/** @param {readonly BigUint64Array[][]} all @returns {BigUint64Array[]} */
function addHistograms(all) {
  return all[0].map((first, i) => first.map((_, bucket) => all.reduce((sum, histograms) => sum + histograms[i][bucket], 0n)));
}
