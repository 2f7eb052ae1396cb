// What recording a call or a return costs on this engine with a clock: a small module that does nothing but call is run as it is and
// instrumented, one after the other, until a few milliseconds are over. Apart from the rest of the loader, since only some places ask.

import { connect } from './attach.js';
import { startClock } from './clock.js';
import { natives } from './engine.js';
import { Instrumenter } from './instrumenter.js';
import { ModuleFacts } from './module-facts.js';

/** @import {Metadata} from '../trace/metadata.js' */

/**
 * calls(n), exported, calls a function n times that adds one:
 *   (func $next (param i32) (result i32) local.get 0  i32.const 1  i32.add)
 *   (func (export "calls") (param $n i32) (result i32) (local $sum i32)
 *     loop  local.get 1  call $next  local.set 1  local.get 1  local.get 0  i32.lt_s  br_if 0  end  local.get 1)
 */
const MODULE = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f],
  ...[3, 3, 2, 0, 0],
  ...[7, 9, 1, 5, 0x63, 0x61, 0x6c, 0x6c, 0x73, 0, 1],
  ...[10, 32, 2, 7, 0, 0x20, 0, 0x41, 1, 0x6a, 0x0b],
  ...[22, 1, 1, 0x7f, 0x03, 0x40, 0x20, 1, 0x10, 0, 0x21, 1, 0x20, 1, 0x20, 0, 0x48, 0x0d, 0, 0x0b, 0x20, 1, 0x0b],
);

/** Calls in one run: so many that it lasts some steps of performance.now(), which are up to a millisecond in pages. */
const CALLS = Object.freeze({ least: 4000, most: 1_000_000 });
const STEPS = 16;

/** Milliseconds, and pairs of runs: a machine may be busy otherwise. */
const BUDGET = 16;
const PAIRS = { least: 6, most: 200 };

/** By what makes a difference. @type {Map<string, number | null>} */
const known = new Map();

/**
 * @param {Metadata} metadata of a module whose clock counts nanoseconds
 * @returns {number | null} nanoseconds for each event; null: this place cannot tell
 */
export function costOf({ clock, ring, split }) {
  const kind = clock?.kind;
  if (kind !== 'ticker' && kind !== 'host') return null;
  const key = `${kind} ${ring} ${split}`;
  if (!known.has(key)) known.set(key, measureOrNot({ clock: kind, display: ring ? ['log', 'tree'] : ['tree'], link: split ? 'split' : 'merged' }));
  return known.get(key) ?? null;
}

/** @param {import('./instrumenter.js').InstrumentOptions} options */
function measureOrNot(options) {
  try {
    return measure(options);
  } catch {
    return null;
  }
}

/** @param {import('./instrumenter.js').InstrumentOptions} options */
function measure(options) {
  const plain = instantiate(new natives.Module(MODULE)).exports;
  const shared = typeof SharedArrayBuffer === 'function';
  const { bytes } = Instrumenter.create().run(MODULE, { ...options, trace: 'calls(*)', buffer: '64K', shared });
  const module = new natives.Module(/** @type {Uint8Array<ArrayBuffer>} */ (bytes));
  const traced = instantiate(module).exports;
  const { memory } = connect(traced, ModuleFacts.ofModule(module));
  const stop = startClock(/** @type {'ticker' | 'host'} */ (options.clock), memory.buffer, () => {});
  const cost = compare(/** @type {any} */ (plain.calls), /** @type {any} */ (traced.calls));
  stop();
  return cost;
}

/** @param {WebAssembly.Module} module */
function instantiate(module) {
  return new natives.Instance(module);
}

/** @param {(calls: number) => number} plain @param {(calls: number) => number} traced */
function compare(plain, traced) {
  const calls = callsOf(traced);
  const [without, withProbes] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  const deadline = performance.now() + BUDGET;
  while (without.length < PAIRS.least || (without.length < PAIRS.most && performance.now() < deadline)) {
    without.push(timeOf(plain, calls));
    withProbes.push(timeOf(traced, calls));
  }
  return Math.max(0, ((undisturbed(withProbes) - undisturbed(without)) * 1e6) / (calls * 2));
}

/** @param {(calls: number) => number} run */
function callsOf(run) {
  const least = STEPS * clockStep();
  let calls = CALLS.least;
  while (calls < CALLS.most && timeOf(run, calls) < least) calls *= 2;
  return calls;
}

/** How long a step of performance.now() is: the shortest of three. */
function clockStep() {
  const ends = Array.from({ length: 4 }, nextStep);
  return Math.min(...ends.slice(1).map((end, i) => end - ends[i]));
}

/** When performance.now() goes on. */
function nextStep() {
  const start = performance.now();
  let now = start;
  while (now === start) now = performance.now();
  return now;
}

/** @param {(calls: number) => number} run @param {number} calls */
function timeOf(run, calls) {
  const began = performance.now();
  run(calls);
  return performance.now() - began;
}

/**
 * What a run takes that nothing else interrupts: a busy machine makes runs longer, never shorter, and may do so with most of them. Of the
 * later half, since engines compile better while a module runs; not the shortest, which a coarse clock may have cut.
 * @param {readonly number[]} times
 */
export function undisturbed(times) {
  const late = times.slice(times.length >> 1).sort((one, other) => one - other);
  return late[late.length >> 2];
}
