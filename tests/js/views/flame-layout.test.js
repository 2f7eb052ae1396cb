// Tables of frames, and how they are laid out: frames inside of their callers, as wide as they weigh, none lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as ABI from '../../../js/generated/abi.js';
import { buildCallTree } from '../../../js/model/call-tree.js';
import { frameAt, frameTable, invertedFrameTable, matchFrames, pathTo } from '../../../js/model/frame-table.js';
import { HOST } from '../../../js/model/inverted-tree.js';
import { NO_SLOT, flameLayout } from '../../../js/views/flame-layout.js';
import { random } from '../random.js';

/** Counted paths from [parent, func, count] rows; the first has number 0, as parent -1 is the root. */
function pathsOf(rows) {
  const before = Array.from({ length: ABI.NODE_FIRST }, () => [0, 0, 0]);
  const parents = rows.map(([parent]) => (parent < 0 ? ABI.NODE_ROOT : parent + ABI.NODE_FIRST));
  return {
    parent: Uint32Array.from([...before.map(() => 0), ...parents]),
    func: Uint32Array.from([...before, ...rows].map(([, func]) => func)),
    count: Float64Array.from([...before, ...rows].map(([, , count]) => count)),
  };
}

/** main(1) calls f(2) and g(3), g calls f; a second export h(4). */
const PATHS = pathsOf([[-1, 1, 1], [0, 2, 10], [0, 3, 4], [2, 2, 20], [-1, 4, 7]]);

function levelRows({ levels }, table) {
  return Array.from({ length: levels.depth }, (_, level) => {
    const { first, end } = levels.range(level);
    return Array.from({ length: end - first }, (__, i) => {
      const slot = first + i;
      return [table.func[levels.item(slot)], levels.x0(slot), levels.x1(slot)];
    });
  });
}

function randomTable(pick, size) {
  const rows = Array.from({ length: size }, (_, i) => [pick(4) === 0 ? -1 : pick(i + 1) - 1, pick(12), pick(3) * pick(50)]);
  return frameTable(buildCallTree(pathsOf(rows)));
}

test('siblings stand by weight, or in the order of their first calls', () => {
  const table = frameTable(buildCallTree(PATHS));
  assert.deepEqual(levelRows(flameLayout(table), table), [
    [[HOST, 0, 42]],
    [[1, 0, 35], [4, 35, 42]],
    [[3, 0, 24], [2, 24, 34]],
    [[2, 0, 20]],
  ]);
  assert.deepEqual(levelRows(flameLayout(table, 'call'), table)[2], [[2, 0, 10], [3, 10, 34]]);
});

test('the table names its weight, and the tree that it came from stays as it is', () => {
  const tree = buildCallTree(PATHS);
  const timed = { ...tree, time: { self: tree.self, total: tree.total, min: tree.self, max: tree.self, wall: tree.self } };
  const table = frameTable(timed, 'time');
  assert.equal(table.weight, 'time');
  assert.throws(() => frameTable(tree, 'time'), RangeError);
  assert.equal(tree.func[0], 0);
  assert.ok(Object.isFrozen(table));
  assert.equal(frameTable(tree).weight, 'calls');
});

test('upside down: the whole is that of the tree, and what is left out is counted', () => {
  const table = invertedFrameTable(PATHS, 3);
  assert.deepEqual(levelRows(flameLayout(table), table), [[[HOST, 0, 42]], [[2, 0, 30]], [[3, 0, 20]], [[1, 0, 20]]]);
  assert.equal(table.inverted, true);
  assert.ok(table.left > 0);
  assert.equal(invertedFrameTable(PATHS, 100).left, 0);
});

test('random trees: children lie in their parents, nothing overlaps, each frame with weight is there once', () => {
  const pick = random(3);
  for (let round = 0; round < 100; round++) {
    const table = randomTable(pick, 1 + pick(300));
    for (const order of ['weight', 'call']) {
      const { levels, slots } = flameLayout(table, order);
      for (let slot = 1; slot < levels.length; slot++) {
        const frame = levels.item(slot);
        const above = slots[table.parent[frame]];
        assert.equal(levels.levelOf(slot), levels.levelOf(above) + 1);
        assert.equal(levels.x1(slot) - levels.x0(slot), table.total[frame]);
        assert.ok(levels.x0(above) <= levels.x0(slot) && levels.x1(slot) <= levels.x1(above));
        const before = levels.beside(slot, -1);
        assert.ok(before < 0 || levels.x1(before) <= levels.x0(slot));
      }
      const shown = Array.from(slots).filter((slot) => slot !== NO_SLOT);
      assert.equal(new Set(shown).size, levels.length);
      assert.equal(shown.length, table.total.reduce((sum, total, frame) => sum + Number(total > 0 || frame === 0), 0));
    }
  }
});

test('by weight: no frame is heavier than the one before it, equals keep their order; fractions sort, too', () => {
  const pick = random(5);
  for (let round = 0; round < 50; round++) {
    const counts = randomTable(pick, 200);
    const scale = round % 2 === 0 ? 1 : 1 / 3;
    const table = { ...counts, total: counts.total.map((total) => total * scale) };
    const { levels } = flameLayout(table);
    for (let slot = 1; slot < levels.length; slot++) {
      const before = levels.beside(slot, -1);
      if (before < 0 || table.parent[levels.item(before)] !== table.parent[levels.item(slot)]) continue;
      const [a, b] = [levels.item(before), levels.item(slot)];
      assert.ok(table.total[a] > table.total[b] || (table.total[a] === table.total[b] && a < b));
    }
  }
});

test('an empty tree is one frame without width', () => {
  const table = frameTable(buildCallTree(pathsOf([])));
  const { levels, whole } = flameLayout(table);
  assert.deepEqual([levels.length, whole], [1, 0]);
});

test('a frame is found again by its path, in another table as far as it goes', () => {
  const pick = random(9);
  const table = randomTable(pick, 200);
  for (let frame = 0; frame < table.length; frame++) {
    assert.deepEqual(frameAt(table, pathTo(table, frame)), { frame, whole: true });
  }
  const less = frameTable(buildCallTree(pathsOf([[-1, 1, 1], [0, 3, 4]])));
  const path = pathTo(frameTable(buildCallTree(PATHS)), 4);
  assert.deepEqual(path.map(({ func }) => func), [1, 3, 2]);
  assert.deepEqual(frameAt(less, path), { frame: 2, whole: false });
});

test('the share of matches counts what is below a match only once', () => {
  const table = frameTable(buildCallTree(PATHS));
  const share = (...funcs) => matchFrames(table, (func) => funcs.includes(func));
  assert.deepEqual([share(2).matches, share(2).share], [2, 30 / 42]);
  assert.deepEqual([share(2, 3).matches, share(2, 3).share], [3, 34 / 42]);
  assert.deepEqual([share(1, 2, 3).matches, share(1, 2, 3).share], [4, 35 / 42]);
  assert.deepEqual([share(9).matches, share(9).share], [0, 0]);
});

test('places are exact where weights are counts beyond 2^32, at the right end of a wide tree', () => {
  const rows = Array.from({ length: 1000 }, (_, i) => [-1, i, 2 ** 40 + i]);
  const table = frameTable(buildCallTree(pathsOf([...rows, [-1, 1000, 1]])));
  const { levels } = flameLayout(table);
  const last = levels.range(1).end - 1;
  assert.equal(levels.x1(last) - levels.x0(last), 1);
  assert.equal(levels.find(1, levels.x0(last) + 0.5), last);
});
