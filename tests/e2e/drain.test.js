// --on-full drain: a trace is complete however small the buffer is, and `wasm-trace report` shows it as a buffer that was large enough
// would be shown.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { bestLink } from '../../js/loader/engine.js';
import { readDrained } from '../../node/drained.js';
import { assemble } from '../core/assemble.js';
import { makeFolder, recordedIn } from './cli-support.js';
import { MODULE } from './loader-support.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const LINKS = bestLink() === 'merged' ? ['merged', 'split'] : ['split'];

/** 64 KiB hold 8192 words, and an event is one, or two with a clock: the ring is full several times. */
const CALLS = 10_000;
const ALL = String(CALLS * 8);

const LOAD = `
  import { readFileSync } from 'node:fs';
  const { twice } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL('add.wasm', import.meta.url)))).exports;
  for (let call = 0; call < ${CALLS}; call++) twice(call);`;

const IN_WORKER = `
  import { Worker, isMainThread } from 'node:worker_threads';
  if (isMainThread) new Worker(new URL(import.meta.url));
  else await import('./app.mjs');`;

/** @param {import('node:test').TestContext} t */
const makeProgram = (t) => makeFolder(t, { 'app.mjs': LOAD, 'worker.mjs': IN_WORKER, 'add.wasm': MODULE });

/** @param {string} folder @param {string} command @param {string[]} args */
function run(folder, command, ...args) {
  const options = /** @type {const} */ ({ cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28, env: { ...process.env, NODE_OPTIONS: '' } });
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [path.join(root, 'node', command), ...args], options);
  return { status: signal ?? status, stdout, stderr };
}

const QUESTION = ['--trace', 'args(*)', '--trace', 'ret(*)'];
const drain = (/** @type {string} */ folder, /** @type {string[]} */ ...args) =>
  run(folder, 'wasm-trace-node.js', ...QUESTION, '--buffer', '64K', '--on-full', 'drain', '--drain-to', 'all.wtrace', ...args);
const show = (/** @type {string} */ folder, /** @type {string[]} */ ...args) =>
  run(folder, 'wasm-trace.js', 'report', '--limit', ALL, ...args, 'all.wtrace');

for (const link of LINKS) {
  for (const display of ['log', 'nested']) {
    test(`${link}: ${display} shows what a larger buffer would have kept`, (t) => {
      const folder = makeProgram(t);
      const shown = ['--display', display, '--link', link];
      const { status, stderr } = drain(folder, ...shown, 'app.mjs');
      assert.equal(status, 0, stderr);
      assert.match(stderr, /wasm-trace: the complete trace is in all\.wtrace: wasm-trace report all\.wtrace\n$/);
      assert.match(stderr, /\(\d+,\d+ older events are in all\.wtrace\)\n/);
      const whole = run(folder, 'wasm-trace-node.js', ...QUESTION, ...shown, '--buffer', '16M', '--limit', ALL, 'app.mjs');
      const { stdout } = show(folder);
      assert.equal(stdout, whole.stderr);
      assert.equal(stdout.split('\n').filter((line) => line.includes('twice(')).length >= CALLS, true);
    });
  }

  test(`${link}: the tree comes along, and times do`, (t) => {
    const folder = makeProgram(t);
    const { stderr } = drain(folder, '--display', 'log', '--display', 'tree', '--clock', 'host', '--link', link, 'app.mjs');
    const [session] = readDrained(path.join(folder, 'all.wtrace'));
    assert.deepEqual([...session.snapshot().nodes.count.slice(2)], [CALLS, CALLS]);
    assert.equal(session.metadata.clock?.kind, 'host');
    assert.match(stderr, /all\.wtrace/);
    const pieces = readFileSync(path.join(folder, 'all.wtrace'), 'latin1').match(/\{"kind":"\w+"/g) ?? [];
    const kinds = pieces.map((piece) => piece.slice(9, -1));
    assert.deepEqual([kinds[0], kinds[kinds.length - 1]], ['session', 'end']);
    assert.ok(kinds.filter((kind) => kind === 'records').length > 3, 'it was full several times');
  });
}

/** What is told beside calls that are recorded: where a memory grows, and that the host calls. */
const TELLING = await assemble(`(module
  (import "env" "host" (func $host (param i32)))
  (memory 1)
  (func (export "tiny"))
  (func (export "call") (param i32) (call $host (local.get 0)))
  (func (export "grow") (param i32)
    (loop $again
      (drop (memory.grow (i32.const 0)))
      (br_if $again (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))))`);

const TELL = `
  import { readFileSync } from 'node:fs';
  const host = (n) => { for (let i = 0; i < n; i++) tiny(); };
  const module = new WebAssembly.Module(readFileSync(new URL('telling.wasm', import.meta.url)));
  const { tiny, call, grow } = new WebAssembly.Instance(module, { env: { host } }).exports;
  call(${CALLS});
  grow(${CALLS});`;

for (const link of LINKS)
  test(`${link}: what is told beside calls is drained in time`, (t) => {
    const folder = makeFolder(t, { 'tell.mjs': TELL, 'telling.wasm': TELLING });
    const question = ['--trace', 'imports', '--trace', 'memory.grow', '--link', link, '--buffer', '64K', '--on-full', 'drain'];
    const { status, stderr } = run(folder, 'wasm-trace-node.js', ...question, '--drain-to', 'all.wtrace', 'tell.mjs');
    assert.equal(status, 0, stderr);
    assert.equal(show(folder).stdout, `telling.wasm\ncall host(${CALLS})\nreturn from host\nmemory.grow(0 pages) -> 1 (is 64 KiB) in grow x ${CALLS}\n`);
  });

for (const display of ['tree', 'report', 'histogram']) {
  test(`${display}, which needs no log, leaves a complete trace, too`, (t) => {
    const folder = makeProgram(t);
    const { status, stderr } = drain(folder, '--display', display, 'app.mjs');
    assert.equal(status, 0, stderr);
    const [session] = readDrained(path.join(folder, 'all.wtrace'));
    assert.equal(Number(session.snapshot().ringEvents), CALLS * 4);
    const { stdout } = show(folder, '--display', 'nested');
    assert.equal(stdout.split('\n').filter((line) => line.includes('twice(')).length, CALLS);
  });
}

test('collapsed stacks of a program whose trace is drained leave the trace, too', (t) => {
  const folder = makeProgram(t);
  assert.equal(drain(folder, '--report', 'out.folded', 'app.mjs').status, 0);
  assert.equal(Number(readDrained(path.join(folder, 'all.wtrace'))[0].snapshot().ringEvents), CALLS * 4);
});

test('what recorded nothing, or was instrumented before to keep no events, is not called complete', (t) => {
  const folder = makeProgram(t);
  const empty = /wasm-trace: no events were recorded: all\.wtrace is empty\n/;
  assert.match(drain(folder, '--stopped', 'app.mjs').stderr, empty);
  run(folder, 'wasm-trace.js', '--trace', 'calls', '--min-size', '0', 'add.wasm');
  const { stderr } = drain(folder, 'app.mjs');
  assert.match(stderr, empty);
  assert.doesNotMatch(stderr, /complete/);
});

test('how finely the clock goes is in the file, and what tracing cost, which can be subtracted', (t) => {
  const folder = makeProgram(t);
  drain(folder, '--display', 'tree', '--display', 'log', '--clock', 'host', 'app.mjs');
  const shown = (/** @type {string[]} */ ...args) => show(folder, '--display', 'tree', ...args);
  assert.match(shown().stdout, /\nclock: host \(ns\), resolution .+\ntracing cost about .+ \(--compensate subtracts it\)\n$/);
  assert.match(shown('--compensate').stdout, /\ntracing cost about .+; subtracted from total, self and avg\n$/);
  const weights = (/** @type {string[]} */ ...args) => shown('--report', 'out.folded', ...args).stderr;
  assert.doesNotMatch(weights(), /without what tracing cost/);
  assert.match(weights('--compensate'), /without what tracing cost/);
  shown('--report', 'out.json');
  const [{ clock, tracingCost }] = JSON.parse(readFileSync(path.join(folder, 'out.json'), 'utf8')).sessions;
  assert.ok(clock.resolution.median > 0 && tracingCost.each > 0);
});

describe('who writes', () => {
  test('threads append to the file of their process', (t) => {
    const folder = makeProgram(t);
    const { status, stderr } = drain(folder, '--display', 'log', 'worker.mjs');
    assert.equal(status, 0, stderr);
    const [session] = readDrained(path.join(folder, 'all.wtrace'));
    assert.match(session.name, /worker/);
    assert.equal(Number(session.snapshot().ringEvents), CALLS * 4);
    assert.equal(show(folder).stdout.match(/call twice/g)?.length ?? 0, 0, 'two words are not one');
  });

  test('a thread that writes before its parent knows of it is not overwritten, and what an earlier process wrote is', (t) => {
    const folder = makeProgram(t);
    const busy = `import { Worker } from 'node:worker_threads';
      const ended = new Int32Array(new SharedArrayBuffer(4));
      new Worker('const { workerData } = require("node:worker_threads"); import("./app.mjs").then(() => { workerData[0] = 1; Atomics.notify(workerData, 0); })', { eval: true, workerData: ended });
      Atomics.wait(ended, 0, 0);`;
    writeFileSync(path.join(folder, 'busy.mjs'), busy);
    for (let run = 0; run < 2; run++) {
      const { status, stderr } = drain(folder, '--display', 'log', 'busy.mjs');
      assert.equal(status, 0, stderr);
      const sessions = readDrained(path.join(folder, 'all.wtrace'));
      assert.deepEqual(sessions.map((session) => Number(session.snapshot().ringEvents)), [CALLS * 4]);
    }
  });

  test('other processes of the program have files of their own', (t) => {
    const folder = makeProgram(t);
    writeFileSync(path.join(folder, 'both.mjs'), `import { spawnSync } from 'node:child_process'; spawnSync(process.execPath, ['app.mjs']); await import('./app.mjs');`);
    const { status, stderr } = drain(folder, '--display', 'log', 'both.mjs');
    assert.equal(status, 0, stderr);
    const files = readdirSync(folder).filter((name) => name.includes('.wtrace'));
    assert.equal(files.length, 2);
    for (const file of files) assert.equal(readDrained(path.join(folder, file)).length, 1);
  });

  test('what a process wrote before it was killed can be read', (t) => {
    const folder = makeProgram(t);
    writeFileSync(path.join(folder, 'killed.mjs'), `${LOAD}\nprocess.kill(process.pid, 'SIGKILL');`);
    drain(folder, '--display', 'log', '--clock', 'host', 'killed.mjs');
    const { status, stdout } = show(folder);
    assert.equal(status, 0);
    assert.ok(stdout.split('\n').length > CALLS);
    assert.doesNotMatch(stdout, /unwound/);
    const [{ metadata, snapshot }] = readDrained(path.join(folder, 'all.wtrace'));
    assert.deepEqual([metadata.clock?.kind, snapshot().nodes.self], ['host', new Float64Array(2)]);
  });

  test('a file that cannot be made is told before the program runs', (t) => {
    const folder = makeProgram(t);
    const { status, stderr } = drain(folder, '--drain-to', 'missing/all.wtrace', 'app.mjs');
    assert.deepEqual([status, stderr], [1, 'wasm-trace-node: missing/all.wtrace: cannot write the trace: no such file or directory\n']);
    assert.ok(!existsSync(path.join(folder, 'all.wtrace')));
  });

  test('a file that cannot be written to is told, and the program runs', { skip: !existsSync('/dev/full') && 'no /dev/full' }, (t) => {
    const { status, stderr } = drain(makeProgram(t), '--display', 'log', '--drain-to', '/dev/full', 'app.mjs');
    assert.equal(status, 0);
    assert.deepEqual(stderr.match(/is not complete.*/g), ['is not complete: ENOSPC: no space left on device, write']);
    assert.doesNotMatch(stderr, /older events are in/);
  });
});

describe('wasm-trace report', () => {
  test('writes an HTML report of all', (t) => {
    const folder = makeProgram(t);
    drain(folder, '--display', 'log', '--display', 'tree', 'app.mjs');
    const { status, stderr } = show(folder, '--report', 'all.html');
    assert.deepEqual([status, stderr], [0, 'wasm-trace: report in all.html\n']);
    const [session] = recordedIn(readFileSync(path.join(folder, 'all.html'), 'utf8')).sessions;
    const [drained] = readDrained(path.join(folder, 'all.wtrace'));
    assert.deepEqual(session.snapshot(), drained.snapshot());
    assert.equal(session.names.name(0), drained.names.name(0));
  });

  test('adds up the threads of a module, as the program does at its end', (t) => {
    const folder = makeProgram(t);
    writeFileSync(path.join(folder, 'threads.mjs'), `import './worker.mjs'; import './app.mjs';`);
    const { stderr } = drain(folder, '--display', 'report', '--display', 'tree', '--clock', 'instructions', 'threads.mjs');
    assert.match(stderr, /^add\.wasm \(2 threads\)\nTotal /);
    const { status, stdout } = show(folder);
    assert.deepEqual([status, stdout], [0, stderr.slice(0, stderr.indexOf('\nwasm-trace: '))]);
    assert.match(show(folder, '--display', 'nested').stdout, /^add\.wasm\n[^]*\nadd\.wasm \(worker 1\)\n/);
  });

  test('counts what a trap kept from being executed as the program does at its end', async (t) => {
    const module = await assemble('(module (memory 1) (func (export "deep") (drop (i32.load (i32.const -1))) (nop) (nop) (nop)))');
    const source = `import { readFileSync } from 'node:fs';
      new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL('trap.wasm', import.meta.url)))).exports.deep();`;
    const folder = makeFolder(t, { 'app.mjs': source, 'trap.wasm': module });
    const options = ['--min-size', '0', '--clock', 'instructions', '--on-full', 'drain', '--drain-to', 'all.wtrace'];
    const { stderr } = run(folder, 'wasm-trace-node.js', '--trace', 'calls', '--display', 'report', '--display', 'nested', ...options, 'app.mjs');
    const { stdout } = show(folder);
    assert.match(stdout, /\n *2 \| +2 \| .* deep\n/);
    assert.ok(stderr.includes(stdout), stdout);
  });

  test('leaves out a piece that is cut short', (t) => {
    const folder = makeProgram(t);
    drain(folder, '--display', 'log', 'app.mjs');
    const file = path.join(folder, 'all.wtrace');
    const whole = show(folder).stdout;
    truncateSync(file, Math.floor(statSync(file).size / 2));
    const { status, stdout } = show(folder);
    assert.equal(status, 0);
    assert.ok(stdout.length > 0 && stdout.length < whole.length);
  });

  test('refuses files of another kind', (t) => {
    const folder = makeProgram(t);
    for (const content of ['', 'text\n', '{"kind":"session","session":"0","bytes":0,"format":"other"}\n']) {
      writeFileSync(path.join(folder, 'all.wtrace'), content);
      const { status, stdout, stderr } = show(folder);
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(stderr, /^wasm-trace: all\.wtrace: (has no records|is no trace that --on-full drain has written)\n$/);
    }
    assert.match(run(folder, 'wasm-trace.js', 'report', 'missing').stderr, /^wasm-trace: missing: no such file/);
    assert.equal(run(folder, 'wasm-trace.js', 'report').status, 2);
    assert.match(run(folder, 'wasm-trace.js', 'report', '--help').stdout, /^Usage: wasm-trace report /);
  });
});
