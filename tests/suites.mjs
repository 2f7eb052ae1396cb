// The test suites, one row each. A suite's `run` returns whether it passed and the closing lines of the tool that ran
// it, or why it was skipped.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { findBrowser } from '../cmake/find-browser.mjs';
import { root, run } from './command.mjs';
import { bun, newerEngine, newestEngine, olderEngine, thisNode } from './engines.mjs';
import { matrix } from './matrix.mjs';
import { bundlers } from './packages.mjs';

const build = path.join(root, 'build');

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

/** Folders with suites of their own. */
const APART = ['browser', 'plugin'];

/** The test files in a folder of tests/ and below, or in all of them but those that are apart. */
function testFiles(folder = '') {
  return readdirSync(path.join(root, 'tests', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .map((file) => path.join('tests', folder, file))
    .filter((file) => APART.includes(folder) || !APART.some((one) => file.startsWith(path.join('tests', one))))
    .sort();
}

function nodeTest({ node }, files, env = {}) {
  const args = ['--test', '--test-reporter=spec', ...files];
  return run(node, args, { env, closing: /^ℹ (tests|pass|fail|skipped) / });
}

/** @param {string} name `chromium` or `firefox` @param {string[]} [files] @param {Record<string, string>} [env] */
function inBrowser(name, files = testFiles('browser'), env = {}) {
  if (!findBrowser(name)) return { skipped: `no ${name}` };
  return nodeTest(thisNode, files, { WASM_TRACE_BROWSER: name, ...env });
}

/** @param {string} name */
function slowAppsIn(name) {
  return inBrowser(name, ['tests/browser/apps.test.js'], { WASM_TRACE_SLOW: '1' });
}

/** Their files may run at the same time, so what they need is installed before. */
function plugin() {
  bundlers();
  return nodeTest(thisNode, testFiles('plugin'));
}

/** The tests of the core once more, with sanitizers in the native instrumenter and the newer engine as the judge. */
function coreOnNewer(folder) {
  return nodeTest(newerEngine(), testFiles('core'), { WASM_TRACE_BUILD: folder });
}

/** What modules do and what is recorded of it, in JavaScriptCore; its tests end after five seconds otherwise. */
function goldenOnBun() {
  return run(bun().node, ['test', '--timeout', '60000', './tests/core/golden.test.js'], { closing: /^\s*\d+ (pass|skip|fail)$/ });
}

/** A short run of all fuzzers, or one of as many seconds as WASM_TRACE_FUZZ says. */
function fuzz() {
  const seconds = process.env.WASM_TRACE_FUZZ ?? '40';
  return run(process.execPath, ['tests/fuzz/run.mjs', seconds], {
    closing: /^(stat::number_of_executed_units|random programs,|traces against the truth,|instructions counted,)/,
  });
}

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {boolean} [daily] false: only in the full run
 * @property {() => {passed?: boolean, closing?: string[], skipped?: string}} run
 */

/** @type {Suite[]} */
export const suites = [
  { name: 'unit', run: () => ctest(build) },
  { name: 'unit-sanitized', run: () => sanitized(ctest) },
  { name: 'js', run: () => nodeTest(thisNode, testFiles()) },
  { name: 'js-newer', run: () => nodeTest(newerEngine(), [...testFiles('js'), ...testFiles('e2e')]) },
  { name: 'e2e-older', daily: false, run: () => nodeTest(olderEngine(), testFiles('e2e')) },
  { name: 'js-newest', daily: false, run: () => nodeTest(newestEngine(), testFiles()) },
  { name: 'core-newer-sanitized', run: () => sanitized(coreOnNewer) },
  { name: 'golden-bun', run: goldenOnBun },
  { name: 'browser-chromium', run: () => inBrowser('chromium') },
  { name: 'browser-firefox', run: () => inBrowser('firefox') },
  { name: 'plugin', run: plugin },
  { name: 'browser-chromium-slow', daily: false, run: () => slowAppsIn('chromium') },
  { name: 'browser-firefox-slow', daily: false, run: () => slowAppsIn('firefox') },
  ...matrix,
  { name: 'fuzz', run: fuzz },
];
