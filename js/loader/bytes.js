// Arguments of WebAssembly.* as the engine sees them.

import { natives } from './engine.js';

/**
 * A view of a buffer source, without copying; null for anything else. Shared and detached buffers are left to the engine,
 * which refuses them: the program is to get that error.
 * @param {unknown} source
 * @returns {Uint8Array | null}
 */
export function bytesOf(source) {
  try {
    if (source instanceof ArrayBuffer) return new Uint8Array(source);
    const isView = ArrayBuffer.isView(source) && source.buffer instanceof ArrayBuffer;
    return isView ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : null;
  } catch {
    return null;
  }
}

/** @param {unknown} value @returns {value is WebAssembly.Module} */
export function isModule(value) {
  return value instanceof natives.Module;
}
