// Modules that the engine's module loader makes: `import ... from './x.wasm'`, `import source`. Node hands them to the same
// WebAssembly object as a program does, so the preload gets hold of them; Node 20 and 22 have imports behind a flag.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { instrument } from '../../js/index.js';
import { makeFolder } from './cli-support.js';
import { BUILTIN_MODULE, MODULE, START_MODULE, TRAP_MODULE } from './loader-support.js';

const register = fileURLToPath(new URL('../../node/register', import.meta.url));
const PRELOADS = [['--import', pathToFileURL(`${register}.js`).href], ['-r', `${register}.cjs`]];

const isFlagged = Number.parseInt(process.versions.node) < 24;
const flags = ['--no-warnings', ...(isFlagged ? ['--experimental-wasm-modules'] : [])];
const skip = isFlagged && 'this Node does not have it';

const EVERYTHING = '--trace calls(*) --trace args(*) --trace ret(*) --trace imports --trace memory.grow --trace traps --trace stack(*)';
const NESTED = '--trace calls(*) --display nested';
const TWICE = `${['call twice', '  call add', '  return from add', 'return from twice'].join('\n')}\n`;

/** @param {import('node:test').TestContext} t @param {string} source @param {Record<string, string | Uint8Array>} [files] */
function makeProgram(t, source, files = {}) {
  return makeFolder(t, { 'app.mjs': source, 'add.wasm': MODULE, 'trap.wasm': TRAP_MODULE, 'builtin.wasm': BUILTIN_MODULE, ...files });
}

/** @param {string} folder @param {string[]} preload @param {string} [question] none: WASM_TRACE is not set */
function run(folder, preload, question, program = 'app.mjs') {
  const { WASM_TRACE, ...env } = { ...process.env, NODE_OPTIONS: '' };
  const options = { cwd: folder, encoding: /** @type {const} */ ('utf8'), env: question ? { ...env, WASM_TRACE: question } : env };
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, ...preload, program], options);
  return { status, stdout, stderr };
}

for (const preload of PRELOADS) {
  describe(`under ${preload[0]}`, () => {
    const traced = (/** @type {string} */ folder, question = NESTED, program = 'app.mjs') => run(folder, preload, question, program);

    test('an imported module is traced, and its namespace is as it was', (t) => {
      const source = `import * as all from './add.wasm'; console.log(all.twice(4), Object.keys(all), all.mem instanceof WebAssembly.Memory);`;
      const { stdout, stderr } = traced(makeProgram(t, source));
      assert.equal(stdout, "8 [ 'add', 'mem', 'twice' ] true\n");
      assert.equal(stderr, `add.wasm\n${TWICE}`);
    });

    test('import() is traced, also from CommonJS', (t) => {
      const source = `import('./add.wasm').then(({ twice }) => console.log(twice(4)));`;
      const folder = makeProgram(t, source, { 'app.cjs': source });
      for (const program of ['app.mjs', 'app.cjs']) {
        assert.deepEqual(traced(folder, NESTED, program), { status: 0, stdout: '8\n', stderr: `add.wasm\n${TWICE}` });
      }
    });

    test('everything at once changes no output', (t) => {
      const source = `
        import { twice } from './add.wasm';
        import { fail } from './trap.wasm';
        try { fail(); } catch (error) { console.log(twice(21), error instanceof WebAssembly.RuntimeError, error.message); }`;
      const folder = makeProgram(t, source);
      const { stdout, stderr } = traced(folder, EVERYTHING);
      assert.equal(stdout, '42 true unreachable\n');
      assert.match(stderr, /add\(21, 21\)/);
      assert.match(stderr, /trap\.wasm\n/);
    });

    test('a module imports from JavaScript and has a start function', (t) => {
      const folder = makeProgram(t, `import './start.wasm';`, { 'start.wasm': START_MODULE });
      mkdirSync(path.join(folder, 'node_modules/env'), { recursive: true });
      writeFileSync(path.join(folder, 'node_modules/env/package.json'), '{"type": "module", "exports": "./index.js"}');
      writeFileSync(path.join(folder, 'node_modules/env/index.js'), `export const tell = () => console.log('told');`);
      const { status, stdout, stderr } = traced(folder, '--trace imports');
      assert.deepEqual([status, stdout], [0, 'told\n']);
      assert.match(stderr, /^start\.wasm\n/);
    });

    test('a worker imports one', (t) => {
      const source = `
        import { isMainThread, Worker } from 'node:worker_threads';
        if (isMainThread) new Worker(new URL(import.meta.url));
        else console.log((await import('./add.wasm')).twice(4));`;
      const { stdout, stderr } = traced(makeProgram(t, source));
      assert.equal(stdout, '8\n');
      assert.equal(stderr, `add.wasm (worker 1)\n${TWICE}`);
    });

    test('a module that was instrumented in place is attached to', (t) => {
      const bytes = instrument(MODULE, { trace: 'args(add)', display: 'log', link: 'split' });
      const folder = makeProgram(t, `import * as all from './add.wasm'; console.log(all.twice(4), Object.keys(all));`, { 'add.wasm': bytes });
      const { stdout, stderr } = run(folder, preload);
      assert.equal(stdout, "8 [ 'add', 'mem', 'twice' ]\n");
      assert.equal(stderr, 'add.wasm\nadd(4, 4)\n');
    });

    test('import source is traced, with its custom sections and exports as they were', { skip }, (t) => {
      const source = `
        import source module from './add.wasm';
        console.log(module instanceof WebAssembly.Module, WebAssembly.Module.customSections(module, 'wasm-trace').length);
        console.log(WebAssembly.Module.exports(module).map(({ name }) => name), new WebAssembly.Instance(module).exports.twice(4));`;
      const { stdout, stderr } = traced(makeProgram(t, source));
      assert.equal(stdout, "true 0\n[ 'twice', 'mem', 'add' ] 8\n");
      assert.equal(stderr, `add.wasm\n${TWICE}`);
    });

    test('string builtins, which an import has always, stay', { skip }, (t) => {
      const { stdout, stderr } = traced(makeProgram(t, `import { measure } from './builtin.wasm'; console.log(measure('hello'));`));
      assert.equal(stdout, '5\n');
      assert.match(stderr, /call measure/);
    });
  });
}
