// What functions took: sums over the call tree, recursion folded or not, percentiles of durations.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildCallTree, heaviestNodes } from '../../js/model/call-tree.js';
import { bucketRange, durationHistogram, percentiles } from '../../js/model/durations.js';
import { HOST, invertedTree } from '../../js/model/inverted-tree.js';
import { frameTable, invertedFrameTable } from '../../js/model/frame-table.js';
import { mergeSnapshots } from '../../js/model/merged-snapshot.js';
import { neighbours } from '../../js/model/neighbours.js';
import { outermostPaths, profileOf, sortProfile } from '../../js/model/profile.js';
import { TraceModel } from '../../js/model/trace-model.js';
import { durationBucket, durationsOf, timedMetadata, timedNodes, timedSnapshot } from './timed.js';

/** main 5 calls walk 6, which calls itself through visit 7; both call the import 0. */
const ROWS = [
  [0, 5, 1, 100, 1000, 1000], // 2
  [2, 6, 1, 50, 800, 800], // 3
  [3, 7, 4, 40, 100, 300], // 4
  [4, 6, 4, 10, 60, 250], // 5
  [5, 0, 2, 500, 200, 300, 480], // 6
  [2, 0, 1, 200, 200, 200, 190], // 7
];
const nodes = timedNodes(ROWS, { outside: 77, dropped: 3 });

function profile(options, parts = {}) {
  return profileOf({ paths: nodes, metadata: timedMetadata({ importCount: 1, ...parts }), durations: parts.tables ?? [] }, options);
}

describe('profile', () => {
  test('self, total, calls and the ends of single calls, the host apart', () => {
    const { rows, whole, outside, dropped, hasWall } = profile();
    assert.deepEqual([whole, outside, dropped, hasWall], [903, 77, 3, true]);
    assert.deepEqual(rows.map(({ func, host, calls }) => [func, host, calls]), [[0, true, 3], [5, false, 1], [6, false, 5], [7, false, 4]]);
    assert.deepEqual(
      rows.map(({ time }) => [time.total, time.self, time.min, time.max, time.wall]),
      [[700, 700, 200, 300, 670], [900, 100, 1000, 1000, 0], [600, 60, 60, 800, 0], [550, 40, 100, 300, 0]],
    );
  });

  test('what passed outside is not known with an import as the clock: it began to count before', () => {
    const clock = { kind: 'import', name: 'env.now', unit: 'units', weights: '', wall: false };
    assert.deepEqual([profile({}, { clock }).outside, profile({}, { clock }).whole], [NaN, 903]);
  });

  test('recursion counts once, or each call with what is in it; the average is of single calls', () => {
    const walk = ({ rows }) => rows.find(({ func }) => func === 6).time;
    assert.deepEqual([walk(profile()).total, walk(profile({ folded: false })).total], [600, 600 + 510]);
    assert.deepEqual([walk(profile()).avg, walk(profile({ folded: false })).avg], [1110 / 5, 1110 / 5]);
  });

  test('a function without a call that returned has no shortest and no longest one', () => {
    const paths = timedNodes([[0, 5, 1, 30]]);
    const [{ time }] = profileOf({ paths, metadata: timedMetadata(), durations: [] }).rows;
    assert.deepEqual([time.total, time.min, time.max], [30, NaN, NaN]);
  });

  test('frames of doubt are no functions', () => {
    const paths = timedNodes([[0, 5, 1, 30], [2, 0xffffff, 1, 4], [3, 6, 2, 9]]);
    const { rows, whole } = profileOf({ paths, metadata: timedMetadata(), durations: [] });
    assert.deepEqual(rows.map(({ func, time }) => [func, time.total]), [[5, 43], [6, 9]]);
    assert.equal(whole, 43);
  });

  test('what passes in a frame of doubt is its caller\'s, in every view', () => {
    const paths = timedNodes([[0, 5, 1, 30], [2, 0xffffff, 1, 4], [3, 6, 2, 9]]);
    const model = new TraceModel(timedSnapshot({ nodes: paths }), timedMetadata());
    assert.deepEqual(model.profile().rows.map(({ time }) => time.self), [34, 9]);
    assert.deepEqual([...model.tree.time.self], [0, 34, 9, 0, 0]);
    assert.equal(neighbours(model.paths, 5).time.self, 34);
    const { tree } = invertedTree(model.paths, 10, model.counted);
    assert.equal(tree.time.self.reduce((sum, one) => sum + one), 43);
    assert.deepEqual([...paths.self], [0, 0, 30, 4, 9], 'a snapshot stays as it is');
  });

  test('without a clock there are calls', () => {
    const paths = { ...nodes, self: null, min: null, max: null, wall: null };
    const { rows, whole } = profileOf({ paths, metadata: timedMetadata({ clock: null }), durations: [] });
    assert.deepEqual(rows.map(({ func, calls, time }) => [func, calls, time]), [[0, 3, null], [5, 1, null], [6, 5, null], [7, 4, null]]);
    assert.equal(whole, 0);
  });

  test('sorts by any column, what is not known last, names from A on', () => {
    const names = { 0: 'env.f', 5: 'main', 6: 'walk', 7: 'visit' };
    const order = (by) => sortProfile(profile().rows, by, (func) => names[func]).map(({ func }) => func);
    assert.deepEqual(
      ['self', 'total', 'calls', 'avg', 'min', 'max', 'name'].map(order),
      [[0, 5, 6, 7], [5, 0, 6, 7], [6, 7, 0, 5], [5, 0, 6, 7], [5, 0, 7, 6], [5, 6, 7, 0], [0, 5, 7, 6]],
    );
    const { rows } = profileOf({ paths: timedNodes([[0, 1, 1, 9], [0, 2, 1, 1, 4, 4]]), metadata: timedMetadata(), durations: [] });
    assert.deepEqual(sortProfile(rows, 'max', String).map(({ func }) => func), [2, 1]);
  });

  test('marks the outermost calls in trees of any shape', () => {
    let seed = 7;
    const random = (below) => (seed = (seed * 48271) % 0x7fffffff) % below;
    for (let round = 0; round < 50; round++) {
      const rows = Array.from({ length: 60 }, (_, i) => [i === 0 || random(6) === 0 ? 0 : 2 + random(i), random(5), 1, 1]);
      const { parent, func } = timedNodes(rows);
      const isOutermost = (node) => {
        for (let above = parent[node]; above > 1; above = parent[above]) if (func[above] === func[node]) return 0;
        return 1;
      };
      const expected = Array.from(parent, (_, node) => (node < 2 ? 0 : isOutermost(node)));
      assert.deepEqual([...outermostPaths({ parent, func })], expected);
    }
  });
});

describe('durations', () => {
  test('each bucket holds what the runtime puts there', () => {
    const values = [0, 1, 15, 16, 17, 18, 31, 32, 35, 36, 1000, 123456, 2 ** 40 + 5, 2 ** 52];
    for (const value of values) {
      const { least, width } = bucketRange(durationBucket(value));
      assert.ok(least <= value && value < least + width, `${value} in ${least} + ${width}`);
      assert.ok(width === 1 || width <= least / 8);
    }
    assert.deepEqual(bucketRange(495), { least: 15 * 2 ** 60, width: 2 ** 60 });
  });

  test('percentiles by nearest rank, at most 1/16 off', () => {
    assert.deepEqual(percentiles(durationsOf([]), [50, 99]), [NaN, NaN]);
    assert.deepEqual(percentiles(durationsOf([3]), [50, 90, 99]), [3, 3, 3]);
    assert.deepEqual(percentiles(durationsOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), [50, 90, 99]), [5, 9, 10]);
    const values = Array.from({ length: 1000 }, (_, i) => (i + 1) * 37);
    percentiles(durationsOf(values), [50, 90, 99]).forEach((found, i) => {
      const exact = [500, 900, 990][i] * 37;
      assert.ok(Math.abs(found - exact) <= exact / 16, `${found} for ${exact}`);
    });
  });

  test('no percentile is beyond the shortest or the longest call', () => {
    const paths = timedNodes([[0, 5, 2, 2000, 1000, 1000]]);
    const metadata = timedMetadata({ durations: [5] });
    const [{ time }] = profileOf({ paths, metadata, durations: [durationsOf([1000, 1000])] }).rows;
    assert.deepEqual(time.percentiles, [1000, 1000, 1000]);
  });

  test('rows of a histogram are powers of two, with zero and one apart', () => {
    const { total, rows } = durationHistogram(durationsOf([0, 1, 2, 3, 7, 9, 15, 16, 31, 64, 100]));
    assert.equal(total, 11n);
    assert.deepEqual(
      rows.map(({ sign, exponent, count }) => [sign, exponent, Number(count)]),
      [[0, 0, 1], [1, 0, 1], [1, 1, 2], [1, 2, 1], [1, 3, 2], [1, 4, 2], [1, 5, 0], [1, 6, 2], [1, 7, 0]],
    );
    assert.deepEqual(durationHistogram(durationsOf([])).rows, []);
  });
});

describe('time in trees', () => {
  test('is summed up along the tree, direct recursion folded or not', () => {
    const paths = timedNodes([[0, 5, 1, 10, 60, 60], [2, 6, 1, 20, 50, 50], [3, 6, 2, 30, 5, 25, 0], [4, 0, 1, 1, 1, 1, 9]], { outside: 99 });
    const folded = buildCallTree(paths);
    const columns = ({ length, time }) => ['self', 'total', 'min', 'max', 'wall'].map((key) => [...time[key].slice(1, length)]);
    assert.deepEqual(columns(folded), [[10, 50, 1], [61, 51, 1], [60, 5, 1], [60, 50, 1], [0, 0, 9]]);
    assert.deepEqual([folded.time.total[0], folded.chain[2]], [61, 2]);
    const unfolded = buildCallTree(paths, undefined, { folded: false });
    assert.deepEqual(columns(unfolded).slice(0, 2), [[10, 20, 30, 1], [61, 51, 31, 1]]);
  });

  test('decides which frames are heaviest; frames without time still count', () => {
    const tree = buildCallTree(timedNodes([[0, 1, 1, 5], [2, 2, 900, 1], [0, 3, 1, 50], [0, 4, 1, 0]]));
    assert.deepEqual(heaviestNodes(tree, 2), { nodes: [1, 3], left: 2 });
    assert.deepEqual(heaviestNodes(tree, 9), { nodes: [1, 2, 3, 4], left: 0 });
  });

  test('upside down, callers have what the called took when they called', () => {
    const { tree } = invertedTree(nodes, 100);
    const rows = Array.from({ length: tree.length - 1 }, (_, i) => [tree.parent[i + 1], tree.func[i + 1], tree.time.total[i + 1], tree.time.self[i + 1]]);
    assert.deepEqual(rows.slice(0, 4), [[0, 0, 700, 700], [1, 6, 500, 0], [2, 7, 500, 0], [3, 6, 500, 0]]);
    const byCalls = invertedTree(nodes, 1, undefined, { byTime: false }).tree;
    assert.deepEqual([byCalls.func[1], byCalls.total[1]], [6, 5]);
  });

  test('frames of charts are as wide as their time or their calls', () => {
    const tree = buildCallTree(nodes);
    assert.deepEqual([frameTable(tree).total[0], frameTable(tree, 'time').total[0]], [13, 900]);
    assert.deepEqual([...frameTable(tree, 'time').self.slice(1, 3)], [100, 50]);
    const inverted = invertedFrameTable(nodes, 10, undefined, 'time');
    assert.deepEqual([inverted.weight, inverted.total[0], inverted.total[1], inverted.func[0]], ['time', 900, 700, HOST]);
    const untimed = buildCallTree({ ...nodes, self: null });
    assert.throws(() => frameTable(untimed, 'time'), RangeError);
  });
});

describe('time around a function', () => {
  const figures = (rows) => rows.map(({ func, count, time: { total, self } }) => [func, count, total, self]);

  test('is that of the function by caller, and of callees; a call within one like it adds none', () => {
    const { time, callers, callees } = neighbours(nodes, 6);
    assert.deepEqual(time, { total: 600, self: 60 });
    assert.deepEqual(figures(callers), [[5, 1, 600, 50], [7, 4, 510, 10]]);
    assert.deepEqual(figures(callees), [[7, 4, 550, 40], [0, 2, 500, 500]]);
  });

  test('calls of the function by itself are a row on both sides', () => {
    const { time, callers, callees } = neighbours(timedNodes([[0, 5, 1, 10], [2, 5, 3, 20], [3, 5, 1, 5], [4, 6, 3, 7]]), 5);
    assert.deepEqual(time, { total: 42, self: 35 });
    assert.deepEqual(figures(callers), [[HOST, 1, 42, 10], [5, 4, 32, 25]]);
    assert.deepEqual(figures(callees), [[5, 4, 32, 25], [6, 3, 7, 7]]);
  });
});

test('times and durations of several threads are added up', () => {
  const one = timedSnapshot({ nodes: timedNodes([[0, 5, 1, 10, 10, 10]], { outside: 4 }), durations: [durationsOf([10])], now: 50 });
  const other = timedSnapshot({ nodes: timedNodes([[0, 6, 1, 5], [0, 5, 2, 30, 8, 22, 3]]), durations: [durationsOf([8, 22])], now: 70 });
  const merged = mergeSnapshots([one, other]);
  const { nodes: joined, durations, clock } = merged;
  assert.deepEqual([...joined.self], [4, 0, 40, 5]);
  assert.deepEqual([[...joined.min.slice(2)], [...joined.max.slice(2)], [...joined.wall.slice(2)]], [[8, NaN], [22, 0], [3, 0]]);
  assert.deepEqual(durations, [durationsOf([8, 10, 22])]);
  assert.equal(clock.now, 70);
  const model = new TraceModel(merged, timedMetadata({ durations: [5] }));
  assert.deepEqual(model.profile().rows.map(({ func, time }) => [func, time.self]), [[5, 40], [6, 5]]);
});
