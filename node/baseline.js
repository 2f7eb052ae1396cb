// Runs that are held against each other: what --save writes, what --diff reads and shows, and the exit status that --fail-if decides.

import { makeBaseline, mergeBaselines } from '../js/model/baseline.js';
import { withoutCost } from '../js/model/compensation.js';
import { compareBaselines } from '../js/model/compare.js';
import { BaselineError, baselineText, readBaseline } from '../js/views/baseline-file.js';
import { renderDiff, renderDiffMarkdown, unitProblem } from '../js/views/diff.js';
import { RuleError, judge, parseRule } from '../js/views/rules.js';
import { readFileSync } from './builtins.js';
import { FileError } from './files.js';
import { UsageError } from './options.js';
import { reportForm, tracedBy } from './question.js';
import { writeWhole } from './replace.js';

/** @import {Session} from '../js/loader/session.js' */
/** @import {Baseline, BaselineOptions} from '../js/model/baseline.js' */
/** @import {Rule} from '../js/views/rules.js' */
/** @import {Options} from './options.js' */
/** @import {ReportPiece} from './report-file.js' */

/** What a program without a failure of its own exits with. */
export const STATUS = Object.freeze({ FINE: 0, FAILED: 1, MISUSED: 2, REGRESSED: 3 });

const { version: wasmTrace } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Those that decide what is recorded; those that were not given are left out. @param {Options} options @returns {BaselineOptions} */
function decisive(options) {
  const { hide, only, during, from, until, minSize, skip, maxEvents } = options;
  const given = { trace: tracedBy(options), hide, only: [...only, ...during], from, until, 'min-size': minSize, skip, 'max-events': maxEvents };
  const said = Object.entries(given).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value !== undefined));
  return Object.fromEntries(said.map(([name, value]) => [name, Array.isArray(value) ? [...value].sort() : /** @type {number} */ (value)]));
}

/** Where exact clocks run there is nothing to subtract. @param {Options} options @param {readonly Session[]} sessions */
function subtracts({ compensate }, sessions) {
  return compensate && sessions.some(({ cost }) => Boolean(cost));
}

/** @param {Options} options @param {readonly Session[]} sessions @returns {Baseline} of this process */
export function baselineOf(options, sessions) {
  const sources = sessions.map((session) => {
    const { facts, metadata, names, cost } = session;
    const snapshot = withoutCost(session.snapshot(), cost, options.compensate);
    return { name: facts.name, identity: facts.identity, metadata, names, snapshot };
  });
  const asked = decisive(options);
  return makeBaseline(sources, { wasmTrace, options: subtracts(options, sessions) ? { ...asked, compensate: 'yes' } : asked });
}

/** @param {string} path @returns {Baseline} @throws {FileError} */
export function readBaselineFile(path) {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw FileError.fromSystem(path, error);
  }
  try {
    return readBaseline(text);
  } catch (error) {
    throw error instanceof BaselineError ? new FileError(path, error.message) : error;
  }
}

/** @param {readonly string[]} texts of --fail-if @returns {Rule[]} @throws {UsageError} with a caret under the place */
export function readRules(texts) {
  try {
    return texts.map(parseRule);
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    const { text, column, message } = error;
    throw new UsageError(`--fail-if, column ${column}: ${message}\n  ${text}\n  ${' '.repeat(column - 1)}^`);
  }
}

/** @param {string} path @param {Baseline} baseline @throws {FileError} */
function saveBaseline(path, baseline) {
  writeWhole(path, baselineText(baseline), 'cannot write the baseline');
  process.stderr.write(`wasm-trace: baseline in ${path}\n`);
}

/** Whether a report is written as Markdown. @param {string} [path] */
function isMarkdown(path = '') {
  return /\.(md|markdown)$/i.test(path);
}

/** A rule that means nothing must not pass. @param {import('../js/views/rules.js').Judgement} judgement */
function statusOf({ regressions, problems }) {
  if (regressions.length > 0) return STATUS.REGRESSED;
  return problems.some(({ isMisuse }) => isMisuse) ? STATUS.MISUSED : STATUS.FINE;
}

/**
 * @param {Baseline} old
 * @param {Baseline} now
 * @param {Pick<Options, 'failIf' | 'report' | 'limit'>} options
 * @param {boolean} color
 * @returns {{text: string, status: number}}
 * @throws {UsageError} where they cannot be compared
 */
export function compareTexts(old, now, { failIf, report, limit }, color) {
  const problem = unitProblem(old, now);
  if (problem !== null) throw new UsageError(problem);
  const comparison = compareBaselines(old, now);
  const judgement = judge(comparison, readRules(failIf));
  const text = (isMarkdown(report) ? renderDiffMarkdown : renderDiff)(comparison, judgement, { limit, color });
  return { text, status: statusOf(judgement) };
}

/**
 * Puts the comparison into the report, or beside one that has no place for it.
 * @param {Options} options
 * @param {readonly ReportPiece[]} pieces
 * @param {string} text
 * @returns {readonly ReportPiece[]}
 */
function withComparison({ report }, pieces, text) {
  const [first, ...others] = pieces;
  if (reportForm(report) !== 'text') {
    process.stderr.write(text);
    return pieces;
  }
  if (!isMarkdown(report)) return [{ ...first, text: [first.text, text].filter(Boolean).join('\n') }, ...others];
  process.stderr.write(pieces.map((piece) => piece.text).join(''));
  return [{ ...first, text }];
}

/**
 * Saves and compares, as asked.
 * @param {Options} options
 * @param {readonly ReportPiece[]} pieces of all processes, the main one's first
 * @param {boolean} color
 * @returns {{status: number, pieces: readonly ReportPiece[]}} what is left to report
 */
export function settleBaseline(options, pieces, color) {
  try {
    return settle(options, pieces, color);
  } catch (error) {
    if (!(error instanceof FileError) && !(error instanceof UsageError)) throw error;
    process.stderr.write(`wasm-trace: ${error.message}\n`);
    return { status: error instanceof UsageError ? STATUS.MISUSED : STATUS.FAILED, pieces };
  }
}

/** @param {Options} options @param {readonly ReportPiece[]} pieces @param {boolean} color */
function settle(options, pieces, color) {
  const { save, diff } = options;
  const old = diff === undefined ? null : readBaselineFile(diff); // it may be the file that is written
  const parts = pieces.flatMap(({ baseline }) => (baseline && baseline.modules.length > 0 ? [baseline] : []));
  if (parts.length === 0) throw new UsageError(`nothing was traced that could be ${old ? 'compared' : 'saved'}`);
  const now = mergeBaselines(parts);
  if (save !== undefined) saveBaseline(save, now);
  if (!old) return { status: STATUS.FINE, pieces };
  const { text, status } = compareTexts(old, now, options, color);
  return { status, pieces: withComparison(options, pieces, text) };
}
