// What this copy of the script is to do. The whole script is one function, wasmTraceStart (cmake/bundle.mjs); a worker or a
// frame runs the text of it once more, in a role of its own.

/** @import {PageOptions} from './options.js' */

/**
 * @typedef {object} Launch
 * @property {'page' | 'module' | 'frame' | 'worker' | 'watcher'} role page: a script tag; module: an import
 * @property {string} [script] address of the file, where it is known
 * @property {PageOptions} [options]
 * @property {boolean} [imports] a worker's program is imported behind this
 * @property {string} [search] query of the page's address, which may have a question of its own: a server knows that much
 */

/** @type {Launch} */
export const launch = wasmTraceLaunch;

export const VERSION = wasmTraceVersion;

/** @param {Launch} next @returns {string} JavaScript that starts this script in another realm, as one statement of any kind of script */
export function startText(next) {
  return `(${wasmTraceStart})(${literal(next)});`;
}

/** @type {Blob | undefined} */
let start;

/** As startText(), without a copy of the whole text for each. @param {Launch} next @returns {BlobPart[]} */
export function startParts(next) {
  start ??= new Blob([`(${wasmTraceStart})(`]);
  return [start, `${literal(next)});`];
}

/** Begins the text that stands for bytes in JSON. */
const BYTES = 'wasm-trace bytes:';
const BYTES_IN_JSON = new RegExp(`"${BYTES}([\\d,]*)"`, 'g');

/**
 * "</script" ends no element in here, and the line ends that JSON takes and old scripts did not are escaped; bytes stay bytes.
 * @param {unknown} value
 */
function literal(value) {
  const json = JSON.stringify(value, (_, one) => (ArrayBuffer.isView(one) ? BYTES + one : one));
  const escaped = json.replace(/[<\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return escaped.replace(BYTES_IN_JSON, 'new Uint8Array([$1])');
}
