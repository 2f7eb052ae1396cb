// Whether the instrumenter may make of a module what it made of it, the engine being the judge.
import { STATUS } from './native.js';
import { links } from './run-module.js';

/** Refusals that say nothing about the module. @type {Set<number>} */
const ALLOWED = new Set([STATUS.NO_MATCH, STATUS.PROBE, STATUS.LIMIT, STATUS.TRACED]);

/** @param {Uint8Array} bytes */
export const isValid = (bytes) => WebAssembly.validate(/** @type {BufferSource} */ (bytes));

/** @param {Uint8Array} bytes */
function complaint(bytes) {
  try {
    new WebAssembly.Module(/** @type {BufferSource} */ (bytes));
    return 'none';
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
}

/**
 * @param {boolean} wasValid what the engine says of the original
 * @param {import('./native.js').Transformed} result
 * @param {string} link
 * @returns {string | null} what is wrong
 */
export function fault(wasValid, { status, bytes, message }, link) {
  if (!bytes) return wasValid && !ALLOWED.has(status) ? `a valid module was refused: ${message}` : null;
  const valid = isValid(bytes);
  if (!wasValid) return valid ? 'an invalid module became valid' : null;
  const judged = valid || /** @type {string[]} */ (links).includes(link);
  return judged && !valid ? `a valid module became invalid: ${complaint(bytes)}` : null;
}
