// The thread of a ticker, without the way that Node has: in the place of js/loader/ticker-worker.js.

import { ABI } from '../../js/generated/records.js';
import { startInPage } from '../../js/loader/ticker-page.js';

/** Steps of the clock that are kept. */
const STEPS = 1024;

/** @param {boolean} _ @param {(reason: string) => void} failed */
export function startTickerWorker(_, failed) {
  return startInPage({ control: new Int32Array(new SharedArrayBuffer(4 * (2 + STEPS))), address: ABI.TICKER_ADDRESS }, failed);
}
