// The thread of a ticker, wherever this is. The page script has a module of its own in the place of this one:
// web/loader/ticker-worker.js.

import { ABI } from '../generated/records.js';
import { startInNode } from './ticker-node.js';
import { startInPage } from './ticker-page.js';

/** @import {TickerMessage} from './ticker-loop.js' */
/**
 * @typedef {{post: (message: TickerMessage) => void, control: Int32Array}} TickerWorker
 * @typedef {{control: Int32Array, address: number}} TickerSettings see tickerLoop()
 */

/** Steps of the clock that are kept: enough to tell how they are distributed. */
const STEPS = 1024;

/**
 * @param {boolean} serves Node: memories of other threads, too
 * @param {(reason: string) => void} failed called later, when it turns out that there is none
 * @returns {TickerWorker}
 * @throws where threads cannot be started
 */
export function startTickerWorker(serves, failed) {
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads');
  return threads ? startInNode(threads, tickerSettings(), serves, failed) : startInPage(tickerSettings(), failed);
}

/** @returns {TickerSettings} */
function tickerSettings() {
  return { control: new Int32Array(new SharedArrayBuffer(4 * (2 + STEPS))), address: ABI.TICKER_ADDRESS };
}
