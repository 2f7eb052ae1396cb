// Callers and callees of a function, over trees of the runtime and over paths that were made of calls.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as ABI from '../../js/generated/abi.js';
import { HOST } from '../../js/model/inverted-tree.js';
import { neighbours } from '../../js/model/neighbours.js';

/** Paths as [parent, func, calls] rows; the first is path 2, below the root 0. */
function pathsOf(rows) {
  const all = [[0, 0, 0], [0, 0, 0], ...rows];
  return {
    parent: Uint32Array.from(all, ([parent]) => parent),
    func: Uint32Array.from(all, ([, func]) => func),
    count: Float64Array.from(all, ([, , count]) => count),
  };
}

const row = (func, count, uncertain = false) => ({ func, count, uncertain });

describe('neighbours', () => {
  test('adds up callers and callees over all paths, the most frequent first', () => {
    const paths = pathsOf([[0, 10, 1], [2, 20, 3], [0, 11, 2], [4, 20, 5], [3, 30, 4], [5, 30, 1], [3, 31, 9]]);
    assert.deepEqual(neighbours(paths, 20), {
      calls: 8,
      callers: [row(11, 5), row(10, 3)],
      callees: [row(31, 9), row(30, 5)],
    });
  });

  test('has the host among the callers, and a recursive function among its own', () => {
    const paths = pathsOf([[0, 7, 2], [2, 7, 3], [3, 7, 1]]);
    assert.deepEqual(neighbours(paths, 7), { calls: 6, callers: [row(7, 4), row(HOST, 2)], callees: [row(7, 4)] });
  });

  test('keeps doubtful callers apart, by frame or by column', () => {
    const byFrame = pathsOf([[0, 1, 1], [2, 2, 4], [2, ABI.UNCERTAIN, 0], [4, 2, 3]]);
    const byColumn = { ...pathsOf([[0, 1, 1], [2, 2, 4], [2, 2, 3]]), uncertain: Uint8Array.of(0, 0, 0, 0, 1) };
    for (const paths of [byFrame, byColumn]) {
      assert.deepEqual(neighbours(paths, 2).callers, [row(1, 4), row(1, 3, true)]);
      assert.deepEqual(neighbours(paths, 1).callees, [row(2, 4), row(2, 3, true)]);
    }
  });

  test('counts only the functions that were asked for', () => {
    const paths = pathsOf([[0, 1, 1], [2, 2, 4]]);
    assert.deepEqual(neighbours(paths, 1, (func) => func === 2), { calls: 0, callers: [], callees: [row(2, 4)] });
  });
});
