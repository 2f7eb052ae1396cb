// A worker's script with ours in front, on its first line: address, location, policy and line numbers stay what they are. A worker does
// not say which kind its script is, so the script itself does.
//
// A script with `import` or `export` is a module, and gets an import in front. All others may be started either way; they get the text of
// our script, which is a statement in both. Where that text stands before directives it would end them: what they say is said again.

import { Script } from 'node:vm';

/** Of V8, for what only modules may have. */
const MODULE_ONLY = /outside a module|'export'|top level bodies of modules/;

/** An error in strict code alone, behind anything. */
const SLOPPY_PROOF = '\n;with(0);';

/**
 * @param {Buffer} bytes of the worker's script
 * @param {{text: string, address: string}} ours text: a statement on one line; address: a module that runs the same
 * @returns {{body: Uint8Array, problem: string | null}} problem: why the script is left as it is
 */
export function injectIntoWorker(bytes, { text, address }) {
  const source = new TextDecoder().decode(bytes);
  const error = syntaxError(source);
  if (error === null) return { body: joined(strictAs(source) + text, source), problem: null };
  if (MODULE_ONLY.test(error)) return { body: joined(`import ${JSON.stringify(address)};`, source), problem: null };
  return { body: bytes, problem: error };
}

/** @param {string} source */
function strictAs(source) {
  return syntaxError(source + SLOPPY_PROOF) === null ? '' : '"use strict";';
}

/** What makes it no classic script. Nothing is run. @param {string} source @returns {string | null} */
function syntaxError(source) {
  try {
    new Script(source);
    return null;
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
}

/** @param {string} before @param {string} source */
function joined(before, source) {
  // "#!" is a comment at the very beginning only.
  return Buffer.from(before + (source.startsWith('#!') ? '//' : '') + source);
}
