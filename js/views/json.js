// The report as plain data for JSON: what the displays show, with numbers instead of layout. Integers of 64 bits and
// more are strings, as are the numbers that JSON lacks. Function names stand once per session, by index. docs/JSON.md tells
// users of it.
import * as RECORD from '../generated/record.js';
import { heaviestNodes } from '../model/call-tree.js';
import { compensate, tracingCost } from '../model/compensation.js';
import { bucketRange } from '../model/durations.js';
import { PERCENTS, sortProfile } from '../model/profile.js';
import * as END from '../model/end.js';
import { buildHistogram } from '../model/histogram.js';
import { TraceModel } from '../model/trace-model.js';
import { valueText } from './value-text.js';

/** @import {TracingCost} from '../model/compensation.js' */
/** @import {Profile} from '../model/profile.js' */
/** @import {Value} from '../model/values.js' */
/** @import {ValueType} from '../trace/types.js' */
/** @import {OverviewSession} from './overview.js' */
/** @import {Trap} from './trap.js' */

/**
 * @template T
 * @typedef {{raw: T, compensated: T | null}} Measured raw: as the clock counted, what tracing itself cost included; compensated: without
 *   that, where it is known
 */

/**
 * @typedef {object} JsonReport
 * @property {1} version of this shape; new properties do not change it
 * @property {JsonSession[]} sessions
 *
 * @typedef {object} JsonSession
 * @property {string} name
 * @property {JsonModule} module
 * @property {{initial: number, final: number} | null} memory bytes of the debuggee's own memory
 * @property {Trap[]} traps that reached the host
 * @property {number} lostEvents overwritten
 * @property {number} missedEvents newer ones, which a full ring did not take
 * @property {boolean} stoppedFull nothing is recorded since the ring was full
 * @property {string} droppedCalls beyond a full tree; an integer
 * @property {number} position where execution stood: a node of the runtime's tree or a depth
 * @property {{left: number, items: JsonCall[]}} calls the newest; left: older ones that are not in the list
 * @property {{left: number, items: JsonEvent[]}} events memory.grow and traps, the newest
 * @property {{left: number, items: JsonNode[]}} tree the heaviest nodes, parents first
 * @property {JsonHistogram[]} histograms
 * @property {JsonClock | null} clock null: no time was measured, and all figures of time are null
 * @property {Measured<JsonTotals> | null} time
 * @property {TracingCost | null} tracingCost null: not known
 * @property {{left: number, items: JsonFunction[]}} functions what took most itself, or was called most, first
 * @property {JsonDurations[]} durations
 * @property {Record<number, string>} names of every function above
 *
 * @typedef {object} JsonModule
 * @property {number} size bytes of the original file
 * @property {number} functions with the imported ones
 * @property {number} imports imported functions: indices below it
 * @property {number} traced
 * @property {number} tiny functions left out for being tiny
 * @property {'merged' | 'split' | 'heap'} link
 * @property {string[]} trace
 * @property {string[]} display
 *
 * @typedef {import('../trace/metadata.js').Clock & {resolution: import('./recorded.js').Resolution | null, now: number}} JsonClock resolution: null:
 *   it is not known, or the clock is exact; now: what it said at the last event
 *
 * @typedef {{whole: number, outside: number | null, dropped: number}} JsonTotals time in traced calls; outside of them, null: not known;
 *   in calls beyond a full tree, which is in `whole`
 *
 * @typedef {object} JsonFunction
 * @property {number} func
 * @property {boolean} host an import
 * @property {number} calls
 * @property {Measured<JsonFunctionTime> | null} time
 *
 * @typedef {object} JsonFunctionTime
 * @property {number} total calls within calls of the same function are part of those
 * @property {number} self
 * @property {number | null} avg of single calls, as all below
 * @property {number | null} min null: none returned
 * @property {number | null} max
 * @property {number} wall nanoseconds of the host's clock in calls of the host
 * @property {number | null} p50 null: durations were not counted
 * @property {number | null} p90
 * @property {number | null} p99
 *
 * @typedef {{func: number, total: string, buckets: {least: number, width: number, count: string}[]}} JsonDurations buckets that
 *   hold something: calls that took `least` or more, and less than `least + width`
 *
 * @typedef {{index?: number, type: ValueType, value: number | string | boolean}} JsonValue value: i32 and finite floats are
 *   numbers; i64, v128 (0x...), NaN, inf and -inf are strings; references are true when null
 *
 * @typedef {object} JsonCall
 * @property {number} id
 * @property {number} parent id of the call around it, -1 for none
 * @property {boolean} parentUncertain that call may have been left by a trap before this one began
 * @property {number} func
 * @property {number} depth
 * @property {boolean} startKnown false: its enter was overwritten
 * @property {'running' | 'returned' | 'unwound' | 'tail' | 'thrown' | 'cut'} end thrown: the host's function threw; cut: not
 *   known, recording stopped before
 * @property {JsonValue[]} args those that were recorded
 * @property {JsonValue[]} results
 * @property {number | null} entered the clock's time; null: not known
 * @property {number | null} left
 *
 * @typedef {({kind: 'grow', func: number, memory: number, delta: number, previous: number}
 *   | {kind: 'trap', func: number, offset: number}) & {time: number | null}} JsonEvent pages; byte in the original file
 *
 * @typedef {{id: number, parent: number, parentUncertain: boolean, func: number, total: number, self: number,
 *   recursion: number, time: Measured<JsonNodeTime> | null}} JsonNode total, self: calls. parent 0: called by the host;
 *   recursion: frames of the function that are folded into this one, at most
 *
 * @typedef {{total: number, self: number, min: number | null, max: number | null, wall: number}} JsonNodeTime min, max: of single
 *   calls, null: none returned
 *
 * @typedef {object} JsonHistogram
 * @property {number} func
 * @property {'arg' | 'ret' | 'grow'} what
 * @property {number} index
 * @property {ValueType} type
 * @property {string} total
 * @property {string} nan
 * @property {{sign: -1 | 0 | 1, exponent: number, count: string}[]} rows 2^exponent <= |value| < 2^(exponent+1)
 */

const DEFAULT_LIMIT = 10000;

/** @type {ReadonlyMap<number, JsonCall['end']>} */
const ENDS = new Map([
  [END.RETURNED, 'returned'],
  [END.UNWOUND, 'unwound'],
  [END.TAIL, 'tail'],
  [END.THROWN, 'thrown'],
  [END.CUT, 'cut'],
]);

/** @param {ValueType} type @param {Value} value */
function jsonValue(type, value) {
  const plain = typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
  return plain ? value : valueText(type, value);
}

/** @param {number} figure */
function known(figure) {
  return Number.isNaN(figure) ? null : figure;
}

/** @param {TraceModel} model @param {number} event -1 for none */
function timeOf({ events }, event) {
  return event < 0 ? null : known(events.time(event));
}

/** @param {TraceModel} model @param {number} event -1 for none @returns {JsonValue[]} */
function valuesOf({ events, metadata }, event) {
  if (event < 0) return [];
  const types = events.types(event);
  const args = events.kind(event) === RECORD.ENTER ? metadata.probes.get(events.func(event))?.args : null;
  return events
    .values(event)
    .map((value, i) => ({ ...(args && { index: args[i].index }), type: types[i], value: jsonValue(types[i], value) }));
}

/** @param {TraceModel} model @param {number} limit */
function callsOf(model, limit) {
  const { calls } = model;
  const left = Math.max(0, calls.length - limit);
  const items = Array.from({ length: calls.length - left }, (_, i) => callOf(model, left + i));
  return { left, items };
}

/** @param {TraceModel} model @param {number} id @returns {JsonCall} */
function callOf(model, id) {
  const { calls } = model;
  return {
    id,
    parent: calls.parent[id],
    parentUncertain: calls.uncertain.has(id),
    func: calls.func[id],
    depth: calls.depth[id],
    startKnown: calls.enter[id] >= 0,
    end: ENDS.get(calls.end[id]) ?? 'running',
    args: valuesOf(model, calls.enter[id]),
    results: valuesOf(model, calls.leave[id]),
    entered: timeOf(model, calls.enter[id]),
    left: timeOf(model, calls.leave[id]),
  };
}

/** @param {TraceModel} model @param {number} limit */
function eventsOf({ events }, limit) {
  /** @type {JsonEvent[]} */
  const items = [];
  let left = 0;
  for (let i = events.length - 1; i >= 0; i--) {
    const kind = events.kind(i);
    if (kind !== RECORD.GROW && kind !== RECORD.TRAP) continue;
    if (items.length < limit) items.push(kind === RECORD.GROW ? growOf(events.at(i)) : trapOf(events.at(i)));
    else left++;
  }
  return { left, items: items.reverse() };
}

/** @param {import('../model/events.js').Event} event @returns {JsonEvent} */
function growOf({ func, values, time }) {
  const [memory, delta, previous] = values.map(Number);
  return { kind: 'grow', func, memory, delta, previous, time: known(time) };
}

/** @param {import('../model/events.js').Event} event @returns {JsonEvent} */
function trapOf({ func, values, time }) {
  return { kind: 'trap', func, offset: Number(values[0]), time: known(time) };
}

/**
 * @param {TraceModel} model
 * @param {TraceModel | null} compensated
 * @param {number} limit
 */
function treeOf({ tree }, compensated, limit) {
  const { nodes, left } = heaviestNodes(tree, limit);
  const corrected = compensated?.tree.time;
  const items = nodes.map((id) => ({
    id,
    parent: tree.parent[id],
    parentUncertain: tree.uncertain[id] === 1,
    func: tree.func[id],
    total: tree.total[id],
    self: tree.self[id],
    recursion: tree.chain[id],
    time: tree.time ? { raw: nodeTime(tree.time, id), compensated: corrected ? nodeTime(corrected, id) : null } : null,
  }));
  return { left, items };
}

/** @param {import('../model/call-tree.js').TreeTime} time @param {number} node @returns {JsonNodeTime} */
function nodeTime({ total, self, min, max, wall }, node) {
  const shortest = known(min[node]);
  return { total: total[node], self: self[node], min: shortest, max: shortest === null ? null : max[node], wall: wall[node] };
}

/** @param {import('../model/profile.js').FunctionTime} time @returns {JsonFunctionTime} */
function functionTime({ total, self, avg, min, max, wall, percentiles }) {
  const [p50, p90, p99] = PERCENTS.map((_, i) => (percentiles ? known(percentiles[i]) : null));
  return { total, self, avg: known(avg), min: known(min), max: known(max), wall, p50, p90, p99 };
}

/** @param {Profile} profile @param {Profile | null} compensated @param {number} limit */
function functionsOf({ rows }, compensated, limit) {
  const sorted = sortProfile(rows, 'self', String);
  const corrected = new Map(compensated?.rows.map(({ func, time }) => [func, time]));
  const items = sorted.slice(0, limit).map(({ func, host, calls, time }) => {
    const without = corrected.get(func);
    return { func, host, calls, time: time ? { raw: functionTime(time), compensated: without ? functionTime(without) : null } : null };
  });
  return { left: sorted.length - items.length, items };
}

/** @param {Profile} profile @returns {JsonTotals} */
function totalsOf({ whole, outside, dropped }) {
  return { whole, outside: known(outside), dropped };
}

/** @param {TraceModel} model @returns {JsonDurations[]} */
function durationsOf({ metadata, snapshot }) {
  return metadata.durations.slice(0, snapshot.durations.length).flatMap((func, i) => {
    const buckets = Array.from(snapshot.durations[i], (count, bucket) => ({ ...bucketRange(bucket), count })).filter(({ count }) => count > 0n);
    const total = buckets.reduce((sum, { count }) => sum + count, 0n);
    return total > 0n ? [{ func, total: String(total), buckets: buckets.map((bucket) => ({ ...bucket, count: String(bucket.count) })) }] : [];
  });
}

/** @param {TraceModel} model @returns {JsonHistogram[]} */
function histogramsOf({ metadata, snapshot }) {
  return metadata.histograms.slice(0, snapshot.histograms.length).map((source, i) => {
    const { total, nan, rows } = buildHistogram(snapshot.histograms[i], source.type);
    return {
      ...source,
      total: String(total),
      nan: String(nan),
      rows: rows.map((row) => ({ ...row, count: String(row.count) })),
    };
  });
}

/** @param {OverviewSession} session @returns {JsonModule} */
function moduleOf({ metadata }) {
  const { originalSize, functionCount, importCount, tracedCount, tinyCount, split, heap, trace, display } = metadata;
  return {
    size: originalSize,
    functions: functionCount,
    imports: importCount,
    traced: tracedCount,
    tiny: tinyCount,
    link: split ? 'split' : heap ? 'heap' : 'merged',
    trace,
    display,
  };
}

/** @param {readonly Trap[]} traps */
function framesOf(traps) {
  return traps.flatMap(({ func, stack }) => [...(typeof func === 'number' ? [{ func }] : []), ...(stack ?? [])]);
}

/** @param {OverviewSession} session @param {number} limit @returns {JsonSession} */
function sessionOf(session, limit) {
  const { name, names, snapshot, metadata, memory = null, traps = [] } = session;
  const model = new TraceModel(snapshot, metadata);
  const cost = model.clock ? (session.cost ?? null) : null;
  const compensated = cost === null ? null : new TraceModel({ ...snapshot, nodes: compensate(snapshot.nodes, cost) }, metadata);
  const profile = model.profile();
  const corrected = compensated?.profile() ?? null;
  const calls = callsOf(model, limit);
  const events = eventsOf(model, limit);
  const tree = treeOf(model, compensated, limit);
  const histograms = histogramsOf(model);
  const functions = functionsOf(profile, corrected, limit);
  const durations = durationsOf(model);
  const mentioned = [calls.items, events.items, tree.items, histograms, functions.items, durations, framesOf(traps)].flat();
  return {
    name,
    module: moduleOf(session),
    memory,
    traps,
    lostEvents: model.lost,
    missedEvents: model.missed,
    stoppedFull: model.stoppedFull,
    droppedCalls: String(snapshot.nodesDropped),
    position: snapshot.position,
    calls,
    events,
    tree,
    histograms,
    clock: model.clock && snapshot.clock ? { ...model.clock, resolution: session.clock?.resolution ?? null, now: snapshot.clock.now } : null,
    time: model.clock ? { raw: totalsOf(profile), compensated: corrected && totalsOf(corrected) } : null,
    tracingCost: cost === null ? null : tracingCost(snapshot.nodes, cost),
    functions,
    durations,
    names: Object.fromEntries(mentioned.map(({ func }) => [func, names.name(func)])),
  };
}

/**
 * @param {{sessions: OverviewSession[]}} input
 * @param {{limit?: number}} [options] limit: items of each list
 * @returns {JsonReport} for JSON.stringify
 */
export function reportJson({ sessions }, { limit = DEFAULT_LIMIT } = {}) {
  return { version: 1, sessions: sessions.map((session) => sessionOf(session, limit)) };
}
