// A transform for the spec suite's runner that leaves the bytes alone: the patched WebAssembly object instruments every
// module and attaches to it. A preload would do the same to the baseline, and the runner could not compare.
import { install } from '../../js/index.js';

const hook = install({ trace: 'calls', link: /** @type {any} */ (process.env.WASM_TRACE_TEST_LINK) });

export default (/** @type {Uint8Array} */ bytes) => {
  // When the loader gives up on a module, that runs untouched and passes: it must not.
  if (hook.hasWarned) throw new Error('the loader gave up on a module');
  return bytes;
};
