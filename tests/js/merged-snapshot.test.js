// Snapshots of several threads as one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildCallTree } from '../../js/model/call-tree.js';
import { mergeSnapshots } from '../../js/model/merged-snapshot.js';
import { Recorder } from './recorder.js';

/** Calls by path, "1/2: 3" for three calls of 2 by 1. */
function pathsOf({ parent, func, count, depth }) {
  const names = [''];
  for (let node = 2; node < parent.length; node++) {
    names[node] = `${names[parent[node]]}/${func[node]}`;
    assert.equal(depth[node], names[node].split('/').length - 1);
  }
  return Object.fromEntries([...count].map((calls, node) => [names[node], calls]).slice(2));
}

/** Calls each path once: [1, 2] is 1, and 2 called by it. */
function record(paths, options = {}) {
  const recorder = new Recorder({ tree: true, histograms: 1, ...options });
  for (const path of paths) path.map((func) => recorder.enter(func)).reverse().forEach((frame) => recorder.leave(frame));
  return recorder;
}

test('trees are joined path by path', () => {
  const merged = mergeSnapshots([
    record([[1, 2], [3]]).snapshot(),
    record([[3, 2], [1, 2, 2], [1]]).snapshot(),
    record([]).snapshot(),
  ]);
  assert.deepEqual(pathsOf(merged.nodes), { '/1': 3, '/1/2': 2, '/1/2/2': 1, '/3': 2, '/3/2': 1 });
  assert.equal(buildCallTree(merged.nodes).total[0], 9);
  assert.deepEqual([merged.records.length, merged.ringEvents, merged.treePositions], [0, 0n, true]);
});

test('one snapshot keeps its tree', () => {
  const { nodes } = record([[1, 2], [1, 3], [2]]).snapshot();
  assert.deepEqual(mergeSnapshots([{ ...record([]).snapshot(), nodes }]).nodes, nodes);
});

test('what full trees dropped is added up', () => {
  const full = record([[1], [2], [3], [4]], { nodes: 4 }).snapshot();
  assert.equal(full.nodesDropped, 2n);
  const merged = mergeSnapshots([full, record([[4]]).snapshot(), full]);
  assert.equal(merged.nodesDropped, 4n);
  assert.deepEqual(pathsOf(merged.nodes), { '/1': 2, '/2': 2, '/4': 1 });
});

test('histograms are added up', () => {
  const recorders = [record([]), record([])];
  for (const recorder of recorders) for (const value of [5, 5, -1]) recorder.count(0, value);
  const [one] = recorders[0].snapshot().histograms;
  const merged = mergeSnapshots(recorders.map((recorder) => recorder.snapshot()));
  assert.deepEqual(merged.histograms, [one.map((count) => count * 2n)]);
});
