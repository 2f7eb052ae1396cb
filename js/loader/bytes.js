// Arguments of WebAssembly.* as the engine sees them.

import { natives } from './engine.js';

/** @param {unknown} source @returns {Uint8Array | null} a view of a buffer source, without copying; null for anything else */
export function bytesOf(source) {
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  const isBuffer = source instanceof ArrayBuffer || isShared(source);
  return isBuffer ? new Uint8Array(/** @type {ArrayBuffer} */ (source)) : null;
}

/** Pages that are not isolated have no SharedArrayBuffer. @param {unknown} source */
function isShared(source) {
  return typeof SharedArrayBuffer === 'function' && source instanceof SharedArrayBuffer;
}

/** @param {unknown} value @returns {value is WebAssembly.Module} */
export function isModule(value) {
  return value instanceof natives.Module;
}
