// The displays by their names: which are asked for, which fit. Without what shows them, which is larger.
import { callersPattern } from './callers-pattern.js';

/** @import {Metadata} from '../trace/metadata.js' */

/** @typedef {'log' | 'nested' | 'tree' | 'inverted' | 'histogram' | 'report' | `callers(${string})`} ReportKind */

/** Displays without a pattern. */
export const PLAIN_KINDS = Object.freeze(/** @type {const} */ (['log', 'nested', 'tree', 'inverted', 'histogram', 'report']));

/** Displays that can be made of what several threads did: there is no order between the events of two. @type {ReadonlySet<string>} */
const OF_SUMS = new Set(['tree', 'inverted', 'histogram', 'report', 'callers']);
/** Those that are made of the call tree, where it was kept. @type {ReadonlySet<string>} */
const OF_TREES = new Set(['tree', 'inverted', 'report', 'callers']);

/** "callers" of `callers(PATTERN)`. @param {string} kind */
function familyOf(kind) {
  return callersPattern(kind) === null ? kind : 'callers';
}

/** Whether a display adds up what the threads of a program did. @param {string} kind @param {Pick<Metadata, 'tree'>} metadata */
export function isAddedUp(kind, { tree }) {
  const family = familyOf(kind);
  return OF_SUMS.has(family) && (tree || !OF_TREES.has(family));
}

/** @param {string} kind @returns {kind is ReportKind} */
export function isKind(kind) {
  return PLAIN_KINDS.some((plain) => plain === kind) || callersPattern(kind) !== null;
}

/**
 * The displays that were asked for when the module was instrumented; without any, the one that fits what is recorded.
 * @param {Metadata} metadata
 * @returns {ReportKind[]}
 */
export function reportKinds({ display, histograms, durations, tree, trace }) {
  const asked = display.filter(isKind);
  if (asked.length > 0) return asked;
  if (histograms.length + durations.length > 0) return ['histogram'];
  return [tree && trace.every((spec) => spec.trim() === 'calls') ? 'tree' : 'log'];
}

const SWEEPING = /^\s*calls\s*$/;
const CALLS = /^\s*calls\b/;
const DURATION = /^\s*duration\b/;
const WITH_VALUES = /^\s*(args?\b|arg\d|ret\b|memory\.grow|duration\b)/;

/**
 * Displays to record for, where all views of a panel are to have something to show; the one that fits best first, as without a panel.
 * @param {readonly string[]} trace
 * @returns {ReportKind[]}
 */
export function allDisplays(trace) {
  const asks = (/** @type {RegExp} */ kind) => trace.some((spec) => kind.test(spec));
  /** @type {ReportKind[]} */
  const kinds = asks(SWEEPING) ? ['tree', 'log'] : [asks(CALLS) ? 'nested' : 'log', 'tree'];
  if (!asks(WITH_VALUES)) return kinds;
  return trace.every((spec) => DURATION.test(spec)) ? ['histogram', ...kinds] : [...kinds, 'histogram'];
}
