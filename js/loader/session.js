// One traced instance: where it records, what its module is, and how to look at both.

import * as ABI from '../generated/abi.js';
import { RuntimeState } from '../trace/runtime-state.js';
import { emptied, isUsed, takeSnapshot, withoutSurplus } from '../trace/snapshot.js';
import { describeClock, hostTime, skipTime } from './clock.js';
import { canShareMemory } from './engine.js';
import { isInsideWasm } from './inside-wasm.js';
import { Ticker } from './ticker.js';

/** @typedef {import('../trace/snapshot.js').Snapshot} Snapshot */

/**
 * js/views/report.js. The loader gets it from outside, so that a program which never asks for a report never loads it.
 * @typedef {Pick<typeof import('../views/report.js'), 'renderReport' | 'reportKinds' | 'mergeSnapshots'>} Views
 */

/** Looks at a memory without keeping it alive. */
class MemorySize {
  #memory;
  #initial;
  #final;

  /** @param {WebAssembly.Memory} memory */
  constructor(memory) {
    this.#memory = new WeakRef(memory);
    this.#initial = this.#final = memory.buffer.byteLength;
  }

  read() {
    this.#final = this.#memory.deref()?.buffer.byteLength ?? this.#final;
    return { initial: this.#initial, final: this.#final };
  }
}

export class Session {
  #facts;
  #views;
  #debuggee;
  #costOf;
  #count;
  #restAt;
  /** What instructions were counted that never began. @type {{node: number, time: number}[]} */
  #surplus = [];
  /** @type {{readonly buffer: ArrayBufferLike} | null} */
  #memory = null;
  /** @type {Snapshot | null} */
  #last = null;
  /** @type {boolean | undefined} */
  #idle;

  /**
   * @param {object} parts
   * @param {string} parts.name unique among the sessions
   * @param {string} [parts.label] the name without a number
   * @param {import('./module-facts.js').ModuleFacts} parts.facts
   * @param {number} [parts.thread] the worker that it is in
   * @param {string} [parts.key] of another thread: its own in the process
   * @param {{readonly buffer: ArrayBufferLike}} [parts.memory] of the runtime, while the instance lives
   * @param {WebAssembly.Global} [parts.count] of instructions, where these are the clock
   * @param {(offset: number) => number} [parts.restAt] what instructions are in the count that a trap at this byte of the original kept from
   *   being executed
   * @param {boolean} [parts.idle] of another thread: it is known to be outside of wasm
   * @param {Snapshot} [parts.snapshot] of an instance that is gone
   * @param {WebAssembly.Memory} [parts.debuggee] the debuggee's own memory
   * @param {() => Views} parts.views
   * @param {(metadata: import('../trace/metadata.js').Metadata) => number | null} [parts.costOf] see `cost`
   */
  constructor({ name, label = name, thread, key, facts, memory, count, restAt, idle, snapshot, debuggee, views, costOf }) {
    this.name = name;
    this.label = label;
    this.thread = thread;
    /** That of its times, where this thread knows it. */
    this.timeOrigin = thread === undefined ? performance.timeOrigin : undefined;
    this.key = key;
    this.#facts = facts;
    this.#memory = memory ?? null;
    this.#count = count;
    this.#restAt = restAt;
    this.#idle = idle;
    this.#last = snapshot ?? null;
    this.#views = views;
    this.#costOf = costOf;
    this.#debuggee = debuggee && new MemorySize(debuggee);
  }

  /**
   * What the instances of one module did in several threads, added up. Only trees and histograms can be: there is no order
   * between the events of two threads.
   * @param {readonly Session[]} sessions all of one module
   */
  static total(sessions) {
    const [first] = sessions;
    const { facts, thread } = first;
    const threads = new Set(sessions.map((session) => session.thread)).size;
    const snapshot = first.#views().mergeSnapshots(sessions.map((session) => session.snapshot()));
    return new Session({ name: `${facts.name} (${threads} threads)`, facts, thread, snapshot, views: first.#views, costOf: first.#costOf });
  }

  get metadata() {
    return this.#facts.metadata;
  }

  get names() {
    return this.#facts.names;
  }

  /** What is read as the time, and how finely it goes; null: nothing is. @returns {import('./clock.js').SessionClock | null} */
  get clock() {
    return describeClock(this.metadata.clock);
  }

  /** What recording a call or a return costs on this engine with this clock, in its unit: nanoseconds; 0 where our own instructions are not counted; null: not known. */
  get cost() {
    const { clock } = this.metadata;
    if (clock?.kind === 'instructions') return 0;
    return clock?.unit === 'ns' ? (this.#costOf?.(this.metadata) ?? null) : null;
  }

  /** Before the program runs, while there is little else to do. */
  measureCost() {
    void this.cost;
  }

  /** Whether events are recorded, as far as start() and stop() decide. */
  get isRecording() {
    return this.#memory !== null && new RuntimeState(this.#memory.buffer).isOpen;
  }

  /** Records from here on, after stop() or with the option `stopped`. Calls that are running then are not known. */
  start() {
    this.setRecording(true);
  }

  /** Records nothing from here on, at next to no cost. */
  stop() {
    this.setRecording(false);
  }

  /** @param {boolean} records */
  setRecording(records) {
    if (!this.#memory || records === this.isRecording) return;
    const state = new RuntimeState(this.#memory.buffer, this.#count);
    const isOurs = this.thread === undefined; // another thread's sums and records are not ours to change
    const now = isOurs ? hostTime(this.metadata.clock?.kind) : undefined;
    if (records) return state.open(now);
    if (!isOurs) return state.closeElsewhere();
    state.account(now);
    state.markClosed(isInsideWasm());
    state.close();
  }

  get facts() {
    return this.#facts;
  }

  /** Content of the custom section "wasm-trace". */
  get section() {
    return this.#facts.raw.section;
  }

  /** A copy of what has been recorded up to now. @returns {Snapshot} */
  snapshot() {
    return withoutSurplus(this.#recorded(), this.#surplus);
  }

  #recorded() {
    if (this.#memory) return takeSnapshot(this.#memory.buffer, { idle: this.#idle ?? !isInsideWasm(), now: this.#count?.value });
    return /** @type {Snapshot} */ (this.#last);
  }

  /** A trap that nobody caught is where execution stands now. Blocks of instructions are counted as a whole: what is behind it was never
   * executed. @param {import('../views/trap.js').Trap} trap */
  trapped({ offset }) {
    const time = typeof offset === 'number' ? (this.#restAt?.(offset) ?? 0) : 0;
    if (time > 0) this.#surplus.push({ node: this.#recorded().position, time });
  }

  /** The runtime while the instance lives, and where calls of the host begin in it. */
  get runtime() {
    if (!this.#memory || this.thread !== undefined) return null; // another thread's is not ours to change
    const position = this.metadata.onlyGate ? ABI.OUTSIDE : ABI.NODE_ROOT;
    const root = { position, base: position & ABI.BASE_POSITION };
    return { state: new RuntimeState(this.#memory.buffer, this.#count), root };
  }

  /** Whether it is read where it records. */
  get isLive() {
    return this.#memory !== null;
  }

  /** What it records in, where another thread can read that. @returns {SharedArrayBuffer | null} */
  get sharedBuffer() {
    const buffer = this.#memory?.buffer;
    return canShareMemory() && buffer instanceof SharedArrayBuffer ? buffer : null;
  }

  /** For who takes the records out of a full ring: see RuntimeState. @returns {Uint8Array[]} */
  takeRecords() {
    return this.#memory ? new RuntimeState(this.#memory.buffer).takeRecords() : [];
  }

  /** Bytes of the debuggee's own memory, where it exports one. @returns {{initial: number, final: number} | null} */
  get memory() {
    return this.#debuggee?.read() ?? null;
  }

  /** Whether anything has been recorded. */
  get hasData() {
    return isUsed(this.snapshot());
  }

  /** Forgets what was recorded up to now. Nothing of the module may be running in another thread. */
  clear() {
    this.#surplus = [];
    if (!this.#memory) return void (this.#last = emptied(this.snapshot()));
    const state = new RuntimeState(this.#memory.buffer, this.#count);
    state.clear();
    Ticker.running?.forget();
    skipTime(this.metadata.clock?.kind, state);
  }

  /** Another thread tells what it has recorded. @param {Snapshot} snapshot */
  update(snapshot) {
    this.#last = snapshot;
  }

  /** Its thread has ended: nothing runs any more, wherever it stood. */
  endThread() {
    this.#idle = true;
  }

  /** Keeps what was recorded and lets go of the memory: the instance is gone. */
  freeze() {
    this.#last = this.#recorded();
    this.#memory = null;
  }

  /** What `display` said, or what fits. */
  get kinds() {
    return this.#views().reportKinds(this.metadata);
  }

  /**
   * @param {import('../views/report.js').ReportKind} [kind] when left out: what `display` said, or what fits
   * @param {import('../views/log.js').ViewOptions} [options]
   * @returns {string} lines, each with its end
   */
  report(kind, options = {}) {
    const { metadata, names, name: title } = this;
    const { renderReport } = this.#views();
    const source = { snapshot: this.snapshot(), metadata, names, title };
    const kinds = kind === undefined ? this.kinds : [kind];
    const view = { resolution: this.clock?.resolution ?? undefined, cost: this.cost, compensateBy: 'compensate: true', ...options };
    return kinds.map((one) => renderReport(one, source, view)).join('\n');
  }
}
