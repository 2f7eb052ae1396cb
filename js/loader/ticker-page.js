// The thread of a ticker in a page, or in a worker of one.

import { tickerLoop } from './ticker-loop.js';

/** @import {TickerMessage} from './ticker-loop.js' */
/** @import {TickerSettings, TickerWorker} from './ticker-worker.js' */

/** Before the page's is replaced by one that traces. */
const NativeWorker = globalThis.Worker;

/** Messages only come when the loop ends, so it ends when one was posted. The only one of its own says that its address is not needed any more. */
const PROGRAM = `
postMessage(null);
let go, taken = 0;
onmessage = ({ data }) => {
  if (!go) return void (go = loop(data, (_, rests) => !rests && Atomics.load(data.control, 0) === taken));
  taken++;
  go(data);
};`;

/** @param {TickerSettings} settings @param {(reason: string) => void} failed @returns {TickerWorker} */
export function startInPage(settings, failed) {
  const url = URL.createObjectURL(new Blob([`const loop=${tickerLoop};${PROGRAM}`], { type: 'text/javascript' }));
  const worker = new NativeWorker(url);
  const forget = () => URL.revokeObjectURL(url);
  worker.onmessage = forget;
  worker.onerror = (event) => {
    event.preventDefault();
    forget();
    failed('this page does not allow workers of ours');
  };
  worker.postMessage(settings);
  const post = (/** @type {TickerMessage} */ message) => {
    Atomics.add(settings.control, 0, 1); // before, since a loop that has ended waits for the message
    worker.postMessage(message);
  };
  return { control: settings.control, post };
}
