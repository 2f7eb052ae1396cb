// Reports of several processes as one: what each leaves, and how they are put together.

import { createRequire, writeFileSync } from './builtins.js';

const require = createRequire(import.meta.url);

const STANDARD_OUTPUT = 1;

/**
 * @typedef {object} ReportPiece what a process leaves for the command that started it
 * @property {string} program its command line
 * @property {string} text for people
 * @property {object | null} data for --report FILE.json
 */

/** Whether the report is to be data, not text. @param {string} path */
export function isDataFile(path) {
  return /\.json$/i.test(path);
}

/**
 * Writes the report to a file and prints its path.
 * @param {string} path "-": standard output
 * @param {readonly ReportPiece[]} pieces the main process's first; at least one
 * @throws {import('./files.js').FileError}
 */
export function writeReportFile(path, pieces) {
  const text = isDataFile(path) ? `${JSON.stringify(joinData(pieces), null, 2)}\n` : joinPieces(pieces);
  try {
    writeFileSync(path === '-' ? STANDARD_OUTPUT : path, text);
  } catch (error) {
    throw cannotWrite(path, error);
  }
  if (path !== '-') process.stderr.write(`wasm-trace: report in ${path}\n`);
}

/** @param {string} path @param {unknown} error of node:fs @returns {import('./files.js').FileError} */
export function cannotWrite(path, error) {
  return require('./files.js').FileError.fromSystem(path, error, 'cannot write the report');
}

/** @param {readonly ReportPiece[]} pieces @returns {string} */
export function joinPieces(pieces) {
  const [first, ...others] = pieces;
  return [first.text, ...others.map(({ program, text }) => `process ${program}\n${text}`)].filter(Boolean).join('\n');
}

/** @param {readonly ReportPiece[]} pieces */
function joinData(pieces) {
  const [first, ...others] = pieces.map(({ program, data }) => ({ program, ...data }));
  return others.length > 0 ? { ...first, processes: others } : first;
}
