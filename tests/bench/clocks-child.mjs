// One engine of the clocks benchmark: clocks-child.mjs FIB.wasm FIB-IMPORT.wasm ROUNDS
// Prints nanoseconds per event of each variant: (its time - the time of plain fib) / events, of the fastest rounds.
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { attach, instrument } from '../../js/index.js';
import { ABI } from '../../js/generated/records.js';

const N = 33;
const [fibFile, importFile, rounds] = process.argv.slice(2);
const fib = new Uint8Array(readFileSync(fibFile));

/** What is asked, by the name of the column. */
const QUESTIONS = {
  'tree, no clock': { display: 'tree' },
  'tree, ticker': { display: 'tree', clock: 'ticker' },
  'tree, instructions': { display: 'tree', clock: 'instructions' },
  'tree, host': { display: 'tree', clock: 'host' },
  'report, ticker': { display: 'report', clock: 'ticker' },
  'ring, ticker': { display: 'nested', clock: 'ticker' },
  'stopped': { display: 'tree', clock: 'ticker', stopped: true },
};

/** As it is usually done: an import in JavaScript at each event. */
const IMPORTS = {
  'empty JS': () => {},
  'performance.now()': () => void performance.now(),
};

/** Stores the time about once a microsecond, as the loader's does, into one memory at a time. */
const TICKER = `
const { workerData } = require('node:worker_threads');
const word = new Float64Array(workerData, ${ABI.TICKER_ADDRESS}, 1);
for (;;) {
  const now = performance.now() * 1e6;
  word[0] = 2 ** 52 + Math.round(now);
  while (performance.now() * 1e6 - now < 1000);
}`;

function instance(bytes, imports = {}) {
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
}

/** Engines without multi-memory refuse merged modules. */
function traced(question, link) {
  try {
    const module = new WebAssembly.Module(instrument(fib, { trace: 'calls(*)', shared: true, link, ...question }));
    const instance = new WebAssembly.Instance(module);
    const { fib: run } = instance.exports;
    return { run, memory: attach(instance, module).sharedBuffer, ticks: question.clock === 'ticker' };
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    return null;
  }
}

function variants() {
  const list = [{ name: 'plain', run: instance(fib).exports.fib }];
  for (const [name, event] of Object.entries(IMPORTS))
    list.push({ name, run: instance(readFileSync(importFile), { host: { event } }).exports.fib });
  for (const [name, question] of Object.entries(QUESTIONS)) {
    for (const link of ['merged', 'split']) {
      const variant = traced(question, link);
      if (variant) list.push({ name: `${link} ${name}`, ...variant });
    }
  }
  return list;
}

/** Microseconds of this thread's processor time where the engine tells; other programs on the machine do not count. */
function microseconds() {
  if (!process.threadCpuUsage) return performance.now() * 1e3;
  const { user, system } = process.threadCpuUsage(); // how they are told apart is a guess of the kernel's, their sum is not
  return user + system;
}

function fastest({ run, memory, ticks }) {
  const ticker = ticks ? new Worker(TICKER, { eval: true, workerData: memory }) : null;
  const word = ticks ? new BigUint64Array(memory, ABI.TICKER_ADDRESS, 1) : null;
  while (word && Atomics.load(word, 0) === 0n) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    const began = microseconds();
    run(N);
    least = Math.min(least, microseconds() - began);
  }
  ticker?.terminate();
  return least;
}

/** Calls that fib(n) makes, itself included. */
function callsOf(n) {
  let [before, last] = [1, 1];
  for (let i = 2; i <= n; i++) [before, last] = [last, before + last + 1];
  return last;
}

const times = Object.fromEntries(variants().map((variant) => [variant.name, fastest(variant)]));
const events = 2 * callsOf(N);
const result = {};
for (const [name, us] of Object.entries(times)) result[name] = ((us - (name === 'plain' ? 0 : times.plain)) * 1e3) / events;
console.log(JSON.stringify(result));
