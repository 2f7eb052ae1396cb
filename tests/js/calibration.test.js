// What a run of the calibration is said to take.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { undisturbed } from '../../js/loader/calibration.js';

test('runs before an engine has compiled do not count', () => assert.equal(undisturbed([90, 80, 30, 5, 5, 5]), 5));

test('runs that something else has interrupted do not count, even if they are most', () => {
  assert.equal(undisturbed([9, 9, 9, 25_000, 5, 24_000]), 5);
  assert.equal(undisturbed([9, 9, 9, 9, 9, 9, 9, 9, 5, 900, 800, 5, 5, 700, 600, 900]), 5);
});

test('a run of which a coarse clock shows too little does not count alone', () => assert.equal(undisturbed([9, 9, 9, 9, 9, 9, 9, 9, 4, 5, 5, 5, 5, 5, 5, 5]), 5));
