// The npm package as its users get it: packed, installed into an empty folder, without a compiler.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** @type {string} */
let folder;

const npm = (/** @type {string[]} */ ...args) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

/** Runs an installed command by this engine. */
function run(/** @type {string} */ command, /** @type {string[]} */ args) {
  const file = path.join(folder, 'node_modules/.bin', command);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}

before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'wasm-trace-package-'));
  npm('pack', root, '--pack-destination', folder);
  const archive = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  npm('init', '-y');
  npm('install', '--prefer-offline', '--no-audit', '--no-fund', `./${archive}`);
  copyFileSync(path.join(root, 'build/programs/json.wasm'), path.join(folder, 'json.wasm'));
});

after(() => rmSync(folder, { recursive: true, force: true }));

test('wasm-trace-node answers a question', () => {
  const { status, stdout, stderr } = run('wasm-trace-node', ['--trace', 'arg(0, malloc)', 'json.wasm', '[1, 2]']);
  assert.equal(status, 0, stderr);
  assert.equal(stdout, '0 objects, 1 arrays, 0 strings, 2 numbers (sum 3), depth 2\n');
  assert.match(stderr, /malloc/);
});

test('wasm-trace rewrites a module and restores it', () => {
  const rewritten = run('wasm-trace', ['--trace', 'calls', 'json.wasm']);
  assert.equal(rewritten.status, 0, rewritten.stderr);
  const restored = run('wasm-tracing', ['--restore', 'json.wasm']);
  assert.equal(restored.status, 0, restored.stderr);
});

test('the plugin for bundlers finds what it depends on, and the page script', () => {
  const source = `
    import wasmTrace from 'wasm-tracing/plugin';
    import { readPageFile, PAGE_FILES } from './node_modules/wasm-tracing/plugin/page-script.js';
    console.log(wasmTrace.vite().name, typeof wasmTrace.webpack, PAGE_FILES.every((file) => readPageFile(file).length > 0));`;
  writeFileSync(path.join(folder, 'plugin.mjs'), source);
  const { stdout, stderr } = spawnSync(process.execPath, ['plugin.mjs'], { cwd: folder, encoding: 'utf8' });
  assert.equal(stdout, 'wasm-trace function true\n', stderr);
});

test('wasm-trace serve has the page script', async (t) => {
  const file = path.join(folder, 'node_modules/.bin/wasm-trace');
  const child = spawn(process.execPath, [file, 'serve', '--port', '0'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [text] = await once(child.stdout, 'data');
  const scripts = `${/http:\S+/.exec(text)[0]}__wasm-trace/`;
  for (const name of ['wasm-trace.js', 'worker.js', 'hang']) assert.equal((await fetch(scripts + name)).status, 200, name);
  child.kill('SIGINT');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('the package exports the loader, the preload and the instrumenter', () => {
  const source = `
    import { instrument, install, attach } from 'wasm-tracing';
    import { existsSync } from 'node:fs';
    import { fileURLToPath } from 'node:url';
    const file = (name) => existsSync(fileURLToPath(import.meta.resolve(name)));
    console.log(typeof instrument, typeof install, typeof attach);
    console.log(file('wasm-tracing/register'), file('wasm-tracing/wasm-trace.wasm'), file('wasm-tracing/package.json'));`;
  writeFileSync(path.join(folder, 'exports.mjs'), source);
  const { stdout, stderr } = spawnSync(process.execPath, ['exports.mjs'], { cwd: folder, encoding: 'utf8' });
  assert.equal(stdout, 'function function function\ntrue true true\n', stderr);
});

test('TypeScript finds its types', () => {
  writeFileSync(
    path.join(folder, 'user.mts'),
    `import { instrument } from 'wasm-tracing';
     const bytes: Uint8Array<ArrayBuffer> = instrument(new Uint8Array(), { trace: 'calls' });
     export const module = new WebAssembly.Module(bytes);
     export const untold: Uint8Array = instrument(new Uint8Array() as Uint8Array, { trace: 'calls' });`,
  );
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const args = [compiler, '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', 'user.mts'];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});
