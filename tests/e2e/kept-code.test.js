// The code that the engine has made of the preload is kept beside it, and only ever makes a start shorter.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { makeFolder } from './cli-support.js';
import { MODULE } from './loader-support.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const PROGRAM = `const bytes = require('node:fs').readFileSync('add.wasm');
  console.log(new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.twice(4));
  process.exit();`;

/** A package of which no code is kept yet, and a program beside it. */
function makePackage(/** @type {import('node:test').TestContext} */ t) {
  const folder = makeFolder(t, { 'app.cjs': PROGRAM, 'add.wasm': MODULE });
  for (const part of ['node/register.cjs', 'node/kept-code.cjs', 'build/preload/preload.cjs', 'build/wasm-trace.wasm', 'build/guest-runtime.wasm']) {
    cpSync(path.join(root, part), path.join(folder, part));
  }
  return folder;
}

/** @param {string} folder @param {{flags?: string[], variables?: NodeJS.ProcessEnv}} [options] */
function run(folder, { flags = [], variables } = {}) {
  const env = { ...process.env, ...variables, NODE_OPTIONS: '', WASM_TRACE: '--trace calls(*) --display nested' };
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, '-r', './node/register.cjs', 'app.cjs'], { cwd: folder, encoding: 'utf8', env });
  assert.deepEqual([stdout, stderr], ['8\n', 'add.wasm\ncall twice\n  call add\n  return from add\nreturn from twice\n']);
}

const built = (/** @type {string} */ folder) => path.join(folder, 'build/preload');

/** @param {string} folder @returns {string} path of the only file of code */
function keptIn(folder) {
  const [file, ...others] = readdirSync(built(folder)).filter((name) => name !== 'preload.cjs');
  assert.deepEqual(others, []);
  return path.join(built(folder), file);
}

test('the first process keeps the code, the next one takes it', (t) => {
  const folder = makePackage(t);
  run(folder);
  const { ino } = statSync(keptIn(folder));
  run(folder);
  assert.equal(statSync(keptIn(folder)).ino, ino, 'what is written again is another file');
});

test('code that the engine does not take is made again', (t) => {
  const folder = makePackage(t);
  run(folder);
  const file = keptIn(folder);
  const code = readFileSync(file);
  const halfWritten = Buffer.concat([code.subarray(0, code.length >> 1), Buffer.alloc(code.length - (code.length >> 1))]);
  for (const damaged of [Buffer.alloc(0), Buffer.from('no code'), code.subarray(0, 1000), halfWritten]) {
    writeFileSync(file, damaged);
    run(folder);
    assert.notDeepEqual(readFileSync(file), damaged);
  }
});

test('code of another preload is not looked at', (t) => {
  const folder = makePackage(t);
  run(folder);
  const file = path.join(built(folder), 'preload.cjs');
  const [, hash] = /** @type {RegExpExecArray} */ (/^\/\/ (\w{16})\n/.exec(readFileSync(file, 'utf8')));
  writeFileSync(file, readFileSync(file, 'utf8').replace(hash, hash.replace(/./g, '0')));
  run(folder);
  assert.equal(readdirSync(built(folder)).length, 3);
});

test('where nothing can be written, nothing is kept', (t) => {
  const folder = makePackage(t);
  const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  run(folder, { flags: [flag, '--no-warnings', '--allow-fs-read=*'] });
  assert.deepEqual(readdirSync(built(folder)), ['preload.cjs']);
});

test('who turns off the cache of Node turns off this one', (t) => {
  const folder = makePackage(t);
  run(folder, { variables: { NODE_DISABLE_COMPILE_CACHE: '1' } });
  assert.deepEqual(readdirSync(built(folder)), ['preload.cjs']);
});
