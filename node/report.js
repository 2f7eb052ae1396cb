// The report of one process at its end: what each session recorded, traps, and what to say when there is nothing. Loaded
// only then.

import { findTrap } from '../js/loader/find-trap.js';
import { addUpThreads, overviewInput, reportSections } from '../js/loader/threads.js';
import { createRequire, fileURLToPath, join, relative, renameSync, writeFileSync } from './builtins.js';
import { WASI_HOST } from './origin.js';
import { compares, reportForm } from './question.js';
import { isExport, writeReportFile } from './report-file.js';
import { quoteWord } from './shell.js';

/** @import {Session} from '../js/loader/session.js' */
/** @import {Run} from './preload.js' */
/** @import {ExportForm} from '../js/views/exports.js' */
/** @import {ReportForm, ReportPiece} from './report-file.js' */

/** Views are loaded when they are needed: a report needs one or two of them. */
const require = createRequire(import.meta.url);

/** Sections of a report; a program that makes an instance for every request would fill the screen. */
const SECTIONS_MAX = 12;

/** @param {Run} run @returns {number} what a program without a failure of its own is to exit with */
export function writeReport(run) {
  const { WASM_TRACE_OUTPUT: folder } = process.env;
  const piece = makeReport(run);
  if (!folder) return writePiece(run, piece);
  leavePiece(join(folder, `${process.pid}.json`), piece);
  return 0;
}

/** It is there when it is whole: the main process may have ended, and its command look, while a child still writes. @param {string} path @param {ReportPiece} piece */
function leavePiece(path, piece) {
  writeFileSync(`${path}.part`, JSON.stringify(piece));
  renameSync(`${path}.part`, path);
}

/** @param {Run} run @param {ReportPiece} piece @returns {number} exit status, as above */
function writePiece(run, piece) {
  const { options } = run;
  const settled = options && piece.baseline ? require('./baseline.js').settleBaseline(options, [piece], usesColor(run)) : { status: 0, pieces: [piece] };
  if (options?.report === undefined) process.stderr.write(settled.pieces[0].text);
  else writeReportFile(options.report, settled.pieces);
  return settled.status;
}

/** @param {Run} run @returns {ReportPiece} */
function makeReport(run) {
  const { hook, options } = run;
  const lost = gatherWorkers(run);
  const busy = hook.sessions.filter((session) => session.hasData);
  const sessions = busy.length > 0 ? busy : hook.sessions;
  const traps = findTraps(run, sessions);
  const drained = run.drain?.finish(hook.sessions, (session) => endingOf(session, traps)) ?? '';
  for (const session of hook.sessions) session.freeze();
  hook.renumber(sessions);
  const notes = [lost, drained, sessions.length === 0 ? emptyNote(run) : '', ...missNotes(run, sessions), ...olderQuestions(run, sessions)].filter(Boolean);
  const form = reportForm(options?.report);
  const lines = notes.map((note) => `wasm-trace: ${note}\n`);
  if (!hasPlaceForNotes(form)) process.stderr.write(lines.join(''));
  return {
    program: commandLine(),
    text: form === 'text' ? joinParts([renderText(run, sessions, traps), ...lines]) : '',
    baseline: makeBaseline(run, busy),
    data: form === 'text' ? null : makeData(form, run, sessions, traps, notes),
  };
}

/** Data for machines says nothing to people. @param {ReportForm} form */
function hasPlaceForNotes(form) {
  return form === 'text' || form === 'html';
}

/** Where nobody puts those of several processes together, the first one has the files. @param {Run} run @param {Session[]} sessions */
function makeBaseline({ options, isFirst }, sessions) {
  const isWanted = options !== null && compares(options) && (isFirst || process.env.WASM_TRACE_OUTPUT);
  return isWanted ? require('./baseline.js').baselineOf(options, sessions) : null;
}

/**
 * @param {Exclude<ReportForm, 'text'>} form
 * @param {Run} run
 * @param {Session[]} sessions
 * @param {Traps} traps
 * @param {string[]} notes
 * @returns {object}
 */
function makeData(form, { options, trace, drain }, sessions, traps, notes) {
  if (form === 'html') return makeRecording(trace, sessions, traps, notes, options?.compensate ?? false);
  if (isExport(form)) return makeExport(form, sessions, options?.compensate ?? false, drain?.path);
  const { reportJson } = require('../js/views/json.js');
  return reportJson({ sessions: sessions.map((session) => overviewInput(session, traps)) }, { limit: options?.limit });
}

/** @param {ExportForm} form @param {Session[]} sessions @param {boolean} compensate @param {string} [drainedTo] */
function makeExport(form, sessions, compensate, drainedTo) {
  const { exportParts } = require('../js/views/exports.js');
  const inputs = sessions.map((session) => {
    const { name, metadata, names } = session;
    return { name, metadata, names, snapshot: session.snapshot(), cost: compensate ? session.cost : null, drainedTo, timeOrigin: performance.timeOrigin };
  });
  return { parts: exportParts(form, inputs) };
}

/** @param {readonly string[]} trace @param {Session[]} sessions @param {Traps} traps @param {string[]} warnings @param {boolean} compensates */
function makeRecording(trace, sessions, traps, warnings, compensates) {
  const { storeRecording } = require('./html-file.js');
  const { moduleInfos } = require('../js/views/module-info.js');
  const recorded = sessions.map((session) => {
    const { name, label, thread, section, metadata, names, clock, cost } = session;
    const snapshot = session.snapshot();
    return { name, label, thread, section, metadata, names, clock, cost, ending: endingOf(session, traps), snapshot: () => snapshot };
  });
  const told = traps.map((found) => renderOneTrap(found, {}));
  return storeRecording({ sessions: recorded, modules: moduleInfos(sessions), warnings, trace, traps: told, compensates }, commandLine());
}

/** @param {Run} run @returns {string} what to say of workers whose trace is lost */
function gatherWorkers({ hook, workers, errors }) {
  if (!workers) return '';
  workers.collect();
  workers.moveInto(hook);
  errors.push(...workers.errors);
  return lostNote(workers.silent);
}

/** Only memories that are not shared are lost. @param {number} silent workers */
function lostNote(silent) {
  if (silent === 0) return '';
  const who = `${silent} ${silent === 1 ? 'worker was' : 'workers were'}`;
  return `${who} stopped while busy: what modules that were instrumented in place recorded there is lost`;
}

/** @param {Run} run @param {Session[]} sessions */
function findTraps({ errors }, sessions) {
  const traps = errors.map((error) => findTrap(error, sessions)).filter((found) => found !== null);
  for (const { session, trap } of traps) session.trapped(trap);
  return traps;
}

/** @typedef {ReturnType<typeof findTraps>} Traps */

/** @param {Run} run @returns {string} */
function emptyNote({ hook, options }) {
  if (options === null || hook.sessions.length > 0 || hook.hasWarned) return '';
  const { seen, matched } = hook.modules;
  if (seen > 0 && matched === 0) return hook.noMatch;
  // A program that failed has said why.
  return matched > 0 && !process.exitCode ? 'no instance of a traced module was made' : '';
}

/** A pattern may be meant for a module that another thread loaded. @param {Run} run @param {Session[]} sessions */
function missNotes({ hook, overview }, sessions) {
  return overview || sessions.some(({ thread }) => thread !== undefined) ? [] : hook.misses;
}

/** Modules that were instrumented in place answer what they were asked then. @param {Run} run @param {Session[]} sessions */
function olderQuestions({ options, overview, trace }, sessions) {
  if (options === null || overview) return [];
  const isOlder = (/** @type {Session} */ session) => !isAsked(session, trace) || !hasClock(session.metadata, options.clock);
  const older = sessions.filter(isOlder).map(({ facts, metadata }) => {
    const probes = metadata.trace.map((probe) => `--trace ${quoteWord(probe)}`);
    const question = [...probes, ...(hasClock(metadata, options.clock) ? [] : [`--clock ${clockOf(metadata)}`])].join(' ');
    return `${facts.name} was instrumented before, with ${question}, and shows that; wasm-trace --restore FILE undoes it`;
  });
  return [...new Set(older)];
}

/** @param {Session} session @param {readonly string[]} trace */
function isAsked({ metadata }, trace) {
  return metadata.trace.length === trace.length && metadata.trace.every((probe, i) => probe === trace[i]);
}

/** As --clock names it. @param {Session['metadata']} metadata */
function clockOf({ clock }) {
  if (clock === null) return 'none';
  return clock.kind === 'import' ? `import:${clock.name}` : clock.kind;
}

/** One with the host's time beside it stands in for the one that cannot be had here. @param {Session['metadata']} metadata @param {string} [asked] */
function hasClock(metadata, asked = 'auto') {
  return asked === 'auto' || metadata.clock?.wall === true || asked === clockOf(metadata);
}

/** @param {Run} run @param {Session[]} sessions @param {Traps} traps */
function renderText(run, sessions, traps) {
  const { overview, options, trace } = run;
  if (options?.diff !== undefined) return traps.map((found) => renderOneTrap(found, { color: usesColor(run) })).join('\n');
  const view = { limit: options?.limit, invert: options?.invert, sort: options?.sort, recursion: options?.recursion, compensate: options?.compensate, color: usesColor(run) };
  /** @param {Session} session @returns {ViewOptions} */
  const viewOf = (session) => ({ ...view, compensateBy: '--compensate', drainedTo: run.drain?.path, ending: endingOf(session, traps) });
  const summed = overview ? sessions.filter((session) => isAsked(session, trace)) : [];
  const shown = reportSections(sessions.filter((session) => !summed.includes(session) && !isToldByTrap(session, traps)));
  const parts = summed.length > 0 ? [renderSummary(summed, traps, view)] : [];
  parts.push(...shown.slice(0, SECTIONS_MAX).map(({ session, kind }) => session.report(kind, viewOf(session))));
  if (shown.length > SECTIONS_MAX) parts.push(`and ${shown.length - SECTIONS_MAX} more instances\n`);
  return [...parts, ...traps.map((found) => renderOneTrap(found, view))].join('\n');
}

/** @param {Session} session @param {Traps} traps @returns {'trapped' | 'ended'} */
function endingOf(session, traps) {
  return traps.some((found) => found.session === session) ? 'trapped' : 'ended';
}

/** Where only traps were asked for, the report of one has all there is. @param {Session} session @param {Traps} traps */
function isToldByTrap(session, traps) {
  return session.metadata.trace.every((probe) => probe === 'traps') && traps.some((found) => found.session === session);
}

/** @typedef {import('../js/views/log.js').ViewOptions} ViewOptions */

/** @param {Session[]} sessions @param {Traps} traps @param {ViewOptions} view @returns {string} */
function renderSummary(sessions, traps, view) {
  const { renderOverview } = require('../js/views/overview.js');
  const inputs = addUpThreads(sessions).map(({ session, parts }) => overviewInput(session, traps, parts));
  return renderOverview({ sessions: inputs, target: commandLine() }, view);
}

/** @param {Traps[number]} found @param {ViewOptions} view @returns {string} */
function renderOneTrap({ session, trap }, view) {
  const { metadata, names, name: title } = session;
  return require('../js/views/trap.js').renderTrap(trap, { metadata, names, title, snapshot: session.snapshot() }, view);
}

/** @param {string[]} parts */
function joinParts(parts) {
  return parts.filter(Boolean).join('\n');
}

/** As it would be typed behind wasm-trace-node. */
function commandLine() {
  const [, script = '', ...args] = process.argv;
  const program = script === fileURLToPath(WASI_HOST) ? [] : [relative('', script)];
  return [...program, ...args].map(quoteWord).join(' ');
}

/** @param {Run} run */
function usesColor({ options }) {
  const { NO_COLOR, WASM_TRACE_OUTPUT, WASM_TRACE_COLOR } = process.env;
  if (NO_COLOR || options?.report !== undefined) return false;
  return WASM_TRACE_OUTPUT ? WASM_TRACE_COLOR === '1' : process.stderr.isTTY === true;
}
