// What tracing cost, and times without it.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { compensate, countEvents, tracingCost, withoutCost } from '../../js/model/compensation.js';

/** The host, what was dropped, outer, and two calls of inner below it; and inner called by the host. */
const NODES = {
  parent: Uint32Array.of(0, 0, 0, 2, 0),
  count: Float64Array.of(0, 0, 1, 2, 1),
  self: Float64Array.of(100, 0, 50, 30, 2),
};

test('a call has two events', () => assert.equal(countEvents(NODES), 8));

test('of the events of a call, one is in its own time and one in its caller', () => {
  // The host made two calls; outer is one and made two; inner is two and made none.
  assert.deepEqual([...compensate(NODES, 4).self], [100 - 2 * 4, 0, 50 - 3 * 4, 30 - 2 * 4, 0]);
  assert.deepEqual([...NODES.self], [100, 0, 50, 30, 2], 'what was measured stays');
});

test('where both sides of a call were measured, and what the first on a path costs, each is taken from where it was counted', () => {
  const cost = { inner: 3, outer: 5, first: 2 };
  assert.deepEqual([...compensate(NODES, cost).self], [100 - 2 * 5, 0, 50 - 3 - 2 * 5 - 2, 30 - 2 * 3 - 2, 0]);
  assert.equal(tracingCost(NODES, cost).each, 4, 'of the two events of a call on average');
});

test('the cost is that of all events in traced functions, also where a coarse clock shows a single one no time to take it from', () => {
  const cost = tracingCost(NODES, 4);
  assert.deepEqual(cost, { events: 8, each: 4, total: 12 + 8 + 4, share: 24 / 82 });
  assert.equal(tracingCost(NODES, { inner: 3, outer: 5, first: 2 }).total, 3 * 4 + 2 * 5 + 2 * 3);
});

test('no time becomes less than nothing, and no more is said to be cost than there was', () => {
  assert.deepEqual([...compensate(NODES, 1000).self], [0, 0, 0, 0, 0]);
  assert.deepEqual(tracingCost(NODES, 1000), { events: 8, each: 1000, total: 82, share: 1 });
});

test('without a cost, or without a clock, times are as they were', () => {
  assert.deepEqual(compensate(NODES, 0).self, NODES.self);
  assert.equal(compensate({ ...NODES, self: null }, 4).self, null);
  assert.deepEqual(tracingCost({ ...NODES, self: null }, 4), { events: 8, each: 4, total: 0, share: 0 });
});

test('what is shown is as it was asked for', () => {
  const snapshot = { nodes: /** @type {any} */ (NODES) };
  assert.equal(withoutCost(snapshot, 4, false), snapshot);
  assert.deepEqual(withoutCost(snapshot, 4), { nodes: compensate(snapshot.nodes, 4) });
  for (const none of [0, null, undefined]) assert.equal(withoutCost(snapshot, none), snapshot);
});
