// The little that the commands themselves read of a module: its custom sections. All else is the instrumenter's.

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const CUSTOM_SECTION = 0;
/** Subsection of "name". */
const FUNCTION_NAMES = 1;
/** Of the section "wasm-trace"; see docs/ARCHITECTURE.md. */
const FORMAT_VERSION = 1;
const MODULE_FACTS = 0;

/** What is read past the end, or is no LEB128, is null; what follows it too. */
class Cursor {
  #bytes;
  #at = 0;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  /** @returns {number | null} */
  u8() {
    return this.#at < this.#bytes.length ? this.#bytes[this.#at++] : null;
  }

  /** LEB128. @returns {number | null} */
  u32() {
    let value = 0;
    for (let shift = 0; shift <= 28; shift += 7) {
      const byte = this.u8();
      if (byte === null) return null;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value < 2 ** 32 ? value : null;
    }
    return null;
  }

  /** A size and as many bytes. @returns {Uint8Array | null} */
  sized() {
    const size = this.u32();
    if (size === null || size > this.#bytes.length - this.#at) return null;
    this.#at += size;
    return this.#bytes.subarray(this.#at - size, this.#at);
  }

  rest() {
    return this.#bytes.subarray(this.#at);
  }
}

/**
 * The payload of the first custom section of that name, a view into module; null when none is found before the end or
 * before something malformed.
 * @param {Uint8Array} module
 * @param {string} name
 * @returns {Uint8Array | null}
 */
export function findCustomSection(module, name) {
  if (!HEADER.every((byte, at) => module[at] === byte)) return null;
  for (const [id, content] of sections(module.subarray(HEADER.length))) {
    if (id !== CUSTOM_SECTION) continue;
    const cursor = new Cursor(content);
    const found = cursor.sized();
    if (found !== null && Buffer.from(found).toString('latin1') === name) return cursor.rest();
  }
  return null;
}

/** Does the name section name functions? @param {Uint8Array} module */
export function hasFunctionNames(module) {
  const names = findCustomSection(module, 'name');
  const functions = names && findSubsection(names, FUNCTION_NAMES);
  return functions !== null && (new Cursor(functions).u32() ?? 0) > 0;
}

/**
 * Size of the module that an instrumented module was made from; null when it was not instrumented by us.
 * @param {Uint8Array} module
 * @returns {number | null}
 */
export function originalSize(module) {
  const section = findCustomSection(module, 'wasm-trace');
  if (section === null || section[0] !== FORMAT_VERSION) return null;
  const facts = findSubsection(section.subarray(1), MODULE_FACTS);
  if (facts === null) return null;
  const cursor = new Cursor(facts);
  const [, , , size] = [cursor.u32(), cursor.u32(), cursor.u32(), cursor.u32()];
  return size;
}

/** @param {Uint8Array} bytes @returns {Generator<[number, Uint8Array]>} id and content; ends at what is malformed */
function* sections(bytes) {
  const cursor = new Cursor(bytes);
  for (;;) {
    const id = cursor.u8();
    const content = id === null ? null : cursor.sized();
    if (id === null || content === null) return;
    yield [id, content];
  }
}

/** @param {Uint8Array} bytes @param {number} wanted */
function findSubsection(bytes, wanted) {
  for (const [id, content] of sections(bytes)) if (id === wanted) return content;
  return null;
}
