// Checks probes and patterns of a command line before anything is done, so that the text that is wrong can be shown.

import { WasmTraceError } from '../js/loader/errors.js';
import { Instrumenter } from '../js/loader/instrumenter.js';
import { UsageError } from './options.js';
import { clockAsked, tracedBy } from './question.js';
import { readWeights } from './weights.js';

/** @typedef {import('./options.js').Options} Options */

const EMPTY_MODULE = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00);

/** Those that the instrumenter parses, but displays: what they need depends on the probes. */
const CHECKED = /** @type {const} */ ([
  ['trace', 'trace'], ['hide', 'hide'], ['only', 'only'], ['during', 'during'], ['from', 'from'], ['until', 'until'],
  ['min-size', 'minSize'], ['buffer', 'buffer'],
]);

/**
 * @param {Options} options
 * @throws {UsageError} with a caret under the place
 */
export function checkProbes(options) {
  for (const [name, key] of CHECKED)
    for (const text of [options[key] ?? []].flat()) checkAlone(name, { trace: 'traps', [key]: text }, String(text));
}

/**
 * Displays that the probes have nothing for.
 * @param {Options} options
 * @throws {UsageError}
 */
export function checkDisplays(options) {
  const { display } = options;
  checkAlone('display', { trace: tracedBy(options), display, clock: clockAsked(options) }, display.join());
}

/**
 * A table of weights that cannot be read, or that says what no table may.
 * @param {string} name of the file, or of a table of the package
 * @throws {UsageError | import('./files.js').FileError}
 */
export function checkWeights(name) {
  checkAlone('weights', { trace: 'traps', weights: readWeights(name) }, name);
}

/**
 * Alone, so that the text an error speaks of is known; over an empty module, in which nothing else can be wrong. The
 * probe "traps" stands in where another option is checked: it is content with any module.
 * @param {string} name
 * @param {import('../js/loader/instrumenter.js').InstrumentOptions} options
 * @param {string} text
 */
function checkAlone(name, options, text) {
  try {
    Instrumenter.create().run(EMPTY_MODULE, options);
  } catch (error) {
    if (!(error instanceof WasmTraceError)) throw error;
    if (error.code === 'probe') throw new UsageError(describe(name, text, error));
  }
}

/** @param {string} name @param {string} text @param {WasmTraceError} error */
function describe(name, text, error) {
  if (error.offset === undefined) return error.message.replace(/^weights(?=, line )/, () => `--weights ${text}`);
  // The offset counts bytes; the caret stands under a character.
  const column = [...Buffer.from(text).subarray(0, error.offset).toString()].length;
  return `--${name}, column ${column + 1}: ${error.message}\n  ${text}\n  ${' '.repeat(column)}^`;
}
