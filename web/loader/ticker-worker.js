// The thread of a ticker, without the way that Node has: in the place of js/loader/ticker-worker.js.

import { startInPage } from '../../js/loader/ticker-page.js';

/** @import {TickerSettings} from '../../js/loader/ticker-worker.js' */

/** @param {TickerSettings} settings @param {(reason: string) => void} failed */
export function startTickerWorker(settings, failed) {
  return startInPage(settings, failed);
}
