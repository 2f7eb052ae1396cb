// A second preload for the corpus: what the first one did to the modules of a process or worker, and what it complained of.
import { shared } from '../../js/loader/engine.js';
import { tallyAtExit } from '../tally.mjs';

/** @type {string[]} */
const warnings = [];
const { write } = process.stderr;
process.stderr.write = (/** @type {any} */ chunk, /** @type {any[]} */ ...rest) => {
  if (String(chunk).startsWith('wasm-trace: ')) warnings.push(String(chunk).trim());
  return Reflect.apply(write, process.stderr, [chunk, ...rest]);
};
tallyAtExit(() => ({ instrumented: shared.hook?.modules.matched ?? 0, warnings }));
