// Which function a byte of a module's file belongs to.
import { Reader } from './reader.js';

const HEADER_SIZE = 8;
const CODE_SECTION = 10;

/** @param {Uint8Array} module @returns {Reader | null} the content of the code section */
function codeSection(module) {
  const reader = new Reader(module);
  reader.skip(HEADER_SIZE);
  while (reader.left > 0) {
    const id = reader.byte();
    const content = reader.sub(reader.count(1));
    if (id === CODE_SECTION) return content;
  }
  return null;
}

export class CodeBodies {
  #importCount;
  /** Of each body, behind its size. */
  #starts;
  #ends;

  /**
   * @param {Uint8Array} module borrowed for the call
   * @param {number} importCount imported functions
   * @throws {TraceError} when the sections cannot be read
   */
  constructor(module, importCount) {
    const code = codeSection(module);
    const count = code?.count(1) ?? 0;
    this.#importCount = importCount;
    this.#starts = new Uint32Array(count);
    this.#ends = new Uint32Array(count);
    for (let i = 0; code && i < count; i++) {
      const size = code.count(1);
      this.#starts[i] = code.offset;
      code.skip(size);
      this.#ends[i] = code.offset;
    }
  }

  /** Functions of the module, imported ones included. */
  get functionCount() {
    return this.#importCount + this.#starts.length;
  }

  /** @param {number} offset from the start of the file @returns {number | null} function index */
  functionAt(offset) {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#starts[middle] <= offset) low = middle + 1;
      else high = middle;
    }
    return low > 0 && offset < this.#ends[low - 1] ? this.#importCount + low - 1 : null;
  }
}
