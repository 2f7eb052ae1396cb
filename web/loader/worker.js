// In a worker: instruments as in the page, and hands what is recorded to the page by a link of its own, a message port. Where memory can be
// shared the page gets the memory itself; elsewhere it asks for copies, and gets one when the worker closes or traps.

import { shared } from '../../js/loader/engine.js';
import { plainError } from '../../js/loader/find-trap.js';
import { Hook } from '../../js/loader/hook.js';
import { rememberAddresses } from './addresses.js';
import { isChromium } from './browser.js';
import { launch } from './launch.js';
import { readAsked, withQuestion } from './options.js';
import { LINK, WorkerPatch } from './worker-patch.js';
import { standInFor } from './worker-base.js';

/** @import {PostedFacts, RawFacts} from '../../js/loader/module-facts.js' */
/** @import {Session, Snapshot} from '../../js/loader/session.js' */
/** @import {UncaughtError} from '../../js/loader/find-trap.js' */
/** @import {PageOptions} from './options.js' */

/**
 * From a worker to the page. An id is a session's in that worker.
 * @typedef {{kind: 'shared', id: number, facts: PostedFacts, buffer: SharedArrayBuffer, origin: number}
 *   | {kind: 'unshared'}
 *   | {kind: 'closed', id: number}
 *   | {kind: 'copies', answer: number | null, copies: {id: number, facts: RawFacts, snapshot: Snapshot}[]}
 *   | {kind: 'modules', seen: number, matched: number, noMatch: string}
 *   | {kind: 'gone'}
 *   | {kind: 'warning', text: string}
 *   | {kind: 'trap', error: UncaughtError}
 *   | {kind: 'child', port: MessagePort}} FromWorker
 *
 * From the page to a worker; answer: a number to be given back.
 * @typedef {{kind: 'ask', answer: number} | {kind: 'options', options: PageOptions} | {kind: 'clear'} | {kind: 'record', records: boolean}} ToWorker
 */

/** The worker's own program comes behind, whatever happens here. */
export function startWorker() {
  if (typeof postMessage !== 'function') return; // a shared worker: no page is its own
  const base = baseOf(location);
  try {
    const { port1, port2 } = new MessageChannel();
    /** @type {any} */ (globalThis).postMessage({ [LINK]: launch.imports ? 'waiting' : 'begun' }, [port2]);
    new WorkerTracer(port1, askedOptions(), base);
  } catch (error) {
    console.warn(`wasm-trace: a worker runs untraced: ${/** @type {Error} */ (error).message}`);
  }
  if (base) standInFor(base);
}

/** @param {{protocol: string, hash: string}} location @returns {string | undefined} address of the program, where worker-patch.js has wrapped it into a blob */
function baseOf({ protocol, hash }) {
  return protocol === 'blob:' && hash ? decodeURIComponent(hash.slice(1)) : undefined;
}

/** A server knows the question of its command line, and the address of the page, whose own question wins. */
function askedOptions() {
  const { options: asked } = readAsked({ dataset: {}, search: launch.search ?? '' });
  return withQuestion({ ...launch.options, ...asked });
}

/** Names of errors that traps are: see find-trap.js. */
const TRAPS = /^(?:RuntimeError|RangeError)$/;

/** Instances that are traced at once in a worker in Chromium: see tracer.js. */
const CHROMIUM_MEMORIES = 4;

class WorkerTracer {
  #port;
  #options;
  #hook;
  #nextId = 0;
  /** @type {WeakMap<Session, number>} */
  #ids = new WeakMap();

  /** @param {MessagePort} port @param {PageOptions} options @param {string} [base] */
  constructor(port, options, base) {
    this.#port = port;
    this.#options = options;
    const addresses = rememberAddresses();
    this.#hook = shared.hook = new Hook(options, {
      warn: (text) => this.#post({ kind: 'warning', text }),
      origin: (_, bytes) => addresses.originOf(bytes),
      opened: (session) => this.#opened(session),
      tick: (session) => session.sharedBuffer !== null, // by the page's ticker, which hears of it as soon as the page is not busy
      closed: (session) => this.#post({ kind: 'closed', id: /** @type {number} */ (this.#ids.get(session)) }),
      memoriesMax: isChromium() ? CHROMIUM_MEMORIES : undefined,
    });
    new WorkerPatch({ options: () => this.#options, adopt: (child) => this.#pass(child), warn: (text) => this.#hook.warn(text), base }).patch();
    port.onmessage = ({ data }) => this.#receive(data);
    this.#watchEnds();
  }

  #watchEnds() {
    const { close } = /** @type {{close: () => void}} */ (globalThis);
    /** @type {any} */ (globalThis).close = () => {
      this.#quietly(() => this.#sendCopies(null));
      this.#quietly(() => this.#post({ kind: 'gone' }));
      close.call(globalThis);
    };
    globalThis.addEventListener('error', ({ error }) => this.#trapped(error));
    globalThis.addEventListener('unhandledrejection', ({ reason }) => this.#trapped(reason));
  }

  /** @param {FromWorker} message @param {Transferable[]} [transfer] */
  #post(message, transfer = []) {
    this.#port.postMessage(message, transfer);
  }

  /** @param {Session} session */
  #opened(session) {
    const id = this.#nextId++;
    this.#ids.set(session, id);
    const buffer = session.sharedBuffer;
    this.#post(buffer ? { kind: 'shared', id, facts: session.facts.posted, buffer, origin: performance.timeOrigin } : { kind: 'unshared' });
  }

  /** @param {MessagePort} port of a worker that this one has started @returns {null} */
  #pass(port) {
    this.#post({ kind: 'child', port }, [port]);
    return null;
  }

  /** @param {ToWorker} message */
  #receive(message) {
    if (message.kind === 'ask') this.#sendCopies(message.answer);
    if (message.kind === 'options') this.#hook.options = this.#options = message.options;
    if (message.kind === 'record') this.#hook[message.records ? 'start' : 'stop']();
    if (message.kind === 'clear') for (const session of this.#hook.sessions) session.clear();
  }

  /** @param {unknown} error */
  #trapped(error) {
    const plain = plainError(error);
    if (!TRAPS.test(plain.name)) return;
    this.#quietly(() => this.#sendCopies(null));
    this.#post({ kind: 'trap', error: plain });
  }

  /** A fault of ours is not to become the program's. @param {() => void} work */
  #quietly(work) {
    try {
      work();
    } catch (error) {
      this.#hook.warn(`what a worker recorded could not be handed over: ${/** @type {Error} */ (error).message}`);
    }
  }

  /** What the page cannot read by itself. @param {number | null} answer */
  #sendCopies(answer) {
    const own = this.#hook.sessions.filter((session) => !session.sharedBuffer);
    const copies = own.map((session) => ({ id: this.#ids.get(session) ?? 0, facts: session.facts.raw, snapshot: session.snapshot() }));
    this.#post({ kind: 'modules', ...this.#hook.modules, noMatch: this.#hook.noMatch });
    this.#post({ kind: 'copies', answer, copies });
  }
}
