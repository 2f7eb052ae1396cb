// wasm-trace report FILE: shows the complete trace that --on-full drain has written, or with --block what a module has kept in its heap.

import { decodeEvents } from '../../js/model/events.js';
import { exportParts } from '../../js/views/exports.js';
import { reportJson } from '../../js/views/json.js';
import { moduleInfos } from '../../js/views/module-info.js';
import { readDrained } from '../drained.js';
import { FileError } from '../files.js';
import { storeRecording } from '../html-file.js';
import { isExport, reportForm, writeReportFile } from '../report-file.js';
import { showBlock } from './report-block.js';
import { renderAllRecorded } from './report-text.js';

/** @import {RecordedSession} from '../../js/views/recorded.js' */
/** @import {Options} from '../options.js' */
/** @import {ReportForm} from '../report-file.js' */
/** @import {StoredRecording} from '../../js/views/html-report.js' */

/** Of each session an HTML report has the newest: a page has to hold all of it. */
const MOST_WORDS = 2 ** 23;

/**
 * @param {Options} options
 * @param {string} path
 * @throws {FileError}
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
  const text = form === 'text' ? renderAllRecorded(sessions, options) : '';
  if (report === undefined) process.stdout.write(text);
  else writeReportFile(report, [{ program: path, text, data: makeData(form, path, sessions, options), baseline: null }]);
}

/** @param {ReportForm} form @param {string} path @param {readonly RecordedSession[]} sessions @param {Options} options @returns {object | null} */
function makeData(form, path, sessions, { limit, compensate }) {
  if (form === 'text') return null;
  if (form === 'html') return makeRecording(path, sessions, compensate);
  const inputs = sessions.map((session) => ({ ...session, snapshot: session.snapshot() }));
  if (isExport(form)) return { parts: exportParts(form, inputs.map((input) => ({ ...input, cost: compensate ? input.cost : null }))) };
  return reportJson({ sessions: inputs }, { limit });
}

/** @param {string} path @param {readonly RecordedSession[]} sessions @param {boolean} compensates @returns {StoredRecording} */
function makeRecording(path, sessions, compensates) {
  const trace = [...new Set(sessions.flatMap(({ metadata }) => metadata.trace))];
  return storeRecording({ sessions: sessions.map(newestOf), modules: moduleInfos(sessions), warnings: [], trace, traps: [], compensates }, path);
}

/** The rest counts as overwritten. @param {RecordedSession} session @returns {RecordedSession} */
function newestOf(session) {
  const snapshot = session.snapshot();
  if (snapshot.records.length <= MOST_WORDS) return session;
  const { events } = decodeEvents(snapshot, session.metadata);
  const newest = { ...snapshot, records: snapshot.records.subarray(-MOST_WORDS), ringEvents: BigInt(events.length) };
  return { ...session, snapshot: () => newest };
}
