// Our scripts for browsers, as the build made them. The page script is one function that is called with what it is to do; for a worker
// it is called with something else.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { FileError } from '../files.js';

/** Where the build puts them. */
export const SCRIPTS = fileURLToPath(new URL('../../build/web/', import.meta.url));

const LICENSE = /^\/\*![^]*?\*\/\s*/;

/** What ends the page script, which is one line behind the license: cmake/bundle.mjs. */
const PAGE_CALL = /\(\{role:"page"\}\);\s*$/;

/**
 * @typedef {object} StartTexts each a statement on one line, which any kind of script may have
 * @property {(search: string) => string} worker search: query of the address of the worker's page
 * @property {string} watcher for the worker that watches whether the page hangs
 */

/**
 * @param {object} options of the page script, for workers
 * @param {string} [folder]
 * @returns {Promise<StartTexts>}
 * @throws {FileError}
 */
export async function readStartTexts(options, folder = SCRIPTS) {
  const path = join(folder, 'wasm-trace.js');
  const text = await readFile(path, 'utf8').catch((error) => {
    throw FileError.fromSystem(path, error);
  });
  if (!PAGE_CALL.test(text)) throw new FileError(path, 'is no page script of this version');
  const script = text.replace(LICENSE, '').replace(PAGE_CALL, '');
  const start = (/** @type {object} */ launch) => `${script}(${JSON.stringify(launch)});`;
  return { worker: (search) => start({ role: 'worker', options, search }), watcher: start({ role: 'watcher' }) };
}
