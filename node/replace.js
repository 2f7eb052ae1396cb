// Writing files so that at every moment either the old or the new content stands there whole, and the original is kept.
//
// In place, FILE becomes FILE.orig by a hard link and the new content takes its name by a rename: the original keeps
// its inode, so other links to it (package stores hard-link files) never see the instrumented bytes. Everything here
// is synchronous, and the command has handlers for Ctrl-C and the like, which run only afterwards: no temporary file
// is left lying about.

import {
  closeSync, fchmodSync, fchownSync, fstatSync, fsyncSync, linkSync, lstatSync, openSync, readFileSync,
  realpathSync, renameSync, statSync, unlinkSync, writeFileSync,
} from 'node:fs';
import { basename } from 'node:path';

import { FileError } from './files.js';

/** @typedef {import('./files.js').ModuleFile} ModuleFile */
/** @typedef {import('node:fs').Stats} Stats */

const NUMBERS_MAX = 1000;
const PERMISSIONS = 0o7777;
const PRIVATE = 0o600;
const NEW_FILE = 0o666;
const STANDARD_OUTPUT = 1;

/** Where the original of a file is kept. @param {string} path */
export function originalPath(path) {
  return `${path}.orig`;
}

/** Is there a FILE.orig? @param {string} name */
export function hasOriginal(name) {
  return exists(originalPath(realpathSync(name)));
}

/**
 * Replaces a regular file. What stood in FILE.orig and is not the same file moves to FILE.orig.1, or to the next free
 * number.
 * @param {ModuleFile & {path: string}} file
 * @param {Uint8Array} content
 * @returns {string | null} what to tell the user about FILE.orig
 * @throws {FileError} nothing has changed then
 */
export function replaceFile(file, content) {
  const temporary = attempt(file.name, 'cannot write beside it', () => writeBeside(file.path, file.status, content));
  try {
    const aside = attempt(file.name, 'cannot replace it', () => exchange(file, temporary));
    const original = basename(originalPath(file.path));
    return aside && `${original} was another file; it is ${basename(aside)} now`;
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
}

/**
 * Writes to a path, or to standard output when it is "-"; refuses to write over the input. What is no regular file (a
 * pipe, a device) is written to as it is.
 * @param {string} path
 * @param {ModuleFile} file the input
 * @param {Uint8Array} content
 * @throws {FileError} nothing has changed then
 */
export function writeOutput(path, file, content) {
  if (path === '-') return attempt('standard output', '', () => writeFileSync(STANDARD_OUTPUT, content));
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isDirectory()) throw new FileError(path, 'is a directory');
  if (status && status.dev === file.status.dev && status.ino === file.status.ino)
    throw new FileError(path, 'is FILE itself; without --output it is rewritten in place');
  writeWhole(path, content, status?.isFile() === false ? '' : 'cannot write');
}

/**
 * Writes to a path; what stood there stays until the new content is whole. What is no regular file is written to as it is.
 * @param {string} path
 * @param {string | Uint8Array} content
 * @param {string} what is said of it when it fails
 * @throws {FileError} nothing has changed then
 */
export function writeWhole(path, content, what) {
  attempt(path, what, () => {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status && !status.isFile()) return writeFileSync(path, content);
    const target = status ? realpathSync(path) : path;
    renameOrRemove(writeBeside(target, status, content), target);
  });
}

/**
 * Moves FILE.orig over FILE. The caller has checked that they belong together.
 * @param {ModuleFile & {path: string}} file
 * @throws {FileError}
 */
export function restoreFile(file) {
  attempt(file.name, 'cannot restore it', () => renameSync(originalPath(file.path), file.path));
}

/**
 * @template T
 * @param {string} name
 * @param {string} what
 * @param {() => T} action
 * @returns {T}
 */
function attempt(name, what, action) {
  try {
    return action();
  } catch (error) {
    throw FileError.fromSystem(name, error, what);
  }
}

/** @param {string} temporary @param {string} target */
function renameOrRemove(temporary, target) {
  try {
    renameSync(temporary, target);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
}

/**
 * Puts the new file in its place; on a failure everything is brought back to how it was.
 * @param {ModuleFile & {path: string}} file
 * @param {string} temporary
 * @returns {string | null} where another FILE.orig is now
 */
function exchange(file, temporary) {
  const original = originalPath(file.path);
  const kept = hasContent(original, file.raw);
  const aside = !kept && exists(original) ? setAside(original) : null;
  let made = false;
  try {
    if (!kept) linkOrCopy(file, original);
    made = !kept;
    renameSync(temporary, file.path);
    return aside;
  } catch (error) {
    if (made) unlinkSync(original);
    if (aside) renameSync(aside, original);
    throw error;
  }
}

/** @param {string} path @param {Uint8Array} content */
function hasContent(path, content) {
  try {
    return Buffer.compare(readFileSync(path), content) === 0;
  } catch {
    return false;
  }
}

/** A dangling symbolic link is there too. @param {string} path */
function exists(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Moves `path` to path.1, path.2 ... @param {string} path @returns {string} the new path */
function setAside(path) {
  let number = 1;
  while (exists(`${path}.${number}`) && number < NUMBERS_MAX) number++;
  if (number === NUMBERS_MAX) throw new Error(`there are ${NUMBERS_MAX} files ${basename(path)}.N`);
  renameSync(path, `${path}.${number}`);
  return `${path}.${number}`;
}

/**
 * Not every file system has hard links, and not every file may be linked.
 * @param {ModuleFile & {path: string}} file
 * @param {string} original
 */
function linkOrCopy(file, original) {
  try {
    linkSync(file.path, original);
  } catch {
    renameOrRemove(writeBeside(original, file.status, file.raw), original);
  }
}

/**
 * Writes a new file beside `path`, down to the disk.
 * @param {string} path
 * @param {Stats | undefined} like whose owner and mode it gets
 * @param {string | Uint8Array} content
 * @returns {string} its path
 */
function writeBeside(path, like, content) {
  const { file, name } = createBeside(path, like ? PRIVATE : NEW_FILE);
  try {
    try {
      writeFileSync(file, content);
      if (like) copyOwner(file, like);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return name;
  } catch (error) {
    unlinkSync(name);
    throw error;
  }
}

/** @param {string} path @param {number} mode */
function createBeside(path, mode) {
  for (let i = 0; ; i++) {
    const name = `${path}.${process.pid}-${i}.tmp`;
    try {
      return { file: openSync(name, 'wx', mode), name };
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST' || i >= NUMBERS_MAX) throw error;
    }
  }
}

/**
 * Owner and mode as `like`; that of another owner's file may be out of our power.
 * @param {number} file
 * @param {Stats} like
 */
function copyOwner(file, like) {
  const own = fstatSync(file);
  try {
    if (own.uid !== like.uid || own.gid !== like.gid) fchownSync(file, like.uid, like.gid);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== 'EPERM' && code !== 'EINVAL') throw error;
  }
  fchmodSync(file, like.mode & PERMISSIONS);
}
