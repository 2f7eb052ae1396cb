// The report as plain data for JSON: what the displays show, with numbers instead of layout. Integers of 64 bits and
// more are strings, as are the numbers that JSON lacks. Function names stand once per session, by index.
import { RECORD } from '../generated/records.js';
import { heaviestNodes } from '../model/call-tree.js';
import { END } from '../model/steps.js';
import { buildHistogram } from '../model/histogram.js';
import { TraceModel } from '../model/trace-model.js';
import { valueText } from './value-text.js';

/** @import {Value} from '../model/values.js' */
/** @import {ValueType} from '../trace/types.js' */
/** @import {OverviewSession} from './overview.js' */
/** @import {Trap} from './trap.js' */

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
 * @property {string} droppedCalls beyond a full tree; an integer
 * @property {number} position where execution stood: a node of the runtime's tree or a depth
 * @property {{left: number, items: JsonCall[]}} calls the newest; left: older ones that are not in the list
 * @property {{left: number, items: JsonEvent[]}} events memory.grow and traps, the newest
 * @property {{left: number, items: JsonNode[]}} tree the heaviest nodes, parents first
 * @property {JsonHistogram[]} histograms
 * @property {Record<number, string>} names of every function above
 *
 * @typedef {object} JsonModule
 * @property {number} size bytes of the original file
 * @property {number} functions with the imported ones
 * @property {number} imports imported functions: indices below it
 * @property {number} traced
 * @property {number} tiny functions left out for being tiny
 * @property {'merged' | 'split'} link
 * @property {string[]} trace
 * @property {string[]} display
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
 * @property {'running' | 'returned' | 'unwound' | 'tail' | 'thrown'} end thrown: the host's function threw
 * @property {JsonValue[]} args those that were recorded
 * @property {JsonValue[]} results
 *
 * @typedef {{kind: 'grow', func: number, memory: number, delta: number, previous: number}
 *   | {kind: 'trap', func: number, offset: number}} JsonEvent pages; byte in the original file
 *
 * @typedef {{id: number, parent: number, parentUncertain: boolean, func: number, total: number, self: number,
 *   recursion: number}} JsonNode parent 0: called by the host; recursion: frames of the function that are folded into this
 *   one, at most
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
]);

/** @param {ValueType} type @param {Value} value */
function jsonValue(type, value) {
  const plain = typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
  return plain ? value : valueText(type, value);
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
function growOf({ func, values }) {
  const [memory, delta, previous] = values.map(Number);
  return { kind: 'grow', func, memory, delta, previous };
}

/** @param {import('../model/events.js').Event} event @returns {JsonEvent} */
function trapOf({ func, values }) {
  return { kind: 'trap', func, offset: Number(values[0]) };
}

/** @param {TraceModel} model @param {number} limit */
function treeOf({ tree }, limit) {
  const { nodes, left } = heaviestNodes(tree, limit);
  const items = nodes.map((id) => ({
    id,
    parent: tree.parent[id],
    parentUncertain: tree.uncertain[id] === 1,
    func: tree.func[id],
    total: tree.total[id],
    self: tree.self[id],
    recursion: tree.chain[id],
  }));
  return { left, items };
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
  const { originalSize, functionCount, importCount, tracedCount, tinyCount, split, trace, display } = metadata;
  return {
    size: originalSize,
    functions: functionCount,
    imports: importCount,
    traced: tracedCount,
    tiny: tinyCount,
    link: split ? 'split' : 'merged',
    trace,
    display,
  };
}

/** @param {OverviewSession} session @param {number} limit @returns {JsonSession} */
function sessionOf(session, limit) {
  const { name, names, snapshot, metadata, memory = null, traps = [] } = session;
  const model = new TraceModel(snapshot, metadata);
  const calls = callsOf(model, limit);
  const events = eventsOf(model, limit);
  const tree = treeOf(model, limit);
  const histograms = histogramsOf(model);
  const frames = traps.flatMap(({ func, stack }) => [
    ...(typeof func === 'number' ? [{ func }] : []),
    ...(stack ?? []),
  ]);
  const mentioned = new Set(
    [calls.items, events.items, tree.items, histograms, frames].flatMap((rows) => rows.map(({ func }) => func)),
  );
  return {
    name,
    module: moduleOf(session),
    memory,
    traps,
    lostEvents: model.lost,
    droppedCalls: String(snapshot.nodesDropped),
    position: snapshot.position,
    calls,
    events,
    tree,
    histograms,
    names: Object.fromEntries([...mentioned].map((func) => [func, names.name(func)])),
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
