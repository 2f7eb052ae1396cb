// The two wasm files inside the page script, in the place of js/loader/artifacts.js. Base64 would spoil gzip, which looks for
// bytes that repeat: here a byte is one character, a rare one two. ASCII only, so that no page's encoding can harm it.

import { instrumenterText, pages, runtimeText } from '../../build/generated/page-artifacts.js';

/** @returns {Uint8Array<ArrayBuffer>} the instrumenter, a wasm module */
export function instrumenterBytes() {
  return decode(instrumenterText);
}

/** @returns {Uint8Array<ArrayBuffer>} what is linked into modules, a wasm module */
export function runtimeBytes() {
  return decode(runtimeText);
}

/**
 * Each character is looked up in a page of 128 numbers: a byte, or below 0 the page that the next character is looked up in.
 * @param {{text: string, size: number}} coded
 * @returns {Uint8Array<ArrayBuffer>}
 */
function decode({ text, size }) {
  const table = Int16Array.from(pages);
  const bytes = new Uint8Array(size);
  for (let at = 0, i = 0, page = 0; at < text.length; at++) {
    const value = table[page + text.charCodeAt(at)];
    if (value < 0) page = -value * 128;
    else {
      bytes[i++] = value;
      page = 0;
    }
  }
  return bytes;
}
