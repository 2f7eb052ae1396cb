// Arguments of WebAssembly.* as the engine sees them.

import { natives } from './engine.js';

/**
 * A view of a buffer source, without copying; null for anything else. Shared buffers are left to the engine: V8 refuses
 * them, and the program is to get that error.
 * @param {unknown} source
 * @returns {Uint8Array | null}
 */
export function bytesOf(source) {
  if (ArrayBuffer.isView(source))
    return source.buffer instanceof ArrayBuffer ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : null;
  return source instanceof ArrayBuffer ? new Uint8Array(source) : null;
}

/** @param {unknown} value @returns {value is WebAssembly.Module} */
export function isModule(value) {
  return value instanceof natives.Module;
}
