// Figures of clocks in words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount, amountCell, amountWithUnit, clockLine, percent } from '../../js/views/units.js';

test('times have three digits and a unit', () => {
  const rows = [
    [0, '0 ns'], [7, '7 ns'], [999, '999 ns'], [12.345, '12.3 ns'], [999.7, '1.00 us'], [1000, '1.00 us'], [1404, '1.40 us'],
    [99949, '99.9 us'], [99950, '100 us'], [999499, '999 us'], [999500, '1.00 ms'], [1.5e9, '1.50 s'], [6e12, '6,000 s'], [-1500, '-1.50 us'], [NaN, '-'],
  ];
  for (const [value, text] of rows) assert.equal(amount(value, 'ns'), text);
});

test('counts have the letters of thousands', () => {
  const rows = [[0, '0'], [999, '999'], [12.25, '12.3'], [12345, '12.3k'], [4.56e6, '4.56M'], [1e9, '1.00G'], [999999, '1.00M'], [3e12, '3.00T']];
  for (const [value, text] of rows) assert.equal(amount(value, 'instructions'), text);
  assert.equal(amountWithUnit(12345, 'instructions'), '12.3k instructions');
  assert.equal(amountWithUnit(12345, 'ns'), '12.3 us');
  assert.deepEqual([amountWithUnit(1, 'instructions'), amountWithUnit(1, 'units'), amountWithUnit(1, 'ns')], ['1 instruction', '1 unit', '1 ns']);
});

test('units stand below each other in columns', () => {
  assert.deepEqual([amountCell(1.02e9, 'ns'), amountCell(1.02e6, 'ns')], ['1.02  s', '1.02 ms']);
});

test('percents of nothing are not known', () => {
  assert.deepEqual([percent(1, 3), percent(0, 0)], ['33.3', '-']);
});

test('clocks say what they are, their unit and how exact they are', () => {
  const clock = { kind: 'ticker', name: '', unit: 'ns', weights: '', wall: false };
  assert.equal(clockLine(clock, { median: 1404, most: 1500 }), 'clock: ticker (ns), resolution 1.40 us');
  const still = { median: 1404, most: 1500, longest: 24e6 };
  assert.equal(clockLine(clock, still), 'clock: ticker (ns), resolution 1.40 us, longest step 24.0 ms');
  assert.equal(clockLine(clock), 'clock: ticker (ns)');
  const counting = { ...clock, kind: 'instructions', unit: 'instructions' };
  for (const resolution of [undefined, { median: 1, most: 1 }]) assert.equal(clockLine(counting, resolution), 'clock: instructions, exact');
  assert.equal(clockLine({ ...counting, wall: true }), 'clock: instructions, exact; host times in ns of the wall clock');
  assert.equal(clockLine({ ...counting, unit: 'units', weights: 'ic-2025' }), 'clock: instructions weighed by ic-2025 (units), exact');
  assert.equal(clockLine({ ...counting, unit: 'units', weights: 'red \x1b[31m' }), 'clock: instructions weighed by red \\x1b[31m (units), exact');
  assert.equal(clockLine({ ...clock, kind: 'import', name: 'ic0.performance_counter', unit: 'units' }), 'clock: import ic0.performance_counter (units)');
});
