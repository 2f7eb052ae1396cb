// Our scripts for browsers, as the build made them. The page script is one function that is called with what it is to do; for a worker
// it is called with something else.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

import { FileError } from '../files.js';

/** Where the build puts them. */
export const SCRIPTS = fileURLToPath(new URL('../../build/web/', import.meta.url));

const LICENSE = /^\/\*![^]*?\*\/\s*/;

/** What ends the page script. */
const PAGE_CALL = /\(\{role:"page"\}\);\s*$/;

/**
 * @param {object} options of the page script, for workers
 * @param {string} [folder]
 * @returns {Promise<(search: string) => string>} search: query of the page's address; a statement on one line, which any kind of
 *   script may have
 * @throws {FileError}
 */
export async function readWorkerText(options, folder = SCRIPTS) {
  const path = join(folder, 'wasm-trace.js');
  const text = await readFile(path, 'utf8').catch((error) => {
    throw FileError.fromSystem(path, error);
  });
  if (!PAGE_CALL.test(text)) throw new FileError(path, 'is no page script of this version');
  const start = oneLine(text.replace(LICENSE, '').replace(PAGE_CALL, ''));
  return (search) => `${start}(${JSON.stringify({ role: 'worker', options, search })});`;
}

/** Minified scripts have line ends in template literals only, where they can be written as escapes. @param {string} text */
function oneLine(text) {
  const line = text.replaceAll('\n', '\\n');
  new Script(line);
  return line;
}
