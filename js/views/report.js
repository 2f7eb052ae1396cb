// One display of one session as text, by its name: the table of displays.
import * as ABI from '../generated/abi.js';
import { tracingCost, withoutCost } from '../model/compensation.js';
import { TraceModel } from '../model/trace-model.js';
import { styles } from './ansi.js';
import { renderCallers } from './callers.js';
import { callersPattern } from './callers-pattern.js';
import { renderHistogram } from './histogram.js';
import { renderLog } from './log.js';
import { renderNested } from './nested.js';
import { renderProfile } from './profile.js';
import { PLAIN_KINDS, isKind } from './report-kinds.js';
import { joinLines } from './text.js';
import { renderTraps } from './trap.js';
import { renderInverted, renderTree } from './tree.js';
import { costText } from './units.js';

export { mergeSnapshots } from '../model/merged-snapshot.js';
export { allDisplays, reportKinds } from './report-kinds.js';

/** @import {Metadata} from '../trace/metadata.js' */
/** @import {FunctionNames} from '../trace/names.js' */
/** @import {Snapshot} from '../trace/snapshot.js' */
/** @import {ViewOptions} from './log.js' */
/** @import {ClockUnit} from './units.js' */

/**
 * @typedef {import('./report-kinds.js').ReportKind} ReportKind
 *
 * @typedef {object} ReportSource
 * @property {Snapshot} snapshot
 * @property {Metadata} metadata
 * @property {Pick<FunctionNames, 'name' | 'has'>} names
 * @property {string} [title] a line above the display
 *
 * @typedef {(model: TraceModel, names: Pick<FunctionNames, 'name'>, options: ViewOptions) => string} Render
 */

/** @type {Readonly<Record<string, Render>>} */
const VIEWS = Object.freeze({
  log: renderLog,
  nested: renderNested,
  tree: renderTree,
  inverted: renderInverted,
  histogram: renderHistogram,
  report: renderProfile,
});

/**
 * `--trace traps` records all calls, to have the last ones; the log that was asked for is one of traps.
 * @param {Metadata} metadata
 */
function asksForTraps({ trace }) {
  return trace.length > 0 && trace.every((spec) => spec.trim() === 'traps');
}

/** @param {ReportKind} kind @param {Metadata} metadata @returns {Render} */
function renderOf(kind, metadata) {
  const pattern = callersPattern(kind);
  if (pattern !== null) return (model, names, options) => renderCallers(model, names, { ...options, pattern });
  return kind === 'log' && asksForTraps(metadata) ? renderTraps : VIEWS[kind];
}

/**
 * @param {ReportKind} kind
 * @param {ReportSource} source
 * @param {ViewOptions} [options]
 * @returns {string} lines, each with its end
 * @throws {RangeError} for a display that does not exist
 */
export function renderReport(kind, { snapshot, metadata, names, title }, options = {}) {
  if (!isKind(kind)) throw new RangeError(`unknown display "${kind}": ${PLAIN_KINDS.join(', ')} or callers(PATTERN)`);
  const heading = title ? `${styles(options.color).heading(title)}\n` : '';
  const { nodes } = snapshot;
  const { cost, compensate = false, compensateBy = '--compensate', color, ending } = options;
  const model = new TraceModel(withoutCost(snapshot, cost, compensate), metadata, { trapped: ending === 'trapped' });
  const text = heading + renderOf(kind, metadata)(model, names, options);
  if (!model.clock) return text;
  const lines = [stillNote(nodes, model.clock.unit), costNote(nodes, cost, model.clock.unit, compensate ? '' : compensateBy)];
  return text + joinLines(lines.filter(Boolean).map(styles(color).dim));
}

/** A table of nothing but zeros is no measurement. @param {import('../trace/snapshot.js').TreeNodes} nodes @param {ClockUnit} unit */
function stillNote({ self, count }, unit) {
  const isStill = unit === 'ns' && count.length > ABI.NODE_FIRST && self !== null && self.subarray(ABI.NODE_FIRST).every((time) => time === 0);
  return isStill ? 'no time was measured: what was traced took less than a step of the clock; the clock "instructions" is exact' : '';
}

/**
 * @param {import('../trace/snapshot.js').TreeNodes} nodes @param {ViewOptions['cost']} cost @param {ClockUnit} unit
 * @param {string} by what subtracts it; '': it was
 */
function costNote(nodes, cost, unit, by) {
  if (cost) return `${costText(tracingCost(nodes, cost), unit)}${by ? ` (${by} subtracts it)` : '; subtracted from total, self and avg'}`;
  if (cost === null && !by) return 'what tracing cost is not known with this clock: nothing is subtracted';
  const isExact = cost === 0 && unit !== 'ns'; // a time of 0 is one that could not be measured
  return isExact && !by ? `nothing is to be subtracted: the probes' own ${unit} are not counted` : '';
}
