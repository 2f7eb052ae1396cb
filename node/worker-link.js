// Workers hand what they recorded to the main thread, which writes the one report. A broadcast channel reaches the main
// thread from any depth of workers without touching the program's own messages. A worker sends when it exits; one that is
// about to be stopped from outside is asked first, and has a moment to answer if it is not busy.

import { BroadcastChannel, receiveMessageOnPort, threadId } from 'node:worker_threads';

import { ModuleFacts } from '../js/loader/module-facts.js';

/** @import {Run, UncaughtError} from './preload.js' */
/** @import {RawFacts} from '../js/loader/module-facts.js' */
/** @import {Snapshot} from '../js/trace/snapshot.js' */

const CHANNEL = 'wasm-trace';

/** How long a worker may take to answer, in milliseconds: it is idle, or in the middle of something that may never end. */
const PATIENCE = 200;

/**
 * @typedef {{facts: RawFacts, snapshot: Snapshot}} SessionData
 * @typedef {{kind: 'open', thread: number} |
 *   {kind: 'data', thread: number, last: boolean, sessions: SessionData[], errors: UncaughtError[]} |
 *   {kind: 'ask', thread: number | null, answers: Int32Array}} Message   thread null: every worker
 */

/** In a worker: sends sessions when the worker exits, or when asked. @param {Run} run */
export function reportToMainThread({ hook, errors }) {
  const channel = new BroadcastChannel(CHANNEL);
  const post = (/** @type {Message} */ message) => channel.postMessage(message);
  const send = (/** @type {boolean} */ last) =>
    post({ kind: 'data', thread: threadId, last, sessions: hook.sessions.map(sessionData), errors });
  channel.onmessage = ({ data }) => {
    const message = /** @type {Message} */ (data);
    if (message.kind !== 'ask' || (message.thread ?? threadId) !== threadId) return;
    send(false);
    Atomics.add(message.answers, 0, 1);
    Atomics.notify(message.answers, 0);
  };
  channel.unref();
  process.on('exit', () => send(true));
  post({ kind: 'open', thread: threadId });
}

/** @param {import('../js/loader/session.js').Session} session @returns {SessionData} */
function sessionData(session) {
  return { facts: session.facts.raw, snapshot: session.snapshot() };
}

/** In the main thread: what the workers sent. */
export class WorkerCollector {
  #channel = new BroadcastChannel(CHANNEL);
  /** @type {Set<number>} threads that trace and have not exited */
  #live = new Set();
  /** @type {Map<number, {sessions: SessionData[], errors: UncaughtError[]}>} the latest of each thread */
  #received = new Map();

  constructor() {
    this.#channel.onmessage = ({ data }) => this.#receive(data);
    this.#channel.unref();
  }

  /** Asks workers that are still there for what they have. @param {number | null} [thread] null: all of them */
  collect(thread = null) {
    this.#drain();
    const expected = thread === null ? this.#live.size : Number(this.#live.has(thread));
    if (expected === 0) return;
    const answers = new Int32Array(new SharedArrayBuffer(4));
    this.#channel.postMessage({ kind: 'ask', thread, answers });
    awaitCount(answers, expected, PATIENCE);
    this.#drain();
  }

  /** Makes what was received sessions of the hook. @param {import('../js/loader/hook.js').Hook} hook */
  moveInto(hook) {
    for (const [thread, { sessions }] of this.#received) {
      for (const { facts, snapshot } of sessions) hook.addRemote(thread, new ModuleFacts(facts.name, () => facts), snapshot);
    }
  }

  get errors() {
    return [...this.#received.values()].flatMap((data) => data.errors);
  }

  /** Workers that traced and never sent anything. */
  get silent() {
    return [...this.#live].filter((thread) => !this.#received.has(thread)).length;
  }

  #drain() {
    for (let next = this.#next(); next; next = this.#next()) this.#receive(next.message);
  }

  #next() {
    return receiveMessageOnPort(/** @type {any} */ (this.#channel));
  }

  /** @param {Message} message */
  #receive(message) {
    if (message.kind === 'open') this.#live.add(message.thread);
    if (message.kind !== 'data') return;
    this.#received.set(message.thread, { sessions: message.sessions, errors: message.errors });
    if (message.last) this.#live.delete(message.thread);
  }
}

/** @param {Int32Array} cell @param {number} wanted @param {number} patience in milliseconds */
function awaitCount(cell, wanted, patience) {
  const deadline = performance.now() + patience;
  for (let count = Atomics.load(cell, 0); count < wanted; count = Atomics.load(cell, 0)) {
    const left = deadline - performance.now();
    if (left <= 0 || Atomics.wait(cell, 0, count, left) === 'timed-out') return;
  }
}
