// The plugin in Vite: the example while developing, built, and previewed, in Chromium.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import wasmTrace from '../../plugin/index.js';
import { bundler, callsFor, copyExample, isInstrumented, look, modulesOf, readTree, skip, withVariable } from './support.js';

const RESULTS = { '?init': 4, '?url': 25, import: 168, 'new URL': 8, '?worker': 46, 'module worker': 62, 'classic worker': 15 };
const CALLS = callsFor([10, 100, 1000, 20, 200, 300, 50]);

/** @type {ReturnType<typeof copyExample>} */
let example;
/** @type {any} */
let vite;

before(async () => {
  example = copyExample('vite');
  vite = await bundler('vite');
});
after(() => example?.remove());

/** What Vite says at the default level, without the colours. */
function listener() {
  /** @type {string[]} */
  const said = [];
  const hear = (/** @type {string} */ text) => void said.push(text.trim());
  const logger = { info: hear, warn: hear, warnOnce: hear, error: hear, clearScreen() {}, hasErrorLogged: () => false, hasWarned: false };
  return { said, logger };
}

/** Visits the dev server of the example. @param {object} [config] */
async function develop(config = {}) {
  const { said, logger } = listener();
  const server = await vite.createServer({ root: example.folder, customLogger: logger, server: { host: '127.0.0.1', port: 0 }, ...config });
  await server.listen();
  try {
    return { ...(await look(server.resolvedUrls.local[0])), said };
  } finally {
    await server.close();
  }
}

/** @param {string} outDir @param {object} [config] @returns {Promise<Record<string, Buffer>>} what was built */
async function build(outDir, config = {}) {
  await vite.build({ root: example.folder, customLogger: listener().logger, build: { outDir, ...config.build }, ...omitBuild(config) });
  return readTree(path.join(example.folder, outDir));
}

/** @param {any} config */
function omitBuild({ build: _, ...rest }) {
  return rest;
}

/** @param {string} outDir @param {object} [config] */
async function preview(outDir, config = {}) {
  const server = await vite.preview({ root: example.folder, logLevel: 'silent', build: { outDir }, preview: { host: '127.0.0.1', port: 0 }, ...config });
  try {
    return await look(server.resolvedUrls.local[0]);
  } finally {
    await server.close();
  }
}

test('vite dev traces the page and its workers', { skip }, async () => {
  const seen = await develop();
  assert.deepEqual(seen.results, RESULTS, seen.problems.join('\n'));
  assert.equal(seen.calls, CALLS);
  assert.equal(seen.panel, true);
  assert.equal(seen.firstScript, '/@wasm-trace/wasm-trace.js');
  assert.deepEqual(seen.said.filter((line) => line.includes('wasm-trace:')), ['wasm-trace: tracing calls; WASM_TRACE=0 switches it off']);
  assert.deepEqual(seen.problems, []);
});

test('vite dev below a base', { skip }, async () => {
  const seen = await develop({ base: '/app/' });
  assert.deepEqual(seen.results, RESULTS, seen.problems.join('\n'));
  assert.equal(seen.calls, CALLS);
  assert.equal(seen.firstScript, '/app/@wasm-trace/wasm-trace.js');
});

test('WASM_TRACE=0 leaves vite dev alone', { skip }, async () => {
  const seen = await withVariable('0', () => develop());
  assert.deepEqual(seen.results, RESULTS);
  assert.equal(seen.traced, false);
});

test('a build is what it is without the plugin', async () => {
  const plain = await build('plain', { configFile: false });
  assert.deepEqual(await build('default'), plain);
  assert.deepEqual(await withVariable('0', () => build('off', withPlugin({ instrument: true }))), plain);
});

test('WASM_TRACE puts its question into a build', { skip }, async () => {
  const tree = await withVariable('--trace calls:is_prime --display tree', () => build('asked'));
  assert.ok(Object.keys(tree).includes('wasm-trace/wasm-trace.js'));
  const seen = await preview('asked');
  assert.deepEqual(seen.results, RESULTS, seen.problems.join('\n'));
  assert.equal(seen.calls, CALLS);
});

for (const [how, assetsInlineLimit] of [['as files', 0], ['inlined', 4096]]) {
  test(`a build rewrites modules ${how}`, { skip }, async () => {
    const outDir = `rewritten-${assetsInlineLimit}`;
    const tree = await build(outDir, withPlugin({ trace: 'calls', instrument: true }, { build: { assetsInlineLimit } }));
    const modules = modulesOf(tree);
    assert.ok(how === 'inlined' ? modules.length === 0 : modules.length > 0);
    assert.ok(modules.every(isInstrumented));
    const seen = await preview(outDir);
    assert.deepEqual(seen.results, RESULTS, seen.problems.join('\n'));
    assert.deepEqual(seen.names, how === 'inlined' ? ['primes'] : Object.keys(tree).filter((name) => name.endsWith('.wasm')).map((name) => path.basename(name)));
    assert.equal(seen.calls, CALLS);
  });
}

test('a page in a folder of a build without a base finds the script', { skip }, async () => {
  const tree = await build('relative', withPlugin({ trace: 'calls', inject: true }, { base: './' }));
  assert.match(String(tree['index.html']), /<script src="\.\/wasm-trace\/wasm-trace\.js" data-trace="calls">/);
});

/** @param {import('../../plugin/settings.js').PluginOptions} options @param {any} [config] */
function withPlugin(options, config = {}) {
  return { configFile: false, plugins: [wasmTrace.vite(options)], ...config };
}
