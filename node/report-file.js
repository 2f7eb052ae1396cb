// Reports of several processes as one: what each leaves, and how they are put together.

import { writeFileSync } from './builtins.js';

/**
 * @typedef {object} ReportPiece what a process leaves for the command that started it
 * @property {string} program its command line
 * @property {string} text for people
 * @property {object | null} data for --report FILE.json
 */

/**
 * Writes the report to a file and prints its path.
 * @param {string} path .json: as data
 * @param {readonly ReportPiece[]} pieces the main process's first; at least one
 */
export function writeReportFile(path, pieces) {
  writeFileSync(path, path.endsWith('.json') ? `${JSON.stringify(joinData(pieces), null, 2)}\n` : joinPieces(pieces));
  process.stderr.write(`wasm-trace: report in ${path}\n`);
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
