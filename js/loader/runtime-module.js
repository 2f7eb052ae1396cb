// What split linking instantiates beside the debuggee: the runtime, with a memory of the size and the kind that are wanted.
// A memory's limits are part of a module, so they are written into its bytes.

import { canShareMemory, natives } from './engine.js';

const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;
const HAS_MAXIMUM = 1;
const IS_SHARED = 2;

/**
 * @param {Uint8Array} runtime guest-runtime.wasm, which has one memory
 * @param {number} pages of its memory; it cannot grow
 * @returns {WebAssembly.Module}
 */
export function makeRuntimeModule(runtime, pages) {
  const [start, end] = findSection(runtime, MEMORY_SECTION);
  const limits = [HAS_MAXIMUM | (canShareMemory() ? IS_SHARED : 0), ...encodeU32(pages), ...encodeU32(pages)];
  const section = [MEMORY_SECTION, limits.length + 1, 1, ...limits];
  const bytes = new Uint8Array(start + section.length + runtime.length - end);
  bytes.set(runtime.subarray(0, start));
  bytes.set(section, start);
  bytes.set(runtime.subarray(end), start + section.length);
  return new natives.Module(bytes);
}

/** @param {Uint8Array} bytes a valid module @param {number} id @returns {[start: number, end: number]} */
function findSection(bytes, id) {
  for (let at = HEADER_BYTES; at < bytes.length;) {
    const start = at;
    const [size, content] = decodeU32(bytes, at + 1);
    at = content + size;
    if (bytes[start] === id) return [start, at];
  }
  throw new Error(`no section ${id}`);
}

/** @param {Uint8Array} bytes @param {number} at @returns {[value: number, end: number]} */
function decodeU32(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return [value >>> 0, at];
  }
}

/** @param {number} value */
function encodeU32(value) {
  const bytes = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}
