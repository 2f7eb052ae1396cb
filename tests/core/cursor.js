// A reader of wasm bytes for tests, of its own so that the reader under test is not its own judge.

export class Cursor {
  /** @param {Uint8Array} bytes @param {number} [at] @param {number} [end] */
  constructor(bytes, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get more() {
    return this.at < this.end;
  }

  u8() {
    if (!this.more) throw new Error(`read behind the end at byte ${this.at}`);
    return this.bytes[this.at++];
  }

  /** LEB128 of any size, as the bits it encodes. */
  #leb() {
    let value = 0n;
    let shift = 0n;
    let byte;
    do {
      byte = this.u8();
      value |= BigInt(byte & 0x7f) << shift;
      shift += 7n;
    } while (byte & 0x80);
    return { value, shift };
  }

  u64() {
    return this.#leb().value;
  }

  u32() {
    return Number(this.u64());
  }

  s64() {
    const { value, shift } = this.#leb();
    return BigInt.asIntN(Number(shift), value);
  }

  s33() {
    return Number(this.s64());
  }

  /** @param {number} size */
  take(size) {
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }

  name() {
    return Buffer.from(this.take(this.u32())).toString();
  }

  /** The next `size` bytes; this cursor goes on behind them. @param {number} size */
  part(size) {
    this.at += size;
    return new Cursor(this.bytes, this.at - size, this.at);
  }

  /** @template T @param {() => T} read @returns {T[]} a count and as many items */
  list(read) {
    return Array.from({ length: this.u32() }, read);
  }
}
