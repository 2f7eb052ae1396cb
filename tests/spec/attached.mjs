// A transform for the spec suite's runner that leaves the bytes alone: the patched WebAssembly object instruments every
// module and attaches to it. A preload would do the same to the baseline, and the runner could not compare.
import { install } from '../../js/loader/hook.js';
import { tallyAtExit } from '../tally.mjs';
import { options } from './settings.mjs';

/** @type {string[]} */
const warnings = [];
const hook = install(options, { warn: (message) => warnings.push(message) });
tallyAtExit(() => ({ instrumented: hook.modules.matched, warnings }));

export default (/** @type {Uint8Array} */ bytes) => {
  if (warnings.length > 0) throw new TypeError(warnings[0]);
  if (!WebAssembly.validate(bytes)) refuse(bytes);
  return bytes;
};

/** The runner only validates what is invalid, and that does not come to the hook. @param {Uint8Array} bytes */
function refuse(bytes) {
  new WebAssembly.Module(bytes);
  throw new TypeError('the loader compiled an invalid module');
}
