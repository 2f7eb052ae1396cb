// wasm-trace-node: recording that begins stopped, and a signal that has it begin and stop, whatever the program does meanwhile.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { assemble } from '../core/assemble.js';
import { makeFolder } from './cli-support.js';

const command = fileURLToPath(new URL('../../node/wasm-trace-node.js', import.meta.url));

/** work(n) calls step n times. */
const MODULE = await assemble(`(module
  (func $step (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
  (func $work (export "work") (param $n i32) (result i32) (local $i i32)
    (loop $again
      (local.set $i (call $step (local.get $i)))
      (br_if $again (i32.lt_s (local.get $i) (local.get $n))))
    (local.get $i)))`);

const LOAD = `
  import { readFileSync } from 'node:fs';
  const { work } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL('work.wasm', import.meta.url)))).exports;
  const say = (text) => process.stdout.write(text + '\\n');`;

/**
 * Runs a program; each line that it or wasm-trace says is given to `react`, with a way to send the signal.
 * @param {import('node:test').TestContext} t @param {string} source @param {string[]} args
 * @param {(line: string, send: () => void) => void} react
 */
function runProgram(t, source, args, react) {
  const folder = makeFolder(t, { 'app.mjs': source, 'work.wasm': MODULE });
  const child = spawn(process.execPath, [command, '--trace', 'calls(*)', '--display', 'tree', ...args, 'app.mjs'], { cwd: folder });
  const send = () => void child.kill('SIGUSR2');
  let stderr = '';
  const watch = (/** @type {import('node:stream').Readable} */ stream) => {
    let rest = '';
    stream.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) react(line, send);
    });
  };
  watch(child.stdout);
  watch(child.stderr);
  child.stderr.on('data', (text) => (stderr += text));
  return new Promise((resolve) => child.on('close', (status, signal) => resolve({ status: signal ?? status, stderr })));
}

describe('SIGUSR2', { skip: process.platform === 'win32' && 'no such signal' }, () => {
  test('begins what --stopped has left out, and ends it', async (t) => {
    const source = `${LOAD}
      work(10);
      say('ready');
      const alive = setInterval(() => {}, 1000);
      let turn = 0;
      process.stdin.on('data', () => {});
      const { write } = process.stderr;
      process.stderr.write = function (text) {
        if (text === 'wasm-trace: recording\\n') { work(3); say('again'); }
        if (text === 'wasm-trace: not recording\\n') { work(10); clearInterval(alive); process.stdin.pause(); }
        return write.apply(this, arguments);
      };`;
    const { status, stderr } = await runProgram(t, source, ['--stopped'], (line, send) => {
      if (line === 'ready' || line === 'again') send();
    });
    assert.equal(status, 0);
    assert.match(stderr, /^wasm-trace: recording\nwasm-trace: not recording\n/);
    assert.match(stderr, / 1 .* work\n.* 3 .* step/);
  });

  test('reaches a program that is too busy to run a handler, by its inspector', async (t) => {
    const source = `${LOAD}
      const { hook } = globalThis[Symbol.for('wasm-trace')];
      say('busy');
      for (const end = Date.now() + 60_000; hook.isRecording && Date.now() < end; ) work(1000);
      const before = hook.snapshot()[0].nodes.count.join();
      work(1000);
      say(before === hook.snapshot()[0].nodes.count.join() ? 'stopped' : 'goes on');
      setTimeout(() => say(hook.isRecording ? 'twice' : 'once'), 100);`;
    /** @type {string[]} */
    const lines = [];
    const { status, stderr } = await runProgram(t, source, [], (line, send) => {
      if (line === 'busy') send();
      lines.push(line);
    });
    assert.equal(status, 0);
    assert.ok(lines.includes('stopped') && lines.includes('once'), lines.join('\n'));
    assert.equal(stderr.match(/wasm-trace: not recording/g)?.length, 1);
  });

  test('is obeyed once where the handler runs just before the inspector comes', async (t) => {
    const source = `${LOAD}
      import { url } from 'node:inspector';
      work(10);
      const wasmTrace = globalThis[Symbol.for('wasm-trace')];
      const { toggle } = wasmTrace;
      const alive = setInterval(() => {}, 1000);
      wasmTrace.toggle = (...args) => {
        const before = wasmTrace.hook.isRecording;
        toggle(...args);
        say('before ' + before + ', after ' + wasmTrace.hook.isRecording);
        clearInterval(alive);
      };
      say('ready');
      while (url() === undefined);`; // until wasm-trace-node has lost its patience
    /** @type {string[]} */
    const lines = [];
    const { status, stderr } = await runProgram(t, source, [], (line, send) => {
      if (line === 'ready') send();
      lines.push(line);
    });
    assert.equal(status, 0);
    assert.ok(lines.includes('before false, after false'), lines.join('\n'));
    assert.equal(stderr.match(/^wasm-trace: (not )?recording$/gm)?.join(), 'wasm-trace: not recording');
  });

  test('is the program\'s own when it has a handler', async (t) => {
    const source = `${LOAD}
      work(10);
      process.once('SIGUSR2', () => { say('mine'); clearInterval(alive); });
      const alive = setInterval(() => {}, 1000);
      setTimeout(() => say('ready'), 50);`;
    /** @type {string[]} */
    const lines = [];
    const { status, stderr } = await runProgram(t, source, [], (line, send) => {
      if (line === 'ready') send();
      lines.push(line);
    });
    assert.equal(status, 0);
    assert.ok(lines.includes('mine'));
    assert.doesNotMatch(stderr, /recording/);
  });

  test('reaches what records in workers', async (t) => {
    const source = `
      import { Worker, isMainThread, parentPort } from 'node:worker_threads';
      ${LOAD}
      if (isMainThread) {
        const worker = new Worker(new URL(import.meta.url));
        worker.on('message', () => say('ready'));
        const { write } = process.stderr;
        process.stderr.write = function (text) {
          if (text === 'wasm-trace: not recording\\n') worker.postMessage('go on');
          return write.apply(this, arguments);
        };
      } else {
        work(5);
        parentPort.postMessage('ready');
        parentPort.once('message', () => work(1000));
      }`;
    const { status, stderr } = await runProgram(t, source, [], (line, send) => {
      if (line === 'ready') send();
    });
    assert.equal(status, 0);
    assert.match(stderr, / 5 .* step/);
    assert.doesNotMatch(stderr, /100\d/);
  });
});
