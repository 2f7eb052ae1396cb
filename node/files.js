// Reading files: modules, plain or gzipped, and what stands beside them and knows names.

import { closeSync, fstatSync, openSync, readFileSync, realpathSync, statSync, accessSync, constants } from 'node:fs';
import { getSystemErrorMap } from 'node:util';

/** What engines load at most (V8: 1 GiB); also the bound of what a gzipped file may grow to. */
const SIZE_MAX = 2 ** 30;

/**
 * Behind X of X.wasm, the best source of names first. Emscripten: --emit-symbol-map, -gseparate-dwarf; wasm-split and
 * packagers: the others. The same rows stand in instrumenter/cli/symbols.c.
 */
const ENDINGS = [
  '.wasm.symbols', '.js.symbols', '.symbols', '.unstripped.wasm', '.wasm.debug.wasm', '.debug.wasm', '.wasm.unstripped',
  '.js', '.mjs', '.cjs',
];

/** Behind X of X_bg.wasm: wasm-bindgen's module and its glue. */
const BINDGEN_ENDINGS = ['.js', '.mjs', '.cjs'];

/** A file that cannot be read, written or used. */
export class FileError extends Error {
  /**
   * @param {string} path
   * @param {string} reason a sentence without a full stop
   */
  constructor(path, reason) {
    super(`${path}: ${reason}`);
    this.name = 'FileError';
    this.code = 'file';
    this.path = path;
    this.reason = reason;
  }

  /** @param {string} path @param {unknown} error of node:fs @param {string} [what] was tried */
  static fromSystem(path, error, what) {
    return new FileError(path, `${what ? `${what}: ` : ''}${systemReason(error)}`);
  }
}

/**
 * @typedef {object} ModuleFile
 * @property {string} name as given
 * @property {string | null} path of the file itself, symbolic links followed; null when it is no regular file
 * @property {import('node:fs').Stats} status
 * @property {Uint8Array} raw the content of the file
 * @property {Uint8Array} bytes the module: raw itself, or what it unpacks to
 * @property {boolean} compressed
 */

/**
 * @param {string} name
 * @returns {ModuleFile}
 * @throws {FileError}
 */
export function readModule(name) {
  const { raw, status } = readRaw(name);
  const path = status.isFile() ? realpathSync(name) : null;
  const compressed = isGzip(raw);
  return { name, path, status, raw, compressed, bytes: compressed ? unpack(name, raw) : raw };
}

/**
 * The contents of files that the user named or findSymbolFiles found.
 * @param {readonly string[]} paths
 * @returns {Uint8Array[]}
 * @throws {FileError}
 */
export function readSymbolFiles(paths) {
  return paths.map((path) => readModule(path).bytes);
}

/**
 * Files beside X.wasm or X.wasm.gz under the names that compilers use: a map of symbols, an unstripped twin, the JS
 * glue.
 * @param {string} modulePath
 * @returns {string[]} those that are there and readable, the best source first
 */
export function findSymbolFiles(modulePath) {
  const stem = without(without(modulePath, '.gz'), '.wasm');
  const bindgen = without(stem, '_bg');
  const beside = ENDINGS.map((ending) => stem + ending);
  if (bindgen !== stem) beside.push(...BINDGEN_ENDINGS.map((ending) => bindgen + ending));
  return beside.filter(isReadableFile);
}

/** The reason in an error of node:fs, in the words of the system. @param {unknown} error */
function systemReason(error) {
  const { errno, message } = /** @type {NodeJS.ErrnoException} */ (error);
  return getSystemErrorMap().get(errno ?? 0)?.[1] ?? message;
}

/** @param {string} name */
function readRaw(name) {
  let file;
  try {
    file = openSync(name, constants.O_RDONLY);
    const status = fstatSync(file);
    if (status.isDirectory()) throw new FileError(name, 'is a directory');
    const raw = status.size > SIZE_MAX ? null : readFileSync(file);
    if (raw === null || raw.length > SIZE_MAX) throw new FileError(name, 'larger than 1 GiB, which no engine loads');
    return { raw: /** @type {Uint8Array} */ (raw), status };
  } catch (error) {
    throw error instanceof FileError ? error : FileError.fromSystem(name, error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** @param {Uint8Array} bytes */
function isGzip(bytes) {
  return bytes.length > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** @param {string} name @param {Uint8Array} raw @returns {Uint8Array} */
function unpack(name, raw) {
  try {
    // Not an import: that takes Node 4 ms, and few files are packed.
    return process.getBuiltinModule('node:zlib').gunzipSync(raw, { maxOutputLength: SIZE_MAX });
  } catch {
    throw new FileError(name, 'damaged gzip data');
  }
}

/** @param {string} text @param {string} ending */
function without(text, ending) {
  return text.length > ending.length && text.endsWith(ending) ? text.slice(0, -ending.length) : text;
}

/** @param {string} path */
function isReadableFile(path) {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
