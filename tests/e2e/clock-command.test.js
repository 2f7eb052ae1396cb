// wasm-trace-node with a clock: what tracing cost is told, and subtracted where that is asked.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Ticker } from '../../js/loader/ticker.js';
import { makeFolder, recordedIn } from './cli-support.js';
import { MODULE } from './loader-support.js';

const command = fileURLToPath(new URL('../../node/wasm-trace-node.js', import.meta.url));
const CALLS = 20_000;
const SOURCE = `
  import { readFileSync } from 'node:fs';
  const { twice } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL('add.wasm', import.meta.url)))).exports;
  for (let call = 0; call < ${CALLS}; call++) twice(call);`;

/** @param {import('node:test').TestContext} t @param {string[]} args */
function traced(t, ...args) {
  const source = args[args.length - 1]?.includes('import ') ? args.pop() : SOURCE;
  const folder = makeFolder(t, { 'app.mjs': source, 'add.wasm': MODULE });
  const options = /** @type {const} */ ({ cwd: folder, encoding: 'utf8', timeout: 60_000, env: { ...process.env, NODE_OPTIONS: '' } });
  const { status, stderr } = spawnSync(process.execPath, [command, '--trace', 'calls(*)', '--display', 'tree', ...args, 'app.mjs'], options);
  assert.equal(status, 0, stderr);
  const text = (/** @type {string} */ name) => readFileSync(path.join(folder, name), 'utf8');
  const json = () => JSON.parse(text('report.json'));
  return { stderr, json, text };
}

const clocks = Ticker.refusal === '' ? ['host', 'ticker'] : ['host'];

for (const clock of clocks) {
  test(`${clock}: what tracing cost is told`, (t) => {
    const { stderr } = traced(t, '--clock', clock);
    assert.match(stderr, new RegExp(`clock: ${clock} \\(ns\\)`));
    // A machine that is busy may give the ticker no time while the program runs: then none has passed.
    const share = clock === 'host' ? ', \\d+(\\.\\d)? % of the time in traced functions' : '(, .*)?';
    assert.match(stderr, new RegExp(`\ntracing cost about [\\d.e+]+ ns an event${share} \\(--compensate subtracts it\\)\n$`));
  });
}

test('subtracted, times are smaller, and JSON has both', (t) => {
  const { stderr } = traced(t, '--clock', 'host', '--compensate');
  assert.match(stderr, /functions; subtracted from total, self and avg\n$/);
  const { json } = traced(t, '--clock', 'host', '--report', 'report.json');
  const [{ functions, time }] = json().sessions;
  assert.ok(time.compensated.whole < time.raw.whole);
  for (const one of functions.items) assert.ok(one.time.compensated.self <= one.time.raw.self);
});

test('an HTML report has the times that were asked for, and says so', (t) => {
  for (const args of [[], ['--compensate']]) {
    const { sessions, compensates } = recordedIn(traced(t, '--clock', 'host', ...args, '--report', 'report.html').text('report.html'));
    assert.ok(sessions[0].cost > 0);
    assert.equal(compensates, args.length > 0);
    const exact = recordedIn(traced(t, '--clock', 'instructions', ...args, '--report', 'report.html').text('report.html'));
    assert.ok(!exact.sessions[0].cost, 'nothing is to be subtracted');
  }
});

test('a baseline, too', (t) => {
  const options = (/** @type {string[]} */ ...args) => JSON.parse(traced(t, ...args, '--save', 'base.json').text('base.json')).options;
  assert.equal(options('--clock', 'host', '--compensate').compensate, 'yes');
  assert.equal(options('--clock', 'host').compensate, undefined);
  assert.equal(options('--clock', 'instructions', '--compensate').compensate, undefined);
});

test('instructions are those of the program alone, the same in every run, and that is said', (t) => {
  const figures = () => traced(t, '--clock', 'instructions', '--compensate').stderr;
  const first = figures();
  assert.match(first, /nothing is to be subtracted: the probes' own instructions are not counted\n/);
  assert.equal(figures(), first);
});

test('without a clock there is nothing to say of its cost', (t) => {
  assert.doesNotMatch(traced(t).stderr, /tracing cost/);
});

test('one ticker serves threads that start later, too', { skip: (clocks.length === 1 || process.platform !== 'linux') && 'no ticker, or no list of threads' }, (t) => {
  const program = `
    import { readFileSync, readdirSync } from 'node:fs';
    import { Worker, isMainThread, parentPort } from 'node:worker_threads';
    const load = () => new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL('add.wasm', import.meta.url)))).exports;
    const threads = () => readdirSync('/proc/self/task').length;
    if (isMainThread) {
      load().twice(1);
      let more = 1;
      // A machine that is busy may give it no time: then a worker has a ticker of its own.
      for (let turn = 0; turn < 10 && more > 0; turn++) more = await new Promise((done) => new Worker(new URL(import.meta.url)).once('message', done));
      process.stderr.write(more + ' more\\n');
    } else {
      const before = threads();
      load().twice(1);
      parentPort.postMessage(threads() - before);
    }`;
  assert.match(traced(t, '--clock', 'ticker', program).stderr, /^0 more\n/);
});

test('threads have their time kept by one ticker', { skip: clocks.length === 1 && 'no ticker' }, (t) => {
  const worker = `
    import { Worker, isMainThread } from 'node:worker_threads';
    import { readFileSync } from 'node:fs';
    if (isMainThread) for (let thread = 0; thread < 2; thread++) new Worker(new URL(import.meta.url));
    else {
      const { twice } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL('add.wasm', import.meta.url)))).exports;
      const { hook } = globalThis[Symbol.for('wasm-trace')];
      const hasPassed = () => hook.sessions[0].snapshot().nodes.self.some((time) => time > 0);
      while (!hasPassed()) for (let call = 0; call < 1000; call++) twice(1);
    }`;
  const { json, stderr } = traced(t, '--clock', 'ticker', '--report', 'report.json', worker);
  assert.equal(stderr, 'wasm-trace: report in report.json\n');
  const { sessions } = json();
  assert.equal(sessions.length, 2);
  for (const { time, clock } of sessions) {
    assert.equal(clock.kind, 'ticker');
    assert.ok(time.raw.whole + time.raw.outside > 0);
    assert.ok(time.raw.whole + time.raw.outside <= clock.now, 'nothing from before there was a session');
  }
});
