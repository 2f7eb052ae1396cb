// A recording as a file keeps it: what a PanelSource tells, as plain data for JSON (the head) and one run of bytes with all
// typed arrays, which whoever writes the file compresses. The HTML report is made of it.
//
// The head has `format` and `version`; new properties do not change the version: those that are missing are of a recording made before
// they were known. A typed array stands in the head as [offset, bytes] in the run, little-endian, at a multiple of 8.
// Integers of 64 bits are strings. Of a module there is its "wasm-trace" section and the names that the recording mentions.
import * as ABI from '../generated/abi.js';
import { decodeEvents } from '../model/events.js';
import { parseMetadata } from '../trace/metadata.js';

/** @import {Metadata} from '../trace/metadata.js' */
/** @import {FunctionNames} from '../trace/names.js' */
/** @import {Snapshot} from '../trace/snapshot.js' */
/** @import {Ending} from './log.js' */

const RECORDED_FORMAT = 'wasm-trace-recording';
const RECORDED_VERSION = 1;

const ALIGN = 8;

/** @typedef {[offset: number, bytes: number]} Place */

/**
 * @typedef {object} RecordedSession
 * @property {string} name unique
 * @property {string} label the name without a number
 * @property {number} [thread]
 * @property {Ending} [ending]
 * @property {Uint8Array} section content of the custom section "wasm-trace"
 * @property {Metadata} metadata
 * @property {Pick<FunctionNames, 'name' | 'has'>} names
 * @property {() => Snapshot} snapshot
 * @property {{resolution: Resolution | null} | null} [clock] how finely it goes
 * @property {number | import('../trace/block.js').CallCost | null} [cost] of recording a call or a return, in the clock's unit, where it was known
 *
 * @typedef {{median: number, most: number, longest?: number}} Resolution of a clock, in its unit
 *
 * @typedef {object} ModuleInfo
 * @property {string} name
 * @property {number} originalSize bytes
 * @property {number} tracedSize bytes; 0 when not known
 * @property {number} milliseconds spent on rewriting; 0 when not known
 * @property {number} functions its own, without imports
 * @property {number} imports
 * @property {number} traced
 * @property {number} tiny functions left out for being tiny
 * @property {'merged' | 'split' | 'heap'} link
 * @property {boolean} named whether its functions have names
 * @property {number} instances
 *
 * @typedef {object} Recording
 * @property {readonly RecordedSession[]} sessions
 * @property {readonly ModuleInfo[]} modules
 * @property {readonly string[]} warnings
 * @property {readonly string[]} trace
 * @property {readonly string[]} traps reports on traps, as text
 * @property {boolean} [compensates] what tracing cost is to be subtracted from times
 *
 * @typedef {object} RecordedHead for JSON
 * @property {string} format
 * @property {number} version
 * @property {SessionHead[]} sessions
 * @property {readonly ModuleInfo[]} modules
 * @property {readonly string[]} warnings
 * @property {readonly string[]} trace
 * @property {readonly string[]} traps
 * @property {boolean} [compensates]
 *
 * @typedef {object} SessionHead
 * @property {string} name
 * @property {string} label
 * @property {number} [thread]
 * @property {Ending} [ending]
 * @property {Place} section
 * @property {Record<string, string>} names by function index
 * @property {Resolution | null} [resolution] of the clock, where it was known
 * @property {RecordedSession['cost']} [cost]
 * @property {SnapshotHead} snapshot
 *
 * @typedef {object} SnapshotHead
 * @property {number} position
 * @property {boolean} idle
 * @property {boolean} treePositions
 * @property {string} ringWords
 * @property {string} ringEvents
 * @property {string} [missedEvents]
 * @property {number} capacityWords
 * @property {string} nodesDropped
 * @property {Place} records
 * @property {{parent: Place, func: Place, depth: Place, count: Place} & Partial<Record<TimeColumn, Place>>} nodes
 * @property {Place[]} histograms
 * @property {Snapshot['clock']} [clock]
 * @property {Place[]} [durations]
 * @property {number} [closed]
 *
 * @typedef {'self' | 'min' | 'max' | 'wall'} TimeColumn only where a clock ran
 */

/** Data that is no recording, or one of a version that is not known. */
export class RecordingError extends Error {
  /** @param {string} reason a sentence without a full stop */
  constructor(reason) {
    super(reason);
    this.name = 'RecordingError';
  }
}

/** Collects arrays into one run of bytes. */
class Run {
  /** @type {{offset: number, bytes: Uint8Array}[]} */
  #parts = [];
  #length = 0;

  /** @param {ArrayBufferView} array @returns {Place} */
  add(array) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const offset = this.#length;
    this.#parts.push({ offset, bytes });
    this.#length = Math.ceil((offset + bytes.length) / ALIGN) * ALIGN;
    return [offset, bytes.length];
  }

  get bytes() {
    const all = new Uint8Array(this.#length);
    for (const { offset, bytes } of this.#parts) all.set(bytes, offset);
    return all;
  }
}

/** @param {RecordedSession} session @param {Snapshot} snapshot */
function mentionedFunctions({ metadata }, snapshot) {
  const mentioned = new Set([...snapshot.nodes.func, ...metadata.probes.keys()]);
  for (const func of [...metadata.histograms.map((source) => source.func), ...metadata.durations]) mentioned.add(func);
  const { events } = decodeEvents(snapshot, metadata);
  for (let event = 0; event < events.length; event++) mentioned.add(events.func(event));
  return mentioned;
}

/** @param {RecordedSession} session @param {Snapshot} snapshot */
function namesOf(session, snapshot) {
  const named = [...mentionedFunctions(session, snapshot)].filter((func) => session.names.has(func));
  return Object.fromEntries(named.map((func) => [func, session.names.name(func)]));
}

/** @type {readonly TimeColumn[]} */
const TIME_COLUMNS = ['self', 'min', 'max', 'wall'];

/** @param {Snapshot['nodes']} nodes @param {Run} run @returns {SnapshotHead['nodes']} */
function packNodes(nodes, run) {
  const { parent, func, depth, count } = nodes;
  const times = TIME_COLUMNS.flatMap((name) => (nodes[name] ? [[name, run.add(nodes[name])]] : []));
  return { parent: run.add(parent), func: run.add(func), depth: run.add(depth), count: run.add(count), ...Object.fromEntries(times) };
}

/** @param {Snapshot} snapshot @param {Run} run @returns {SnapshotHead} */
function packSnapshot(snapshot, run) {
  const { position, idle, treePositions, capacityWords, clock, closed } = snapshot;
  return {
    position,
    idle,
    treePositions,
    ringWords: String(snapshot.ringWords),
    ringEvents: String(snapshot.ringEvents),
    missedEvents: String(snapshot.missedEvents),
    capacityWords,
    nodesDropped: String(snapshot.nodesDropped),
    records: run.add(snapshot.records),
    nodes: packNodes(snapshot.nodes, run),
    histograms: snapshot.histograms.map((table) => run.add(table)),
    clock,
    durations: snapshot.durations.map((table) => run.add(table)),
    closed,
  };
}

/** @param {RecordedSession} session @param {Run} run @returns {SessionHead} */
function packSession(session, run) {
  const { name, label, thread, ending, section, clock, cost } = session;
  const snapshot = session.snapshot();
  return {
    name,
    label,
    thread,
    ending,
    section: run.add(section),
    names: namesOf(session, snapshot),
    resolution: clock?.resolution ?? null,
    cost: cost ?? null,
    snapshot: packSnapshot(snapshot, run),
  };
}

/**
 * @param {Recording} recording
 * @returns {{head: RecordedHead, bytes: Uint8Array}}
 */
export function packRecording({ sessions, modules, warnings, trace, traps, compensates }) {
  const run = new Run();
  const head = {
    format: RECORDED_FORMAT,
    version: RECORDED_VERSION,
    sessions: sessions.map((session) => packSession(session, run)),
    modules,
    warnings,
    trace,
    traps,
    compensates,
  };
  return { head, bytes: run.bytes };
}

/** Gives arrays back out of a run of bytes, as copies. */
class Arrays {
  #bytes;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    // Node's Buffer, which may be given, has a slice() that does not copy.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** @param {Place} place */
  bytes([offset, length]) {
    const isInside = offset >= 0 && length >= 0 && offset + length <= this.#bytes.length;
    if (!isInside) throw new RecordingError('the recording is cut short');
    return this.#bytes.slice(offset, offset + length);
  }

  /** @param {Place} place */
  words32(place) {
    return new Uint32Array(this.bytes(place).buffer);
  }

  /** @param {Place} place */
  words64(place) {
    return new BigUint64Array(this.bytes(place).buffer);
  }

  /** @param {Place} place */
  floats(place) {
    return new Float64Array(this.bytes(place).buffer);
  }
}

/** @param {SnapshotHead} head @param {Arrays} arrays @returns {Snapshot} */
function unpackSnapshot(head, arrays) {
  const { position, idle, treePositions, capacityWords, clock = null, durations = [], closed = 0 } = head;
  const { parent, func, depth, count, self, min, max, wall } = head.nodes;
  const column = (/** @type {Place | undefined} */ place) => (place ? arrays.floats(place) : null);
  return Object.freeze({
    position,
    idle,
    treePositions,
    records: arrays.words64(head.records),
    ringWords: BigInt(head.ringWords),
    ringEvents: BigInt(head.ringEvents),
    missedEvents: BigInt(head.missedEvents ?? 0),
    capacityWords,
    nodes: {
      parent: arrays.words32(parent),
      func: arrays.words32(func),
      depth: arrays.words32(depth),
      count: arrays.floats(count),
      self: column(self),
      min: column(min),
      max: column(max),
      wall: column(wall),
    },
    nodesDropped: BigInt(head.nodesDropped),
    histograms: head.histograms.map((place) => arrays.words64(place)),
    clock,
    durations: durations.map((place) => arrays.words64(place)),
    closed,
  });
}

/** @param {Record<string, string>} names @returns {Pick<FunctionNames, 'name' | 'has'>} */
function recordedNames(names) {
  const known = new Map(Object.entries(names).map(([func, name]) => [Number(func), name]));
  return {
    name: (func) => known.get(func) ?? (func === ABI.UNCERTAIN ? '(caller uncertain)' : `wasm-function[${func}]`),
    has: (func) => known.has(func),
  };
}

/** @param {SessionHead} head @param {Arrays} arrays @returns {RecordedSession} */
function unpackSession({ name, label, thread, ending, section: place, names, resolution = null, cost = null, snapshot: head }, arrays) {
  const section = arrays.bytes(place);
  const snapshot = unpackSnapshot(head, arrays);
  const metadata = parseMetadata(section);
  const clock = metadata.clock && { ...metadata.clock, resolution };
  return { name, label, thread, ending, section, metadata, names: recordedNames(names), clock, cost, snapshot: () => snapshot };
}

/**
 * @param {RecordedHead} head
 * @param {Uint8Array} bytes
 * @returns {Recording}
 * @throws {RecordingError} for data of another kind or version, or cut short
 */
export function unpackRecording(head, bytes) {
  if (head?.format !== RECORDED_FORMAT) throw new RecordingError('this is no recording of wasm-trace');
  if (head.version !== RECORDED_VERSION)
    throw new RecordingError(`a recording of version ${head.version}, where ${RECORDED_VERSION} is known`);
  const { modules, warnings, trace, traps, compensates } = head;
  const arrays = new Arrays(bytes);
  return { sessions: head.sessions.map((session) => unpackSession(session, arrays)), modules, warnings, trace, traps, compensates };
}
