// What the file that loads a module tells of the module: JavaScript glue stands beside it, and is often the only place
// where names have survived.

import { basename, createRequire, existsSync, fileURLToPath } from './builtins.js';
import { findCustomSection, hasFunctionNames } from './sections.js';

/** @import {Origin} from '../js/loader/hook.js' */

/** The program that wasm-trace-node runs .wasm files with. */
export const WASI_HOST = new URL('wasi-host.js', import.meta.url).href;

const require = createRequire(import.meta.url);

/** What files beside a module say does not change while the program runs. @type {Map<string, Uint8Array[]>} */
const symbolsBeside = new Map();

/**
 * @param {string | undefined} file that called WebAssembly.*, a path or a URL
 * @param {Uint8Array} bytes the module
 * @returns {Origin}
 */
export function findOrigin(file, bytes) {
  if (file === WASI_HOST) return describe(process.argv[2], bytes, basename(process.argv[2]));
  const path = file?.startsWith('file:') ? fileURLToPath(file) : file;
  if (path === undefined || !existsSync(path)) return { name: moduleName(bytes) };
  const beside = path.replace(/\.[cm]?js$/, '.wasm');
  const name = existsSync(beside) ? basename(beside) : (moduleName(bytes) ?? `module of ${basename(path)}`);
  return describe(beside, bytes, name);
}

/** @param {string} modulePath where the module is, or would be @param {Uint8Array} bytes @param {string} name @returns {Origin} */
function describe(modulePath, bytes, name) {
  return { name, symbols: hasFunctionNames(bytes) ? [] : readSymbolsBeside(modulePath) };
}

/** @param {string} modulePath */
function readSymbolsBeside(modulePath) {
  let symbols = symbolsBeside.get(modulePath);
  if (symbols !== undefined) return symbols;
  const { findSymbolFiles, readSymbolFiles } = require('./files.js');
  symbolsBeside.set(modulePath, (symbols = /** @type {Uint8Array[]} */ (readSymbolFiles(findSymbolFiles(modulePath)))));
  return symbols;
}

/** Linkers write the name of the file they make into the name section, first. @param {Uint8Array} bytes */
function moduleName(bytes) {
  const section = findCustomSection(bytes, 'name');
  // One-byte lengths only: what is longer is a path of the machine that built the module.
  if (section === null || section[0] !== 0 || section[2] !== section[1] - 1 || section[2] > 64) return undefined;
  return new TextDecoder().decode(section.subarray(3, 3 + section[2])) || undefined;
}
