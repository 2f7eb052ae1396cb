// wasm-trace diff OLD NEW: holds two files that --save has written against each other.

import { compareTexts, readBaselineFile } from '../baseline.js';
import { reportForm, writeReportFile } from '../report-file.js';
import { UsageError } from '../options.js';

/** @import {Options} from '../options.js' */

/**
 * @param {Options} options
 * @param {string} old path
 * @param {string} now path
 * @returns {number} exit status
 * @throws {import('../files.js').FileError | UsageError}
 */
export function compareFiles(options, old, now) {
  const { report } = options;
  if (reportForm(report) !== 'text') throw new UsageError('--report takes a .md or a .txt file here');
  const color = report === undefined && process.stdout.isTTY === true && !process.env.NO_COLOR;
  const { text, status } = compareTexts(readBaselineFile(old), readBaselineFile(now), options, color);
  if (report === undefined) process.stdout.write(text);
  else writeReportFile(report, [{ program: `${old} ${now}`, text, data: null, baseline: null }]);
  return status;
}
