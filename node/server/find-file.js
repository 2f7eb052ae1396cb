// Which file of a folder an address means. Nothing outside of the folder is ever named: not by dots, however they are spelled, not
// by separators inside of a name, not by links.

import { realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';

/**
 * @typedef {{kind: 'file', path: string, name: string, size: number} | {kind: 'redirect', location: string}
 *   | {kind: 'folder', path: string} | {kind: 'missing'} | {kind: 'outside', path: string}} Found
 *   path: of the file itself, links followed; name: as the address has it
 */

/** What an address of a folder means, the best first. */
const INDEX = ['index.html', 'index.htm'];

/** Behind an address that has no such file. */
const ENDINGS = ['', '.html', '.htm'];

/** @type {Found} */
const MISSING = Object.freeze({ kind: 'missing' });

/**
 * @param {string} root a path without links
 * @param {string} target of a request: path and query
 * @returns {Promise<Found>}
 */
export async function findFile(root, target) {
  const { path, query } = splitTarget(target);
  const names = readNames(path);
  if (names === null) return MISSING;
  if (names.length === 0 || path.endsWith('/')) return findIndex(root, join(root, ...names));
  for (const ending of ENDINGS) {
    const found = await look(root, join(root, ...names) + ending);
    // Relative addresses in a page mean other files when the "/" is missing.
    if (found.kind === 'folder') return { kind: 'redirect', location: `/${names.map(encodeURIComponent).join('/')}/${query}` };
    if (found.kind !== 'missing') return found;
  }
  return MISSING;
}

/** @param {string} target */
function splitTarget(target) {
  const end = target.search(/[?#]|$/);
  return { path: target.slice(0, end), query: target.slice(end) };
}

/** @param {string} path of an address @returns {string[] | null} null: what no file can have */
function readNames(path) {
  if (!path.startsWith('/')) return null;
  try {
    const names = path.split('/').filter((name) => name !== '').map(decodeURIComponent);
    return names.every(isName) ? names : null;
  } catch {
    return null;
  }
}

/** Colons name streams and drives on Windows. @param {string} name */
function isName(name) {
  return name !== '.' && name !== '..' && !(sep === '\\' ? /[/\\\0:]/ : /[/\\\0]/).test(name);
}

/** @param {string} root @param {string} folder @returns {Promise<Found>} */
async function findIndex(root, folder) {
  const found = await look(root, folder);
  if (found.kind !== 'folder') return found.kind === 'outside' ? found : MISSING;
  for (const name of INDEX) {
    const index = await look(root, join(folder, name));
    if (index.kind === 'file' || index.kind === 'outside') return index;
  }
  return found;
}

/** @param {string} root @param {string} path @returns {Promise<Found>} */
async function look(root, path) {
  try {
    const real = await realpath(path);
    if (!isInside(root, real)) return { kind: 'outside', path };
    const status = await stat(real);
    if (status.isDirectory()) return { kind: 'folder', path: real };
    return status.isFile() ? { kind: 'file', path: real, name: basename(path), size: status.size } : MISSING;
  } catch {
    return MISSING;
  }
}

/** @param {string} root @param {string} path */
function isInside(root, path) {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}
