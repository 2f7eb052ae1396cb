// Executed instructions are counted exactly, at every moment that the host can look: against modules that count each
// instruction by itself, against another interpreter, and by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assemble } from './assemble.js';
import { programs } from './count-programs.js';
import { countEach, exportCount, restsOf } from './counting.js';
import { restsOfBlocks, transformAll } from './native.js';
import { links, runModule } from './run-module.js';

/** @import {InstrumentOptions} from '../../js/index.js' */
/** @import {Weights} from './counting.js' */

/** Probes around what is counted. @type {Record<string, InstrumentOptions>} */
const PROBES = {
  none: { trace: 'memory.grow', display: 'histogram' },
  some: { trace: ['args(*)', 'memory.grow', 'traps'], minSize: 0 },
  tree: { trace: ['calls', 'ret(*)'], display: ['tree', 'nested'], stack: true, minSize: 0 },
};

/** @type {Weights} */
const WEIGHTS = { default: 3, nop: 0, 'local.get': 0, loop: 70000, 'memory.grow': 0, call: 0, br: 5, 'i32.const': 1, if: 11, br_if: 0 };

/** @param {Weights} weights */
const tableOf = (weights) => Object.entries(weights).map(([name, weight]) => `${name} ${weight}`).join('\n');

/**
 * @typedef {object} Counts
 * @property {string[]} results of the calls
 * @property {bigint[]} seen the count at every moment that the host can look
 *
 * @typedef {Record<string, WebAssembly.Global>} Globals
 */

/** @param {Uint8Array} bytes @param {readonly string[]} calls @returns {Counts} */
function counted(bytes, calls) {
  /** @type {bigint[]} */
  const seen = [];
  const watch = (/** @type {Globals} */ exports) => seen.push(exports.count.value);
  const { results } = runModule(exportCount(bytes), calls, { traced: true, watch });
  return { results, seen };
}

/**
 * The truth. A block is counted at its beginning, so what traps inside of one leaves the rest of it in the count.
 * @param {Uint8Array} bytes
 * @param {readonly string[]} calls
 * @param {Weights} weights
 * @returns {Counts}
 */
function expected(bytes, calls, weights) {
  const rests = restsOf(bytes, weights);
  /** @type {bigint[]} */
  const seen = [];
  let left = 0n;
  const watch = (/** @type {Globals} */ { count, place }, /** @type {string | undefined} */ result) => {
    if (result?.endsWith('= trap')) left += rests.get(place.value) ?? 0n;
    seen.push(count.value + left);
  };
  const { results } = runModule(countEach(bytes, weights), calls, { watch });
  return { results, seen };
}

/** @param {Uint8Array} bytes @param {InstrumentOptions} options */
function instrumented(bytes, options) {
  const [{ bytes: output, message }] = transformAll([bytes], { clock: 'instructions', ...options });
  assert.ok(output, message);
  return output;
}

for (const [name, { source, calls }] of Object.entries(programs)) {
  const bytes = await assemble(source);
  const skip = !WebAssembly.validate(/** @type {BufferSource} */ (bytes)) && 'this engine does not know the module';
  for (const [weighing, weights] of Object.entries({ instructions: {}, weights: WEIGHTS })) {
    test(`${name}: ${weighing} are counted as they are executed`, { skip }, () => {
      const truth = expected(bytes, calls, weights);
      assert.ok(truth.seen.at(-1), 'nothing is executed');
      for (const link of links)
        for (const probes of Object.values(PROBES)) {
          const options = { ...probes, link, ...(weighing === 'weights' && { weights: tableOf(weights) }) };
          assert.deepEqual(counted(instrumented(bytes, options), calls), truth, JSON.stringify(options));
        }
    });
  }
  test(`${name}: what a trap leaves in the count is known for each instruction`, () => {
    assert.deepEqual(restsOfBlocks(bytes, {}), restsOf(bytes));
    assert.deepEqual(restsOfBlocks(bytes, { weights: tableOf(WEIGHTS) }), restsOf(bytes, WEIGHTS));
  });
}
