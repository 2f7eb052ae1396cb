// The plugin in esbuild: modules as files and as bytes in the bundle, in Chromium.
import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import wasmTrace from '../../plugin/index.js';
import { bundler, callsFor, copyExample, isInstrumented, lookAtFolder, modulesOf, readTree, skip, withVariable } from './support.js';

const RESULTS = { primes: 25 };
const CALLS = callsFor([100]);

const SHOW = `const item = document.createElement('li');
item.textContent = 'primes: ' + instance.exports.count_primes(100);
document.getElementById('results').append(item);
document.getElementById('results').dataset.complete = 'yes';
`;
const ENTRIES = {
  file: `import address from './primes.wasm';\nconst { instance } = await WebAssembly.instantiateStreaming(fetch(address));\n${SHOW}`,
  worker: `import address from './primes.wasm';
const worker = new Worker('worker.js');
worker.onmessage = ({ data: count }) => {
  const instance = { exports: { count_primes: () => count } };
  ${SHOW}
};
worker.postMessage({ address: new URL(address, document.baseURI).href, limit: 100 });`,
  binary: `import bytes from './primes.wasm';\nconst { instance } = await WebAssembly.instantiate(bytes);\n${SHOW}`,
};
const PAGE = '<!doctype html><link rel="icon" href="data:,"><ul id="results"></ul><script type="module" src="main.js"></script>';

/** @type {ReturnType<typeof copyExample>} */
let example;
/** @type {any} */
let esbuild;

before(async () => {
  example = copyExample('vite');
  esbuild = await bundler('esbuild');
  for (const [entry, code] of Object.entries(ENTRIES)) writeFileSync(path.join(example.folder, `src/${entry}.js`), code);
});
after(async () => {
  await esbuild?.stop();
  example?.remove();
});

/** @param {keyof typeof ENTRIES} entry @param {string} name of the folder @param {any[]} plugins @param {object} [options] */
async function build(entry, name, plugins, options = {}) {
  const outdir = path.join(example.folder, name);
  await esbuild.build({
    entryPoints: { main: path.join(example.folder, `src/${entry}.js`) },
    bundle: true,
    minify: true,
    format: 'esm',
    outdir,
    loader: { '.wasm': entry === 'binary' ? 'binary' : 'file' },
    logLevel: 'silent',
    plugins,
    ...options,
  });
  writeFileSync(path.join(outdir, 'index.html'), PAGE);
  return { outdir, tree: readTree(outdir) };
}

test('a build is what it is without the plugin', async () => {
  const { tree: plain } = await build('file', 'plain', []);
  assert.deepEqual((await build('file', 'default', [wasmTrace.esbuild({})])).tree, plain);
  const off = await withVariable('0', () => build('file', 'off', [wasmTrace.esbuild({ instrument: true, inject: true })]));
  assert.deepEqual(off.tree, plain);
});

for (const loader of /** @type {const} */ (['file', 'binary'])) {
  test(`loader ${loader}: the page script comes first`, { skip }, async () => {
    const { outdir } = await build(loader, `injected-${loader}`, [wasmTrace.esbuild({ trace: 'calls', panel: 'bottom', inject: true })]);
    const seen = await lookAtFolder(outdir);
    assert.deepEqual(seen.results, RESULTS, seen.problems.join('\n'));
    assert.equal(seen.calls, CALLS);
    assert.equal(seen.panel, true);
  });

  test(`loader ${loader}: a build rewrites modules`, { skip }, async () => {
    const { outdir, tree } = await build(loader, `rewritten-${loader}`, [wasmTrace.esbuild({ trace: 'calls', instrument: true })]);
    assert.ok(modulesOf(tree).every(isInstrumented));
    const seen = await lookAtFolder(outdir);
    assert.deepEqual(seen.results, RESULTS, seen.problems.join('\n'));
    assert.equal(seen.calls, CALLS);
  });
}

test('workers get the page script as it was, where esbuild writes for older engines', { skip }, async () => {
  const options = { target: 'es2020', keepNames: true, format: 'iife' };
  const { outdir } = await build('worker', 'lowered', [wasmTrace.esbuild({ trace: 'calls', inject: true })], options);
  copyFileSync(path.join(example.folder, 'src/classic-worker.js'), path.join(outdir, 'worker.js'));
  const seen = await lookAtFolder(outdir);
  assert.deepEqual(seen.results, RESULTS, seen.problems.join('\n'));
  assert.equal(seen.calls, CALLS);
  assert.deepEqual(seen.problems, []);
});
