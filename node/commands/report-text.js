// The displays of what was recorded elsewhere: as asked, or those that it was recorded for.

import { renderReport, reportKinds } from '../../js/views/report.js';

/** @import {RecordedSession} from '../../js/views/recorded.js' */
/** @import {ReportKind} from '../../js/views/report.js' */
/** @import {Options} from '../options.js' */
/** @import {ViewOptions} from '../../js/views/log.js' */

/** @param {RecordedSession} session @param {Pick<Options, 'display'> & ViewOptions} options @returns {string} */
export function renderRecorded(session, { display, limit, invert, sort, recursion, cost, compensate }) {
  const { metadata, names, name: title, ending, clock } = session;
  const source = { snapshot: session.snapshot(), metadata, names, title };
  const kinds = display.length > 0 ? /** @type {ReportKind[]} */ (display) : reportKinds(metadata);
  const view = { limit, invert, sort, recursion, ending, cost, compensate, resolution: clock?.resolution ?? undefined };
  return kinds.map((kind) => renderReport(kind, source, view)).join('\n');
}
