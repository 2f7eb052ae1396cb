// Whether this thread stands inside of wasm at this moment. The runtime cannot know when a trap, or an exception that nobody
// in wasm caught, has ended its frames: nothing of the module runs then. The engine's own stack can tell.

/** Frames of wasm, as engines write them: wasm-function[12]; [wasm code] where JavaScriptCore knows a name. */
const WASM_FRAME = /wasm-function\[|\[wasm code\]/;

/** @returns {boolean} true also where the engine's stack cannot be had */
export function isInsideWasm() {
  const settings = /** @type {{prepareStackTrace?: unknown, stackTraceLimit?: number}} */ (/** @type {unknown} */ (Error));
  const { prepareStackTrace, stackTraceLimit } = settings;
  try {
    settings.stackTraceLimit = Infinity;
    settings.prepareStackTrace = undefined;
    const { stack } = new Error();
    return typeof stack !== 'string' || WASM_FRAME.test(stack);
  } catch {
    return true;
  } finally {
    restore(settings, { prepareStackTrace, stackTraceLimit });
  }
}

/** Where Error is frozen nothing was changed, and nothing can be. @param {object} settings @param {object} before */
function restore(settings, before) {
  try {
    Object.assign(settings, before);
  } catch {
    // as it was
  }
}
