// The plugin in Rollup: modules that its plugins inline or copy, in Chromium.
import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
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
  inlined: `import init from './primes.wasm';\nconst { instance } = await init({});\n${SHOW}`,
  copied: `import address from './primes.wasm';\nconst { instance } = await WebAssembly.instantiateStreaming(fetch(address));\n${SHOW}`,
};
/** A custom section "x": the module is another one and does the same. */
const EMPTY_SECTION = Uint8Array.from([0, 2, 1, 0x78]);
const PAGE = '<!doctype html><link rel="icon" href="data:,"><ul id="results"></ul><script type="module" src="main.js"></script>';

/** @typedef {keyof typeof ENTRIES} Way */

/** @type {ReturnType<typeof copyExample>} */
let example;
/** @type {any} */
let rollup;
/** @type {any} */
let watch;
/** What makes a module of a module. @type {Record<Way, () => any>} */
let loaders;

before(async () => {
  example = copyExample('vite');
  ({ rollup, watch } = await bundler('rollup'));
  const [{ wasm }, { default: url }] = await Promise.all(['@rollup/plugin-wasm', '@rollup/plugin-url'].map(bundler));
  loaders = {
    inlined: () => wasm({ targetEnv: 'auto-inline' }),
    copied: () => url({ include: '**/*.wasm', limit: 0, fileName: '[name]-[hash][extname]' }),
  };
  for (const [way, code] of Object.entries(ENTRIES)) writeFileSync(path.join(example.folder, `src/${way}.js`), code);
});
after(() => example?.remove());

/** @param {Way} way @param {string} name of the folder @param {any[]} plugins in front @param {any} [bundle] Rollup's, when left out */
async function build(way, name, plugins, bundle = rollup) {
  const dir = path.join(example.folder, name);
  /** @type {string[]} */
  const warnings = [];
  const made = await bundle({
    input: { main: path.join(example.folder, `src/${way}.js`) },
    onwarn: (/** @type {Error} */ { message }) => warnings.push(message),
    plugins: [...plugins, loaders[way]()],
  });
  await made.write({ dir, format: 'es' });
  await made.close();
  writeFileSync(path.join(dir, 'index.html'), PAGE);
  return { dir, warnings, tree: readTree(dir) };
}

/** Builds, changes the module, and builds again. @param {any[]} plugins @returns {Promise<Record<string, Buffer>>} what was built */
function watchChange(plugins) {
  const dir = path.join(example.folder, 'watched');
  const watcher = watch({
    input: { main: path.join(example.folder, 'src/copied.js') },
    onwarn() {},
    plugins: [...plugins, loaders.copied()],
    output: { dir, format: 'es' },
  });
  let builds = 0;
  /** @type {Promise<Record<string, Buffer>>} */
  const changed = new Promise((resolve, reject) => {
    watcher.on('event', (/** @type {{code: string, error?: Error}} */ { code, error }) => {
      if (error) reject(error);
      if (code !== 'END') return;
      const tree = readTree(dir);
      if (++builds === 1) appendFileSync(path.join(example.folder, 'src/primes.wasm'), EMPTY_SECTION);
      if (modulesOf(tree).length > 1) resolve(tree);
    });
  });
  return changed.finally(() => watcher.close());
}

/** @param {string} dir */
async function checkPage(dir) {
  const seen = await lookAtFolder(dir);
  assert.deepEqual(seen.results, RESULTS, seen.problems.join('\n'));
  assert.equal(seen.calls, CALLS);
}

test('a build is what it is without the plugin', async () => {
  const { tree: plain } = await build('copied', 'plain', []);
  assert.deepEqual((await build('copied', 'default', [wasmTrace.rollup({})])).tree, plain);
  const off = await withVariable('0', () => build('copied', 'off', [wasmTrace.rollup({ instrument: true })]));
  assert.deepEqual(off.tree, plain);
});

test('entries import the page script first', { skip }, async () => {
  const { dir } = await build('inlined', 'injected', [wasmTrace.rollup({ trace: 'calls', inject: true })]);
  await checkPage(dir);
});

test('a build rewrites modules that are inlined', { skip }, async () => {
  const { dir } = await build('inlined', 'rewritten', [wasmTrace.rollup({ trace: 'calls', instrument: true })]);
  await checkPage(dir);
});

test('a build rewrites modules that are copied', { skip }, async () => {
  const { tree: plain } = await build('copied', 'plain', []);
  const { dir, tree } = await build('copied', 'rewritten-files', [wasmTrace.rollup({ trace: 'calls', instrument: true })]);
  assert.equal(modulesOf(tree).length, 1);
  assert.ok(modulesOf(tree).every(isInstrumented));
  const names = (/** @type {object} */ files) => Object.keys(files).filter((name) => name.endsWith('.wasm'));
  assert.notDeepEqual(names(tree), names(plain), 'the hash in its name is that of the rewritten module');
  await checkPage(dir);
});

test('modules that others have put into the bundle are rewritten', async () => {
  const source = readTree(path.join(example.folder, 'src'))['primes.wasm'];
  /** @this {any} */
  function buildStart() {
    this.emitFile({ type: 'asset', fileName: 'primes.wasm', source });
    this.emitFile({ type: 'asset', fileName: 'text.wasm', source: Buffer.from('no module') });
  }
  const plugins = [{ name: 'copy', buildStart }, wasmTrace.rollup({ trace: 'calls', instrument: true })];
  const { tree, warnings } = await build('inlined', 'emitted', plugins);
  assert.ok(isInstrumented(tree['primes.wasm']));
  assert.equal(String(tree['text.wasm']), 'no module');
  assert.equal(warnings.filter((text) => /text\.wasm: .*: it stays as it is$/.test(text)).length, 1, warnings.join('\n'));
});

test('Rolldown does the same', { skip }, async () => {
  const { rolldown } = await bundler('rolldown');
  const { dir, tree } = await build('copied', 'rolldown', [wasmTrace.rolldown({ trace: 'calls', instrument: true })], rolldown);
  assert.ok(modulesOf(tree).every(isInstrumented));
  await checkPage(dir);
});

test('in watch mode the page script is there, and a module that changes is rewritten again', async () => {
  const tree = await watchChange([wasmTrace.rollup({ trace: 'calls', instrument: true })]);
  assert.match(String(tree['main.js']), /wasmTraceStart/);
  assert.equal(modulesOf(tree).length, 2, 'one of before, one of after the change');
  assert.ok(modulesOf(tree).every(isInstrumented));
});
