// One engine of the events benchmark: events-child.mjs FIB.wasm FIB-IMPORT.wasm ROUNDS
// Prints nanoseconds per event of each variant: (its time - the time of plain fib) / events, of the fastest rounds.
import { readFileSync } from 'node:fs';
import { attach, instrument } from '../../js/index.js';

const N = 32;
const [fibFile, importFile, rounds] = process.argv.slice(2);
const fib = new Uint8Array(readFileSync(fibFile));

function instance(bytes, imports = {}) {
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
}

function traced(link, display) {
  const module = new WebAssembly.Module(instrument(fib, { trace: 'calls(*)', display, link }));
  const instance = new WebAssembly.Instance(module);
  const { fib: run } = instance.exports;
  return { run, session: attach(instance, module) };
}

/** Engines without multi-memory refuse merged modules. */
function variants() {
  const list = [
    { name: 'plain', run: instance(fib).exports.fib },
    { name: 'import', run: instance(readFileSync(importFile), { host: { event: () => {} } }).exports.fib },
  ];
  for (const link of ['merged', 'split']) {
    for (const display of ['log', 'tree']) {
      try {
        list.push({ name: `${link} ${display}`, ...traced(link, display) });
      } catch (error) {
        if (!(error instanceof WebAssembly.CompileError)) throw error;
      }
    }
  }
  return list;
}

/** Microseconds of processor time: other programs on the machine do not count. */
function time(run) {
  const began = process.cpuUsage();
  run(N);
  return process.cpuUsage(began).user;
}

/** Calls that fib(n) makes, itself included. */
function callsOf(n) {
  let [before, last] = [1, 1];
  for (let i = 2; i <= n; i++) [before, last] = [last, before + last + 1];
  return last;
}

const list = variants();
const fastest = new Map(list.map(({ name }) => [name, Infinity]));
for (let round = 0; round < rounds; round++) {
  for (const { name, run } of list) fastest.set(name, Math.min(fastest.get(name), time(run)));
}
const plain = fastest.get('plain');
const events = 2 * callsOf(N);
const perEvent = [...fastest].map(([name, us]) => [name, ((us - plain) * 1e3) / events]);
console.log(JSON.stringify({ ...Object.fromEntries(perEvent), plain: (plain * 1e3) / events }));
