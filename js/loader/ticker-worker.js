// The thread of a ticker, wherever this is. The page script has a module of its own in the place of this one:
// web/loader/ticker-worker.js.

import { startInNode } from './ticker-node.js';
import { startInPage } from './ticker-page.js';

/** @import {TickerMessage} from './ticker-loop.js' */
/**
 * @typedef {{post: (message: TickerMessage) => void, control: Int32Array}} TickerWorker
 * @typedef {{control: Int32Array, address: number}} TickerSettings see tickerLoop()
 */

/**
 * @param {TickerSettings} settings
 * @param {(reason: string) => void} failed called later, when it turns out that there is none
 * @returns {TickerWorker}
 * @throws where threads cannot be started
 */
export function startTickerWorker(settings, failed) {
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads');
  return threads ? startInNode(threads, settings, failed) : startInPage(settings, failed);
}
