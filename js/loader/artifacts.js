// The wasm files that the package is about, out of the text that the build makes of them. The page script has a module of
// its own in the place of this one: web/loader/artifacts.js.

import { heapRuntimeBase64, instrumenterBase64, runtimeBase64 } from '../generated/artifacts.js';

/** @returns {Uint8Array<ArrayBuffer>} the instrumenter, a wasm module */
export function instrumenterBytes() {
  return decodeBase64(instrumenterBase64);
}

/** @returns {Uint8Array<ArrayBuffer>} what is linked into modules, a wasm module */
export function runtimeBytes() {
  return decodeBase64(runtimeBase64);
}

/** @returns {Uint8Array<ArrayBuffer>} what link mode heap links into modules instead */
export function heapRuntimeBytes() {
  return decodeBase64(heapRuntimeBase64);
}

/**
 * By whatever is native here: a loop over this much text costs a small program some milliseconds.
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
function decodeBase64(text) {
  const { fromBase64 } = /** @type {any} */ (Uint8Array);
  if (fromBase64) return fromBase64.call(Uint8Array, text);
  const { Buffer } = globalThis;
  if (Buffer) return /** @type {Uint8Array<ArrayBuffer>} */ (Buffer.from(text, 'base64'));
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
