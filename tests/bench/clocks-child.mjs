// One engine of the clocks benchmark: clocks-child.mjs FIB.wasm FIB-IMPORT.wasm ROUNDS
// Prints nanoseconds per event of each variant: (its time - the time of plain fib) / events, of the fastest rounds.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { attach, instrument } from '../../js/index.js';
import * as ABI from '../../js/generated/abi.js';

const N = 24; // a millisecond or so: on a machine that is busy, some of the rounds are not interrupted
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

/** Stores the time about once a microsecond, as the loader's does, into all memories that it is given. */
const TICKER = `
const { workerData } = require('node:worker_threads');
const words = workerData.map((memory) => new Float64Array(memory, ${ABI.TICKER_ADDRESS}, 1));
for (;;) {
  const now = performance.now() * 1e6;
  for (const word of words) word[0] = 2 ** 52 + Math.round(now);
  while (performance.now() * 1e6 - now < 1000);
}`;

/** Engines translate a function anew, in the background, once it has run for a while. */
const SETTLED = 500;

function instance(bytes, imports = {}) {
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
}

/** Engines without multi-memory refuse merged modules. */
function traced(question, link) {
  try {
    const module = new WebAssembly.Module(instrument(fib, { trace: 'calls(*)', shared: true, link, ...question }));
    const instance = new WebAssembly.Instance(module);
    const { fib: run } = instance.exports;
    const { sharedBuffer } = attach(instance, module);
    return { run, ticks: question.clock === 'ticker' ? sharedBuffer : null };
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

/** @param {SharedArrayBuffer[]} memories @returns {Promise<Worker>} that has begun */
async function startTicker(memories) {
  const worker = new Worker(TICKER, { eval: true, workerData: memories });
  const words = memories.map((memory) => new BigUint64Array(memory, ABI.TICKER_ADDRESS, 1));
  while (words.some((word) => Atomics.load(word, 0) === 0n)) await delay(1);
  return worker;
}

/** @returns {number} milliseconds */
function time(run) {
  const began = performance.now();
  run(N);
  return performance.now() - began;
}

/** Calls that fib(n) makes, itself included. */
function callsOf(n) {
  let [before, last] = [1, 1];
  for (let i = 2; i <= n; i++) [before, last] = [last, before + last + 1];
  return last;
}

const list = variants();
const ticker = await startTicker(list.flatMap(({ ticks }) => ticks ?? []));
for (let i = 0; i < 4; i++) for (const { run } of list) run(N);
await delay(SETTLED);
const fastest = new Map(list.map(({ name }) => [name, Infinity]));
for (let round = 0; round < rounds; round++) for (const { name, run } of list) fastest.set(name, Math.min(fastest.get(name), time(run)));
await ticker.terminate();
const plain = fastest.get('plain');
const events = 2 * callsOf(N);
const perEvent = [...fastest].map(([name, ms]) => [name, ((ms - plain) * 1e6) / events]);
console.log(JSON.stringify({ ...Object.fromEntries(perEvent), plain: (plain * 1e6) / events }));
