// --from, --until, --skip, --max-events and --during: whatever is kept, a log, a tree, a table or histograms, it is of the same events.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { attach, instrument } from '../../js/index.js';
import * as RECORD from '../../js/generated/record.js';
import { TraceModel } from '../../js/model/trace-model.js';
import { assemble } from './assemble.js';
import { links } from './run-module.js';

/** @import {InstrumentOptions} from '../../js/index.js' */
/** @import {Session} from '../../js/loader/session.js' */

/** Recursion, a tail call, a host that calls back, two functions that match one pattern, two turns. */
const MODULE = await assemble(`(module
  (import "env" "host" (func $host (param i32) (result i32)))
  (func $leaf (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3)))
  (func $back (export "back") (param i32) (result i32) (call $leaf (local.get 0)))
  (func $last (param i32) (result i32) (return_call $leaf (i32.add (local.get 0) (i32.const 1))))
  (func $down (param $n i32) (result i32)
    (if (result i32) (local.get $n)
      (then (i32.add (call $leaf (local.get $n)) (call $down (i32.sub (local.get $n) (i32.const 1)))))
      (else (call $host (i32.const 9)))))
  (func $mark_a (param i32) (result i32) (call $last (local.get 0)))
  (func $mark_b (param i32) (result i32) (call $down (local.get 0)))
  (func $frame (param $n i32) (result i32)
    (i32.add (call $mark_a (local.get $n)) (i32.add (call $leaf (i32.const 5)) (call $mark_b (local.get $n)))))
  (func $main (export "main") (result i32)
    (i32.add (call $frame (i32.const 1)) (i32.add (call $leaf (i32.const 7)) (call $frame (i32.const 2))))))`);

const NAMES = ['host', 'leaf', 'back', 'last', 'down', 'mark_a', 'mark_b', 'frame', 'main'];
const EVERYTHING = { trace: ['args(*)', 'ret(*)', 'imports'], minSize: 0, legacyExceptions: true };
const COUNTED = [RECORD.ENTER, RECORD.LEAVE, RECORD.TAIL];

/** @param {Partial<InstrumentOptions>} options @returns {{session: Session, exports: any}} */
function load(options) {
  const module = new WebAssembly.Module(/** @type {any} */ (instrument(MODULE, /** @type {any} */ ({ ...EVERYTHING, ...options }))));
  /** @type {any} */
  let exports;
  const instance = new WebAssembly.Instance(module, { env: { host: (/** @type {number} */ n) => exports.back(n) } });
  const session = attach(instance, module);
  exports = /** @type {any} */ (instance).exports;
  return { session, exports };
}

/** @param {Partial<InstrumentOptions>} options @returns {Session} after two turns, and a call of the host's own */
function run(options) {
  const { session, exports } = load(options);
  for (let turn = 0; turn < 2; turn++) exports.main();
  exports.back(1);
  return session;
}

/** @typedef {{kind: number, name: string}} Event */

/** @param {Session} session @returns {Event[]} */
function eventsOf(session) {
  const { events } = new TraceModel(session.snapshot(), session.metadata);
  const all = Array.from({ length: events.length }, (_, i) => ({ kind: events.kind(i), name: NAMES[events.func(i)] }));
  return all.filter(({ kind }) => COUNTED.includes(kind));
}

/** @typedef {Record<string, number>} Counts calls by function */

/** @param {Event[]} events @param {readonly number[]} kinds @returns {Counts} */
function countEvents(events, kinds) {
  /** @type {Counts} */
  const counts = {};
  for (const { kind, name } of events) if (kinds.includes(kind)) counts[name] = (counts[name] ?? 0) + 1;
  return sorted(counts);
}

/** @param {Counts} counts */
const sorted = (counts) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0).sort());

/** @param {Session} session @returns {Counts} */
function countNodes(session) {
  const { nodes } = session.snapshot();
  /** @type {Counts} */
  const counts = {};
  nodes.count.forEach((count, node) => node > 1 && (counts[NAMES[nodes.func[node]]] = (counts[NAMES[nodes.func[node]]] ?? 0) + count));
  return sorted(counts);
}

/** @param {Session} session @returns {Counts} */
function countRows(session) {
  const { rows } = new TraceModel(session.snapshot(), session.metadata).profile();
  return sorted(Object.fromEntries(rows.map(({ func, calls }) => [NAMES[func], calls])));
}

/** @param {Session} session @param {'arg' | 'ret'} what @returns {Counts} */
function countValues(session, what) {
  const { histograms } = session.snapshot();
  /** @type {Counts} */
  const counts = {};
  session.metadata.histograms.forEach((one, i) => one.what === what && (counts[NAMES[one.func]] = Number(histograms[i].reduce((sum, count) => sum + count, 0n))));
  return sorted(counts);
}

/** What is recorded of the whole, told anew: which events, and the ends of those calls only whose begin is. @param {Event[]} whole @param {Partial<InstrumentOptions>} window */
function partOf(whole, { from, until, skip = 0, maxEvents = Infinity, during }) {
  const matches = (/** @type {any} */ pattern, /** @type {string} */ name) => pattern === name || (pattern === 'mark_*' && name.startsWith('mark_'));
  /** @type {{inside: boolean, shown: boolean}[]} */
  const open = [];
  let [recording, counted] = [from === undefined, 0];
  return whole.filter(({ kind, name }) => {
    const begins = kind === RECORD.ENTER;
    if (begins && matches(from, name) && matches(until, name)) recording = !recording;
    else if (begins && matches(from, name)) recording = true;
    else if (begins && matches(until, name)) recording = false;
    const inside = begins ? during === undefined || matches(during, name) || (open.at(-1)?.inside ?? false) : /** @type {any} */ (open.at(-1)).inside;
    if (recording && inside) counted++;
    const isOpen = recording && inside && counted > skip && counted <= skip + maxEvents;
    if (begins) open.push({ inside, shown: isOpen });
    else return /** @type {any} */ (open.pop()).shown && isOpen;
    return isOpen;
  });
}

/** @type {Partial<InstrumentOptions>[]} */
const WINDOWS = [
  {},
  { skip: 1 },
  { maxEvents: 1 },
  ...[2, 5, 9, 20].map((skip) => ({ skip, maxEvents: 11 })),
  { skip: 1000 },
  { from: 'mark_b' },
  { until: 'mark_b' },
  { from: 'mark_a', until: 'mark_b' },
  { from: 'down', until: 'host' },
  { from: 'frame', until: 'frame' },
  { from: 'down', until: 'down' },
  { from: 'mark_*', until: 'mark_*' },
  { from: 'mark_*', until: 'mark_b' },
  { from: 'frame', until: 'frame', skip: 3, maxEvents: 20 },
  { during: 'frame' },
  { during: 'down', skip: 1 },
  { during: 'down', skip: 2, maxEvents: 7 },
  { during: 'mark_*', skip: 5, maxEvents: 9 },
  { during: 'frame', from: 'leaf', until: 'down' },
  { during: 'down', from: 'down', until: 'host', skip: 2 },
  { during: 'last', maxEvents: 3 },
];

const whole = eventsOf(run({ display: 'nested' }));

for (const link of links)
  describe(link, () => {
    for (const window of WINDOWS)
      test(JSON.stringify(window), () => {
        const part = partOf(whole, window);
        const [calls, results] = [countEvents(part, [RECORD.ENTER]), countEvents(part, [RECORD.LEAVE])];
        const have = (/** @type {Partial<InstrumentOptions>} */ options) => run({ ...window, link, ...options });
        assert.deepEqual(eventsOf(have({ display: 'log' })), part, 'the log');
        assert.deepEqual(eventsOf(have({ display: ['tree', 'nested'] })), part, 'the log beside a tree');
        assert.deepEqual(countNodes(have({ display: 'tree' })), calls, 'the tree');
        assert.deepEqual(countNodes(have({ display: 'tree', clock: 'host' })), calls, 'the tree with times');
        assert.deepEqual(countRows(have({ display: 'report', clock: 'instructions' })), calls, 'the table');
        const { main: _, ...valued } = calls; // it has no arguments
        assert.deepEqual(countValues(have({ display: 'histogram' }), 'arg'), valued, 'arguments');
        assert.deepEqual(countValues(have({ display: 'histogram' }), 'ret'), results, 'results');
        const both = have({ display: ['histogram', 'log'], clock: 'instructions' });
        assert.deepEqual([countValues(both, 'arg'), countValues(both, 'ret')], [valued, results], 'values beside a log with times');
      });

    for (const window of [{ from: 'host' }, { until: 'host' }, { from: 'host', until: 'host' }])
      test(`${JSON.stringify(window)}, an import that nobody asked for`, () => {
        const part = partOf(whole, window).filter(({ name }) => name !== 'host');
        const have = (/** @type {Partial<InstrumentOptions>} */ options) => run({ ...window, link, trace: ['args(*)', 'ret(*)'], ...options });
        assert.deepEqual(eventsOf(have({ display: 'log' })), part, 'the log');
        assert.deepEqual(countNodes(have({ display: 'tree' })), countEvents(part, [RECORD.ENTER]), 'the tree');
        assert.deepEqual(countValues(have({ display: 'histogram' }), 'ret'), countEvents(part, [RECORD.LEAVE]), 'results');
      });
  });

for (const link of links)
  test(`${link}: what the host has stopped is not begun by a call of --from, nor what it starts without one`, () => {
    const window = /** @type {const} */ ({ link, display: 'log', from: 'mark_a', until: 'mark_b' });
    const { session: whole, exports } = load(window);
    exports.main();
    for (const stopped of [true, false]) {
      const { session, exports } = load({ ...window, stopped });
      session.stop();
      exports.main();
      assert.deepEqual(eventsOf(session), []);
      session.start();
      exports.back(1);
      assert.deepEqual(eventsOf(session), []);
      exports.main();
      assert.deepEqual(eventsOf(session), eventsOf(whole));
      assert.ok(eventsOf(session).length > 0);
    }
  });

const GROWING = await assemble(`(module
  (memory 1)
  (func (export "main")
    (drop (memory.grow (i32.const 1)))
    (drop (memory.grow (i32.const 2)))
    (drop (memory.grow (i32.const 3)))
    (drop (memory.grow (i32.const 4)))))`);

/** @param {Partial<InstrumentOptions>} options @returns {Session} after four times memory.grow */
function runGrowing(options) {
  const module = new WebAssembly.Module(/** @type {any} */ (instrument(GROWING, /** @type {any} */ ({ trace: 'memory.grow', minSize: 0, ...options }))));
  const instance = new WebAssembly.Instance(module);
  const session = attach(instance, module);
  /** @type {any} */ (instance.exports).main();
  return session;
}

for (const link of links)
  for (const clock of /** @type {const} */ (['none', 'instructions']))
    test(`${link}, clock ${clock}: memory.grow counts as calls do`, () => {
      const grown = (/** @type {Partial<InstrumentOptions>} */ window) =>
        [...runGrowing({ display: 'log', link, clock, ...window }).report('log').matchAll(/grow\((\d)/g)].map(([, pages]) => Number(pages));
      assert.deepEqual(grown({}), [1, 2, 3, 4]);
      assert.deepEqual(grown({ skip: 1 }), [2, 3, 4]);
      assert.deepEqual(grown({ maxEvents: 2 }), [1, 2]);
      assert.deepEqual(grown({ skip: 1, maxEvents: 2 }), [2, 3]);
      assert.deepEqual(grown({ trace: ['memory.grow', 'calls(main)'], skip: 2, maxEvents: 2 }), [2, 3]);
      const [counts] = runGrowing({ display: 'histogram', link, clock, skip: 1, maxEvents: 2 }).snapshot().histograms;
      assert.equal(counts.reduce((sum, count) => sum + count, 0n), 2n);
    });
