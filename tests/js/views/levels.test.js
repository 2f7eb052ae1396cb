// Rectangles in levels: what is visited covers what there is, and costs what the screen costs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Levels } from '../../../js/views/levels.js';
import { random } from '../random.js';

/** One level from [x0, x1] rows. */
function row(rects) {
  return Levels.of(
    rects.map(() => 0),
    rects.map(([x0]) => x0),
    rects.map(([, x1]) => x1),
  );
}

function visited(levels, from, to, grain, level = 0) {
  const found = [];
  levels.visit(level, from, to, grain, (...args) => found.push(args));
  return found;
}

/** A level with rectangles from far below to far above a grain of 10, and gaps. */
function randomRow(pick, count) {
  let x = 0;
  return row(
    Array.from({ length: count }, () => {
      x += pick(4) === 0 ? pick(30) : 0;
      return [x, (x += 1 + (pick(5) === 0 ? pick(60) : pick(3)))];
    }),
  );
}

test('wide rectangles come one by one, neighbours that are narrow as one run', () => {
  const levels = row([[0, 20], [20, 21], [21, 23], [23, 24], [24, 60], [100, 101]]);
  assert.deepEqual(visited(levels, 0, 200, 5), [[0, 0, 0, 20], [1, 3, 20, 24], [4, 4, 24, 60], [5, 5, 100, 101]]);
});

test('only what is in the interval is visited', () => {
  const levels = row([[0, 10], [10, 20], [20, 30], [30, 40]]);
  assert.deepEqual(visited(levels, 10, 30, 1).map(([slot]) => slot), [1, 2]);
  assert.deepEqual(visited(levels, 19.5, 20.5, 0.1).map(([slot]) => slot), [1, 2]);
  assert.deepEqual(visited(levels, 40, 50, 1), []);
});

test('every rectangle is in exactly one visit, runs have no gap that could be seen, and no wide one is in a run', () => {
  const pick = random(7);
  const grain = 10;
  for (let round = 0; round < 200; round++) {
    const levels = randomRow(pick, 1 + pick(200));
    let next = 0;
    for (const [first, last, x0, x1] of visited(levels, 0, Infinity, grain)) {
      assert.equal(first, next);
      assert.deepEqual([x0, x1], [levels.x0(first), levels.x1(last)]);
      for (let slot = first; last > first && slot <= last; slot++) {
        assert.ok(levels.x1(slot) - levels.x0(slot) < grain);
        assert.ok(slot === first || levels.x0(slot) - levels.x1(slot - 1) < grain);
      }
      next = last + 1;
    }
    assert.equal(next, levels.length);
  }
});

test('a run ends only where it must: two runs never touch', () => {
  const pick = random(11);
  const grain = 10;
  for (let round = 0; round < 200; round++) {
    const levels = randomRow(pick, 200);
    const runs = visited(levels, 0, Infinity, grain);
    for (let i = 1; i < runs.length; i++) {
      const narrow = [runs[i - 1], runs[i]].every(([first]) => levels.x1(first) - levels.x0(first) < grain);
      if (narrow) assert.ok(runs[i][2] - runs[i - 1][3] >= grain);
    }
  }
});

test('a million rectangles on a screen are a thousand visits at most, with few looks at them', () => {
  const count = 1e6;
  const ends = Float64Array.from({ length: count }, (_, i) => i + 1);
  let looks = 0;
  const counting = new Proxy(ends, {
    get: (target, key) => {
      looks++;
      return target[key];
    },
  });
  const x0 = Float64Array.from({ length: count }, (_, i) => i);
  const levels = new Levels({ starts: [0, count], x0, x1: counting, items: new Uint32Array(count) });
  assert.deepEqual(visited(levels, 0, count, count / 1000), [[0, count - 1, 0, count]]);
  assert.ok(looks < 1000 * 60, `${looks} looks`);
});

test('what has no width is visited where it stands, also at the ends of the interval', () => {
  const levels = Levels.of([0, 0, 0, 0, 0], [0, 0, 10, 20, 20], [0, 10, 10, 20, 30]);
  const visited = (from, to) => {
    const places = [];
    levels.visit(0, from, to, 0.5, (first, last, x0, x1) => places.push([first, last, x0, x1]));
    return places;
  };
  assert.deepEqual(visited(0, 30), [[0, 0, 0, 0], [1, 1, 0, 10], [2, 2, 10, 10], [3, 3, 20, 20], [4, 4, 20, 30]]);
  assert.deepEqual(visited(10, 20), [[2, 2, 10, 10], [3, 3, 20, 20]]);
  assert.deepEqual(visited(0, 5), [[0, 0, 0, 0], [1, 1, 0, 10]]);
  assert.deepEqual(visited(11, 19), []);
});

test('find: what is there, or the nearest within reach', () => {
  const levels = row([[10, 20], [20, 30], [50, 60]]);
  const at = (x, reach) => levels.find(0, x, reach);
  assert.deepEqual([10, 19.9, 20, 50, 59].map((x) => at(x)), [0, 0, 1, 2, 2]);
  assert.deepEqual([9, 30, 49, 60].map((x) => at(x)), [-1, -1, -1, -1]);
  assert.deepEqual([9, 31, 49, 60].map((x) => at(x, 1)), [0, 1, 2, 2]);
  assert.deepEqual([at(40, 10), at(39, 10), at(41, 10)], [1, 1, 2]);
  assert.equal(levels.find(1, 10), -1);
  assert.equal(levels.find(-1, 10), -1);
});

test('neighbours above, below and beside', () => {
  // level 0: one; level 1: two with a gap; level 2: below the second
  const levels = Levels.of([0, 1, 1, 2], [0, 0, 50, 60], [100, 40, 90, 70]);
  assert.deepEqual([0, 1, 2, 3].map((slot) => levels.levelOf(slot)), [0, 1, 1, 2]);
  assert.deepEqual([0, 1, 2, 3].map((slot) => levels.above(slot)), [-1, 0, 0, 2]);
  assert.deepEqual([0, 1, 2, 3].map((slot) => levels.below(slot)), [1, -1, 3, -1]);
  assert.deepEqual([1, 2].map((slot) => levels.beside(slot, 1)), [2, -1]);
  assert.deepEqual([1, 2].map((slot) => levels.beside(slot, -1)), [-1, 1]);
});

test('filter keeps places and levels, levels may be empty', () => {
  const levels = Levels.of([0, 1, 1, 2], [0, 0, 50, 60], [100, 40, 90, 70]);
  const some = levels.filter((item) => item === 0 || item === 3);
  assert.equal(some.depth, 3);
  assert.deepEqual(visited(some, 0, 100, 1, 0), [[0, 0, 0, 100]]);
  assert.deepEqual(visited(some, 0, 100, 1, 1), []);
  assert.deepEqual(visited(some, 0, 100, 1, 2), [[1, 1, 60, 70]]);
  assert.equal(some.item(1), 3);
});

test('of: rectangles whose levels come in any order', () => {
  const levels = Levels.of([2, 0, 2, 0], [0, 0, 5, 5], [5, 5, 9, 9]);
  assert.deepEqual([0, 1, 2, 3].map((slot) => levels.item(slot)), [1, 3, 0, 2]);
  assert.deepEqual(visited(levels, 0, 10, 1, 1), []);
  assert.equal(Levels.of([], [], []).depth, 0);
});
