// A transform for the spec suite's runner: every module is instrumented, and nobody attaches to it.
import { instrument } from '../../js/index.js';

/** @type {import('../../js/index.js').InstrumentOptions} */
const options = { trace: 'calls', link: /** @type {any} */ (process.env.WASM_TRACE_TEST_LINK) };

export default (/** @type {Uint8Array} */ bytes) => instrument(bytes, options);
