// The thread of a ticker: of Node, or of a page. The program must not notice it, and it ends with the program.

import { ABI } from '../generated/records.js';
import { tickerLoop } from './ticker-loop.js';

/** @import {TickerMessage} from './ticker-loop.js' */
/** @typedef {{post: (message: TickerMessage) => void, control: Int32Array}} TickerWorker */

/** Steps of the clock that are kept: enough to tell how they are distributed. */
const STEPS = 1024;

/** How often is looked for work where there is none: milliseconds. */
const REST = 2;

/** Before the page's is replaced by one that traces. */
const NativeWorker = globalThis.Worker;

/** Marks options of a worker of ours, which is not to be traced. */
export const OWN_WORKER = Symbol.for('wasm-trace');

/** Threads of Node post their memories here. */
export const TICKER_CHANNEL = 'wasm-trace-ticker';

/** In Node messages are looked for; there is no need to go back to the event loop for them, in which the clock would stand still. */
const NODE_PROGRAM = `
const { workerData, receiveMessageOnPort, BroadcastChannel } = require('node:worker_threads');
const channels = workerData.channels.map((one) => typeof one === 'string' ? new BroadcastChannel(one) : one);
const goOn = (take, rests) => {
  if (rests) Atomics.wait(workerData.control, 0, 0, ${REST});
  for (const channel of channels) for (let next; (next = receiveMessageOnPort(channel)); ) take(next.message);
  return true;
};`;

/** In a page they only come when the loop ends, so it ends when one was posted. */
const PAGE_PROGRAM = `
let go, taken = 0;
onmessage = ({ data }) => {
  if (!go) return void (go = loop(data, (_, rests) => !rests && Atomics.load(data.control, 0) === taken));
  taken++;
  go(data);
};`;

/**
 * @param {boolean} serves Node: memories of other threads, too
 * @param {(reason: string) => void} failed called later, when it turns out that there is none
 * @returns {TickerWorker}
 * @throws where threads cannot be started
 */
export function startTickerWorker(serves, failed) {
  const control = new Int32Array(new SharedArrayBuffer(4 * (2 + STEPS)));
  const settings = { control, address: ABI.TICKER_ADDRESS };
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads');
  return threads ? startInNode(threads, settings, serves, failed) : startInPage(settings, failed);
}

/**
 * @param {typeof import('node:worker_threads')} threads
 * @param {{control: Int32Array, address: number}} settings
 * @param {boolean} serves
 * @param {(reason: string) => void} failed
 * @returns {TickerWorker}
 */
function startInNode({ Worker, MessageChannel }, settings, serves, failed) {
  const { port1, port2 } = new MessageChannel();
  port1.unref();
  const workerData = { ...settings, channels: [port2, ...(serves ? [TICKER_CHANNEL] : [])] };
  const program = `${NODE_PROGRAM}(${tickerLoop})(workerData, goOn)({ id: '' });`;
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

/** @param {{control: Int32Array, address: number}} settings @param {(reason: string) => void} failed @returns {TickerWorker} */
function startInPage(settings, failed) {
  const url = URL.createObjectURL(new Blob([`const loop=${tickerLoop};${PAGE_PROGRAM}`], { type: 'text/javascript' }));
  const worker = new NativeWorker(url);
  worker.onerror = (event) => {
    event.preventDefault();
    failed('this page does not allow workers of ours');
  };
  worker.postMessage(settings);
  const post = (/** @type {TickerMessage} */ message) => {
    Atomics.add(settings.control, 0, 1); // before, since a loop that has ended waits for the message
    worker.postMessage(message);
  };
  return { control: settings.control, post };
}
