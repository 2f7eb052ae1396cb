// The limits of the engines, and sizes that would show a quadratic loop or a recursion.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Instrumenter } from '../../js/loader/instrumenter.js';
import { leb } from './assemble.js';
import { isValid } from './judge.js';
import { links } from './run-module.js';

const MOST_LOCALS = 50_000;
const MOST_BODY_BYTES = 7_654_321;
const MOST_HISTOGRAMS = 4096;
const END = 0x0b;

/** @param {number} id @param {number[]} content */
const section = (id, content) => [id, ...leb(content.length), ...content];

/** @param {number[][]} items */
const list = (items) => [...leb(items.length), ...items.flat()];

/**
 * A module of functions of one type, with the bodies given.
 * @param {(number[] | Uint8Array)[]} bodies locals and code
 * @param {number[]} [type]
 */
function moduleOf(bodies, type = [0x60, 0, 0]) {
  const code = bodies.flatMap((body) => [Buffer.from(leb(body.length)), Buffer.from(body)]);
  const content = Buffer.concat([Buffer.from(leb(bodies.length)), ...code]);
  const before = [0, 97, 115, 109, 1, 0, 0, 0, ...section(1, list([type])), ...section(3, list(bodies.map(() => [0]))), 10, ...leb(content.length)];
  return new Uint8Array(Buffer.concat([Buffer.from(before), content]));
}

/** @param {Uint8Array} bytes @param {import('../../js/index.js').InstrumentOptions} options */
const run = (bytes, options) => Instrumenter.create().run(bytes, { minSize: 0, ...options });

/** The module is valid before and after, and has the warnings given. @param {Uint8Array} bytes @param {string[]} warnings */
function hold(bytes, warnings = []) {
  assert.ok(isValid(bytes));
  for (const link of links) {
    const result = run(bytes, { trace: 'calls', link });
    assert.ok(isValid(result.bytes), link);
    assert.deepEqual(result.warnings, warnings, link);
  }
}

const leftAlone = (/** @type {number} */ func) =>
  `1 function left alone, since the result would pass the engines' limits (${MOST_LOCALS} locals, ${MOST_BODY_BYTES} bytes); the first is #${func}`;

/** @param {number} count */
const withLocals = (count) => [1, ...leb(count), 0x7f, END];

/** @param {number} size of the body, mostly nops */
function bodyOf(size) {
  const body = new Uint8Array(size).fill(1);
  body[0] = 0;
  body[size - 1] = END;
  return body;
}

test('a function with as many locals as there may be is left alone, one with fewer is not', () => {
  hold(moduleOf([withLocals(MOST_LOCALS - 1), withLocals(3)]));
  hold(moduleOf([withLocals(3), withLocals(MOST_LOCALS)]), [leftAlone(1)]);
});

test('a body as large as it may be is left alone, a smaller one is not', () => {
  const room = 64; // more than a probe takes
  hold(moduleOf([bodyOf(MOST_BODY_BYTES - room)]));
  hold(moduleOf([bodyOf(MOST_BODY_BYTES)]), [leftAlone(0)]);
});

test('blocks nested deeply', () => {
  const depth = 50_000;
  const opening = Array.from({ length: depth }, () => [0x02, 0x40]).flat();
  hold(moduleOf([[0, ...opening, 0x0f, ...new Array(depth + 1).fill(END)]]));
});

test('a br_table with many labels', () => {
  const labels = new Array(60_000).fill(0);
  hold(moduleOf([[0, 0x41, 0, 0x0e, ...leb(labels.length - 1), ...labels, END]]));
});

test('very many functions', () => {
  hold(moduleOf(Array.from({ length: 50_000 }, () => [0, END])));
});

test('more histograms than anybody can read are refused', () => {
  const type = [0x60, 1, 0x7f, 0];
  const bytes = moduleOf(Array.from({ length: MOST_HISTOGRAMS + 1 }, () => [0, END]), type);
  assert.throws(() => run(bytes, { trace: 'args(*)', display: 'histogram', link: 'split' }), { code: 'limit', message: /^4097 histograms/ });
  assert.ok(run(bytes, { trace: 'arg(0, *)', hide: '#0', display: 'histogram', link: 'split' }));
});
