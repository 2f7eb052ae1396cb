// A host of wasi-threads: `thread-spawn` starts a worker with the same module and memory. Even the first thread is a worker,
// since it waits for the others. wasi.mjs MODULE end|exit; with `exit` the program ends while the other threads spin.
import { readFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** @param {object} data */
const startThread = (data) => new Worker(new URL(import.meta.url), { workerData: data });

function main([file, how]) {
  const module = new WebAssembly.Module(readFileSync(file));
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const first = startThread({ module, memory, id: 0, argument: how === 'exit' ? -1 : 1 });
  first.on('message', () => how === 'exit' && process.exit());
}

function thread({ module, memory, id, argument }) {
  let threads = 0;
  const spawn = (/** @type {number} */ count) => {
    startThread({ module, memory, id: ++threads, argument: count });
    return threads;
  };
  const { exports } = new WebAssembly.Instance(module, { env: { memory }, wasi: { 'thread-spawn': spawn } });
  if (id > 0) return exports.wasi_thread_start(id, argument);
  exports._start(argument);
  parentPort.postMessage('done');
}

await (isMainThread ? main(process.argv.slice(2)) : thread(workerData));
