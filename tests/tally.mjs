// How many modules were really instrumented. The loader runs a module untouched where it fails, and that passes every test
// of behaviour; so each test process appends a line to the file that WASM_TRACE_TEST_TALLY names, and the suite reads them.
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** @typedef {{instrumented: number, warnings: string[]}} Tally */

/** In a test process. @param {() => Tally} count called when it ends */
export function tallyAtExit(count) {
  const { WASM_TRACE_TEST_TALLY: file } = process.env;
  if (file) process.on('exit', () => appendFileSync(file, `${JSON.stringify(count())}\n`));
}

/**
 * In a suite.
 * @template T
 * @param {(file: string) => T} use runs the test processes
 * @returns {T & Tally}
 */
export function withTally(use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'wasm-trace-tally-'));
  const file = path.join(folder, 'tally');
  appendFileSync(file, '');
  try {
    return { ...use(file), ...sum(readFileSync(file, 'utf8')) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} text @returns {Tally} */
function sum(text) {
  /** @type {Tally[]} */
  const lines = text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  return {
    instrumented: lines.reduce((total, { instrumented }) => total + instrumented, 0),
    warnings: [...new Set(lines.flatMap(({ warnings }) => warnings))],
  };
}
