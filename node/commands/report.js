// wasm-trace report FILE: shows the complete trace that --on-full drain has written.

import { renderReport, reportKinds } from '../../js/views/report.js';
import { readDrained } from '../drained.js';
import { FileError } from '../files.js';

/** @import {Options} from '../options.js' */
/** @import {ReportKind} from '../../js/views/report.js' */

/**
 * @param {Options} options
 * @param {string} path
 * @throws {FileError}
 */
export function showDrained({ display, limit, invert }, path) {
  const sessions = readDrained(path);
  if (sessions.length === 0) throw new FileError(path, 'has no records');
  const sections = sessions.flatMap((session) => {
    const { metadata, names, name: title, ending } = session;
    const source = { snapshot: session.snapshot(), metadata, names, title };
    const kinds = display.length > 0 ? /** @type {ReportKind[]} */ (display) : reportKinds(metadata);
    return kinds.map((kind) => renderReport(kind, source, { limit, invert, ending }));
  });
  process.stdout.write(sections.join('\n'));
}
