// Test helper: the real guest runtime, driven by hand the way probe code drives it, and metadata in a few words.
import { readFileSync } from 'node:fs';
import * as ABI from '../../js/generated/abi.js';
import * as NODE from '../../js/generated/node.js';
import * as RECORD from '../../js/generated/record.js';
import * as STATE from '../../js/generated/state.js';
import { takeSnapshot } from '../../js/trace/snapshot.js';

const runtime = new WebAssembly.Module(readFileSync(new URL('../../build/guest-runtime.wasm', import.meta.url)));

/** What it may call of the host: none of the probes driven here does. */
const HOOKS = { now: () => 0, full: () => {} };

/** Metadata with the given parts. `probes` as [function, {args, results, stack}] rows. */
export function metadataOf({ probes = [], ...parts } = {}) {
  const rows = probes.map(([func, { calls = true, args = null, results = null, stack = false }]) => [
    func,
    { calls, args, results, stack },
  ]);
  return {
    version: 1,
    split: false,
    tree: false,
    ring: true,
    deferredStart: false,
    onlyGate: false,
    stacks: false,
    importCount: 0,
    functionCount: 100,
    originalSize: 1000,
    tracedCount: 100,
    tinyCount: 0,
    trace: [],
    display: [],
    config: new Uint8Array(0),
    pages: 1,
    histograms: [],
    names: new Map(),
    codeMap: new Uint32Array(0),
    entries: [],
    clock: null,
    durations: [],
    ...parts,
    probes: new Map(rows),
  };
}

/** `args` of a probe from types: all arguments, or those at the given indices. */
export function argsOf(types, indices = types.map((_, i) => i)) {
  return types.map((type, i) => ({ index: indices[i], type }));
}

/** Names as [index, name] rows. */
export function namesOf(rows) {
  const names = new Map(rows);
  return { name: (index) => names.get(index) ?? `wasm-function[${index}]`, has: (index) => names.has(index) };
}

export class Recorder {
  #exports = new WebAssembly.Instance(runtime, { wtr: HOOKS }).exports;
  #tree;

  constructor({ tree = false, ringWords = 1024, nodes = 1024, histograms = 0, full = ABI.FULL_OVERWRITE } = {}) {
    this.#tree = tree;
    const hashBase = ABI.TREE_ADDRESS + nodes * NODE.bytes;
    const histBase = hashBase + Math.max(nodes * 8, 1024);
    const ringBase = histBase + histograms * ABI.HISTOGRAM_BUCKETS * 8;
    this.#reserve(ringBase + (ringWords + (full === ABI.FULL_AGGREGATE ? ABI.SINK_WORDS : 0)) * 8);
    this.set(STATE.full, full);
    this.set(STATE.ring_end, ringWords);
    this.set(STATE.magic, ABI.MAGIC);
    this.set(STATE.flags, ABI.FLAG_RING | (tree ? ABI.FLAG_TREE : 0));
    this.set(STATE.ring_base, ringBase);
    this.set(STATE.ring_mask, ringWords - 1);
    this.set(STATE.tree_base, ABI.TREE_ADDRESS);
    new DataView(this.buffer).setUint32(ABI.TREE_ADDRESS + NODE.func, ABI.NO_FUNCTION, true);
    this.set(STATE.tree_capacity, tree ? nodes : ABI.NODE_FIRST);
    this.set(STATE.tree_count, ABI.NODE_FIRST);
    this.set(STATE.hash_base, hashBase);
    this.set(STATE.hash_mask, 255);
    this.set(STATE.hist_base, histBase);
    this.set(STATE.hist_count, histograms);
  }

  get buffer() {
    return this.#exports.memory.buffer;
  }

  set(field, value) {
    new DataView(this.buffer).setUint32(ABI.STATE_ADDRESS + field, value, true);
  }

  #reserve(bytes) {
    const { memory } = this.#exports;
    const missing = Math.ceil((Math.max(bytes, 4096) - memory.buffer.byteLength) / 65536);
    if (missing > 0) memory.grow(missing);
  }

  #payload(words) {
    words.forEach((word, index) => this.#exports.wtr_put(BigInt.asIntN(64, BigInt(word)), index));
  }

  #header(kind, func, words) {
    return BigInt(kind) | (BigInt(func) << BigInt(ABI.ID_SHIFT)) | (BigInt(words.length) << BigInt(ABI.WORDS_SHIFT));
  }

  /** Returns what `leave` and `tail` want. */
  enter(func, words = []) {
    const exports = this.#exports;
    const caller = this.#tree ? exports.wtr_enter_tree(func) : exports.wtr_position();
    this.#payload(words);
    const header = this.#header(RECORD.ENTER, func, words);
    if (this.#tree) exports.wtr_event(header);
    else exports.wtr_enter(header);
    return { func, caller };
  }

  /** A function that only passes its position on. */
  track(func) {
    return { func, caller: this.#exports.wtr_enter_tree(func) };
  }

  untrack({ caller }) {
    this.#exports.wtr_restore(caller);
  }

  leave({ func, caller }, words = []) {
    this.#payload(words);
    this.#exports.wtr_leave(caller, this.#header(RECORD.LEAVE, func, words));
  }

  tail({ func, caller }) {
    this.#exports.wtr_leave(caller, this.#header(RECORD.TAIL, func, []));
  }

  grow(func, memory, delta, previous) {
    this.#payload([memory, delta, previous]);
    this.#exports.wtr_event(this.#header(RECORD.GROW, func, [0, 0, 0]));
  }

  trap(func, offset) {
    this.#payload([offset]);
    this.#exports.wtr_event(this.#header(RECORD.TRAP, func, [0]));
  }

  /** A record that is not closed: the stack ended there, or the thread. */
  begin(words) {
    this.#payload(words);
  }

  get position() {
    return this.#exports.wtr_position();
  }

  /** What a handler does, or a call from the host. */
  restore(position) {
    this.#exports.wtr_restore(position);
  }

  /** What probes do before each record where the ring is not simply overwritten. */
  makeRoom() {
    this.#exports.wtr_room();
  }

  /** What --until does. */
  close() {
    this.#exports.wtr_window_close();
  }

  /** What --from does. */
  open() {
    this.#exports.wtr_window_open();
  }

  count(histogram, value) {
    this.#exports.wtr_count(histogram, BigInt(value));
  }

  countFloat(histogram, value) {
    this.#exports.wtr_count_float(histogram, value);
  }

  snapshot() {
    return takeSnapshot(this.buffer);
  }
}

/** Bits of numbers as payload words. */
export const bits = {
  f32: (value) => new Uint32Array(new Float32Array([value]).buffer)[0],
  f64: (value) => new BigUint64Array(new Float64Array([value]).buffer)[0],
};
