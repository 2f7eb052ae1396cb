// What widths and axes are called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockLabel, clockNoun, placeText } from '../../../js/views/weights.js';

const clock = (parts) => ({ kind: 'ticker', name: '', unit: 'ns', weights: '', wall: false, ...parts });

test('places on an axis are as exact as their distance wants, in one unit', () => {
  assert.equal(placeText(0, 'ns', 500, 1e9), '0.0000000 s');
  assert.equal(placeText(1_234_500, 'ns', 500, 2e6), '1.2345 ms');
  assert.equal(placeText(2_000_000, 'ns', 1_000_000, 9e6), '2 ms');
  assert.equal(placeText(30, 'ns', 10, 90), '30 ns');
  assert.equal(placeText(1_000_000, 'instructions', 500_000, 2e6), '1,000,000');
});

test('neighbouring places are never told by the same text', () => {
  for (let power = 0; power < 10; power++) {
    for (const factor of [1, 2, 5]) {
      const step = factor * 10 ** power;
      const texts = Array.from({ length: 8 }, (_, i) => placeText(3e9 + i * step, 'ns', step, 3e9 + 8 * step));
      assert.equal(new Set(texts).size, texts.length, texts.join());
    }
  }
});

test('clocks say what they measure, with which unit and how finely', () => {
  assert.equal(clockLabel(clock(), { median: 1400, most: 1500 }), 'time (ns, ticker, resolution 1.40 us)');
  assert.equal(clockLabel(clock({ kind: 'host' })), 'time (ns, performance.now())');
  assert.equal(clockLabel(clock({ kind: 'instructions', unit: 'instructions' })), 'instructions executed');
  assert.equal(clockLabel(clock({ kind: 'instructions', unit: 'units', weights: 'ic-2025' })), 'instructions executed, in cost units of ic-2025');
  assert.equal(clockLabel(clock({ kind: 'import', unit: 'units', name: 'ic0.performance_counter' })), 'units of ic0.performance_counter');
  assert.deepEqual([clockNoun(clock()), clockNoun(clock({ unit: 'units' }))], ['time', 'units']);
});
