// Programs with threads under wasm-trace-node: every call of every thread is in the trace, however its worker ends.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { instrument } from '../../js/index.js';
import { bestLink } from '../../js/loader/engine.js';
import { assemble, readText } from '../core/assemble.js';
import { makeFolder } from './cli-support.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = (/** @type {string} */ name) => readText(path.join(root, 'tests/programs/threads', name));
const SCRIPTS = { 'pool.mjs': program('pool.mjs'), 'wasi.mjs': program('wasi.mjs') };
const command = path.join(root, 'node/wasm-trace-node');

/** Away from the package's own package.json: they are CommonJS. */
const PTHREADS = Object.fromEntries(
  ['pthreads.js', 'pthreads.wasm', 'pthreads.worker.js'].map((name) => [name, readFileSync(path.join(root, 'build/programs', name))]),
);

/** @type {Uint8Array} */
let module;
before(async () => (module = await assemble(program('threads.wat'))));

/** @param {import('node:test').TestContext} t */
const makeModule = (t, content = module) => makeFolder(t, { 'threads.wasm': content, ...SCRIPTS });

/** @param {string} folder @param {string[]} args of wasm-trace-node */
function traced(folder, ...args) {
  const options = /** @type {const} */ ({ cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } });
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], options);
  assert.equal(status, 0, stderr);
  return { stdout, stderr };
}

/** The report as data. @param {string} folder @param {string[]} args */
function report(folder, ...args) {
  const { stderr } = traced(folder, '--report', 'report.json', ...args);
  assert.equal(stderr, 'wasm-trace: report in report.json\n');
  return JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8'));
}

const QUESTIONS = ['--trace', 'args(step)', '--trace', 'ret(step)', '--display', 'tree', '--display', 'log'];

/** Calls of `step` in each session, in the tree. @param {any} data */
function stepsOf({ sessions }) {
  return sessions.map(({ tree, names }) => tree.items.filter(({ func }) => names[func] === 'step').reduce((sum, { self }) => sum + self, 0));
}

/** Names without the numbers of threads, which depend on who starts first. @param {any} data */
const namesOf = ({ sessions }) => sessions.map(({ name }) => name.replace(/\d+/, 'N'));

/** In each session step(0) -> 1, step(1) -> 2 and so on. @param {any} data */
function holdOrder({ sessions }) {
  for (const { calls, lostEvents } of sessions) {
    const known = calls.items.filter(({ startKnown }, i) => startKnown || i > 0);
    const { length } = known;
    const first = known[0]?.args[0].value;
    assert.deepEqual(known.map(({ args }) => args[0].value), Array.from({ length }, (_, i) => first + i));
    const returned = known.filter(({ end }) => end === 'returned');
    assert.ok(returned.length >= length - 1, 'all but the last have returned');
    assert.deepEqual(returned.map(({ results }) => results[0].value), Array.from(returned, (_, i) => first + i + 1));
    if (lostEvents === 0) assert.equal(first, 0);
  }
}

describe('a pool of workers with one module and one memory', () => {
  for (const how of ['end', 'idle', 'spin', 'exit']) {
    test(`that end: ${how}`, (t) => {
      const data = report(makeModule(t), ...QUESTIONS, 'pool.mjs', 'threads.wasm', how);
      assert.deepEqual(stepsOf(data).sort((a, b) => a - b), [100, 200, 300, 301]);
      assert.deepEqual(namesOf(data), Array(4).fill('threads.wasm (worker N)'));
      assert.deepEqual(data.sessions.map(({ calls }) => calls.items.length), stepsOf(data));
      holdOrder(data);
    });
  }

  test('that are terminated in the middle of a record', (t) => {
    const data = report(makeModule(t), ...QUESTIONS, '--buffer', '64K', 'pool.mjs', 'threads.wasm', 'race', '6');
    holdOrder(data);
    for (const { calls, lostEvents, tree } of data.sessions) {
      const recorded = calls.items.length + Math.floor(lostEvents / 2);
      const [{ self }] = tree.items;
      assert.ok(Math.abs(recorded - self) <= 1, `${recorded} calls in the log, ${self} in the tree`);
    }
  });

  test('shows the tree of all of them, and a log of each', (t) => {
    const { stderr } = traced(makeModule(t), ...QUESTIONS, '--limit', '2', 'pool.mjs', 'threads.wasm', 'end');
    assert.match(stderr, /^threads\.wasm \(4 threads\)\nTotal Count .*\n-.*\n {8}901 \| {8}901 \| step\n\n/);
    assert.equal(stderr.match(/^threads\.wasm \(worker \d\)\n/gm)?.length, 4);
  });

  test('adds up histograms and overviews', (t) => {
    const folder = makeModule(t);
    const pool = ['pool.mjs', 'threads.wasm', 'spin'];
    const { stderr } = traced(folder, '--trace', 'arg(0, step)', '--display', 'histogram', ...pool);
    assert.match(stderr, /^threads\.wasm \(4 threads\)\narg\(0, step\): 901 values\n/);
    assert.match(traced(folder, '--min-size', '0', '--trace', 'calls', ...pool).stderr, /905 \| +4 \| work\n +901 \| +901 \| └── step\n/);
    assert.match(traced(folder, ...pool).stderr, /^1 module\n {2}threads\.wasm \(4 threads\): [^]*\n {2}4 {2}work\n/);
  });

  test('is traced when it was instrumented in place', (t) => {
    const content = instrument(module, { trace: 'calls(step)', display: 'tree', link: bestLink() });
    const data = report(makeModule(t, content), '--trace', 'calls(step)', 'pool.mjs', 'threads.wasm', 'spin');
    assert.deepEqual(stepsOf(data).sort((a, b) => a - b), [100, 200, 300, 301]);
  });
});

describe('wasi-threads', () => {
  for (const how of ['end', 'exit']) {
    test(`that end: ${how}`, (t) => {
      const data = report(makeModule(t), ...QUESTIONS, 'wasi.mjs', 'threads.wasm', how);
      assert.deepEqual(stepsOf(data).sort((a, b) => a - b), [5, 10, 20]);
      holdOrder(data);
    });
  }
});

describe('pthreads by Emscripten', () => {
  for (const how of ['join', 'nested', 'exit']) {
    test(`that end: ${how}`, (t) => {
      const folder = makeFolder(t, PTHREADS);
      const data = report(folder, ...QUESTIONS, 'pthreads.js', how);
      assert.deepEqual(stepsOf(data).filter(Boolean).sort((a, b) => a - b), [100, 200, 300]);
      holdOrder(data);
      assert.equal(traced(folder, '--trace', 'calls', 'pthreads.js', how).stdout, 'done\n');
    });
  }
});
