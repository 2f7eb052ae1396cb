// The module build as its importers see it; what they load is build/web/wasm-trace.mjs. For types only.

/** @typedef {import('./options.js').PageOptions} PageOptions */
/** @typedef {import('./tracer.js').Tracer} Tracer */

/** @type {Tracer} */
const wasmTrace = /** @type {any} */ (undefined);

export default wasmTrace;

/** @type {(options?: PageOptions) => Tracer} */
export const install = (options) => wasmTrace.install(options);

/** @type {string} */
export const version = wasmTrace?.version;
