// A cursor over bytes in WebAssembly's binary conventions: LEB128 numbers, length-prefixed strings and vectors. Every
// read is bounded by the end of the bytes, every count by the bytes that are left; a read that cannot be done throws.
import { TraceError } from './errors.js';

const MAX_LEB_SHIFT = 28;

export class Reader {
  #bytes;
  #offset = 0;
  #base;
  #decoder = new TextDecoder();

  /**
   * @param {Uint8Array} bytes borrowed
   * @param {number} [base] what errors call byte 0
   */
  constructor(bytes, base = 0) {
    this.#bytes = bytes;
    this.#base = base;
  }

  /** Offset of the next byte, as errors count. */
  get offset() {
    return this.#base + this.#offset;
  }

  get left() {
    return this.#bytes.length - this.#offset;
  }

  /**
   * @param {string} reason
   * @param {number} [offset]
   * @returns {never}
   */
  fail(reason, offset = this.offset) {
    throw new TraceError('metadata', reason, offset);
  }

  byte() {
    if (this.left < 1) this.fail('unexpected end');
    return this.#bytes[this.#offset++];
  }

  /** An unsigned LEB128 number of 32 bits. */
  u32() {
    const start = this.offset;
    let value = 0;
    for (let shift = 0; shift <= MAX_LEB_SHIFT; shift += 7) {
      const byte = this.byte();
      if (shift === MAX_LEB_SHIFT && byte > 0x0f) break;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    this.fail('a number of more than 32 bits', start);
  }

  /**
   * The length of a vector.
   * @param {number} itemSize the least number of bytes that an item takes, at least 1
   */
  count(itemSize) {
    const start = this.offset;
    const count = this.u32();
    if (count > this.left / itemSize) this.fail(`a count of ${count} in ${this.left} bytes`, start);
    return count;
  }

  /** @param {number} size */
  skip(size) {
    if (size > this.left) this.fail(`${size} bytes wanted where ${this.left} are left`);
    this.#offset += size;
  }

  /**
   * @param {number} size
   * @returns {Uint8Array} a view, not a copy
   */
  bytes(size) {
    this.skip(size);
    return this.#bytes.subarray(this.#offset - size, this.#offset);
  }

  /** A length-prefixed string; bytes that are not UTF-8 become U+FFFD. */
  name() {
    return this.#decoder.decode(this.bytes(this.count(1)));
  }

  /** A reader of the next `size` bytes, which this one then has behind it. @param {number} size */
  sub(size) {
    const base = this.offset;
    return new Reader(this.bytes(size), base);
  }

  /** Throws when bytes are left over. @param {string} what */
  end(what) {
    if (this.left > 0) this.fail(`${this.left} bytes too many in ${what}`);
  }
}
