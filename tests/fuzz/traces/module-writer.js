// Bytes of a small module: sections with types told apart by their shape, and the code of a function with its labels and
// locals. Knows the binary format and nothing of what the code is for.

import { leb } from '../../core/assemble.js';

/** @typedef {'i32' | 'i64' | 'f32' | 'f64' | 'v128' | 'funcref' | 'externref' | 'exnref'} ValueType */
/** @typedef {{params: ValueType[], results: ValueType[]}} FuncType */

export const TYPE_BYTE = Object.freeze({
  i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b, funcref: 0x70, externref: 0x6f, exnref: 0x69,
});

export const EMPTY_BLOCK = 0x40;

/** Signed LEB128. @param {bigint | number} number @returns {number[]} */
export function signed(number) {
  const bytes = [];
  for (let value = BigInt(number); ; value >>= 7n) {
    const low = Number(value & 0x7fn);
    const rest = value >> 6n;
    if (rest === 0n || rest === -1n) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

/** @param {readonly number[][]} items */
const vector = (items) => [...leb(items.length), ...items.flat()];

/** @param {string} text */
export const name = (text) => [...leb(text.length), ...Buffer.from(text, 'latin1')];

/** @param {readonly ValueType[]} types */
const typeList = (types) => vector(types.map((type) => [TYPE_BYTE[type]]));

/** Section ids in the order in which sections stand. */
const ORDER = Object.freeze({
  type: 1, import: 2, function: 3, table: 4, memory: 5, tag: 13, global: 6, export: 7, start: 8, element: 9, code: 10,
});

export class ModuleWriter {
  /** @type {Record<keyof typeof ORDER, number[][]>} */
  #items = { type: [], import: [], function: [], table: [], memory: [], tag: [], global: [], export: [], start: [], element: [], code: [] };
  /** @type {Map<string, number>} */
  #types = new Map();

  /** @param {FuncType} type @returns {number} its index; equal types share one */
  type({ params, results }) {
    const key = `${params} -> ${results}`;
    const known = this.#types.get(key);
    if (known !== undefined) return known;
    const index = this.#types.size;
    this.#types.set(key, index);
    this.#items.type.push([0x60, ...typeList(params), ...typeList(results)]);
    return index;
  }

  /** @param {keyof typeof ORDER} section @param {number[]} item its bytes @returns {number} its place in the section */
  add(section, item) {
    return this.#items[section].push(item) - 1;
  }

  /** @returns {Uint8Array} */
  bytes() {
    const bytes = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
    for (const [section, id] of Object.entries(ORDER)) {
      const items = this.#items[/** @type {keyof typeof ORDER} */ (section)];
      if (items.length === 0) continue;
      const content = section === 'start' ? items[0] : vector(items);
      bytes.push(id, ...leb(content.length), ...content);
    }
    return Uint8Array.from(bytes);
  }
}

/** The body of one function. */
export class CodeWriter {
  /** @type {number[]} */
  #bytes = [];
  /** @type {ValueType[]} */
  #locals = [];
  #params;
  /** Open blocks; what is known of the ones that are needed again. @type {unknown[]} */
  #blocks = [];

  /** @param {number} params how many */
  constructor(params) {
    this.#params = params;
  }

  /** @param {...number} bytes */
  put(...bytes) {
    this.#bytes.push(...bytes);
  }

  /** An opcode with an index. @param {number} opcode @param {...number} indices */
  op(opcode, ...indices) {
    this.put(opcode, ...indices.flatMap((index) => leb(index)));
  }

  /** @param {number} value */
  i32(value) {
    this.put(0x41, ...signed(value));
  }

  /** @param {bigint} value */
  i64(value) {
    this.put(0x42, ...signed(BigInt.asIntN(64, value)));
  }

  /** @param {ValueType} type @returns {number} a new one */
  local(type) {
    return this.#params + this.#locals.push(type) - 1;
  }

  /** @param {number} local */
  get(local) {
    this.op(0x20, local);
  }

  /** @param {number} local */
  set(local) {
    this.op(0x21, local);
  }

  /** Opens a block. @param {number} opcode @param {number[]} type bytes @param {unknown} [note] */
  open(opcode, type = [EMPTY_BLOCK], note = null) {
    this.put(opcode, ...type);
    this.#blocks.push(note);
    return this.depth;
  }

  /** @param {number} [opcode] end; delegate has an index @param {...number} indices */
  close(opcode = 0x0b, ...indices) {
    this.op(opcode, ...indices);
    this.#blocks.pop();
  }

  /** Open blocks; also the index of the function's own label. */
  get depth() {
    return this.#blocks.length;
  }

  /** Index of the label of the block that was opened as the `depth`th. @param {number} depth */
  label(depth) {
    return this.depth - depth;
  }

  /** Depths of open blocks with this note. @param {unknown} note */
  opened(note) {
    return this.#blocks.flatMap((one, i) => (one === note ? [i + 1] : []));
  }

  /** Forgets what is known of a block. @param {number} depth @param {unknown} note */
  mark(depth, note) {
    this.#blocks[depth - 1] = note;
  }

  /** @returns {number[]} with its size in front, as the code section has it */
  finish() {
    const locals = vector(this.#locals.map((type) => [1, TYPE_BYTE[type]]));
    return [...leb(locals.length + this.#bytes.length + 1), ...locals, ...this.#bytes, 0x0b];
  }
}
