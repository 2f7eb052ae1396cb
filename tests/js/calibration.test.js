// What a run of the calibration is said to take.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { costOf, undisturbed } from '../../js/loader/calibration.js';

test('runs before an engine has compiled do not count', () => assert.equal(undisturbed([90, 80, 30, 5, 5, 5]), 5));

test('runs that something else has interrupted do not count, even if they are most', () => {
  assert.equal(undisturbed([9, 9, 9, 25_000, 5, 24_000]), 5);
  assert.equal(undisturbed([9, 9, 9, 9, 9, 9, 9, 9, 5, 900, 800, 5, 5, 700, 600, 900]), 5);
});

test('a run of which a coarse clock shows too little does not count alone', () => assert.equal(undisturbed([9, 9, 9, 9, 9, 9, 9, 9, 4, 5, 5, 5, 5, 5, 5, 5]), 5));

test('a machine that is busy otherwise does not make recording dearer', (t) => {
  // Milliseconds, and looks: the thread has to wait in two of three runs that are measured.
  const [LOOK, PAUSE, BETWEEN] = [0.01, 100, 12_000];
  let now = 0;
  let looks = 0;
  t.mock.method(performance, 'now', () => (now += ++looks % BETWEEN === 0 ? PAUSE : LOOK));
  const cost = costOf(/** @type {any} */ ({ clock: { kind: 'host' }, ring: false, split: true }));
  assert.equal(Math.round(Number(cost) / 1000), 10);
});
