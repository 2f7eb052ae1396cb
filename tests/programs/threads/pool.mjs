// A pool of workers as wasm-bindgen-rayon has it: the main thread posts one module and one shared memory to all of them, and
// each makes an instance of its own. pool.mjs MODULE HOW [SIZE]; worker i works i * 100 steps.
import { readFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const ENDINGS = {
  /** Each ends by itself. */
  end: async (workers) => Promise.all(workers.map(({ ended }) => ended)),
  /** Each is terminated while it waits for messages. */
  idle: terminateAll,
  /** Each is terminated while it is in wasm, recording nothing. */
  spin: terminateAll,
  /** Each is terminated in the middle of a record, perhaps. */
  race: terminateAll,
  /** The program ends while they are in wasm. */
  exit: () => process.exit(),
};

/** What the worker does after its work. */
const AFTER_WORK = { end: () => {}, idle: () => parentPort.on('message', () => {}), spin: 'spin', race: 'race', exit: 'spin' };

function terminateAll(workers) {
  return Promise.all(workers.map(({ worker }) => worker.terminate()));
}

/** @param {object} data for the worker @returns {{worker: Worker, worked: Promise<unknown>, ended: Promise<unknown>}} */
function startWorker(data) {
  const worker = new Worker(new URL(import.meta.url), { workerData: data });
  const on = (event) => new Promise((resolve) => worker.once(event, resolve));
  return { worker, worked: on('message'), ended: on('exit') };
}

async function main([file, how, size = '3']) {
  const module = await WebAssembly.compile(readFileSync(file));
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const workers = Array.from({ length: Number(size) }, (_, i) => startWorker({ module, memory, how, count: (i + 1) * 100 }));
  await Promise.all(workers.map(({ worked }) => worked));
  await ENDINGS[how](workers);
}

async function work({ module, memory, how, count, nested = false }) {
  const imports = { env: { memory }, wasi: { 'thread-spawn': () => -1 } };
  const { exports } = count % 200 ? new WebAssembly.Instance(module, imports) : await WebAssembly.instantiate(module, imports);
  exports.work(count);
  // The last one has a worker of its own, one step further on.
  if (count === 300 && !nested) await startWorker({ module, memory, how, count: count + 1, nested: true }).worked;
  parentPort.postMessage('worked');
  const after = AFTER_WORK[how];
  if (typeof after === 'string') setImmediate(exports[after]);
  else after();
}

await (isMainThread ? main(process.argv.slice(2)) : work(workerData));
