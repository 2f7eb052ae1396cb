// The clock of kind "ticker": a thread that does nothing but store the time into the memories in which modules record, about once a
// microsecond; a probe then reads the time with one load. There is one such thread in a realm, started when a module first needs it:
// it keeps a core busy as long as there is one.

import * as ABI from '../generated/abi.js';
import { RuntimeState } from '../trace/runtime-state.js';
import { canShareMemory } from './engine.js';
import { startTickerWorker } from './ticker-worker.js';

/**
 * How the steps of a clock are distributed, in its unit.
 * @typedef {{median: number, most: number, longest?: number}} Resolution most: of 100 steps of late, 99 are not longer; longest: of all steps
 *   while something was recorded, where that is known
 */

/** Steps of the clock that are kept: enough to tell how they are distributed. */
const STEPS = 1024;

/** Milliseconds in which a thread has started, as a rule; less where there is no way to wait but to look. */
const PATIENCE = 300;
const LITTLE_PATIENCE = 20;
const NAP = 0.2;

const cell = typeof SharedArrayBuffer === 'function' ? new Int32Array(new SharedArrayBuffer(4)) : null;

export class Ticker {
  /** @type {Ticker | null | undefined} null: it could not be started */
  static #own;

  /** Why there is none. @type {string} */
  static #refusal = '';

  #worker;
  #ids = 0;

  /** @param {import('./ticker-worker.js').TickerWorker} worker */
  constructor(worker) {
    this.#worker = worker;
  }

  /** Why this realm has no ticker; '': it has one, or can. */
  static get refusal() {
    if (Ticker.#refusal) return Ticker.#refusal;
    if (!canShareMemory()) return 'memory cannot be shared here';
    return cores() > 1 ? '' : 'there is one processor';
  }

  /** That of this realm, if it was started. */
  static get running() {
    return Ticker.#own ?? null;
  }

  /**
   * Starts it once.
   * @param {(reason: string) => void} tell that there is none, when that turns out later
   * @returns {Ticker | null}
   */
  static start(tell) {
    if (Ticker.#own === undefined) Ticker.#own = Ticker.refusal ? null : Ticker.#try(tell);
    return Ticker.#own;
  }

  /** @param {(reason: string) => void} tell */
  static #try(tell) {
    const failed = (/** @type {string} */ reason) => tell((Ticker.#refusal = reason));
    try {
      return new Ticker(startTickerWorker({ control: newControl(), address: ABI.TICKER_ADDRESS }, failed));
    } catch (error) {
      failed(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  /**
   * @param {SharedArrayBuffer} buffer that of a runtime
   * @param {number} [origin] performance.timeOrigin in the thread whose time it is to be
   * @returns {() => void} lets go of it
   */
  add(buffer, origin = performance.timeOrigin) {
    const id = String(this.#ids++);
    this.#worker.post({ id, buffer, origin });
    return () => this.#worker.post({ id });
  }

  /** @returns {Resolution | null} of late; null before there were some steps */
  get resolution() {
    const { control } = this.#worker;
    const steps = control.slice(2).filter((step) => step > 0);
    return steps.length < 16 ? null : { ...distribution(steps), longest: control[1] };
  }

  /** What was recorded is forgotten, and how long steps were meanwhile. */
  forget() {
    this.#worker.control[1] = 0;
  }
}

/** See tickerLoop(). */
function newControl() {
  return new Int32Array(new SharedArrayBuffer(4 * (2 + STEPS)));
}

/** @param {Int32Array | Float64Array} steps at least one; they are sorted @returns {Resolution} */
export function distribution(steps) {
  steps.sort();
  return { median: steps[steps.length >> 1], most: steps[Math.floor(steps.length * 0.99)] };
}

/** Of a clock that stands still until a ticker takes it up. @param {ArrayBufferLike} buffer that of a runtime */
export function startTime(buffer) {
  const state = new RuntimeState(buffer);
  state.ticker = performance.now() * 1e6;
  state.skipTime();
}

/**
 * Waits until a ticker has taken it up, and begins there. Not for long: a page may forbid us a thread, and tell so only when its own has time.
 * @param {ArrayBufferLike} buffer
 * @returns {boolean} whether it has
 */
export function awaitTick(buffer) {
  const state = new RuntimeState(buffer);
  const began = state.ticker;
  const start = performance.now();
  for (let canWait = true; state.ticker === began; ) {
    canWait &&= nap();
    if (performance.now() - start > (canWait ? PATIENCE : LITTLE_PATIENCE)) return false;
  }
  state.skipTime();
  return true;
}

/** @returns {boolean} whether this thread may: a page's own must not */
function nap() {
  try {
    if (cell) Atomics.wait(cell, 0, 0, NAP);
    return cell !== null;
  } catch {
    return false;
  }
}

function cores() {
  const { process, navigator } = globalThis;
  return process?.getBuiltinModule?.('node:os').availableParallelism() ?? navigator?.hardwareConcurrency ?? 1;
}
