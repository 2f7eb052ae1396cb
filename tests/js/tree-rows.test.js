// Rows of a tree that is opened and closed.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { TreeRows } from '../../js/model/tree-rows.js';

/** A tree of [parent, func, self] rows; the first is node 1. */
function treeOf(rows) {
  const all = [[0, 0, 0], ...rows];
  const total = Float64Array.from(all, ([, , self]) => self);
  for (let node = all.length - 1; node > 0; node--) total[all[node][0]] += total[node];
  return {
    length: all.length,
    parent: Uint32Array.from(all, ([parent]) => parent),
    func: Uint32Array.from(all, ([, func]) => func),
    self: Float64Array.from(all, ([, , self]) => self),
    total,
    uncertain: new Uint8Array(all.length),
    chain: new Uint32Array(all.length).fill(1),
  };
}

const NAMES = { 1: 'main', 2: 'walk', 3: 'add', 4: 'leaf', 5: 'never' };
const ROWS = [[0, 1, 1], [1, 2, 2], [1, 3, 10], [2, 4, 20], [1, 5, 0]];
const nameOf = (func) => NAMES[func];

/** Names of the rows, indented by level. */
function shown(rows, tree) {
  return rows.rows.map(({ node, level }) => '  '.repeat(level - 1) + nameOf(tree.func[node]));
}

describe('TreeRows', () => {
  const tree = treeOf(ROWS);
  let rows;
  beforeEach(() => {
    rows = new TreeRows(tree, nameOf);
  });

  test('begins closed, and opens a node at a time; frames without calls are left out', () => {
    assert.deepEqual(shown(rows, tree), ['main']);
    rows.toggle(1);
    assert.deepEqual(shown(rows, tree), ['main', '  walk', '  add']);
    rows.toggle(1);
    assert.deepEqual(shown(rows, tree), ['main']);
  });

  test('sorts siblings by total, by self or by name, either way', () => {
    rows.toggle(1);
    rows.sortBy('self', false);
    assert.deepEqual(shown(rows, tree), ['main', '  add', '  walk']);
    rows.sortBy('total', true);
    assert.deepEqual(shown(rows, tree), ['main', '  add', '  walk']);
    rows.sortBy('name', false);
    assert.deepEqual(shown(rows, tree), ['main', '  walk', '  add']);
  });

  test('opens the hottest path, whatever the order', () => {
    rows.sortBy('name', true);
    assert.equal(rows.openHottest(), 4);
    assert.deepEqual(shown(rows, tree), ['main', '  add', '  walk', '    leaf']);
  });

  test('opens all, or the heaviest until there are enough rows', () => {
    rows.openAll(100);
    assert.equal(rows.rows.length, 4);
    rows.closeAll();
    rows.openHeaviest(2);
    assert.deepEqual(shown(rows, tree), ['main', '  walk', '  add']);
  });

  test('keeps what is open when the tree has grown and its nodes have other numbers', () => {
    rows.toggle(1);
    rows.toggle(2);
    rows.sortBy('name', true);
    const grown = treeOf([[0, 3, 1], [0, 1, 1], [2, 3, 10], [2, 2, 2], [4, 4, 20], [4, 3, 1]]);
    const next = new TreeRows(grown, nameOf);
    const places = next.adopt(rows);
    assert.deepEqual(shown(next, grown), ['add', 'main', '  add', '  walk', '    add', '    leaf']);
    assert.deepEqual([1, 2, 3, 4].map((node) => places.get(node)), [2, 4, 3, 5]);
  });

  test('has rows for a stack of a hundred thousand frames', () => {
    const deep = treeOf(Array.from({ length: 100_000 }, (_, i) => [i, i % 2, 1]));
    const many = new TreeRows(deep, String);
    many.openAll(200_000);
    assert.equal(many.rows.length, 100_000);
    assert.equal(many.rows.at(-1).level, 100_000);
  });
});
