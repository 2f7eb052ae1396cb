// Modules too large for text: sections put together from repeated bytes, without an array element for each byte.
import { leb } from './assemble.js';

/** @typedef {Uint8Array | readonly number[]} Bytes */

const HEADER = [0, 97, 115, 109, 1, 0, 0, 0];
export const END = 0x0b;

/** Section ids. */
export const SECTION = Object.freeze({
  CUSTOM: 0, TYPE: 1, IMPORT: 2, FUNCTION: 3, TABLE: 4, MEMORY: 5, GLOBAL: 6, EXPORT: 7, START: 8, ELEMENT: 9, CODE: 10, DATA: 11,
});

/** @param {Bytes[]} parts @returns {Buffer} */
export const join = (...parts) => Buffer.concat(parts.map((part) => Buffer.from(part)));

/** @param {Bytes} bytes @param {number} times @returns {Buffer} */
export const repeat = (bytes, times) => Buffer.alloc(bytes.length * times, Buffer.from(bytes));

/** @param {string | Bytes} text @returns {Buffer} */
export const name = (text) => sized(typeof text === 'string' ? Buffer.from(text) : text);

/** @param {Bytes} content @returns {Buffer} */
export const sized = (content) => join(leb(content.length), content);

/** @param {number} id @param {Bytes} content @returns {Buffer} */
export const section = (id, content) => join([id], sized(content));

/** @param {readonly Bytes[]} items @returns {Buffer} */
export const list = (items) => join(leb(items.length), ...items);

/** A list of one item many times, and some others behind it. @param {number} times @param {Bytes} item @param {Bytes[]} others */
export const listOf = (times, item, ...others) => join(leb(times + others.length), repeat(item, times), ...others);

/** @param {Bytes[]} sections @returns {Buffer} */
export const moduleOf = (...sections) => join(HEADER, ...sections);

/** A function's locals and code, with its size in front. @param {Bytes[]} parts without the end @returns {Buffer} */
export const body = (...parts) => sized(join(...parts, [END]));
