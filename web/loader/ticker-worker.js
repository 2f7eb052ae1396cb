// The thread of a ticker, without the way that Node has: in the place of js/loader/ticker-worker.js.

import { startInPage } from '../../js/loader/ticker-page.js';

/** @import {TickerSettings} from '../../js/loader/ticker-worker.js' */

/** @param {TickerSettings} settings @param {boolean} _ @param {(reason: string) => void} failed */
export function startTickerWorker(settings, _, failed) {
  return startInPage(settings, failed);
}
