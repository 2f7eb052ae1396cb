// --save, --diff and --fail-if: baselines that are the same every time, what is told of two runs, and the exit status.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { bestLink } from '../../js/loader/engine.js';
import { assemble } from '../core/assemble.js';
import { makeFolder } from './cli-support.js';
import { TRAP_MODULE } from './loader-support.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const command = path.join(root, 'node/wasm-trace-node.js');
const register = pathToFileURL(path.join(root, 'node/register.js')).href;
const jsonProgram = path.join(root, 'build/programs/json.wasm');

/** run() calls step(), which loops; each build has other hashes in its names. @param {string} hash @param {number} rounds */
const build = (hash, rounds) =>
  assemble(`(module
  (func $app::step::h${hash.repeat(16)} (param $left i32)
    (loop $again
      (local.set $left (i32.sub (local.get $left) (i32.const 1)))
      (br_if $again (local.get $left))))
  (func $app::run::h${hash.repeat(16)} (export "run")
    ${'nop '.repeat(16)}
    (call $app::step::h${hash.repeat(16)} (i32.const ${rounds}))
    (call $app::step::h${hash.repeat(16)} (i32.const 5))))`);

const OLD = await build('a', 20);
const SLOWER = await build('b', 30);

const RUN = `
  import { readFileSync } from 'node:fs';
  const load = (name) => new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL(name, import.meta.url)))).exports;
  load('app.wasm').run();
`;

function makeProgram(t, files = {}) {
  return makeFolder(t, { 'app.mjs': RUN, 'app.wasm': OLD, 'trap.wasm': TRAP_MODULE, ...files });
}

function node(folder, args, env = {}) {
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '', ...env } };
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, options);
  return { status: signal ?? status, stdout, stderr };
}

const traced = (folder, ...args) => node(folder, [command, ...args]);
const preloaded = (folder, question, program = 'app.mjs') => node(folder, ['--import', register, program], { WASM_TRACE: question });
const contentOf = (folder, name) => readFileSync(path.join(folder, name), 'utf8');

/** A program with a baseline, and then another build of its module. */
function changed(t, files = {}, module = SLOWER) {
  const folder = makeProgram(t, files);
  assert.equal(traced(folder, '--save', 'base.json', 'app.mjs').status, 0);
  writeFileSync(path.join(folder, 'app.wasm'), module);
  return folder;
}

const BASELINE = `{
  "format": "wasm-trace-baseline",
  "version": 1,
  "wasmTrace": "${JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version}",
  "clock": {"kind": "instructions", "name": "", "unit": "instructions", "weights": ""},
  "options": {"trace": ["calls"]},
  "modules": [
    {
      "name": "app.wasm",
      "sha256": "${createHash('sha256').update(OLD).digest('hex')}",
      "size": ${OLD.length},
      "defined": 2,
      "traced": 2,
      "total": 195,
      "producers": {},
      "functions": {
        "app::run": {"calls": 1, "total": 195, "self": 20, "min": 195, "max": 195},
        "app::step": {"calls": 2, "total": 175, "self": 175, "min": 35, "max": 140}
      }
    }
  ]
}
`;

describe('--save', () => {
  const asked = ['--trace', 'calls'];

  test('writes what the functions took, the same on any engine and however the runtime is linked', (t) => {
    const folder = makeProgram(t);
    for (const link of bestLink() === 'merged' ? ['merged', 'split'] : ['split']) {
      const { status, stderr } = traced(folder, ...asked, '--link', link, '--save', `${link}.json`, 'app.mjs');
      assert.equal(status, 0, stderr);
      assert.match(stderr, new RegExp(`^wasm-trace: baseline in ${link}\\.json\n`));
      assert.equal(contentOf(folder, `${link}.json`), BASELINE);
    }
  });

  test('what stood there is whole until the new one is', (t) => {
    const folder = makeProgram(t, { 'base.json': 'the old one' });
    linkSync(path.join(folder, 'base.json'), path.join(folder, 'old.json'));
    const before = readdirSync(folder);
    assert.equal(traced(folder, ...asked, '--save', 'base.json', 'app.mjs').status, 0);
    assert.deepEqual([contentOf(folder, 'base.json'), contentOf(folder, 'old.json')], [BASELINE, 'the old one']);
    assert.deepEqual(readdirSync(folder), before);
  });

  test('is refused before the program runs where it could not be written', (t) => {
    const { status, stdout, stderr } = traced(makeProgram(t), ...asked, '--save', 'missing/base.json', 'app.mjs');
    assert.deepEqual([status, stdout, stderr], [1, '', 'wasm-trace-node: missing/base.json: cannot write the baseline: no such file or directory\n']);
  });

  test('of a large program, twice', (t) => {
    const folder = makeFolder(t, {});
    for (const name of ['one.json', 'two.json']) assert.equal(traced(folder, '--save', name, jsonProgram).status, 0);
    assert.equal(contentOf(folder, 'one.json'), contentOf(folder, 'two.json'));
    const { modules: [{ producers, total, functions }] } = JSON.parse(contentOf(folder, 'one.json'));
    assert.match(producers['processed-by'].join(), /clang/);
    assert.equal(Object.values(functions).reduce((sum, { self }) => sum + self, 0), total);
    const names = Object.keys(functions);
    assert.deepEqual(names, names.slice().sort());
    assert.ok(names.includes('wasi_snapshot_preview1.fd_write (host)'));
  });

  test('adds up the threads of a module, and the processes of a program', (t) => {
    const folder = makeProgram(t, {
      'threads.mjs': `import { Worker } from 'node:worker_threads'; ${RUN}
        for (let i = 0; i < 2; i++) await new Promise((done) => new Worker(new URL('app.mjs', import.meta.url)).on('exit', done));`,
      'processes.mjs': `import { spawnSync } from 'node:child_process'; ${RUN} spawnSync(process.execPath, ['app.mjs']);`,
      'worker.mjs': `import { Worker } from 'node:worker_threads'; new Worker(new URL('app.mjs', import.meta.url));`,
    });
    const saved = (program) => {
      assert.equal(traced(folder, ...asked, '--save', 'out.json', program).status, 0);
      return JSON.parse(contentOf(folder, 'out.json')).modules.map(({ sha256, total, functions }) => [sha256?.length, total, functions['app::step'].calls]);
    };
    assert.deepEqual(saved('threads.mjs'), [[64, 3 * 195, 6]]);
    assert.deepEqual(saved('processes.mjs'), [[64, 2 * 195, 4]]);
    // The main thread never had the module's bytes.
    assert.deepEqual(saved('worker.mjs'), [[64, 195, 2]]);
  });

  test('with a preload, by the process that came first', (t) => {
    const folder = makeProgram(t, { 'processes.mjs': `import { spawnSync } from 'node:child_process'; ${RUN} spawnSync(process.execPath, ['--import', '${register}', 'app.mjs'], { stdio: 'inherit' });` });
    assert.equal(preloaded(folder, `${asked.join(' ')} --save out.json`, 'processes.mjs').status, 0);
    assert.equal(contentOf(folder, 'out.json'), BASELINE);
  });
});

describe('--diff', () => {
  test('shows what changed, and renamed hashes are no change', async (t) => {
    const folder = changed(t, {}, await build('c', 20));
    const { status, stderr } = traced(folder, '--diff', 'base.json', '--fail-if', '+0%', '--fail-if', '*step +0', 'app.mjs');
    assert.deepEqual([status, stderr], [0, `instructions: 195 (no change)
app.wasm: another module, ${OLD.length} bytes, 2 functions

no function changed
(2 functions did not change)
clock: instructions, exact
`]);
  });

  test('in text, the biggest change first', (t) => {
    const { status, stderr } = traced(changed(t), '--diff', 'base.json', 'app.mjs');
    assert.deepEqual([status, stderr], [0, `instructions: 195 -> 265 (+70, +35.9 %)
app.wasm: another module, ${OLD.length} bytes, 2 functions

      Self | Change |     % | Total % | Calls | Function
-----------+--------+-------+---------+-------+------------------------
175 -> 245 |    +70 | +40.0 |   +40.0 |     2 | app::step
        20 |      0 |     0 |   +35.9 |     1 | app::run
clock: instructions, exact
`]);
  });

  test('as Markdown, where the report is a file of that kind', (t) => {
    const folder = changed(t);
    const { status, stderr } = traced(folder, '--diff', 'base.json', '--fail-if', '+2%', '--report', 'diff.md', 'app.mjs');
    assert.deepEqual([status, stderr], [3, 'wasm-trace: report in diff.md\n']);
    assert.equal(contentOf(folder, 'diff.md'), `### ❌ instructions: 195 → 265 (+70, +35.9 %)

1 regression:

- \`+2%\`: all instructions: 195 → 265 (+70, +35.9 %)

app.wasm: another module, ${OLD.length} bytes, 2 functions  

| Function | Self | Change | % | Total % | Calls |
| :-- | --: | --: | --: | --: | --: |
| \`app::step\` | 175 → 245 | +70 | +40.0 | +40.0 | 2 |
| \`app::run\` | 20 | 0 | 0 | +35.9 | 1 |
`);
  });

  test('beside another report, and the new figures saved where the old ones were', (t) => {
    const folder = changed(t);
    const { status, stderr } = traced(folder, '--diff', 'base.json', '--save', 'base.json', '--report', 'all.json', 'app.mjs');
    assert.equal(status, 0);
    assert.match(stderr, /baseline in base\.json\ninstructions: 195 -> 265 /);
    assert.equal(JSON.parse(contentOf(folder, 'all.json')).version, 1);
    assert.match(traced(folder, '--diff', 'base.json', 'app.mjs').stderr, /^instructions: 265 \(no change\)\napp\.wasm: the same module, byte by byte\n/);
  });

  test('tells what was asked otherwise; other units are wrong usage', (t) => {
    const folder = changed(t);
    assert.match(traced(folder, '--trace', 'calls(*)', '--diff', 'base.json', 'app.mjs').stderr, /\n\(--trace differs: calls, imports, now calls\(\*\)\)\n/);
    const { status, stderr } = traced(folder, '--clock', 'ticker', '--diff', 'base.json', '--fail-if', '+2%', 'app.mjs');
    assert.deepEqual([status, stderr], [2, 'wasm-trace: the baseline counts instructions, this run time: they cannot be compared\n']);
  });

  test('works by time, which varies', (t) => {
    const folder = makeProgram(t);
    assert.equal(traced(folder, '--clock', 'ticker', '--save', 'time.json', 'app.mjs').status, 0);
    assert.ok(!contentOf(folder, 'time.json').includes('"max"'));
    const { status, stderr } = traced(folder, '--clock', 'ticker', '--diff', 'time.json', '--fail-if', '> 100s', 'app.mjs');
    assert.equal(status, 0, stderr);
    assert.match(stderr, /^time: .*\n[^]*\(times vary from run to run; --clock instructions counts the same every time\)\nclock: ticker \(ns\)/);
  });
});

describe('--fail-if', () => {
  const failing = ['--diff', 'base.json', '--fail-if', 'app::step +5%'];
  const TOLD = 'regression: app::step +5%: total of app::step: 175 -> 245 (+70, +40.0 %)\n';

  test('exits with 3 where it comes to pass, and tells by how much', (t) => {
    const folder = changed(t);
    const { status, stderr } = traced(folder, ...failing, '--fail-if', 'calls(*) +0', 'app.mjs');
    assert.equal(status, 3);
    assert.ok(stderr.endsWith(`\n${TOLD}`), stderr);
    assert.equal(traced(folder, '--diff', 'base.json', '--fail-if', '+39%', 'app.mjs').status, 0);
  });

  test('leaves alone what a program that failed exits with', (t) => {
    const folder = changed(t, { 'seven.mjs': `${RUN} process.exit(7);`, 'throws.mjs': `${RUN} throw new Error('no');`, 'traps.mjs': `${RUN} load('trap.wasm').fail();` });
    for (const [program, expected] of [['seven.mjs', 7], ['throws.mjs', 1], ['traps.mjs', 1]]) {
      const { status, stderr } = traced(folder, ...failing, program);
      assert.equal(status, expected);
      assert.match(stderr, /\nregression: app::step \+5%: total of app::step(?: \(app\.wasm\))?: 175 -> 245 /);
      assert.equal(preloaded(folder, '--diff base.json --fail-if "app::step +5%"', program).status, expected);
    }
    assert.match(traced(folder, ...failing, 'traps.mjs').stderr, /unreachable[^]*regression:/);
  });

  test('works with a preload, however the program ends', (t) => {
    const folder = changed(t, {
      'exits.mjs': `${RUN} process.exit(0);`,
      'really.mjs': `${RUN} process.reallyExit(0);`,
      'own.mjs': `${RUN} process.exitCode = 0;`,
      'late.mjs': `${RUN} process.on('exit', () => console.log('bye'));`,
    });
    for (const program of ['app.mjs', 'exits.mjs', 'really.mjs', 'own.mjs', 'late.mjs']) {
      const { status, stderr } = preloaded(folder, '--diff base.json --fail-if "app::step +5%"', program);
      assert.ok(stderr.endsWith(TOLD), stderr);
      assert.equal(status, 3, program);
      assert.equal(preloaded(folder, '--diff base.json --fail-if "app::step +50%"', program).status, 0);
    }
  });

  test('what is wrong is told before the program runs', (t) => {
    const folder = makeProgram(t, { 'app.mjs': `console.log('ran')`, 'bad.json': '{}' });
    const refused = (...args) => traced(folder, ...args, 'app.mjs');
    assert.deepEqual(refused('--diff', 'bad.json', '--fail-if', 'malloc 5%'), {
      status: 2, stdout: '',
      stderr: "wasm-trace-node: --fail-if, column 8: expected a limit, such as +2%, +1000 or > 1M\n  malloc 5%\n         ^\nTry 'wasm-trace-node --help'.\n",
    });
    assert.deepEqual(refused('--fail-if', '+2%'), { status: 2, stdout: '', stderr: "wasm-trace-node: --fail-if needs --diff\nTry 'wasm-trace-node --help'.\n" });
    assert.deepEqual(refused('--diff', 'bad.json'), { status: 1, stdout: '', stderr: 'wasm-trace-node: bad.json: is no baseline that --save has written\n' });
    assert.deepEqual(refused('--diff', 'missing.json'), { status: 1, stdout: '', stderr: 'wasm-trace-node: missing.json: no such file or directory\n' });
  });

  test('does not pass where nothing was compared', (t) => {
    const folder = changed(t, { 'none.mjs': '', 'idle.mjs': RUN.replace('.run()', '') });
    for (const program of ['none.mjs', 'idle.mjs']) {
      const { status, stderr } = traced(folder, ...failing, program);
      assert.match(stderr, /wasm-trace: nothing was traced that could be compared\n/);
      assert.equal(status, 2);
    }
    for (const question of ['--diff missing.json', '--diff base.json --fail-if x']) assert.notEqual(preloaded(folder, question).status, 0);
  });
});

describe('wasm-trace diff', () => {
  const diff = (folder, ...args) => node(folder, [path.join(root, 'node/wasm-trace.js'), 'diff', ...args]);

  test('holds two files against each other', (t) => {
    const folder = changed(t);
    assert.equal(traced(folder, '--save', 'new.json', 'app.mjs').status, 0);
    const { status, stdout, stderr } = diff(folder, '--fail-if', '+2%', 'base.json', 'new.json');
    assert.deepEqual([status, stderr], [3, '']);
    assert.match(stdout, /^instructions: 195 -> 265 \(\+70, \+35\.9 %\)\n[^]*\nregression: \+2%: all instructions: 195 -> 265 /);
    assert.deepEqual(diff(folder, '--report', 'diff.md', 'base.json', 'new.json'), { status: 0, stdout: '', stderr: 'wasm-trace: report in diff.md\n' });
    assert.match(contentOf(folder, 'diff.md'), /^### ✅ instructions: 195 → 265 /);
    assert.equal(diff(folder, 'new.json', 'base.json', '--fail-if', '+0%').status, 0);
    assert.equal(diff(folder, 'new.json', 'base.json', '--fail-if', '+5ms').status, 2);
  });

  test('refuses what it cannot compare', (t) => {
    const folder = changed(t);
    assert.equal(traced(folder, '--clock', 'none', '--save', 'calls.json', 'app.mjs').status, 0);
    assert.equal(diff(folder, 'base.json', 'calls.json').status, 2);
    assert.equal(diff(folder, 'base.json', 'missing.json').status, 1);
    assert.equal(diff(folder, 'base.json').status, 2);
    assert.equal(diff(folder, '--report', 'x.html', 'base.json', 'base.json').status, 2);
    assert.equal(existsSync(path.join(folder, 'x.html')), false);
    const { status, stdout } = diff(folder, 'calls.json', 'calls.json', '--fail-if', 'calls(*) +0');
    assert.deepEqual([status, stdout.split('\n')[0]], [0, 'calls: 3 (no change)']);
  });
});
