// The test suites, one row each. A suite's `run` returns whether it passed and the closing lines of the tool that ran
// it, or why it was skipped.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { newerEngine, thisNode } from './engines.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const build = path.join(root, 'build');

/** Runs a command; its output is shown only when it fails. */
function run(command, args, { env = {}, closing }) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 29,
  });
  const output = `${stdout}${stderr}`;
  if (status !== 0) process.stdout.write(error ? `${error.message}\n` : output);
  const lines = output.split('\n').filter((line) => closing.test(line));
  return { passed: status === 0, closing: lines.map((line) => line.trim()) };
}

function ctest(folder) {
  return run('ctest', ['--test-dir', folder, '--output-on-failure', '--no-tests=error'], { closing: /tests passed/ });
}

/** Builds the native code with sanitizers, then does `test`, which gets the folder of that build. */
function sanitized(test) {
  const folder = path.join(build, 'sanitize');
  const options = [
    '-DCMAKE_BUILD_TYPE=Debug',
    '-DWT_SANITIZE=ON',
    '-DWT_EMSCRIPTEN=OFF',
    `-DWT_WERROR=${process.env.CI ? 'ON' : 'OFF'}`,
    `-DCMAKE_C_COMPILER=${process.env.CC ?? 'clang'}`,
  ];
  const steps = [
    ['cmake', ['-G', 'Ninja', '-S', root, '-B', folder, ...options]],
    ['cmake', ['--build', folder]],
  ];
  for (const [command, args] of steps) {
    const result = run(command, args, { closing: /error:/ });
    if (!result.passed) return result;
  }
  return test(folder);
}

/** The test files in a folder of tests/ and below, or in all of them. */
function testFiles(folder = '') {
  return readdirSync(path.join(root, 'tests', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .map((file) => path.join('tests', folder, file))
    .sort();
}

function nodeTest({ node }, files, env = {}) {
  const args = ['--test', '--test-reporter=spec', ...files];
  return run(node, args, { env, closing: /^ℹ (tests|pass|fail|skipped) / });
}

/** The tests of the core once more, with sanitizers in the native instrumenter and the newer engine as the judge. */
function coreOnNewer(folder) {
  return nodeTest(newerEngine(), testFiles('core'), { WASM_TRACE_BUILD: folder });
}

/** The official test suite; only commands that the engine itself passes count. */
function spec(transform, engine) {
  const folder = process.env.WASM_TRACE_SPEC;
  if (!folder) return { skipped: 'WASM_TRACE_SPEC is not set (the folder of the spec suite and its runner)' };
  const file = path.join(root, 'tests/spec', `${transform}.mjs`);
  return run(engine.node, [path.join(folder, 'run.mjs'), '--strict', '--transform', file], {
    env: { WASM_TRACE_TEST_LINK: engine.link },
    closing: /^\d+ passed, \d+ failed/,
  });
}

/** Real packages under the preload: their output must be what it is without it. */
function corpus(engine) {
  const folder = process.env.WASM_TRACE_CORPUS;
  if (!folder) return { skipped: 'WASM_TRACE_CORPUS is not set (the folder of the corpus and its runner)' };
  const cache = path.join(os.tmpdir(), 'wasm-trace-corpus');
  const preload = pathToFileURL(path.join(root, 'node/register.js')).href;
  const options = ['--dir', cache, '--node', engine.node, '--node-arg', `--import ${preload}`];
  return run(process.execPath, [path.join(folder, 'run.mjs'), ...options], {
    env: { WASM_TRACE: `--trace calls --link ${engine.link}` },
    closing: /^\d+ passed, \d+ failed/,
  });
}

/** A short run of all fuzzers, or one of as many seconds as WASM_TRACE_FUZZ says. */
function fuzz() {
  const seconds = process.env.WASM_TRACE_FUZZ ?? '40';
  return run(process.execPath, ['tests/fuzz/run.mjs', seconds], {
    closing: /^(stat::number_of_executed_units|random programs,|traces against the truth,)/,
  });
}

/** @type {{name: string, run: () => {passed?: boolean, closing?: string[], skipped?: string}}[]} */
export const suites = [
  { name: 'unit', run: () => ctest(build) },
  { name: 'unit-sanitized', run: () => sanitized(ctest) },
  { name: 'js', run: () => nodeTest(thisNode, testFiles()) },
  { name: 'js-newer', run: () => nodeTest(newerEngine(), [...testFiles('js'), ...testFiles('e2e')]) },
  { name: 'core-newer-sanitized', run: () => sanitized(coreOnNewer) },
  { name: 'spec-split', run: () => spec('unattached', thisNode) },
  { name: 'spec-split-attached', run: () => spec('attached', thisNode) },
  { name: 'spec-merged', run: () => spec('unattached', newerEngine()) },
  { name: 'spec-merged-attached', run: () => spec('attached', newerEngine()) },
  { name: 'corpus-split', run: () => corpus(thisNode) },
  { name: 'corpus-merged', run: () => corpus(newerEngine()) },
  { name: 'fuzz', run: fuzz },
];
