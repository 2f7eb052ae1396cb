// The examples have the module that their source says, and the versions of the bundlers that the tests use.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../command.mjs';
import { makeFolder } from '../e2e/cli-support.js';
import { bundlers } from '../packages.mjs';

const examples = path.join(root, 'examples');

test('the modules of the examples are made of primes.wat', (t) => {
  const out = path.join(makeFolder(t), 'primes.wasm');
  const assembler = path.join(root, 'node_modules/binaryen/bin/wasm-as');
  execFileSync(process.execPath, [assembler, '-g', path.join(examples, 'primes.wat'), '-o', out]);
  const made = readFileSync(out);
  for (const name of ['vite', 'webpack']) assert.deepEqual(readFileSync(path.join(examples, name, 'src/primes.wasm')), made, name);
});

for (const name of ['vite', 'webpack']) {
  test(`the example for ${name} has the version that is tested`, () => {
    const { devDependencies } = JSON.parse(readFileSync(path.join(examples, name, 'package.json'), 'utf8'));
    const installed = JSON.parse(readFileSync(path.join(bundlers(), 'node_modules', name, 'package.json'), 'utf8'));
    assert.equal(devDependencies[name], installed.version);
  });
}
