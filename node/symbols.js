// Files that know names, for a module that a command was given: those that the user names and, for a module without names,
// those beside it.

import { FileError, findSymbolFiles, readSymbolFiles } from './files.js';
import { warn } from './messages.js';
import { hasFunctionNames } from './sections.js';

/** @typedef {import('./files.js').ModuleFile} ModuleFile */
/** @typedef {{path: string, content: Uint8Array}} SymbolFile */

/**
 * @param {Pick<import('./options.js').Options, 'symbols'>} options
 * @param {ModuleFile} file
 * @returns {SymbolFile[]} the most trusted first
 * @throws {FileError} for a file that the user named
 */
export function readSymbols(options, file) {
  const named = options.symbols.map((path) => ({ path, content: readSymbolFiles([path])[0] }));
  if (file.path === null || hasFunctionNames(file.bytes)) return named;
  return [...named, ...findSymbolFiles(file.path).flatMap(readIfPossible)];
}

/**
 * A file that nobody asked for and that cannot be read is told and passed over.
 * @param {string} path
 * @returns {SymbolFile[]}
 */
function readIfPossible(path) {
  try {
    return [{ path, content: readSymbolFiles([path])[0] }];
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    warn(error.message);
    return [];
  }
}
