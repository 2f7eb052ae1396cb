// The two wasm files inside the page script, in the place of js/loader/artifacts.js. Base64 would spoil gzip, which looks for
// bytes that repeat: here a byte is one character, a rare one two. ASCII only, so that no page's encoding can harm it.

import { escapes, instrumenterText, runtimeText, singles } from '../../build/generated/page-artifacts.js';

/** @returns {Uint8Array<ArrayBuffer>} the instrumenter, a wasm module */
export function instrumenterBytes() {
  return decode(instrumenterText);
}

/** @returns {Uint8Array<ArrayBuffer>} what is linked into modules, a wasm module */
export function runtimeBytes() {
  return decode(runtimeText);
}

/** @param {{text: string, size: number}} coded @returns {Uint8Array<ArrayBuffer>} */
function decode({ text, size }) {
  const bytes = new Uint8Array(size);
  for (let at = 0, i = 0; i < size; i++) {
    const code = text.charCodeAt(at++);
    const page = escapes.indexOf(code);
    bytes[i] = page < 0 ? singles[0][code] : singles[page + 1][text.charCodeAt(at++)];
  }
  return bytes;
}
