// One display of one session as text, by its name: the table of displays.
import { TraceModel } from '../model/trace-model.js';
import { styles } from './ansi.js';
import { renderHistogram } from './histogram.js';
import { renderLog } from './log.js';
import { renderNested } from './nested.js';
import { renderTraps } from './trap.js';
import { renderTree } from './tree.js';

export { mergeSnapshots } from '../model/merged-snapshot.js';

/** @import {Metadata} from '../trace/metadata.js' */
/** @import {FunctionNames} from '../trace/names.js' */
/** @import {Snapshot} from '../trace/snapshot.js' */
/** @import {ViewOptions} from './log.js' */

/**
 * @typedef {'log' | 'nested' | 'tree' | 'histogram'} ReportKind
 *
 * @typedef {object} ReportSource
 * @property {Snapshot} snapshot
 * @property {Metadata} metadata
 * @property {Pick<FunctionNames, 'name' | 'has'>} names
 * @property {string} [title] a line above the display
 */

const VIEWS = Object.freeze({ log: renderLog, nested: renderNested, tree: renderTree, histogram: renderHistogram });

/**
 * `--trace traps` records all calls, to have the last ones; the log that was asked for is one of traps.
 * @param {Metadata} metadata
 */
function asksForTraps({ trace }) {
  return trace.length > 0 && trace.every((spec) => spec.trim() === 'traps');
}

/** @param {string} kind @returns {kind is ReportKind} */
function isKind(kind) {
  return Object.hasOwn(VIEWS, kind);
}

/**
 * The displays that were asked for when the module was instrumented; without any, the one that fits what is recorded.
 * @param {Metadata} metadata
 * @returns {ReportKind[]}
 */
export function reportKinds({ display, histograms, tree, trace }) {
  const asked = display.filter(isKind);
  if (asked.length > 0) return asked;
  if (histograms.length > 0) return ['histogram'];
  return [tree && trace.every((spec) => spec.trim() === 'calls') ? 'tree' : 'log'];
}

const SWEEPING = /^\s*calls\s*$/;
const WITH_VALUES = /^\s*(args?\b|arg\d|ret\b|memory\.grow)/;

/**
 * Displays to record for, where all views of a panel are to have something to show; the one that fits best first.
 * @param {readonly string[]} trace
 * @returns {ReportKind[]}
 */
export function allDisplays(trace) {
  const values = trace.some((spec) => WITH_VALUES.test(spec));
  /** @type {ReportKind[]} */
  const kinds = trace.some((spec) => SWEEPING.test(spec)) ? ['tree', 'log'] : ['log', 'tree'];
  return values ? [...kinds, 'histogram'] : kinds;
}

/**
 * @param {ReportKind} kind
 * @param {ReportSource} source
 * @param {ViewOptions} [options]
 * @returns {string} lines, each with its end
 * @throws {RangeError} for a display that does not exist
 */
export function renderReport(kind, { snapshot, metadata, names, title }, options = {}) {
  if (!isKind(kind)) throw new RangeError(`unknown display "${kind}": log, nested, tree or histogram`);
  const heading = title ? `${styles(options.color).heading(title)}\n` : '';
  const render = kind === 'log' && asksForTraps(metadata) ? renderTraps : VIEWS[kind];
  return heading + render(new TraceModel(snapshot, metadata, { trapped: options.ending === 'trapped' }), names, options);
}
