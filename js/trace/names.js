// Names of functions by index, from wherever they are known: the module's name section, the names that the
// instrumenter found elsewhere, imports, exports. Nothing is decoded before the first question, single names only
// when asked for: a large module has hundreds of thousands, a report shows dozens. Garbage in a name section ends it
// early and is no error.
import * as ABI from '../generated/abi.js';
import { Reader } from './reader.js';

/** @import {Metadata} from './metadata.js' */

const MODULE_NAME = 0;
const FUNCTION_NAMES = 1;

/**
 * @param {Uint8Array} section content of the name section
 * @param {number} wanted
 * @returns {Reader | null} the subsection
 */
function findSubsection(section, wanted) {
  const reader = new Reader(section);
  while (reader.left > 0) {
    const id = reader.byte();
    const size = Math.min(reader.u32(), reader.left);
    if (id === wanted) return reader.sub(size);
    reader.bytes(size);
  }
  return null;
}

/**
 * Function index -> where its name stands. Stops at the first thing that makes no sense and keeps what it has by then.
 * @param {Uint8Array} section
 * @returns {Map<number, number>}
 */
function indexNameSection(section) {
  const places = new Map();
  try {
    const reader = findSubsection(section, FUNCTION_NAMES);
    for (let left = reader?.u32() ?? 0; reader && left > 0; left--) {
      const index = reader.u32();
      const place = reader.offset;
      reader.skip(reader.u32());
      places.set(index, place);
    }
  } catch {
    // A damaged section: its first names are still good.
  }
  return places;
}

/** Names come from the module: none may write to the terminal what is not text. @param {string} name */
export function printable(name) {
  return name.replace(
    /[\u0000-\u001f\u007f-\u009f]/g,
    (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** Characters; what is longer is a path of the machine that built the module. */
const MODULE_NAME_MAX = 64;

/**
 * Linkers write the name of the file they make into the name section.
 * @param {Uint8Array} section content of a name section
 * @returns {string | undefined} what it calls the module
 */
export function moduleName(section) {
  try {
    const name = findSubsection(section, MODULE_NAME)?.name() ?? '';
    return name.length > MODULE_NAME_MAX ? undefined : printable(name) || undefined;
  } catch {
    return undefined;
  }
}

/** A frame that stands for doubt in the call tree. */
const UNCERTAIN = '(caller uncertain)';

/** What wasi-libc's linker calls an import that has no symbol of its own; the import's two names say more. */
const LINKER_IMPORT_PREFIX = '__imported_';

export class FunctionNames {
  #nameSection;
  #imports;
  #exports;
  #found;
  #demangle;
  /** @type {Map<number, number> | null} */
  #places = null;
  /** @type {Map<number, string> | null} */
  #exported = null;
  /** @type {Map<number, string>} */
  #cache = new Map();

  /**
   * @param {object} sources
   * @param {Uint8Array} [sources.nameSection] content of the custom section `name`; borrowed for good
   * @param {{module: string, name: string}[]} [sources.imports] the imported functions, in order
   * @param {{name: string, index: number}[]} [sources.exports] exported functions and their indices
   * @param {Pick<Metadata, 'names'>} [sources.metadata]
   * @param {(name: string) => string} [sources.demangle]
   */
  constructor({ nameSection, imports = [], exports = [], metadata, demangle = (name) => name }) {
    this.#nameSection = nameSection ?? new Uint8Array(0);
    this.#imports = imports;
    this.#exports = exports;
    this.#found = metadata?.names ?? new Map();
    this.#demangle = demangle;
  }

  /** Readable name; `wasm-function[12]`, as engines write it, when there is none. @param {number} index */
  name(index) {
    let name = this.#cache.get(index);
    if (name === undefined) {
      name = printable(this.#readable(index));
      this.#cache.set(index, name);
    }
    return name;
  }

  /** Whether anything names the function. @param {number} index */
  has(index) {
    return this.#raw(index) !== null || index in this.#imports;
  }

  /** What patterns may mean it by: its symbol, its readable name; of an import with and without its module. @param {number} index @returns {string[]} */
  spellings(index) {
    const { module, name } = this.#imports[index] ?? {};
    const imported = name === undefined ? [] : [name, `${module}.${name}`];
    return [this.name(index), this.#raw(index) ?? '', ...imported].filter(Boolean);
  }

  /** @param {number} index */
  #readable(index) {
    if (index === ABI.UNCERTAIN) return UNCERTAIN;
    const raw = this.#raw(index);
    if (raw !== null) return this.#demangled(raw);
    const from = this.#imports[index];
    return from ? `${from.module}.${this.#demangled(from.name)}` : `wasm-function[${index}]`;
  }

  /** @param {string} raw */
  #demangled(raw) {
    try {
      return this.#demangle(raw);
    } catch {
      return raw;
    }
  }

  /** @param {number} index @returns {string | null} */
  #raw(index) {
    const name = this.#sectionName(index);
    const madeUp = index in this.#imports && name?.startsWith(LINKER_IMPORT_PREFIX);
    return (madeUp ? null : name) || this.#found.get(index) || this.#exportName(index);
  }

  /** @param {number} index */
  #sectionName(index) {
    this.#places ??= indexNameSection(this.#nameSection);
    const place = this.#places.get(index);
    return place === undefined ? null : new Reader(this.#nameSection.subarray(place)).name();
  }

  /** @param {number} index */
  #exportName(index) {
    this.#exported ??= new Map(
      this.#exports.map(({ name, index: of }) => /** @type {[number, string]} */ ([of, name])).reverse(),
    );
    return index in this.#imports ? null : this.#exported.get(index) || null;
  }
}
