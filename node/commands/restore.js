// --restore: FILE.orig takes its old place, when FILE is ours and was made from it.

import { basename } from 'node:path';

import { FileError, readModule } from '../files.js';
import { tell } from '../messages.js';
import { originalPath, restoreFile } from '../replace.js';
import { originalSize } from '../sections.js';

/**
 * @param {string} name
 * @throws {FileError} nothing has changed then
 */
export function restoreOriginal(name) {
  const file = readModule(name);
  const size = originalSize(file.bytes);
  if (file.path === null || size === null)
    throw new FileError(name, 'was not instrumented by wasm-trace; it is left as it is');
  const original = readModule(originalPath(file.path));
  // FILE.orig may be left from an earlier build: its size tells.
  if (original.bytes.length !== size) {
    const found = `${basename(originalPath(file.path))} has ${original.bytes.length}`;
    throw new FileError(name, `was made from a module of ${size} bytes, but ${found}; both are left as they are`);
  }
  restoreFile({ ...file, path: file.path });
  tell(name, 'the original is back');
}
