// What the file that loads a module tells of the module: the module's own file stands beside it, as a rule, and JavaScript
// glue is often the only place where names have survived.

import {
  basename, createRequire, dirname, existsSync, fileURLToPath, join, readFileSync, readdirSync, statSync,
} from './builtins.js';
import { moduleName as nameIn } from '../js/trace/names.js';
import { findCustomSection, hasFunctionNames } from './sections.js';

/** The program that wasm-trace-node runs .wasm files with. */
export const WASI_HOST = new URL('wasi-host.js', import.meta.url).href;

const require = createRequire(import.meta.url);

/** Emscripten makes a module of some hundred bytes for each JavaScript function that it puts into a table: nobody names these. */
const SMALLEST_WITH_SYMBOLS = 1024;

/** What files beside a module say does not change while the program runs. @type {Map<string, Uint8Array[]>} */
const symbolsBeside = new Map();

/** Each part is found out when it is asked for. @implements {Required<import('../js/loader/hook.js').Origin>} */
class ModuleOrigin {
  #loader;
  #bytes;
  /** @type {string | null | undefined} undefined: not looked for yet */
  #path;

  /**
   * @param {string} loader path of the file that loads the module
   * @param {Uint8Array} bytes the module
   * @param {string} [path] of the module, when it is known
   */
  constructor(loader, bytes, path) {
    this.#loader = loader;
    this.#bytes = bytes;
    this.#path = path;
  }

  get name() {
    return this.#file === null ? (moduleName(this.#bytes) ?? `module of ${basename(this.#loader)}`) : basename(this.#file);
  }

  get symbols() {
    if (this.#bytes.length < SMALLEST_WITH_SYMBOLS || hasFunctionNames(this.#bytes)) return [];
    const own = this.#file === null ? [] : readSymbolsBeside(this.#file);
    const beside = moduleBeside(this.#loader);
    // What stands there belongs to another module, if one is there too.
    return existsSync(beside) ? own : [...own, ...readSymbolsBeside(beside)];
  }

  /** The module's, where one beside its loader is known to be it. */
  get #file() {
    if (this.#path === undefined) this.#path = findModuleFile(this.#loader, this.#bytes);
    return this.#path;
  }
}

/**
 * @param {string | undefined} file that called WebAssembly.*, a path or a URL
 * @param {Uint8Array} bytes the module
 * @returns {import('../js/loader/hook.js').Origin}
 */
export function findOrigin(file, bytes) {
  if (file === WASI_HOST) return new ModuleOrigin(process.argv[2], bytes, process.argv[2]);
  if (file === undefined) return findBesideProgram(bytes);
  const path = file.startsWith('file:') ? fileURLToPath(file) : file;
  return existsSync(path) ? new ModuleOrigin(path, bytes) : { name: moduleName(bytes) };
}

/** Node does not tell which file it was that imported a module. @param {Uint8Array} bytes @returns {import('../js/loader/hook.js').Origin} */
function findBesideProgram(bytes) {
  const [, program] = process.argv;
  const path = program === undefined ? null : findModuleFile(program, bytes);
  return path === null ? { name: moduleName(bytes) } : new ModuleOrigin(path, bytes, path);
}

/** Where the module of a loader stands, as a rule. @param {string} loader */
function moduleBeside(loader) {
  return loader.replace(/\.[cm]?js$/, '.wasm');
}

/** @param {string} loader @param {Uint8Array} bytes */
function findModuleFile(loader, bytes) {
  return [moduleBeside(loader), ...modulesIn(dirname(loader))].find((path) => hasContent(path, bytes)) ?? null;
}

/** @param {string} folder @returns {string[]} */
function modulesIn(folder) {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.wasm')).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** @param {string} path @param {Uint8Array} bytes */
function hasContent(path, bytes) {
  try {
    return statSync(path).size === bytes.length && readFileSync(path).equals(bytes);
  } catch {
    return false;
  }
}

/** @param {string} modulePath where the module is, or would be */
function readSymbolsBeside(modulePath) {
  let symbols = symbolsBeside.get(modulePath);
  if (symbols !== undefined) return symbols;
  const { findSymbolFiles, readSymbolFiles } = require('./files.js');
  symbolsBeside.set(modulePath, (symbols = /** @type {Uint8Array[]} */ (readSymbolFiles(findSymbolFiles(modulePath)))));
  return symbols;
}

/** @param {Uint8Array} bytes */
function moduleName(bytes) {
  const section = findCustomSection(bytes, 'name');
  return section === null ? undefined : nameIn(section);
}
