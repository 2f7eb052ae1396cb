// The displays of what was recorded elsewhere: as asked, or those that it was recorded for.

import { renderReport, reportKinds } from '../../js/views/report.js';

/** @import {RecordedSession} from '../../js/views/recorded.js' */
/** @import {ReportKind} from '../../js/views/report.js' */
/** @import {Options} from '../options.js' */

/** @param {RecordedSession} session @param {Options} options @returns {string} */
export function renderRecorded(session, { display, limit, invert, sort, recursion }) {
  const { metadata, names, name: title, ending } = session;
  const source = { snapshot: session.snapshot(), metadata, names, title };
  const kinds = display.length > 0 ? /** @type {ReportKind[]} */ (display) : reportKinds(metadata);
  return kinds.map((kind) => renderReport(kind, source, { limit, invert, sort, recursion, ending })).join('\n');
}
