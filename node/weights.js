// Tables of what each instruction counts, for --weights: files of the user's, or those that come with the package.

import { createRequire, existsSync, fileURLToPath } from './builtins.js';

const require = createRequire(import.meta.url);

/**
 * @param {string} name of a table of the package, or path of a file
 * @returns {Uint8Array} its content
 * @throws {import('./files.js').FileError}
 */
export function readWeights(name) {
  const known = /^[\w-]+$/.test(name) ? fileURLToPath(new URL(`../weights/${name}.txt`, import.meta.url)) : '';
  return require('./files.js').readModule(known && existsSync(known) ? known : name).bytes;
}
