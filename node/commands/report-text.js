// The displays of what was recorded elsewhere: as asked, or those that it was recorded for.

import { mergeSnapshots } from '../../js/model/merged-snapshot.js';
import { groupByModule, moduleName, sumKey } from '../../js/views/module-info.js';
import { isAddedUp } from '../../js/views/report-kinds.js';
import { renderReport, reportKinds } from '../../js/views/report.js';

/** @import {RecordedSession} from '../../js/views/recorded.js' */
/** @import {ReportKind} from '../../js/views/report.js' */
/** @import {Options} from '../options.js' */
/** @import {ViewOptions} from '../../js/views/log.js' */

/** @typedef {Pick<Options, 'display'> & ViewOptions} DisplayOptions */

/** @param {RecordedSession} session @param {DisplayOptions} options @returns {string} */
export function renderRecorded(session, options) {
  return kindsOf(session, options).map((kind) => renderKind(session, kind, options)).join('\n');
}

/** What the threads of a module did is added up where it can be, as when the program itself ends. @param {readonly RecordedSession[]} sessions @param {DisplayOptions} options */
export function renderAllRecorded(sessions, options) {
  return groupByModule(sessions, sumKey)
    .flatMap((group) => (isThreaded(group) ? renderThreads(group, options) : group.map((session) => renderRecorded(session, options))))
    .join('\n');
}

/** @param {readonly RecordedSession[]} sessions of a module */
function isThreaded([first, ...others]) {
  return others.some(({ thread }) => thread !== first.thread);
}

/** @param {readonly RecordedSession[]} sessions of a module @param {DisplayOptions} options @returns {string[]} */
function renderThreads(sessions, options) {
  const [first] = sessions;
  return kindsOf(first, options).flatMap((kind) => {
    const shown = isAddedUp(kind, first.metadata) ? [totalOf(sessions)] : sessions;
    return shown.map((session) => renderKind(session, kind, options));
  });
}

/** @param {readonly RecordedSession[]} sessions of a module @returns {RecordedSession} */
function totalOf(sessions) {
  const [first] = sessions;
  const threads = new Set(sessions.map(({ thread }) => thread)).size;
  const snapshot = mergeSnapshots(sessions.map((session) => session.snapshot()));
  return { ...first, name: `${moduleName(first)} (${threads} threads)`, snapshot: () => snapshot };
}

/** @param {RecordedSession} session @param {DisplayOptions} options */
function kindsOf({ metadata }, { display }) {
  return display.length > 0 ? /** @type {ReportKind[]} */ (display) : reportKinds(metadata);
}

/** @param {RecordedSession} session @param {ReportKind} kind @param {DisplayOptions} options */
function renderKind({ metadata, names, name: title, ending, clock, cost, snapshot }, kind, { limit, invert, sort, recursion, compensate }) {
  const source = { snapshot: snapshot(), metadata, names, title };
  return renderReport(kind, source, { limit, invert, sort, recursion, ending, cost, compensate, resolution: clock?.resolution ?? undefined });
}
