// What wasm-trace says on standard error, in the words of the native command (message.c and instrument.c there).

import { WasmTraceError, describeError } from '../js/loader/errors.js';
import { FileError } from './files.js';
import { usageText } from './help.js';
import { hasOriginal } from './replace.js';
import { quoteWord } from './shell.js';

/** "FILE: ..." @param {string} name @param {string} text */
export function tell(name, text) {
  process.stderr.write(`${name}: ${text}\n`);
}

/** "wasm-trace: ..." @param {string} text */
export function warn(text) {
  process.stderr.write(`wasm-trace: ${text}\n`);
}

/** @param {string} name */
export function undoCommand(name) {
  return `wasm-trace --restore ${quoteWord(name)}`;
}

/**
 * Tells why a file could not be done.
 * @param {string} name
 * @param {unknown} error
 * @returns {1 | 2} exit status; 2: it is the options that are wrong, so no other file need be tried
 */
export function tellFailure(name, error) {
  if (error instanceof FileError) {
    warn(error.message);
    return 1;
  }
  if (!(error instanceof WasmTraceError)) throw error;
  if (error.code === 'probe') {
    process.stderr.write(usageText('wasm-trace', error));
    return 2;
  }
  warn(`${name}: ${describeError(error)}`);
  if (error.code === 'traced' && hasOriginal(name)) tell(name, `to bring back the original: ${undoCommand(name)}`);
  return 1;
}
