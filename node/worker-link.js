// Workers hand what they recorded to the main thread, which writes the one report. Broadcast channels reach the main thread
// from any depth of workers without touching the program's own messages.
//
// An instance that records in a shared memory hands over that memory as soon as it is made: the main thread reads it
// whenever it wants, and nothing is lost however the worker ends. Files that were instrumented in place may record in a
// memory that is not shared. Of those a worker sends a copy when it exits; one that is about to be stopped from outside is
// asked first, and has a moment to answer if it is not busy.

import { BroadcastChannel, receiveMessageOnPort, threadId } from 'node:worker_threads';

import { ModuleFacts } from '../js/loader/module-facts.js';
import { shared } from '../js/loader/engine.js';
import { isInsideWasm } from '../js/loader/inside-wasm.js';
import { TICKER_CHANNEL } from '../js/loader/ticker-node.js';
import { RuntimeState } from '../js/trace/runtime-state.js';
import { isUsed, takeSnapshot } from '../js/trace/snapshot.js';

/** @import {Hook} from '../js/loader/hook.js' */
/** @import {PostedFacts, RawFacts} from '../js/loader/module-facts.js' */
/** @import {Session} from '../js/loader/session.js' */
/** @import {UncaughtError} from '../js/loader/find-trap.js' */
/** @import {Run} from './preload.js' */
/** @import {Snapshot} from '../js/trace/snapshot.js' */

const TO_MAIN = 'wasm-trace';
const TO_WORKERS = 'wasm-trace-ask';

/** How long a worker may take to answer, in milliseconds: it is idle, or in the middle of something that may never end. */
const PATIENCE = 200;

/**
 * @typedef {{facts: RawFacts, snapshot: Snapshot}} SessionCopy
 *
 * @typedef {{kind: 'shared', thread: number, id: number, facts: PostedFacts, buffer: SharedArrayBuffer} |
 *   {kind: 'closed', thread: number, id: number} |
 *   {kind: 'unshared', thread: number} |
 *   {kind: 'idle', thread: number} |
 *   {kind: 'copies', thread: number, last: boolean, copies: SessionCopy[], errors: UncaughtError[]}} Message
 *
 * @typedef {{thread: number | null, answers: Int32Array}} Question   thread null: every worker
 *
 * @typedef {object} Shared one instance of a worker
 * @property {number} thread
 * @property {PostedFacts} facts
 * @property {{memory?: {buffer: SharedArrayBuffer}, snapshot?: Snapshot}} recorded
 */

/** In a worker. */
export class WorkerLink {
  /** Sessions whose memory the main thread has, by their numbers there. @type {WeakMap<Session, number>} */
  #shared = new WeakMap();
  #nextId = 0;
  /** Only where something is not shared. @type {BroadcastChannel | null} */
  #questions = null;
  /** @type {Run | null} */
  #run = null;

  /** Sends what is not shared when the worker exits, and whether that is outside of wasm. @param {Run} run */
  watch(run) {
    this.#run = run;
    process.on('exit', () => {
      if (this.#nextId > 0 && !isInsideWasm()) post({ kind: 'idle', thread: threadId });
      if (this.#questions || run.errors.length > 0) this.#sendCopies(true);
    });
  }

  /** @param {Session} session */
  opened(session) {
    const buffer = session.sharedBuffer;
    if (buffer) this.#share(session, buffer);
    else this.#awaitQuestions();
  }

  /** @param {Session} session */
  closed(session) {
    const id = this.#shared.get(session);
    if (id === undefined) return;
    post({ kind: 'closed', thread: threadId, id });
    if (session.metadata.clock?.kind === 'ticker') post({ id: this.keyOf(session) }, TICKER_CHANNEL);
  }

  /** As the main thread calls it. @param {Session} session @returns {string} */
  keyOf(session) {
    return `${threadId}.${this.#shared.get(session)}`;
  }

  /** The main thread's ticker takes it up, if there is one. @param {Session} session @returns {boolean} */
  tick(session) {
    const [id, buffer] = [this.#shared.get(session), session.sharedBuffer];
    if (id === undefined || !buffer) return false;
    post({ id: this.keyOf(session), buffer, origin: performance.timeOrigin }, TICKER_CHANNEL);
    return true;
  }

  /** @param {Session} session @param {SharedArrayBuffer} buffer */
  #share(session, buffer) {
    const id = this.#nextId++;
    post({ kind: 'shared', thread: threadId, id, facts: session.facts.posted, buffer });
    this.#shared.set(session, id);
  }

  #awaitQuestions() {
    if (this.#questions) return;
    this.#questions = new BroadcastChannel(TO_WORKERS);
    this.#questions.onmessage = ({ data }) => this.#answer(/** @type {any} */ (data));
    this.#questions.unref();
    post({ kind: 'unshared', thread: threadId });
  }

  /** @param {Question} question */
  #answer({ thread, answers }) {
    if ((thread ?? threadId) !== threadId) return;
    this.#sendCopies(false);
    Atomics.add(answers, 0, 1);
    Atomics.notify(answers, 0);
  }

  /** @param {boolean} last */
  #sendCopies(last) {
    const { hook, errors } = /** @type {Run} */ (this.#run);
    const own = hook.sessions.filter((session) => !this.#shared.has(session));
    const copies = own.map((session) => ({ facts: session.facts.raw, snapshot: session.snapshot() }));
    post({ kind: 'copies', thread: threadId, last, copies, errors });
  }
}

/** A channel that stays open would gather what other workers post. @param {Message | import('../js/loader/ticker-loop.js').TickerMessage} message */
function post(message, name = TO_MAIN) {
  const channel = new BroadcastChannel(name);
  channel.postMessage(message);
  channel.close();
}

/** In the main thread: what the workers record. */
export class WorkerCollector {
  #channel = shared.fromWorkers ?? new BroadcastChannel(TO_MAIN);
  #questions = new BroadcastChannel(TO_WORKERS);
  /** @type {Map<string, Shared>} by thread and number */
  #shared = new Map();
  /** Threads that have exited outside of wasm. @type {Set<number>} */
  #idle = new Set();
  /** @type {Set<number>} threads that must be asked for something and have not exited */
  #live = new Set();
  #lost = 0;
  /** null: as the question says. @type {boolean | null} */
  #records = null;
  /** @type {Map<number, {copies: SessionCopy[], errors: UncaughtError[]}>} the latest of each thread */
  #received = new Map();

  constructor() {
    this.#channel.onmessage = ({ data }) => this.#receive(/** @type {any} */ (data));
    this.#channel.unref();
    this.#questions.unref();
  }

  /** Asks workers that are still there for what is not shared. @param {number | null} [thread] null: all of them */
  collect(thread = null) {
    this.#drain();
    const expected = thread === null ? this.#live.size : Number(this.#live.has(thread));
    if (expected === 0) return;
    const answers = new Int32Array(new SharedArrayBuffer(4));
    this.#questions.postMessage({ thread, answers });
    awaitCount(answers, expected, PATIENCE);
    this.#drain();
  }

  /** In all threads, those to come included, whose memory can be reached from here. @param {boolean} records */
  setRecording(records) {
    this.#records = records;
    this.#drain();
    for (const { recorded } of this.#shared.values()) if (recorded.memory) setRecording(recorded.memory.buffer, records);
  }

  /** The worker is terminated: it answers no more. @param {number} thread */
  forget(thread) {
    if (this.#live.delete(thread) && !this.#received.has(thread)) this.#lost++;
  }

  /** Makes all that there is sessions of the hook. To be called once. @param {Hook} hook */
  moveInto(hook) {
    const copied = [...this.#received].flatMap(([thread, { copies }]) =>
      copies.map(({ facts, snapshot }) => ({ thread, facts, recorded: { snapshot } })),
    );
    const shared = [...this.#shared].map(([key, { thread, facts, recorded }]) => ({ thread, facts, recorded: { ...recorded, key } }));
    const all = [...shared, ...copied].sort((one, other) => one.thread - other.thread);
    for (const { thread, facts, recorded } of all) {
      hook.addRemote(thread, ModuleFacts.fromPosted(facts), { ...recorded, idle: this.#idle.has(thread) });
    }
  }

  get errors() {
    return [...this.#received.values()].flatMap((data) => data.errors);
  }

  /** Workers that never sent what is not shared. */
  get silent() {
    return this.#lost + [...this.#live].filter((thread) => !this.#received.has(thread)).length;
  }

  #drain() {
    for (let next = this.#next(); next; next = this.#next()) this.#receive(next.message);
  }

  #next() {
    return receiveMessageOnPort(/** @type {any} */ (this.#channel));
  }

  /** @param {Message} message */
  #receive(message) {
    const { kind, thread } = message;
    if (kind === 'shared' && this.#records !== null) setRecording(message.buffer, this.#records);
    if (kind === 'shared') this.#shared.set(`${thread}.${message.id}`, { thread, facts: message.facts, recorded: { memory: message } });
    if (kind === 'closed') this.#close(`${thread}.${message.id}`);
    if (kind === 'unshared') this.#live.add(thread);
    if (kind === 'idle') this.#idle.add(thread);
    if (kind !== 'copies') return;
    this.#received.set(thread, message);
    if (message.last) this.#live.delete(thread);
  }

  /** Keeps what was recorded and lets go of the memory. @param {string} key */
  #close(key) {
    const recorded = this.#shared.get(key)?.recorded;
    if (!recorded?.memory) return;
    recorded.snapshot = takeSnapshot(recorded.memory.buffer, { idle: true });
    recorded.memory = undefined;
    if (!isUsed(recorded.snapshot)) this.#shared.delete(key);
  }
}

/** @param {SharedArrayBuffer} buffer that of a runtime @param {boolean} records */
function setRecording(buffer, records) {
  const state = new RuntimeState(buffer);
  if (records) state.open();
  else state.closeElsewhere();
}

/** @param {Int32Array} cell @param {number} wanted @param {number} patience in milliseconds */
function awaitCount(cell, wanted, patience) {
  const deadline = performance.now() + patience;
  for (let count = Atomics.load(cell, 0); count < wanted; count = Atomics.load(cell, 0)) {
    const left = deadline - performance.now();
    if (left <= 0 || Atomics.wait(cell, 0, count, left) === 'timed-out') return;
  }
}
