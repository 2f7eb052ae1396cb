// Reports of several processes as one: what each leaves, and how they are put together.

import { createRequire, writeFileSync } from './builtins.js';
import { reportForm } from './question.js';

export { reportForm };

/** @import {ExportPart} from '../js/views/exports.js' */

const require = createRequire(import.meta.url);

const STANDARD_OUTPUT = 1;

/**
 * @typedef {object} ReportPiece what a process leaves for the command that started it
 * @property {string} program its command line
 * @property {string} text for people
 * @property {import('../js/model/baseline.js').Baseline | null} baseline for --save and --diff
 * @property {object | null} data for --report FILE.json; a StoredRecording for FILE.html; {parts: ExportPart[]} for other tools
 */

/** @typedef {'text' | 'json' | 'html' | import('../js/views/exports.js').ExportForm} ReportForm */

/**
 * Writes the report to a file and prints its path.
 * @param {string} path "-": standard output
 * @param {readonly ReportPiece[]} pieces the main process's first; at least one
 * @throws {import('./files.js').FileError}
 */
export function writeReportFile(path, pieces) {
  const text = fileText(path, pieces);
  try {
    writeFileSync(path === '-' ? STANDARD_OUTPUT : path, text);
  } catch (error) {
    throw require('./files.js').FileError.fromSystem(path, error, 'cannot write the report');
  }
  if (path !== '-') process.stderr.write(`wasm-trace: report in ${path}${noteText(path, pieces)}\n`);
}

/** What a file for other tools cannot say itself. @param {string} path @param {readonly ReportPiece[]} pieces */
function noteText(path, pieces) {
  if (!isExport(reportForm(path))) return '';
  const notes = require('../js/views/exports.js').exportNotes(processesOf(pieces));
  return ` (${notes.length > 0 ? notes.join('; ') : 'nothing was traced'})`;
}

/** @param {string} path @param {readonly ReportPiece[]} pieces @returns {string} */
function fileText(path, pieces) {
  const form = reportForm(path);
  if (isExport(form)) return require('../js/views/exports.js').exportFile(form, processesOf(pieces));
  switch (form) {
    case 'json':
      return `${JSON.stringify(joinData(pieces), null, 2)}\n`;
    case 'html':
      return require('./html-file.js').htmlText(pieces);
    default:
      return joinPieces(pieces);
  }
}

/** @param {ReportForm} form @returns {form is import('../js/views/exports.js').ExportForm} */
export function isExport(form) {
  return form !== 'text' && form !== 'json' && form !== 'html';
}

/** @param {readonly ReportPiece[]} pieces @returns {import('../js/views/exports.js').ExportProcess[]} */
function processesOf(pieces) {
  return pieces.map(({ program, data }) => ({ program, parts: /** @type {{parts: ExportPart[]}} */ (data).parts }));
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
