// wasm-trace symbolize on real stacks: what an instrumented module prints under each engine is, rewritten, what the original
// prints there.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { assemble } from '../core/assemble.js';
import { bun, newerEngine, thisNode } from '../engines.mjs';
import { COMMANDS, MODULE, makeFolder, run } from './cli-support.js';

const [NATIVE, NODE] = COMMANDS;

/** run(0) traps, run(1) calls the host before. */
const NAMED = await assemble(`(module $app
  (import "env" "tell" (func $tell))
  (func $_ZN3app4deepEi (param i32) (result i32)
    (if (local.get 0) (then (call $tell)))
    unreachable)
  (func $middle (param i32) (result i32) (drop (i32.const 5)) (i32.add (call $_ZN3app4deepEi (local.get 0)) (i32.const 1)))
  (func (export "run") (param i32) (result i32) (call $middle (local.get 0))))`);

/** The same without a name section, which wabt writes last. */
const STRIPPED = NAMED.subarray(0, Buffer.from(NAMED).lastIndexOf('\x04name') - sizeOfHeader());

/** Of a custom section with a size of two bytes or of one. */
function sizeOfHeader() {
  return NAMED[Buffer.from(NAMED).lastIndexOf('\x04name') - 2] === 0 ? 2 : 3;
}

/** Prints the frames of wasm of an error from each call; JavaScriptCore's in its own words, which Bun hides. */
const PROGRAM = `
  import { readFileSync } from 'node:fs';
  if (process.versions.bun) Error.prepareStackTrace = (_, frames) => frames.map(
    (frame) => frame.getFunctionName() + '@' + frame.getFileName()).join('\\n');
  const show = (stack) => console.log(stack.split('\\n').filter((line) => /wasm-function|wasm code/.test(line)).join('\\n'));
  const module = new WebAssembly.Module(readFileSync('app.wasm'));
  const { run } = new WebAssembly.Instance(module, { env: { tell() { show(new Error().stack); } } }).exports;
  for (const depth of [0, 1]) try { run(depth); } catch (error) { show(error.stack); }
`;

/** A folder with the module and the program. */
function prepare(t, bytes, files = {}) {
  return makeFolder(t, { 'app.wasm': bytes, 'stack.mjs': PROGRAM, ...files });
}

/** @param {import('../engines.mjs').Engine} engine */
function stackOf(engine, folder) {
  const { status, stdout, stderr } = spawnSync(engine.node, ['stack.mjs'], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /wasm/);
  return stdout;
}

function symbolize(folder, input, ...args) {
  return run(NODE, folder, ['symbolize', ...args], { input });
}

/** V8 names modules by a hash of their bytes. */
const withoutHash = (stack) => stack.replaceAll(/wasm:\/\/wasm\/(app-)?[0-9a-f]{8}/g, 'wasm://wasm/HASH');

const ENGINES = [thisNode, newerEngine(), { ...bun(), link: 'split' }];

for (const engine of ENGINES) {
  describe(`stacks of ${engine.name}`, () => {
    for (const [kind, bytes] of [['named', NAMED], ['stripped', STRIPPED]])
      test(`a ${kind} module, instrumented in place, gives the stack of the original`, (t) => {
        const folder = prepare(t, bytes);
        const before = symbolize(folder, stackOf(engine, folder), 'app.wasm');
        assert.deepEqual([before.status, before.stderr], [0, '']);
        const traced = run(NODE, folder, ['--trace', 'args(*)', '--trace', 'calls', '--min-size=0', `--link=${engine.link}`, '--display', 'nested', 'app.wasm']);
        assert.equal(traced.status, 0, traced.stderr);
        const stack = stackOf(engine, folder);
        const after = symbolize(folder, stack, 'app.wasm');
        assert.deepEqual([after.status, after.stderr], [0, '']);
        assert.equal(withoutHash(after.stdout), withoutHash(before.stdout));
        assert.notEqual(withoutHash(stack), withoutHash(after.stdout), 'there was something to rewrite');
      });
  });
}

describe('wasm-trace symbolize', () => {
  const STACK = stackOfThisNode();

  /** Of the stripped module. */
  function stackOfThisNode() {
    const folder = makeFolder({ after: (/** @type {() => void} */ done) => process.once('exit', done) }, { 'app.wasm': STRIPPED, 'stack.mjs': PROGRAM });
    return stackOf(thisNode, folder);
  }

  test('bytes that are no text come out as they went in', (t) => {
    const input = Buffer.concat([Buffer.of(0xff, 0xfe, 0x20), Buffer.from('at wasm-function[1]:0x4\n')]);
    const options = { cwd: prepare(t, STRIPPED, {}), input };
    const { stdout } = spawnSync(process.execPath, [fileURLToPath(new URL('../../node/wasm-trace.js', import.meta.url)), 'symbolize', 'app.wasm'], options);
    assert.deepEqual([...stdout.subarray(0, 3)], [0xff, 0xfe, 0x20]);
  });

  test('names from the file that --symbols names, from a file beside the module, from the exports', (t) => {
    const folder = prepare(t, STRIPPED, { 'twin.wasm': NAMED });
    const named = symbolize(folder, STACK, '--symbols', 'twin.wasm', 'app.wasm').stdout;
    assert.match(named, /^ {4}at app::deep\(int\) \(wasm:\/\/wasm\/\w+:wasm-function\[1\]:0x\w+\)\n {4}at middle \(.*\n {4}at run \(/);
    assert.match(symbolize(folder, STACK, 'app.wasm').stdout, /at wasm:.*\n.*at wasm:.*\n {4}at run \(/);
    writeFileSync(path.join(folder, 'app.wasm.symbols'), '1:from_map\n');
    assert.match(symbolize(folder, STACK, 'app.wasm').stdout, /at from_map \(/);
  });

  test('of an instrumented module, symbols belong to the original beside it', (t) => {
    const folder = prepare(t, STRIPPED, { 'twin.wasm': NAMED });
    assert.equal(run(NODE, folder, ['--trace', 'calls', '--link=split', '--min-size=0', 'app.wasm']).status, 0);
    const stack = stackOf(thisNode, folder);
    assert.match(symbolize(folder, stack, '--symbols', 'twin.wasm', 'app.wasm').stdout, /at middle \(/);
    renameSync(path.join(folder, 'app.wasm.orig'), path.join(folder, 'elsewhere'));
    const { status, stderr } = symbolize(folder, stack, '--symbols', 'twin.wasm', 'app.wasm');
    assert.deepEqual([status, stderr], [1, 'wasm-trace: app.wasm: --symbols needs its original beside it, app.wasm.orig\n']);
  });

  test('gzipped, without functions, of another build, no module at all', (t) => {
    const folder = prepare(t, gzipSync(STRIPPED), { 'none.wasm': NAMED.subarray(0, 8), 'other.wasm': MODULE, text: 'text' });
    assert.match(symbolize(folder, STACK, 'app.wasm').stdout, /at run \(/);
    assert.equal(symbolize(folder, 'no stack\n', 'none.wasm').stdout, 'no stack\n');
    const other = symbolize(folder, STACK, 'other.wasm');
    assert.deepEqual([other.status, other.stdout], [0, STACK]);
    assert.match(other.stderr, /^other\.wasm: warning: \d+ frames are no code of this file and left as they are; give the file that ran\n$/);
    assert.match(symbolize(folder, STACK, 'text').stderr, /^wasm-trace: text: not a WebAssembly module/);
    assert.equal(symbolize(folder, STACK, 'missing.wasm').status, 1);
  });

  test('its own help and its own usage errors; the native command tells where it is', (t) => {
    const folder = prepare(t, STRIPPED);
    const help = symbolize(folder, '', '--help');
    assert.equal(help.status, 0);
    assert.match(help.stdout, /^Usage: wasm-trace symbolize/);
    assert.deepEqual(help.stdout.split('\n').filter((line) => line.length > 80), []);
    for (const args of [[], ['app.wasm', 'app.wasm'], ['--trace', 'calls', 'app.wasm']]) {
      const { status, stderr } = symbolize(folder, '', ...args);
      assert.equal(status, 2);
      assert.match(stderr, /Try 'wasm-trace symbolize --help'/);
    }
    for (const command of ['symbolize', 'serve', 'report', 'diff']) {
      const native = run(NATIVE, folder, [command, 'app.wasm']);
      assert.equal(native.status, 2);
      assert.match(native.stderr, new RegExp(`^wasm-trace: ${command} is a command of the wasm-trace from npm only: npx wasm-tracing ${command}\n`));
    }
  });

  test('nothing of the module is changed', (t) => {
    const folder = prepare(t, STRIPPED);
    symbolize(folder, STACK, 'app.wasm');
    assert.deepEqual(readFileSync(path.join(folder, 'app.wasm')), Buffer.from(STRIPPED));
  });
});
