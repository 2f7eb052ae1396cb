// The runtime's memory -> an immutable copy of what is in use in it: the retained words of the ring, the call tree,
// the histograms. Layout: guest-runtime/include/wtr_abi.h, as numbers in js/generated. Every place that
// the memory itself names is checked against its size first. The thread that records may go on meanwhile: a shared memory
// is read while it runs, or after it was stopped between any two instructions.
import * as ABI from '../generated/abi.js';
import * as NODE from '../generated/node.js';
import * as SPAN from '../generated/span.js';
import * as STATE from '../generated/state.js';
import { TraceError } from './errors.js';

/**
 * The calling-context tree, columns by node. Node ABI.NODE_ROOT is the host, ABI.NODE_DROPPED stands for what did not fit;
 * parents come before their children.
 * @typedef {object} TreeNodes
 * @property {Uint32Array} parent
 * @property {Uint32Array} func
 * @property {Uint32Array} depth root 0
 * @property {Float64Array} count calls of func on exactly this path
 * @property {Float64Array | null} self what the clock counted while execution stood exactly there; null without a clock, as all below
 * @property {Float64Array | null} min what the shortest call took that returned; NaN: none did
 * @property {Float64Array | null} max and the longest
 * @property {Float64Array | null} wall nanoseconds of the host's clock, where they were measured beside another clock
 *
 * @typedef {object} Snapshot
 * @property {number} position where execution stands: a depth or a node; above ABI.LAST_POSITION where nothing is recorded
 * @property {boolean} idle the thread was known to be outside of wasm: frames that are still open have been left, by a trap or
 *   an exception, or are suspended
 * @property {boolean} treePositions positions are nodes
 * @property {BigUint64Array} records retained words of the ring, oldest first; the oldest may be parts of a record
 * @property {bigint} ringWords words ever written
 * @property {bigint} ringEvents events ever recorded in what `records` was taken from
 * @property {bigint} missedEvents newer ones, which have not been kept: the ring was full, and only the tree went on
 * @property {number} capacityWords words that the ring holds
 * @property {TreeNodes} nodes
 * @property {bigint} nodesDropped calls that the full tree did not count on a path of their own
 * @property {BigUint64Array[]} histograms ABI.HISTOGRAM_BUCKETS counts each
 * @property {{now: number} | null} clock now: what it said at the last event; null: none is read
 * @property {BigUint64Array[]} durations ABI.DURATION_BUCKETS counts each
 * @property {number} closed bits of ABI.CLOSED_...: why nothing is recorded now; 0: it is
 */

/** A bounded view of the runtime's memory. */
class Memory {
  #buffer;
  #view;

  /** @param {ArrayBufferLike} buffer */
  constructor(buffer) {
    this.#buffer = buffer;
    this.#view = new DataView(buffer);
    this.#check(ABI.STATE_ADDRESS, STATE.bytes, 1, 'the state block');
  }

  /**
   * @param {number} address
   * @param {number} bytes
   * @param {number} align
   * @param {string} what
   */
  #check(address, bytes, align, what) {
    const outside = address + bytes > this.#buffer.byteLength;
    if (outside) throw new TraceError('snapshot', `${what} reaches beyond the memory`, address);
    if (address % align !== 0) throw new TraceError('snapshot', `${what} is not aligned`, address);
  }

  /** A u32 field of the state. @param {number} field */
  u32(field) {
    return this.#view.getUint32(ABI.STATE_ADDRESS + field, true);
  }

  /** A u64 field of the state. @param {number} field */
  u64(field) {
    return this.#view.getBigUint64(ABI.STATE_ADDRESS + field, true);
  }

  /** @param {number} address @param {number} count @param {string} what @returns {BigUint64Array} borrowed */
  words(address, count, what) {
    this.#check(address, count * 8, 8, what);
    return new BigUint64Array(this.#buffer, address, count);
  }

  /** @param {number} address @param {number} count @param {string} what @returns {Uint32Array} borrowed */
  halves(address, count, what) {
    this.#check(address, count * 4, 4, what);
    return new Uint32Array(this.#buffer, address, count);
  }
}

/**
 * Where the records are that count: since the ring was full, others may go elsewhere.
 * @param {Memory} memory
 * @returns {{base: number, capacity: number, written: bigint, touched: bigint, events: bigint, missed: bigint}}
 */
function findRing(memory) {
  const kept = memory.u64(STATE.kept_words);
  const written = memory.u64(STATE.ring_words);
  const events = written - memory.u64(STATE.ring_payload);
  if (kept === 0n) {
    const [base, capacity] = [memory.u32(STATE.ring_base), memory.u32(STATE.ring_mask) + 1];
    return { base, capacity, written, touched: wordsTouched(memory, written), events, missed: 0n };
  }
  const keptEvents = kept - memory.u64(STATE.kept_payload);
  const [base, capacity] = [memory.u32(STATE.kept_base), memory.u32(STATE.kept_mask) + 1];
  return { base, capacity, written: kept, touched: kept, events: keptEvents, missed: events - keptEvents };
}

/** @param {Memory} memory @param {ReturnType<typeof findRing>} from */
function copyRing(memory, { base, capacity, written, touched }) {
  const kept = Math.min(Number(written), capacity);
  const ring = memory.words(base, kept, 'the ring');
  const oldest = kept < capacity ? 0 : Number(written % BigInt(capacity));
  const records = new BigUint64Array(kept);
  records.set(ring.subarray(oldest));
  records.set(ring.subarray(0, oldest), kept - oldest);
  const overwritten = touched - BigInt(capacity) - (written - BigInt(kept));
  return overwritten > 0n ? records.slice(Number(overwritten)) : records;
}

/** Up to now, those of a record that is not closed yet included. @param {Memory} memory @param {bigint} written @returns {bigint} */
function wordsTouched(memory, written) {
  const ahead = BigInt.asUintN(32, BigInt(memory.u32(STATE.ring_reach)) - written);
  return ahead < 2n ** BigInt(ABI.WORDS_BITS) ? written + ahead : written;
}

const LOW = 2 ** 32;
const TIME_HIGH_MASK = 0xfffff;

/**
 * A clock's word as a number that can be subtracted from others: its low 52 bits. Above these a ticker's word has the exponent of
 * the double that it is, and other clocks nothing that is of use.
 * @param {number} low @param {number} high halves of the word
 */
export function timeOf(low, high) {
  return low + (high & TIME_HIGH_MASK) * LOW;
}

/** @param {Memory} memory @param {number} count of nodes @param {Uint32Array} nodes as halves */
function copyTimes(memory, count, nodes) {
  const nodeStride = NODE.bytes / 4;
  const spanStride = SPAN.bytes / 4;
  const spans = memory.halves(memory.u32(STATE.span_base), count * spanStride, 'the times of the call tree');
  const column = (/** @type {Uint32Array} */ from, /** @type {number} */ field, /** @type {number} */ stride, /** @type {(low: number, high: number) => number} */ read) => {
    const values = new Float64Array(count);
    for (let i = 0, at = field / 4; i < count; i++, at += stride) values[i] = read(from[at], from[at + 1]);
    return values;
  };
  return {
    self: column(nodes, NODE.self, nodeStride, (low, high) => low + (high | 0) * LOW),
    min: column(spans, SPAN.min_inverse, spanStride, (low, high) => (low || high ? ~low >>> 0 : NaN) + (~high >>> 0) * LOW),
    max: column(spans, SPAN.max, spanStride, (low, high) => low + high * LOW),
    wall: column(spans, SPAN.wall, spanStride, (low, high) => low + high * LOW),
  };
}

/** @param {Memory} memory @returns {TreeNodes} */
function copyTree(memory) {
  const count = memory.u32(STATE.tree_capacity) === 0 ? 0 : memory.u32(STATE.tree_count);
  const stride = NODE.bytes / 4;
  const halves = memory.halves(memory.u32(STATE.tree_base), count * stride, 'the call tree');
  const column = (/** @type {number} */ field) => {
    const values = new Uint32Array(count);
    for (let i = 0, at = field / 4; i < count; i++, at += stride) values[i] = halves[at];
    return values;
  };
  const counts = new Float64Array(count);
  for (let i = 0, at = NODE.count / 4; i < count; i++, at += stride) counts[i] = halves[at] + halves[at + 1] * 2 ** 32;
  const times = isTimed(memory) ? copyTimes(memory, count, halves) : UNTIMED;
  const nodes = { parent: column(NODE.parent), func: column(NODE.func), depth: column(NODE.depth), count: counts, ...times };
  nodes.func[ABI.NODE_ROOT] = 0; // there, it says that the root is no function
  checkParents(nodes.parent, memory.u32(STATE.tree_base));
  return nodes;
}

const UNTIMED = Object.freeze({ self: null, min: null, max: null, wall: null });

/** @param {Memory} memory */
function isTimed(memory) {
  return (memory.u32(STATE.flags) & ABI.FLAG_TIMED) !== 0;
}

/** @param {Memory} memory */
function readClock(memory) {
  const last = memory.u64(STATE.last);
  return isTimed(memory) ? { now: timeOf(Number(last & 0xffffffffn), Number(last >> 32n)) } : null;
}

/**
 * The order of the nodes is what lets readers sweep them without recursion.
 * @param {Uint32Array} parent
 * @param {number} base
 */
function checkParents(parent, base) {
  for (let node = ABI.NODE_DROPPED; node < parent.length; node++) {
    if (parent[node] >= node)
      throw new TraceError('snapshot', 'a node of the call tree before its parent', base + node * NODE.bytes);
  }
}

/**
 * @param {Memory} memory
 * @param {number} base
 * @param {number} count of tables
 * @param {number} size of each
 * @returns {BigUint64Array[]}
 */
function copyTables(memory, base, count, size) {
  const all = memory.words(base, count * size, 'the histograms').slice();
  return Array.from({ length: count }, (_, i) => all.subarray(i * size, (i + 1) * size));
}

/**
 * What has passed since the last event belongs to the position.
 * @param {Snapshot} snapshot of a runtime with a clock
 * @param {bigint} now what the clock says
 * @returns {Snapshot}
 */
function caughtUp(snapshot, now) {
  const time = timeOf(Number(now & 0xffffffffn), Number((now >> 32n) & 0xffffffffn));
  const { position, clock } = snapshot;
  if (!clock || position > ABI.LAST_POSITION) return snapshot;
  return Object.freeze({ ...snapshot, nodes: withTime(snapshot.nodes, position, time - clock.now), clock: { now: time } });
}

/** @param {TreeNodes} nodes @param {number} node @param {number} time to add @returns {TreeNodes} */
function withTime(nodes, node, time) {
  if (!nodes.self || node >= nodes.self.length) return nodes;
  const self = nodes.self.slice();
  self[node] += time;
  return { ...nodes, self };
}

/**
 * Without what the clock counted in a node and what never was.
 * @param {Snapshot} snapshot
 * @param {readonly {node: number, time: number}[]} surplus
 * @returns {Snapshot}
 */
export function withoutSurplus(snapshot, surplus) {
  const { clock } = snapshot;
  if (!clock || surplus.length === 0) return snapshot;
  const total = surplus.reduce((sum, { time }) => sum + time, 0);
  const nodes = surplus.reduce((all, { node, time }) => withTime(all, node, -time), snapshot.nodes);
  return Object.freeze({ ...snapshot, nodes, clock: { now: clock.now - total } });
}

/**
 * Copies what the runtime has recorded so far. Only what is used is read, so small traces in large memories cost little.
 * @param {ArrayBufferLike} buffer the runtime's memory; borrowed for the call
 * @param {{idle?: boolean, now?: bigint}} [thread] of the snapshot; now: what the clock says, where the host can read it
 * @returns {Snapshot}
 * @throws {TraceError} code 'snapshot', offset in the memory: no runtime there, or a damaged one
 */
export function takeSnapshot(buffer, { idle = false, now } = {}) {
  const memory = new Memory(buffer);
  if (memory.u32(STATE.magic) !== ABI.MAGIC)
    throw new TraceError('snapshot', 'no wasm-trace runtime', ABI.STATE_ADDRESS);
  const ring = findRing(memory);
  const snapshot = Object.freeze({
    position: memory.u32(STATE.position),
    idle,
    treePositions: (memory.u32(STATE.flags) & ABI.FLAG_TREE) !== 0,
    records: copyRing(memory, ring),
    ringWords: memory.u64(STATE.ring_words),
    ringEvents: ring.events,
    missedEvents: ring.missed,
    capacityWords: ring.capacity,
    nodes: copyTree(memory),
    nodesDropped: memory.u64(STATE.tree_dropped),
    histograms: copyTables(memory, memory.u32(STATE.hist_base), memory.u32(STATE.hist_count), ABI.HISTOGRAM_BUCKETS),
    clock: readClock(memory),
    durations: copyTables(memory, memory.u32(STATE.duration_base), memory.u32(STATE.duration_count), ABI.DURATION_BUCKETS),
    closed: memory.u32(STATE.closed),
  });
  return now === undefined ? snapshot : caughtUp(snapshot, now);
}

/** @param {Snapshot} snapshot @returns {Snapshot} the same, as if nothing had been recorded */
export function emptied(snapshot) {
  const { nodes, histograms, durations } = snapshot;
  const zeroes = (/** @type {Float64Array | null} */ column) => column && new Float64Array(column.length);
  const empty = (/** @type {BigUint64Array} */ table) => new BigUint64Array(table.length);
  return Object.freeze({
    ...snapshot,
    records: new BigUint64Array(0),
    ringWords: 0n,
    ringEvents: 0n,
    missedEvents: 0n,
    nodes: {
      ...nodes,
      count: new Float64Array(nodes.count.length),
      self: zeroes(nodes.self),
      min: zeroes(nodes.min)?.fill(NaN) ?? null,
      max: zeroes(nodes.max),
      wall: zeroes(nodes.wall),
    },
    nodesDropped: 0n,
    histograms: histograms.map(empty),
    durations: durations.map(empty),
  });
}

/** Whether anything has been recorded. @param {Snapshot} snapshot */
export function isUsed({ ringWords, nodes, histograms }) {
  return ringWords > 0n || nodes.count.some((count) => count > 0) || histograms.some((table) => table.some((count) => count > 0n));
}
