// Constants of floating point in C++ names, which the wasm build writes by its own snprintf: instrumenter/wasm/format.c. What a number
// is written as is C's %a, with the first digit 1.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Instrumenter } from '../../js/loader/instrumenter.js';

const instrumenter = Instrumenter.create();

/** @param {string} type of the Itanium ABI @param {string} bits in hexadecimal */
const written = (type, bits) => /<(.*)>/.exec(instrumenter.demangle(`_Z1fIL${type}${bits}EEvv`))?.[1];

test('float', () => {
  assert.equal(written('f', '00000000'), '0x0p+0f');
  assert.equal(written('f', 'bfc00000'), '-0x1.8p+0f');
  assert.equal(written('f', '3dcccccd'), '0x1.99999ap-4f');
  assert.equal(written('f', '00000001'), '0x1p-149f');
  assert.equal(written('f', '7f800000'), 'inff');
});

test('double', () => {
  assert.equal(written('d', '8000000000000000'), '-0x0p+0');
  assert.equal(written('d', '400921fb54442d18'), '0x1.921fb54442d18p+1');
  assert.equal(written('d', '7fefffffffffffff'), '0x1.fffffffffffffp+1023');
  assert.equal(written('d', '000fffffffffffff'), '0x1.ffffffffffffep-1023');
  assert.equal(written('d', '7ff8000000000000'), 'nan');
});

test('long double', () => {
  assert.equal(written('e', '3ffb999999999999999999999999999a'), '0x1.999999999999999999999999999ap-4L');
  assert.equal(written('e', 'c0004000000000000000000000000000'), '-0x1.4p+1L');
  assert.equal(written('e', '00000000000000000000000000000001'), '0x1p-16494L');
  assert.equal(written('e', '7fff0000000000000000000000000000'), 'infL');
});
