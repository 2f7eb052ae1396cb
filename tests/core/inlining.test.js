// How much V8 inlines depends on the share of small functions. It is what it was, however large probes make them: see instrumenter/src/inlining.h.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Instrumenter } from '../../js/loader/instrumenter.js';
import { isValid } from './judge.js';
import { SECTION, body, list, moduleOf, repeat, section } from './large-module.js';
import { ModuleView } from './module-view.js';
import { links } from './run-module.js';

const LARGE = 50; // bytes of a body
const NOP = 0x01;

/** @param {number} size */
const bodyOf = (size) => body([0], repeat([NOP], size - 2));

/** @param {number} small functions @param {number} large */
function moduleWith(small, large) {
  const bodies = [...Array(small).fill(bodyOf(LARGE - 1)), ...Array(large).fill(bodyOf(LARGE))];
  return moduleOf(section(SECTION.TYPE, list([[0x60, 0, 0]])), section(SECTION.FUNCTION, list(bodies.map(() => [0]))), section(SECTION.CODE, list(bodies)));
}

/** @param {Uint8Array} bytes @returns {{small: number, all: number}} functions */
function count(bytes) {
  const code = new ModuleView(bytes).find('code');
  const sizes = code?.list(() => code.take(code.u32()).length) ?? [];
  return { all: sizes.length, small: sizes.filter((size) => size < LARGE).length };
}

/** @param {number} small functions @param {number} large @param {import('../../js/index.js').InstrumentOptions} options */
const instrument = (small, large, options) => Instrumenter.create().run(moduleWith(small, large), { trace: 'calls', ...options }).bytes;

for (const link of /** @type {const} */ (['split', 'merged'])) {
  for (const [small, large] of [[60, 140], [80, 120], [99, 101]]) {
    test(`${small} of ${small + large} functions are small, ${link}`, () => {
      const result = count(instrument(small, large, { link }));
      assert.ok(result.small / result.all >= small / (small + large), 'not fewer than there were');
      assert.ok((result.small - 1) / (result.all - 1) < small / (small + large), 'and no more than that takes');
    });
  }

  test(`most functions are small, ${link}: half of them is enough`, () => {
    const { small, all } = count(instrument(180, 20, { link }));
    assert.equal(small, Math.ceil(all / 2));
  });

  test(`a quarter of the functions are small, ${link}: nothing is less than that`, () => {
    assert.equal(count(instrument(50, 150, { link })).all, count(instrument(0, 200, { link })).all);
  });

  test(`few functions have probes, ${link}`, () => {
    const trace = 'calls(#0)';
    assert.equal(count(instrument(180, 20, { link, trace })).all, count(instrument(0, 200, { link, trace })).all);
  });
}

test('the result is valid', () => {
  assert.ok(isValid(instrument(99, 101, { link: links[0] })));
});
