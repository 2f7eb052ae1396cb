// wasm-trace-node and the preload: programs run as they do without, and a report comes at their end, however it comes.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync, inflateRawSync } from 'node:zlib';

import { instrument } from '../../js/index.js';
import { bestLink } from '../../js/loader/engine.js';
import { unpackRecording } from '../../js/views/recorded.js';
import { renderReport } from '../../js/views/report.js';
import { assemble } from '../core/assemble.js';
import { COMPONENT, CUT_MODULE, makeFolder } from './cli-support.js';
import { BINDGEN_MODULE, MODULE, SPIN_MODULE, START_MODULE, TRAP_MODULE } from './loader-support.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const command = path.join(root, 'node/wasm-trace-node');
const register = pathToFileURL(path.join(root, 'node/register.js')).href;
const jsonProgram = path.join(root, 'build/programs/json.wasm');

/** Makes an instance of a module file beside it. */
const LOAD = `
  import { readFileSync } from 'node:fs';
  const load = (name) => new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL(name, import.meta.url)))).exports;
`;
const ADD = `${LOAD} console.log(load('add.wasm').add(1, 2));`;

/** A program named app.mjs beside the modules. @param {import('node:test').TestContext} t */
function makeProgram(t, source, files = {}) {
  return makeFolder(t, { 'app.mjs': source, 'add.wasm': MODULE, 'trap.wasm': TRAP_MODULE, 'spin.wasm': SPIN_MODULE, ...files });
}

function runIn(folder, args, env = {}) {
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '', ...env } };
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, options);
  return { status, signal, stdout, stderr };
}

const traced = (folder, ...args) => runIn(folder, [command, ...args]);
const traceCalls = (folder, ...args) => traced(folder, '--trace', 'calls(*)', '--display', 'nested', ...args);

/** Sends a signal once the program has written to its standard output. */
function signalled(folder, signal, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [command, '--trace', 'calls(*)', '--display', 'nested', ...args], { cwd: folder });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data) => {
      if (stdout === '') child.kill(signal);
      stdout += data;
    });
    child.stderr.on('data', (data) => (stderr += data));
    child.on('close', (status, by) => resolve({ status, signal: by, stdout, stderr }));
  });
}

describe('wasm-trace-node with a script', () => {
  test('leaves output, arguments and exit status alone, and reports at the end', (t) => {
    const folder = makeProgram(t, `${ADD} console.log(process.argv.slice(2), process.execArgv); console.error('words'); process.exitCode = 7;`);
    const { status, stdout, stderr } = traceCalls(folder, 'app.mjs', '--limit', 'x y');
    assert.deepEqual([status, stdout], [7, "3\n[ '--limit', 'x y' ] []\n"]);
    assert.match(stderr, /^words\n[^]*call add/);
  });

  test('reads CommonJS and passes on flags of node', (t) => {
    const source = `const w = require('fs').readFileSync('add.wasm'); WebAssembly.instantiate(w).then(({ instance }) => console.log(instance.exports.add(1, 2), typeof gc))`;
    const folder = makeProgram(t, '', { 'app.cjs': source });
    const { stdout, stderr } = runIn(folder, ['--expose-gc', command, '--trace', 'calls(*)', 'app.cjs']);
    assert.equal(stdout, '3 function\n');
    assert.match(stderr, /add/);
  });

  for (const [how, ending, expected] of [
    ['process.exit', 'process.exit(5);', { status: 5, signal: null }],
    ['an uncaught error', 'throw new Error("boom");', { status: 1, signal: null }],
    ['an unhandled rejection', 'Promise.reject(new Error("boom"));', { status: 1, signal: null }],
    ['a signal that it sends itself', 'process.kill(process.pid, "SIGTERM");', { status: null, signal: 'SIGTERM' }],
  ]) {
    test(`reports after ${how}`, (t) => {
      const { status, signal, stderr } = traceCalls(makeProgram(t, ADD + ending), 'app.mjs');
      assert.deepEqual({ status, signal }, expected);
      assert.match(stderr, /call add/);
      if (stderr.includes('boom')) assert.ok(stderr.indexOf('boom') < stderr.indexOf('call add'));
    });
  }

  test('reports after Ctrl-C, which ends it as ever', async (t) => {
    const folder = makeProgram(t, `${ADD} setInterval(() => {}, 1000);`);
    const { status, signal, stderr } = await signalled(folder, 'SIGINT', ['app.mjs']);
    assert.deepEqual([status, signal], [null, 'SIGINT']);
    assert.match(stderr, /call add/);
  });

  test('leaves signals to a program that handles them', async (t) => {
    const handler = `process.on('SIGTERM', () => { console.log(process.listenerCount('SIGTERM')); process.exit(9); });`;
    const folder = makeProgram(t, `${ADD} ${handler} setInterval(() => {}, 1000);`);
    const { status, stdout, stderr } = await signalled(folder, 'SIGTERM', ['app.mjs']);
    assert.deepEqual([status, stdout], [9, '3\n1\n']);
    assert.match(stderr, /call add/);
  });

  test('gets the report out of a program that hangs inside wasm', async (t) => {
    const folder = makeProgram(t, `${LOAD} const { spin } = load('spin.wasm'); console.log('ready'); spin();`);
    const { status, signal, stderr } = await signalled(folder, 'SIGINT', ['app.mjs']);
    assert.deepEqual([status, signal], [null, 'SIGINT']);
    assert.match(stderr, /spin/);
  });

  test('waits for a report that is being written', async (t) => {
    const source = `${ADD}
      import { url } from 'node:inspector';
      const { stringify } = JSON;
      JSON.stringify = (value) => {
        for (const end = performance.now() + 1000; performance.now() < end; );
        return stringify(value);
      };
      setInterval(() => {}, 1000);
      while (url() === undefined);`; // until wasm-trace-node has lost its patience
    const { status, signal, stderr } = await signalled(makeProgram(t, source), 'SIGINT', ['app.mjs']);
    assert.deepEqual([status, signal], [null, 'SIGINT']);
    assert.match(stderr, /call add/);
  });

  test('shows a trap with places in the original file', (t) => {
    const { status, stderr } = traced(makeProgram(t, `${LOAD} load('trap.wasm').fail();`), '--trace', 'traps', 'app.mjs');
    assert.equal(status, 1);
    const offset = Buffer.from(TRAP_MODULE).indexOf(Buffer.from([3, 0, 0, 0x0b])) + 2;
    assert.match(stderr, new RegExp(`unreachable in broken at byte ${offset}`));
    assert.match(stderr, new RegExp(`^ +fail at byte ${Buffer.from(TRAP_MODULE).indexOf(Buffer.from([0x10, 0, 0x0b]))}$`, 'm'));
  });

  test('gives an overview when nothing is asked', (t) => {
    const { stderr } = traced(makeProgram(t, ADD), 'app.mjs');
    assert.match(stderr, /1 module/);
    assert.match(stderr, /wasm-trace-node --trace .* app\.mjs/);
    assert.ok(stderr.split('\n').length <= 41);
  });

  test('writes the report to a file, as text or as data', (t) => {
    const folder = makeProgram(t, ADD);
    for (const name of ['r.txt', 'r.json']) {
      const { stdout, stderr } = traceCalls(folder, '--report', name, 'app.mjs');
      assert.deepEqual([stdout, stderr], ['3\n', `wasm-trace: report in ${name}\n`]);
    }
    assert.match(readFileSync(path.join(folder, 'r.txt'), 'utf8'), /call add/);
    const { program, sessions } = JSON.parse(readFileSync(path.join(folder, 'r.json'), 'utf8'));
    assert.deepEqual([program, sessions.length], ['app.mjs', 1]);
  });

  test('writes the report as a page with all that was recorded, the trap and its text too', (t) => {
    const source = `${ADD} try { load('trap.wasm').fail(); } catch {} load('trap.wasm').fail();`;
    const folder = makeProgram(t, source);
    assert.match(traced(folder, '--trace', 'calls(*)', '--report', 'r.html', 'app.mjs').stderr, /RuntimeError: unreachable/);
    const html = readFileSync(path.join(folder, 'r.html'), 'utf8');
    const [, json] = /<script type="application\/json"[^>]*>([^<]*)<\/script>/.exec(html) ?? [];
    const [{ program, head, data }] = JSON.parse(json);
    const { sessions, modules, trace, traps } = unpackRecording(head, inflateRawSync(Buffer.from(data, 'base64')));
    assert.deepEqual([program, trace], ['app.mjs', ['calls(*)']]);
    assert.deepEqual(sessions.map(({ name, ending }) => [name, ending]), [
      ['add.wasm', 'ended'], ['trap.wasm', 'ended'], ['trap.wasm#2', 'trapped'],
    ]);
    assert.deepEqual(modules.map(({ name, functions, named, instances }) => [name, functions, named, instances]), [
      ['add.wasm', 2, true, 1], ['trap.wasm', 2, true, 2],
    ]);
    assert.match(traps.join(), /^trap: unreachable in broken at byte \d+ \(trap\.wasm#2\)\n/);
    const [{ metadata, names, snapshot }] = sessions;
    assert.deepEqual(metadata.display, ['nested', 'tree']);
    assert.equal(renderReport('nested', { metadata, names, snapshot: snapshot() }), 'call add\nreturn from add\n');
  });

  test('writes the report to standard output, or says at once that it cannot be written', (t) => {
    const folder = makeProgram(t, ADD);
    assert.match(traceCalls(folder, '--report', '-', 'app.mjs').stdout, /^3\n[^]*call add/);
    for (const [name, reason] of [
      ['missing/r.txt', 'no such file or directory'],
      ['app.mjs/r.txt', 'not a directory'],
      ['.', 'is a directory'],
    ]) {
      const { status, stdout, stderr } = traceCalls(folder, '--report', name, 'app.mjs');
      assert.deepEqual([status, stdout, stderr], [1, '', `wasm-trace-node: ${name}: cannot write the report: ${reason}\n`]);
    }
  });

  test('shows a report that could not be written at the end', (t) => {
    const source = `import { rmdirSync } from 'node:fs'; ${ADD} rmdirSync('out'); process.exitCode = 7;`;
    const folder = makeProgram(t, source);
    mkdirSync(path.join(folder, 'out'));
    const { status, stderr } = traceCalls(folder, '--report', 'out/r.txt', 'app.mjs');
    assert.equal(status, 7);
    assert.match(stderr, /^wasm-trace-node: out\/r\.txt: cannot write the report: no such file or directory\n[^]*call add/);
  });

  test('says that the program is not there, and no more', (t) => {
    const { status, stderr } = traceCalls(makeProgram(t, ''), 'missing.mjs');
    assert.deepEqual([status, stderr], [1, 'wasm-trace-node: missing.mjs: no such file or directory\n']);
    assert.equal(traced(makeProgram(t, ADD), '.').stderr, 'wasm-trace-node: .: is a directory without a program\n');
  });

  test('says that the program ended before it could report', (t) => {
    const { signal, stderr } = traceCalls(makeProgram(t, `${ADD} process.kill(process.pid, 'SIGKILL');`), 'app.mjs');
    assert.deepEqual([signal, stderr], ['SIGKILL', 'wasm-trace-node: app.mjs was ended by SIGKILL before it could report\n']);
  });

  test('reports where the program ends itself without a word to Node', (t) => {
    const { status, stderr } = traceCalls(makeProgram(t, `${ADD} process.reallyExit(5);`), 'app.mjs');
    assert.deepEqual([status, stderr], [5, 'add.wasm\ncall add\nreturn from add\n']);
  });

  test('calls that the end of the program cut off are not said to run', (t) => {
    const source = `${LOAD} load('trap.wasm').fail();`;
    assert.match(traceCalls(makeProgram(t, source), 'app.mjs').stderr, /^ended by the trap: fail > broken$/m);
    const caught = `${LOAD} try { load('trap.wasm').fail(); } catch {}`;
    assert.match(traceCalls(makeProgram(t, caught), 'app.mjs').stderr, /^  unwound broken\nunwound fail$/m);
  });

  test('calls that end in process.exit, or in proc_exit of WASI, are unfinished or thrown out of', async (t) => {
    const importing = (from, name, main) =>
      assemble(`(module (import "${from}" "${name}" (func $quit (param i32))) (memory (export "memory") 1)
        (func $inner (call $quit (i32.const 3))) (func $main (export "${main}") (call $inner)))`);
    const source = `import { readFileSync } from 'node:fs';
      const module = new WebAssembly.Module(readFileSync('exit.wasm'));
      new WebAssembly.Instance(module, { env: { quit: (status) => process.exit(status) } }).exports.main();`;
    const script = `import { readFileSync } from 'node:fs'; import { WASI } from 'node:wasi';
      const wasi = new WASI({ version: 'preview1', returnOnExit: false });
      wasi.start(new WebAssembly.Instance(new WebAssembly.Module(readFileSync('wasi.wasm')), wasi.getImportObject()));`;
    const files = { 'script.mjs': script, 'exit.wasm': await importing('env', 'quit', 'main'), 'wasi.wasm': await importing('wasi_snapshot_preview1', 'proc_exit', '_start') };
    const folder = makeProgram(t, source, files);
    const exited = traced(folder, '--trace', 'calls(*)', '--trace', 'imports', 'app.mjs');
    assert.equal(exited.status, 3);
    assert.match(exited.stderr, /^    call quit\(3\)\nunfinished when the program ended: main > inner > quit$/m);
    const wasi = traced(folder, '--trace', 'calls(*)', '--trace', 'imports', 'wasi.wasm');
    assert.equal(wasi.status, 3);
    assert.match(wasi.stderr, /^    call (proc_exit|quit)\(3\)\n    throw from (proc_exit|quit)\n  unwound inner\nunwound main$/m);
    const ended = traced(folder, '--trace', 'calls(*)', '--trace', 'imports', 'script.mjs');
    assert.equal(ended.status, 3);
    assert.match(ended.stderr, /^unfinished when the program ended: main > inner > (proc_exit|quit)$/m);
  });

  test('calls modules by the names of their files', (t) => {
    const source = `${LOAD}
      load('add.wasm').add(1, 2);
      load('other.wasm').add(1, 2);
      new WebAssembly.Instance(structuredClone(new WebAssembly.Module(readFileSync('add.wasm')))).exports.add(1, 2);`;
    const other = MODULE.map((byte, at) => (at === MODULE.indexOf(0x6a) ? 0x6b : byte));
    const folder = makeProgram(t, source, { 'app.wasm': TRAP_MODULE, 'other.wasm': other });
    const titles = traceCalls(folder, 'app.mjs').stderr.match(/^.*wasm.*$/gm);
    assert.deepEqual(titles, ['add.wasm', 'other.wasm', 'add.wasm#2']);
  });

  test('numbers the instances that are shown', (t) => {
    const source = `${LOAD} load('add.wasm'); load('add.wasm'); load('add.wasm').add(1, 2); load('add.wasm'); load('add.wasm').add(1, 2);`;
    assert.deepEqual(traceCalls(makeProgram(t, source), 'app.mjs').stderr.match(/^add.*$/gm), ['add.wasm', 'add.wasm#2']);
  });

  test('says when a module answers an older question', (t) => {
    const bytes = instrument(MODULE, { trace: 'args(add)', display: 'log', link: 'split' });
    const folder = makeProgram(t, ADD, { 'add.wasm': bytes });
    const { stderr } = traced(folder, '--trace', 'imports', 'app.mjs');
    assert.match(stderr, /^add\.wasm\nadd\(1, 2\) -> |^add\.wasm\nadd\(1, 2\)\n/);
    assert.match(stderr, /^wasm-trace: add\.wasm was instrumented before, with --trace 'args\(add\)', and shows that/m);
    assert.doesNotMatch(traced(folder, 'app.mjs').stderr, /was instrumented before/);
    const clock = traced(folder, '--trace', 'args(add)', '--clock', 'instructions', 'app.mjs').stderr;
    assert.match(clock, /^wasm-trace: add\.wasm was instrumented before, with --trace 'args\(add\)' --clock none, and shows that/m);
    assert.doesNotMatch(traced(folder, '--trace', 'args(add)', '--clock', 'none', 'app.mjs').stderr, /was instrumented before/);
  });

  test('traces the child processes of the program', (t) => {
    const source = `import { execFileSync } from 'node:child_process'; execFileSync(process.execPath, ['child.mjs'], { stdio: 'inherit' });`;
    const { stdout, stderr } = traceCalls(makeProgram(t, source, { 'child.mjs': ADD }), 'app.mjs');
    assert.equal(stdout, '3\n');
    assert.match(stderr, /call add/);
  });

  test('does not count what Node compiles for itself', (t) => {
    const source = `
      import { createServer } from 'node:http';
      const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1', async () => {
        console.log(await (await fetch('http://127.0.0.1:' + server.address().port)).text());
        server.close();
        server.closeAllConnections();
      });`;
    const { stdout, stderr } = traceCalls(makeProgram(t, source), 'app.mjs');
    assert.deepEqual([stdout, stderr], ['hello\n', 'wasm-trace-node: app.mjs loaded no WebAssembly module\n']);
  });

  test('records in each module what matches there', (t) => {
    const source = `${LOAD} load('add.wasm').twice(1); try { load('trap.wasm').fail(); } catch {}`;
    const { stderr } = traced(makeProgram(t, source), '--trace', 'calls(twice)', '--trace', 'calls(broken)', '--display', 'nested', 'app.mjs');
    assert.match(stderr, /call twice/);
    assert.match(stderr, /call broken/);
  });

  test('says once when nothing matches', (t) => {
    const source = `${ADD} load('trap.wasm');`;
    const { status, stderr } = traced(makeProgram(t, source), '--trace', 'calls(nowhere)', 'app.mjs');
    assert.equal(status, 0);
    assert.equal(stderr.split('\n').filter((line) => line.startsWith('wasm-trace: ')).length, 1);
  });

  test('says it beside a file that is for machines, too', (t) => {
    const folder = makeProgram(t, ADD);
    const told = (/** @type {string} */ report) => traced(folder, '--trace', 'calls(nowhere)', '--report', report, 'app.mjs').stderr;
    assert.equal(told('r.json'), 'wasm-trace: no function matches nowhere\nwasm-trace: report in r.json\n');
    assert.equal(told('r.folded'), 'wasm-trace: no function matches nowhere\nwasm-trace: report in r.folded (nothing was traced)\n');
    assert.equal(told('r.txt'), 'wasm-trace: report in r.txt\n');
    assert.equal(readFileSync(path.join(folder, 'r.txt'), 'utf8'), 'wasm-trace: no function matches nowhere\n');
  });

  test('says at the end which patterns matched nothing in any module, while others did', (t) => {
    const notes = (/** @type {string} */ source, /** @type {string[]} */ ...args) => {
      const { status, stderr } = traced(makeProgram(t, source), '--trace', 'calls(*)', ...args, '--display', 'tree', 'app.mjs');
      assert.equal(status, 0);
      return stderr.split('\n').filter((line) => line.startsWith('wasm-trace: '));
    };
    const both = `${ADD} load('trap.wasm');`;
    assert.deepEqual(notes(both, '--trace', 'args(twice)', '--trace', 'ret(broken)', '--hide', 'broken', '--trace', 'memory.grow', '--trace', 'imports'), []);
    assert.deepEqual(notes(ADD, '--trace', 'args(twcie)', '--hide', 'nowhere', '--until', 'ad', '--until', 'add'), [
      'wasm-trace: no function matches twcie; did you mean twice?',
      'wasm-trace: no function matches nowhere',
      'wasm-trace: no function matches ad; did you mean add?',
    ]);
  });

  test('leaves nothing behind', (t) => {
    const before = readdirSync(tmpdir());
    traceCalls(makeProgram(t, ADD), 'app.mjs');
    const left = readdirSync(tmpdir()).filter((name) => !before.includes(name) && /^wasm-trace-[^t]/.test(name));
    assert.deepEqual(left.filter((name) => existsSync(path.join(tmpdir(), name, `${process.pid}.json`))), []);
  });
});

describe('wasm-trace-node with workers', () => {
  const WORKER = `
    import { parentPort, isMainThread, Worker } from 'node:worker_threads';
    const here = new URL(import.meta.url);
    const ended = (worker) => new Promise((resolve) => worker.on('exit', resolve));
    const ready = (worker) => new Promise((resolve) => worker.once('message', resolve));
  `;
  for (const [how, body, inMain] of [
    ['that ends by itself', '', 'await ended(new Worker(here));'],
    ['that calls process.exit', 'process.exit(3);', 'console.log(await ended(new Worker(here)));'],
    ['that is terminated', 'parentPort.postMessage(1); parentPort.on("message", () => {});', 'const w = new Worker(here); await ready(w); await w.terminate();'],
    ['that still runs when the program exits', 'parentPort.postMessage(1); parentPort.on("message", () => {});', 'await ready(new Worker(here)); process.exit();'],
    ['with flags of its own', '', 'await ended(new Worker(here, { execArgv: [] }));'],
    ['with an environment of its own', '', 'new Worker(new URL("data:text/javascript,")); await new Promise(setImmediate); await ended(new Worker(here, { env: {} }));'],
  ]) {
    test(`reports on one ${how}`, (t) => {
      const source = `${WORKER} if (isMainThread) { ${inMain} } else { const { add } = await import('./load.mjs'); add(1, 2); ${body} }`;
      const folder = makeProgram(t, source, { 'load.mjs': `${LOAD} export const { add } = load('add.wasm');` });
      const { status, stderr } = traceCalls(folder, 'app.mjs');
      assert.equal(status, 0, stderr);
      assert.match(stderr, /\(worker \d+\)\n[^]*call add/);
    });
  }

  test('gives an overview of what ran in one', (t) => {
    const source = `${WORKER} if (isMainThread) await ended(new Worker(here)); else (await import('./load.mjs')).add(1, 2);`;
    const folder = makeProgram(t, source, { 'load.mjs': `${LOAD} export const { add } = load('add.wasm');` });
    assert.match(traced(folder, 'app.mjs').stderr, /^1 module\n {2}add\.wasm \(worker 1\): /);
  });

  const BUSY = `${WORKER} if (isMainThread) { await ready(new Worker(here)); process.exit(); }
    else { const { add, spin } = await import('./load.mjs'); add(1, 2); parentPort.postMessage(1); spin(); }`;
  const LOAD_SPIN = `${LOAD} export const { add } = load('add.wasm'), { spin } = load('spin.wasm');`;

  test('reports on one that never comes back from wasm', (t) => {
    const { status, stderr } = traceCalls(makeProgram(t, BUSY, { 'load.mjs': LOAD_SPIN }), 'app.mjs');
    assert.equal(status, 0);
    assert.match(stderr, /^add\.wasm \(worker 1\)\ncall add\nreturn from add\n/);
    assert.doesNotMatch(stderr, /lost/);
  });

  test('says when the trace of one is lost', { skip: bestLink() === 'split' && 'what is split is never lost' }, (t) => {
    const module = instrument(SPIN_MODULE, { trace: 'calls(*)', display: 'nested', link: 'merged' });
    const { status, stderr } = traceCalls(makeProgram(t, BUSY, { 'load.mjs': LOAD_SPIN, 'spin.wasm': module }), 'app.mjs');
    assert.equal(status, 0);
    assert.match(stderr, /1 worker was stopped while busy/);
  });

  test('reports on the instances of one that the garbage collector has taken', (t) => {
    const source = `${WORKER} if (isMainThread) await ended(new Worker(here));
      else {
        const { make } = await import('./load.mjs');
        for (let i = 0; i < 9; i++) {
          make().add(i, i);
          make();
          gc();
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      }`;
    const load = `${LOAD} export const make = () => load('add.wasm');`;
    const folder = makeProgram(t, source, { 'load.mjs': load });
    const { status, stderr } = runIn(folder, ['--expose-gc', command, '--trace', 'calls(*)', '--display', 'nested', 'app.mjs']);
    assert.equal(status, 0, stderr);
    assert.equal(stderr.match(/^call add$/gm)?.length, 9);
    assert.equal(stderr.match(/\(worker 1\)(#\d)?$/gm)?.length, 9);
  });
});

describe('wasm-trace-node with a module', () => {
  const ODD_FILES = {
    'glue.wasm': BINDGEN_MODULE,
    'start.wasm': START_MODULE,
    'component.wasm': COMPONENT,
    'cut.wasm': CUT_MODULE,
    'text.wasm': '(module)',
    'bad.wasm.gz': gzipSync(MODULE).subarray(0, 20),
  };

  test('runs a WASI command', (t) => {
    const folder = makeFolder(t);
    const { status, stdout, stderr } = traced(folder, '--trace', 'calls', jsonProgram, '[1, 2]');
    assert.deepEqual([status, stdout], [0, '0 objects, 1 arrays, 0 strings, 2 numbers (sum 3), depth 2\n'], stderr);
    assert.match(stderr, /^json\.wasm\n/);
    assert.doesNotMatch(stderr, /ExperimentalWarning/);
  });

  test('calls an export', (t) => {
    const folder = makeProgram(t, '');
    const { status, stdout, stderr } = traced(folder, '--trace', 'args(add)', '--invoke', 'add', 'add.wasm', '-5', '0x10');
    assert.deepEqual([status, stdout], [0, '11\n']);
    assert.match(stderr, /add\(-5, 16\)/);
  });

  for (const [what, args, expected] of [
    ['is not there', ['none.wasm'], /none\.wasm: no such file or directory/],
    ['has nothing to run', ['add.wasm'], /add\.wasm: has no _start to run; --invoke NAME calls an export \(twice, add\)/],
    ['is a component', ['component.wasm'], /^wasm-trace-node: component\.wasm: this is a WebAssembly component, .*unbundle`\n$/],
    ['is cut off', ['cut.wasm'], /^wasm-trace-node: cut\.wasm: .* at byte \d+\n$/],
    ['is something else', ['text.wasm'], /^wasm-trace-node: text\.wasm: not a WebAssembly module: .*\n$/],
    ['is damaged', ['bad.wasm.gz'], /^wasm-trace-node: bad\.wasm\.gz: damaged gzip data\n$/],
    ['lacks the export', ['--invoke', 'sub', 'add.wasm'], /exports no function sub \(twice, add\)/],
    ['gets text for a number', ['--invoke', 'add', 'add.wasm', 'x', '1'], /add\.wasm: argument 0 is i32, not 'x'/],
    ['gets a number out of range', ['--invoke', 'add', 'add.wasm', '1', '4294967296'], /argument 1 is i32, not '4294967296'/],
    ['gets too few arguments', ['--invoke', 'add', 'add.wasm', '1'], /the export takes 2 arguments, not 1/],
    ['needs JavaScript', ['start.wasm'], /start\.wasm: imports env\.tell, which WASI does not have: trace the program that loads it:\n {2}wasm-trace-node app\.mjs\n$/],
    ['needs its glue', ['--trace', 'calls', 'glue.wasm'], /wasm-bindgen[^]*trace the program that loads it:\n {2}wasm-trace-node --trace calls app\.mjs/],
  ]) {
    test(`says so when it ${what}`, (t) => {
      const { status, stdout, stderr } = traced(makeProgram(t, '', ODD_FILES), ...args);
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(stderr, expected);
    });
  }

  test('shows a trap', (t) => {
    const { status, stderr } = traced(makeProgram(t, ''), '--invoke', 'fail', 'trap.wasm');
    assert.equal(status, 1);
    assert.match(stderr, /trap\.wasm: RuntimeError: unreachable\n[^]*unreachable in broken/);
  });
});

test('wasm-trace-node refuses what it does not understand', (t) => {
  const folder = makeProgram(t, ADD, { 'weights.txt': 'i32.add 2\nend 1\n' });
  for (const [args, said] of [
    [[], 'no PROGRAM is given'],
    [['--trace'], '--trace needs a value: --trace SPEC'],
    [['--nonsense', 'app.mjs'], 'unknown option --nonsense'],
    [['--limit', '0', 'app.mjs'], "--limit takes a number from 1 on, not '0'"],
    [['--invoke', 'add', 'app.mjs'], '--invoke needs a .wasm file'],
    [['--trace', 'calls', '--buffer', '1K', 'app.mjs'], '--buffer is a size from 4K to 1G: "1K"'],
    [['--trace', 'calls', '--display', 'histogram', 'app.mjs'], 'a histogram counts values: trace arg(N, PATTERN), args(PATTERN), ret(PATTERN), duration(PATTERN) or memory.grow'],
    [['--display', 'graph', 'app.mjs'], "--display takes log, nested, tree, histogram, report, inverted or callers(PATTERN), not 'graph'"],
    [['--hide', 'add', 'app.mjs'], '--hide needs --trace'],
    [['--clock', 'instructions', '--weights', 'weights.txt', 'app.mjs'], '--weights weights.txt, line 2: this only delimits and has no weight: "end"'],
  ]) {
    const { status, stdout, stderr } = traced(folder, ...args);
    assert.deepEqual([status, stdout, stderr], [2, '', `wasm-trace-node: ${said}\nTry 'wasm-trace-node --help'.\n`]);
  }
  const { status, stderr } = traced(folder, '--trace', 'calls', '--hide', '"x', 'app.mjs');
  assert.equal(status, 2);
  assert.match(stderr, /^wasm-trace-node: --hide, column \d+: .*\n {2}"x\n {2} *\^\nTry 'wasm-trace-node --help'\.\n$/);
});

describe('the preload', () => {
  const preloaded = (folder, env, args = ['app.mjs']) => runIn(folder, args, { NODE_OPTIONS: `--import ${register}`, ...env });

  for (const preload of [`--import ${register}`, `-r ${fileURLToPath(register).replace(/\.js$/, '.cjs')}`]) {
    test(`traces by WASM_TRACE, with ${preload.split(' ')[0]}`, (t) => {
      const { stdout, stderr } = preloaded(makeProgram(t, ADD), { WASM_TRACE: '--trace calls(*) --display nested', NODE_OPTIONS: preload });
      assert.equal(stdout, '3\n');
      assert.match(stderr, /^add.wasm\ncall add/);
    });
  }

  test('shows what was asked of modules that are instrumented in place', (t) => {
    const bytes = instrument(MODULE, { trace: 'args(add)', display: 'log', link: 'split' });
    const { stdout, stderr } = preloaded(makeProgram(t, ADD, { 'add.wasm': bytes }), {});
    assert.equal(stdout, '3\n');
    assert.match(stderr, /^add\.wasm\nadd\(1, 2\)/);
  });

  test('is silent where there is nothing to show', (t) => {
    for (const source of ['console.log(1);', ADD, 'console.log(typeof WebAssembly.compile)']) {
      assert.equal(preloaded(makeProgram(t, source), {}).stderr, '');
    }
  });

  test('tells in one line that the report cannot be written, and leaves the exit status alone', (t) => {
    const { status, stdout, stderr } = preloaded(makeProgram(t, ADD), { WASM_TRACE: '--trace calls --report missing/r.txt' });
    const said = 'wasm-trace: the report could not be made: missing/r.txt: cannot write the report: no such file or directory\n';
    assert.deepEqual([status, stdout, stderr], [0, '3\n', said]);
  });

  test('reaches workers whose code is text', (t) => {
    const code = `const { exports } = new WebAssembly.Instance(new WebAssembly.Module(require('fs').readFileSync('add.wasm'))); exports.add(1, 2);`;
    const source = `import { Worker } from 'node:worker_threads';
      new Worker(new URL('data:text/javascript,'));
      await new Promise(setImmediate);
      new Worker(${JSON.stringify(code)}, { eval: true });`;
    assert.match(preloaded(makeProgram(t, source), { WASM_TRACE: '--trace calls(*) --display nested' }).stderr, /call add/);
  });

  test('runs the program when WASM_TRACE makes no sense', (t) => {
    const { status, stdout, stderr } = preloaded(makeProgram(t, ADD), { WASM_TRACE: '--nonsense' });
    assert.deepEqual([status, stdout], [0, '3\n']);
    assert.match(stderr, /^wasm-trace: nothing is traced: unknown option --nonsense/);
  });

  test('runs the program when Error is frozen', (t) => {
    const { status, stdout, stderr } = preloaded(makeProgram(t, `Object.freeze(Error); ${ADD}`), { WASM_TRACE: '--trace calls(*) --display nested' });
    assert.deepEqual([status, stdout], [0, '3\n'], stderr);
    assert.match(stderr, /call add/);
  });

  test('runs the program when all that is built in is frozen', (t) => {
    const folder = makeProgram(t, ADD);
    const env = { NODE_OPTIONS: `--frozen-intrinsics --no-warnings --import=${register}`, WASM_TRACE: '--trace calls(*)' };
    const { status, stdout, stderr } = runIn(folder, ['app.mjs'], env);
    assert.deepEqual([status, stdout], [0, '3\n'], stderr);
    assert.match(stderr, /^wasm-trace: nothing is traced: .*\n$/);
  });

  test('takes the options of an import of the package when it has none', (t) => {
    const index = pathToFileURL(path.join(root, 'js/index.js')).href;
    const source = `import { install } from '${index}'; WebAssembly.validate(new Uint8Array()); install({ trace: 'calls(*)', display: 'nested' }); ${ADD}`;
    assert.match(preloaded(makeProgram(t, source), {}).stderr, /call add/);
  });

  test('shares its hook with an import of the package', (t) => {
    const index = pathToFileURL(path.join(root, 'js/index.js')).href;
    const source = `import { install } from '${index}'; const session = install({ trace: 'calls(*)' }); ${ADD} console.log(session.sessions.length);`;
    const { stdout, stderr } = preloaded(makeProgram(t, source), { WASM_TRACE: '--trace calls(*) --display nested' });
    assert.equal(stdout, '3\n1\n');
    assert.equal(stderr.match(/call add/g)?.length, 1);
  });
});
