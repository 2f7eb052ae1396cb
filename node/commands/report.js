// wasm-trace report FILE: shows the complete trace that --on-full drain has written, or with --block what a module has kept in its heap.

import { exportParts } from '../../js/views/exports.js';
import { reportJson } from '../../js/views/json.js';
import { readDrained } from '../drained.js';
import { FileError } from '../files.js';
import { isExport, reportForm, writeReportFile } from '../report-file.js';
import { UsageError } from '../options.js';
import { showBlock } from './report-block.js';
import { renderRecorded } from './report-text.js';

/** @import {RecordedSession} from '../../js/views/recorded.js' */
/** @import {Options} from '../options.js' */
/** @import {ReportForm} from '../report-file.js' */

/**
 * @param {Options} options
 * @param {string} path
 * @throws {FileError | UsageError}
 */
export function showRecorded(options, path) {
  if (options.block === undefined) showDrained(options, path);
  else showBlock(options, path);
}

/** @param {Options} options @param {string} path */
function showDrained(options, path) {
  const { report } = options;
  const sessions = readDrained(path);
  if (sessions.length === 0) throw new FileError(path, 'has no records');
  const form = reportForm(report);
  if (form === 'html') throw new UsageError('--report takes no .html file here; wasm-trace-node does');
  const text = form === 'text' ? sessions.map((session) => renderRecorded(session, { ...options, cost: session.cost })).join('\n') : '';
  if (report === undefined) process.stdout.write(text);
  else writeReportFile(report, [{ program: path, text, data: makeData(form, sessions, options), baseline: null }]);
}

/** @param {ReportForm} form @param {readonly RecordedSession[]} sessions @param {Options} options @returns {object | null} */
function makeData(form, sessions, { limit, compensate }) {
  const inputs = sessions.map((session) => ({ ...session, snapshot: session.snapshot() }));
  if (isExport(form)) return { parts: exportParts(form, inputs.map((input) => ({ ...input, cost: compensate ? input.cost : null }))) };
  return form === 'json' ? reportJson({ sessions: inputs }, { limit }) : null;
}
