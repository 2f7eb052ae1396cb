// Numbers as text, and which of them are addresses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as RECORD from '../../js/generated/record.js';
import { Addresses } from '../../js/model/addresses.js';
import { decodeEvents } from '../../js/model/events.js';
import { byteSize, counted, grouped } from '../../js/views/text.js';
import { patternOf, shellWord } from '../../js/views/command-text.js';
import { valueText } from '../../js/views/value-text.js';
import { Recorder, argsOf, metadataOf, namesOf } from './recorder.js';

const NUMBERS = [
  ['i32', -1, '-1'],
  ['i32', 0, '0'],
  ['i64', 2n ** 63n - 1n, '9223372036854775807'],
  ['f32', Math.fround(0.1), '0.1'],
  ['f32', Math.fround(1 / 3), '0.33333334'],
  ['f32', Math.fround(16777217), '16777216'],
  ['f32', Math.fround(3.4028234663852886e38), '3.4028235e+38'],
  ['f32', 2 ** -149, '1e-45'],
  ['f32', -0, '-0'],
  ['f32', Infinity, 'inf'],
  ['f64', 0.1, '0.1'],
  ['f64', 1 / 3, '0.3333333333333333'],
  ['f64', 5e-324, '5e-324'],
  ['f64', NaN, 'NaN'],
  ['f64', -Infinity, '-inf'],
  ['v128', 1n, '0x00000000000000000000000000000001'],
  ['externref', true, 'null externref'],
  ['ref', false, 'ref'],
];

test('values as text', () => {
  for (const [type, value, expected] of NUMBERS) assert.equal(valueText(type, value), expected);
  assert.equal(valueText('i32', -1160725807, true), '0xbad0bad1');
  assert.equal(valueText('i64', 0x1_0000_0008n, true), '0x100000008');
});

test('every f32 text reads back as the same f32', () => {
  const number = new Float32Array(1);
  const pattern = new Uint32Array(number.buffer);
  for (let bits = 1; bits < 2 ** 31; bits += 1234567) {
    pattern[0] = bits;
    if (Number.isFinite(number[0])) assert.equal(Math.fround(Number(valueText('f32', number[0]))), number[0]);
  }
});

function isAddress(type, values) {
  const recorder = new Recorder();
  for (const value of values) recorder.leave(recorder.enter(3, [value]));
  const { events } = decodeEvents(recorder.snapshot(), metadataOf({ probes: [[3, { args: argsOf([type]) }]] }));
  return new Addresses(events).has(RECORD.ENTER, 3, 0);
}

const SLOTS = [
  ['a pointer far up', 'i32', [0x12345678], true],
  ['pointers above 2 GiB', 'i32', [0xbad0bad1 | 0, 0xdeaddead | 0], true],
  ['heap pointers and null', 'i32', [0, 0x10010, 0x10040, 0x104a8, 0x20010], true],
  ['wide heap pointers', 'i64', [0x10010, 0x10040, 0x104a8, 0x20010], true],
  ['only null', 'i32', [0, 0], false],
  ['sizes', 'i32', [16, 24, 4096, 70000], false],
  ['one size', 'i32', [131080], false],
  ['buffer sizes', 'i32', [65536, 131072, 262144, 524288], false],
  ['small negatives', 'i32', [-1, -28], false],
  ['negatives', 'i32', [-100000], false],
  ['a large round number', 'i32', [20000000], false],
  ['odd numbers', 'i32', [70001, 70003, 80001, 90001], false],
  [
    'times in nanoseconds',
    'i64',
    [1794000000123456000n, 1794000000123457000n, 1794000000123458000n, 1794000000123459000n],
    false,
  ],
  ['floats', 'f64', [0x10010, 0x10040, 0x104a8, 0x20010], false],
];

test('addresses are told from other numbers; in doubt they are numbers', () => {
  for (const [name, type, values, expected] of SLOTS) assert.equal(isAddress(type, values), expected, name);
});

test('counts and sizes', () => {
  assert.deepEqual([999, 1000, 1234567, 37465.25, 10n ** 18n].map(grouped), [
    '999',
    '1,000',
    '1,234,567',
    '37,465.25',
    '1,000,000,000,000,000,000',
  ]);
  assert.deepEqual(
    [counted(1, 'call'), counted(0, 'call'), counted(2, 'entry', 'entries')],
    ['1 call', '0 calls', '2 entries'],
  );
  assert.deepEqual([0, 1023, 1024, 1536, 67108864, 5e12].map(byteSize), [
    '0 bytes',
    '1023 bytes',
    '1 KiB',
    '1.5 KiB',
    '64 MiB',
    '4.5 TiB',
  ]);
});

test('functions as patterns, and patterns as words of a shell', () => {
  const names = namesOf([
    [1, 'malloc'],
    [2, 'Player::update(float, int)'],
    [3, 'say "x"'],
    [4, "it<'a>$"],
    [5, 'ns::f'],
  ]);
  const rows = [
    [1, 'malloc'],
    [2, '"Player::update(float, int)"'],
    [3, '#3'],
    [4, '"it<\'a>$"'],
    [5, 'ns::f'],
    [9, '#9'],
  ];
  for (const [func, pattern] of rows) assert.equal(patternOf(func, names), pattern);
  assert.deepEqual(['calls', 'args(malloc)', 'args("a, b")', 'args("it<\'a>$")'].map(shellWord), [
    'calls',
    '"args(malloc)"',
    '\'args("a, b")\'',
    "'args(\"it<'\\''a>$\")'",
  ]);
});
