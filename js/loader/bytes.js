// Arguments of WebAssembly.* as the engine sees them.

import { natives } from './engine.js';

const lengthOf = /** @type {(this: unknown) => number} */ (Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')?.get);

/**
 * A view of a buffer source, without copying; null for anything else. Shared and detached buffers are left to the engine,
 * which refuses them: the program is to get that error.
 * @param {unknown} source of any realm, such as the page around a frame
 * @returns {Uint8Array | null}
 */
export function bytesOf(source) {
  try {
    if (ArrayBuffer.isView(source)) return isBuffer(source.buffer) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : null;
    return isBuffer(source) ? new Uint8Array(source) : null;
  } catch {
    return null;
  }
}

/** @param {unknown} value @returns {value is ArrayBuffer} no shared one */
function isBuffer(value) {
  return has(() => lengthOf.call(value));
}

/** @param {unknown} value of any realm @returns {value is WebAssembly.Module} */
export function isModule(value) {
  if (value instanceof natives.Module) return true;
  return typeof value === 'object' && value !== null && has(() => natives.customSections(/** @type {any} */ (value), ''));
}

/** @param {() => unknown} use of something that only a certain kind of object has */
function has(use) {
  try {
    use();
    return true;
  } catch {
    return false;
  }
}
