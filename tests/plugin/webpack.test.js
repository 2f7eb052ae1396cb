// The plugin in webpack: the example from its dev server and built, in Chromium. Rspack, which takes the same, has a run of its own.
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import wasmTrace from '../../plugin/index.js';
import { bundler, callsFor, copyExample, isInstrumented, look, lookAtFolder, modulesOf, readTree, skip, withVariable } from './support.js';

const RESULTS = { import: 168, asset: 8, worker: 62 };
const CALLS = callsFor([1000, 20, 300]);

/** @type {ReturnType<typeof copyExample>} */
let example;
/** @type {any} */
let webpack;

before(async () => {
  example = copyExample('webpack');
  ({ default: webpack } = await bundler('webpack'));
});
after(() => example?.remove());

/** The example's own configuration. @param {object} changes @returns {Promise<any>} made anew, and its plugin with it */
async function configuration(changes) {
  const file = pathToFileURL(path.join(example.folder, 'webpack.config.js'));
  const { default: config } = await import(`${file.href}?${performance.now()}`);
  return { ...config, context: example.folder, infrastructureLogging: { level: 'none' }, ...changes };
}

/**
 * @param {object} changes
 * @param {(config: any) => any} [makeCompiler] webpack's, when left out
 * @returns {Promise<{tree: Record<string, Buffer>, stats: any}>} what was built, beside the page
 */
async function build(changes, makeCompiler = webpack) {
  const compiler = makeCompiler(await configuration({ mode: 'production', ...changes }));
  const stats = await new Promise((resolve, reject) => {
    compiler.run((/** @type {Error | null} */ error, /** @type {any} */ done) => (error ? reject(error) : resolve(done)));
  });
  await new Promise((resolve) => compiler.close(resolve));
  assert.equal(stats.hasErrors(), false, stats.toString());
  return { tree: readTree(path.join(example.folder, 'public/build')), stats };
}

/** @param {import('../../plugin/settings.js').PluginOptions} options */
function withPlugin(options) {
  return { plugins: [wasmTrace.webpack(options)], output: { path: path.join(example.folder, 'public/build'), publicPath: 'auto', clean: true } };
}

test('webpack-dev-server traces the page and its worker', { skip }, async () => {
  const { default: Server } = await bundler('webpack-dev-server');
  const config = await configuration({ mode: 'development', stats: 'none' });
  const server = new Server({ ...config.devServer, static: path.join(example.folder, 'public'), host: '127.0.0.1', port: 'auto' }, webpack(config));
  await server.start();
  try {
    const address = `http://127.0.0.1:${server.server.address().port}/`;
    const seen = await look(address);
    assert.deepEqual(seen.results, RESULTS, seen.problems.join('\n'));
    assert.equal(seen.calls, CALLS);
    assert.equal(seen.panel, true);
    const response = await fetch(new URL('build/wasm-trace-report.js', address));
    assert.equal(response.status, 200, 'the script for reports is beside that of the panel');
  } finally {
    await server.stop();
  }
});

test('a build is what it is without the plugin', async () => {
  const { output } = withPlugin({});
  const { tree: plain } = await build({ plugins: [], output });
  assert.deepEqual((await build({ output })).tree, plain);
  const off = await withVariable('0', () => build(withPlugin({ instrument: true, inject: true })));
  assert.deepEqual(off.tree, plain);
});

test('WASM_TRACE puts its question into a build, minified', { skip }, async () => {
  await withVariable('--trace calls:is_prime --display tree', () => build({}));
  const seen = await lookAtFolder(path.join(example.folder, 'public'));
  assert.deepEqual(seen.results, RESULTS, seen.problems.join('\n'));
  assert.equal(seen.calls, CALLS);
});

test('a build rewrites modules', { skip }, async () => {
  const { tree } = await build({ ...withPlugin({ trace: 'calls', instrument: true }), optimization: { minimize: false } });
  const modules = modulesOf(tree);
  assert.ok(modules.length > 0);
  assert.ok(modules.every(isInstrumented));
  const seen = await lookAtFolder(path.join(example.folder, 'public'));
  assert.deepEqual(seen.results, RESULTS, seen.problems.join('\n'));
  assert.equal(seen.calls, CALLS);
});

test('a module in which nothing matches stays as it is, with a warning', async () => {
  const { tree, stats } = await build(withPlugin({ trace: 'calls(nothing)', instrument: true, inject: false }));
  assert.equal(modulesOf(tree).some(isInstrumented), false);
  const [warning] = stats.toJson().warnings.map((/** @type {any} */ { message }) => message).filter((/** @type {string} */ text) => text.includes('primes'));
  assert.match(warning, /primes\.wasm: .*nothing.*: it stays as it is/);
});

test('Rspack traces the page and its worker', { skip }, async () => {
  const { rspack } = await bundler('@rspack/core');
  const plugins = [wasmTrace.rspack({ trace: 'calls', panel: 'right', instrument: true })];
  const { tree } = await build({ ...withPlugin({}), plugins }, rspack);
  assert.ok(modulesOf(tree).every(isInstrumented));
  const seen = await lookAtFolder(path.join(example.folder, 'public'));
  assert.deepEqual(seen.results, RESULTS, seen.problems.join('\n'));
  assert.equal(seen.calls, CALLS);
  assert.equal(seen.panel, true);
});
