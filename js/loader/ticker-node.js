// The thread of a ticker in Node. The program must not notice it, and it ends with the program.

import { tickerLoop } from './ticker-loop.js';

/** @import {TickerMessage} from './ticker-loop.js' */
/** @import {TickerSettings, TickerWorker} from './ticker-worker.js' */

/** How often is looked for work where there is none: milliseconds. */
const REST = 2;

/** Marks options of a worker of ours, which is not to be traced. */
export const OWN_WORKER = Symbol.for('wasm-trace');

/** Threads post their memories here, for the main thread's. */
export const TICKER_CHANNEL = 'wasm-trace-ticker';

/** Messages are looked for; there is no need to go back to the event loop for them, in which the clock would stand still. */
const PROGRAM = `
const { workerData, receiveMessageOnPort, BroadcastChannel } = require('node:worker_threads');
const channels = workerData.channels.map((one) => typeof one === 'string' ? new BroadcastChannel(one) : one);
const goOn = (take, rests) => {
  if (rests) Atomics.wait(workerData.control, 0, 0, ${REST});
  for (const channel of channels) for (let next; (next = receiveMessageOnPort(channel)); ) take(next.message);
  return true;
};`;

/**
 * @param {typeof import('node:worker_threads')} threads
 * @param {TickerSettings} settings
 * @param {(reason: string) => void} failed
 * @returns {TickerWorker}
 */
export function startInNode({ Worker, MessageChannel, isMainThread }, settings, failed) {
  const { port1, port2 } = new MessageChannel();
  port1.unref();
  const workerData = { ...settings, channels: [port2, ...(isMainThread ? [TICKER_CHANNEL] : [])] };
  const program = `${PROGRAM}(${tickerLoop})(workerData, goOn)({ id: '' });`;
  // Without its environment, a worker has no NODE_OPTIONS, and so no preload.
  const options = { eval: true, workerData, transferList: [port2], env: {}, execArgv: [], [OWN_WORKER]: true };
  const worker = new Worker(program, options);
  worker.unref();
  worker.on('error', (error) => failed(error.message));
  hideWorker(worker);
  return { control: settings.control, post: (message) => port1.postMessage(message) };
}

/** Node tells the program of each new worker. @param {object} worker ours */
function hideWorker(worker) {
  const { emit } = process;
  const hiding = /** @type {typeof emit} */ (
    function (/** @type {[string, unknown]} */ ...args) {
      if (args[0] !== 'worker' || args[1] !== worker) return Reflect.apply(emit, process, args);
      if (process.emit === hiding) process.emit = emit;
      return true;
    }
  );
  process.emit = hiding;
}
