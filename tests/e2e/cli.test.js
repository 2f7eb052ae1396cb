// The files that wasm-trace reads and writes, by the native and the Node command.
import assert from 'node:assert/strict';
import {
  chmodSync, linkSync, lstatSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';

import {
  COMMANDS, COMPONENT, CUT_MODULE, MODULE, NAMED_MODULE, OTHER_MODULE, listFolder, makeFolder, run,
} from './cli-support.js';

function isInstrumented(bytes) {
  return WebAssembly.Module.customSections(new WebAssembly.Module(bytes), 'wasm-trace').length === 1;
}

/** Fails when the new module is to take the place of the old one, and only then. */
const FAILING_RENAME = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const rename = fs.renameSync;
  fs.renameSync = (from, to) => {
    if (from.endsWith('.tmp')) throw Object.assign(new Error(), { code: 'ENOSPC', errno: -28 });
    rename(from, to);
  };
  syncBuiltinESMExports();
`)}`;

for (const command of COMMANDS) {
  /** Traces in split mode, which every engine that runs the tests can check. */
  const trace = (folder, ...args) => run(command, folder, ['--trace', 'calls(*)', '--link', 'split', ...args]);
  const restore = (folder, ...files) => run(command, folder, ['--restore', ...files]);

  describe(`wasm-trace, ${command.name}`, () => {
    test('rewrites in place, keeps the original and its mode, and brings it back', (t) => {
      const folder = makeFolder(t, { 'a.wasm': MODULE });
      const file = path.join(folder, 'a.wasm');
      chmodSync(file, 0o640);
      const { status, stdout, stderr } = trace(folder, 'a.wasm');
      assert.equal(status, 0, stderr);
      assert.equal(stdout, '');
      assert.match(stderr, /wasm-trace-node app\.mjs/);
      assert.match(stderr, /--import wasm-tracing\/register/);
      assert.match(stderr, /wasm-trace --restore a\.wasm\n/);
      assert.ok(isInstrumented(readFileSync(file)));
      assert.equal(statSync(file).mode & 0o777, 0o640);
      assert.deepEqual(readFileSync(`${file}.orig`), Buffer.from(MODULE));

      assert.equal(restore(folder, 'a.wasm').status, 0);
      assert.deepEqual(listFolder(folder), { 'a.wasm': `640 ${Buffer.from(MODULE).toString('hex')}` });
    });

    test('leaves other hard links of the file alone', (t) => {
      const folder = makeFolder(t, { 'store.wasm': MODULE });
      linkSync(path.join(folder, 'store.wasm'), path.join(folder, 'a.wasm'));
      assert.equal(trace(folder, 'a.wasm').status, 0);
      assert.deepEqual(readFileSync(path.join(folder, 'store.wasm')), Buffer.from(MODULE));
    });

    test('follows a symbolic link to its target', (t) => {
      const folder = makeFolder(t);
      mkdirSync(path.join(folder, 'deep'));
      writeFileSync(path.join(folder, 'deep/a.wasm'), MODULE);
      symlinkSync('deep/a.wasm', path.join(folder, 'link.wasm'));
      assert.equal(trace(folder, 'link.wasm').status, 0);
      assert.ok(lstatSync(path.join(folder, 'link.wasm')).isSymbolicLink());
      assert.deepEqual(readdirSync(path.join(folder, 'deep')).sort(), ['a.wasm', 'a.wasm.orig']);
      assert.equal(restore(folder, 'link.wasm').status, 0);
      assert.deepEqual(readFileSync(path.join(folder, 'deep/a.wasm')), Buffer.from(MODULE));
    });

    test('a gzipped file stays gzipped', (t) => {
      const packed = gzipSync(MODULE);
      const folder = makeFolder(t, { 'a.wasm.gz': packed, 'b.wasm': packed });
      assert.equal(trace(folder, 'a.wasm.gz', 'b.wasm').status, 0);
      for (const name of ['a.wasm.gz', 'b.wasm'])
        assert.ok(isInstrumented(gunzipSync(readFileSync(path.join(folder, name)))), name);
      assert.equal(restore(folder, 'a.wasm.gz', 'b.wasm').status, 0);
      assert.deepEqual(readFileSync(path.join(folder, 'a.wasm.gz')), packed);
    });

    test('--output leaves FILE alone, and packs what is to end in .gz', (t) => {
      const folder = makeFolder(t, { 'a.wasm': MODULE });
      assert.equal(trace(folder, 'a.wasm', '-o', 'out.wasm').status, 0);
      assert.equal(trace(folder, '--output=out.wasm.gz', 'a.wasm').status, 0);
      assert.deepEqual(readFileSync(path.join(folder, 'a.wasm')), Buffer.from(MODULE));
      const out = readFileSync(path.join(folder, 'out.wasm'));
      assert.ok(isInstrumented(out));
      assert.deepEqual(gunzipSync(readFileSync(path.join(folder, 'out.wasm.gz'))), out);
      assert.deepEqual(readdirSync(folder).sort(), ['a.wasm', 'out.wasm', 'out.wasm.gz']);
    });

    test('--output to a pipe gives the module', (t) => {
      const folder = makeFolder(t, { 'a.wasm': MODULE });
      const piped = { command: ['sh', '-c', '"$@" | cat', 'sh', ...command.command] };
      const args = ['-t', 'calls(*)', '--link=split', '-o', '/dev/stdout', 'a.wasm'];
      assert.ok(isInstrumented(run(piped, folder, args, { encoding: 'buffer' }).stdout));
    });

    test('--output - gives the module on standard output, and nothing else', (t) => {
      const folder = makeFolder(t, { 'a.wasm': MODULE });
      const args = ['-t', 'calls(*)', '--link=split', '-o', '-', 'a.wasm'];
      const { status, stdout, stderr } = run(command, folder, args, { encoding: 'buffer' });
      assert.equal(status, 0);
      assert.ok(isInstrumented(stdout));
      assert.match(stderr.toString(), /^a\.wasm: /);
      assert.deepEqual(readdirSync(folder), ['a.wasm']);
    });

    test('--output refuses FILE itself', (t) => {
      const folder = makeFolder(t, { 'a.wasm': MODULE });
      symlinkSync('a.wasm', path.join(folder, 'same.wasm'));
      const { status, stderr } = trace(folder, 'a.wasm', '-o', 'same.wasm');
      assert.equal(status, 1);
      assert.match(stderr, /^wasm-trace: same\.wasm: is FILE itself/m);
    });

    test('--list writes nothing', (t) => {
      const folder = makeFolder(t, { 'a.wasm': MODULE });
      const before = listFolder(folder);
      const { status, stdout } = trace(folder, '--list', 'a.wasm');
      assert.equal(status, 0);
      assert.match(stdout, /malloc/);
      assert.deepEqual(listFolder(folder), before);
    });

    test('another file under the name of the original is kept under a number', (t) => {
      const folder = makeFolder(t, { 'a.wasm': OTHER_MODULE, 'a.wasm.orig': MODULE, 'a.wasm.orig.1': 'mine' });
      const { status, stderr } = trace(folder, 'a.wasm');
      assert.equal(status, 0, stderr);
      assert.match(stderr, /a\.wasm\.orig was another file; it is a\.wasm\.orig\.2 now/);
      assert.deepEqual(readFileSync(path.join(folder, 'a.wasm.orig')), Buffer.from(OTHER_MODULE));
      assert.deepEqual(readFileSync(path.join(folder, 'a.wasm.orig.2')), Buffer.from(MODULE));
      assert.equal(readFileSync(path.join(folder, 'a.wasm.orig.1'), 'utf8'), 'mine');
    });

    test('an original that is there already is used', (t) => {
      const folder = makeFolder(t, { 'a.wasm': MODULE, 'a.wasm.orig': MODULE });
      assert.equal(trace(folder, 'a.wasm').status, 0);
      assert.deepEqual(readdirSync(folder).sort(), ['a.wasm', 'a.wasm.orig']);
    });

    test('--restore refuses what is not ours, and an original of another build', (t) => {
      const folder = makeFolder(t, { 'a.wasm': MODULE, 'b.wasm': MODULE, 'b.wasm.orig': OTHER_MODULE });
      assert.equal(trace(folder, 'a.wasm').status, 0);
      writeFileSync(path.join(folder, 'a.wasm.orig'), OTHER_MODULE);
      const before = listFolder(folder);
      const wrong = restore(folder, 'a.wasm', 'b.wasm');
      assert.equal(wrong.status, 1);
      const sizes = `was made from a module of ${MODULE.length} bytes, but a.wasm.orig has ${OTHER_MODULE.length};`;
      assert.ok(wrong.stderr.startsWith(`wasm-trace: a.wasm: ${sizes}`), wrong.stderr);
      assert.match(wrong.stderr, /^wasm-trace: b\.wasm: was not instrumented by wasm-trace/m);
      assert.deepEqual(listFolder(folder), before);
    });

    test('an instrumented file is refused by name, with the way back', (t) => {
      const folder = makeFolder(t, { 'a.wasm': MODULE });
      trace(folder, 'a.wasm');
      const before = listFolder(folder);
      const { status, stderr } = trace(folder, 'a.wasm');
      assert.equal(status, 1);
      assert.match(stderr, /^wasm-trace: a\.wasm: .+\n/);
      assert.match(stderr, /^a\.wasm: to bring back the original: wasm-trace --restore a\.wasm$/m);
      assert.deepEqual(listFolder(folder), before);
    });

    test('a failed file is left as it was, the others are done', (t) => {
      const bad = { 'cut.wasm': CUT_MODULE, 'component.wasm': COMPONENT, 'text.wasm': 'hello' };
      const folder = makeFolder(t, { ...bad, 'good.wasm': MODULE });
      const { status, stderr } = trace(folder, 'missing.wasm', ...Object.keys(bad), '.', 'good.wasm');
      assert.equal(status, 1);
      assert.match(stderr, /^wasm-trace: missing\.wasm: no such file or directory$/m);
      assert.match(stderr, /^wasm-trace: cut\.wasm: .+ at byte \d+$/m);
      assert.match(stderr, /^wasm-trace: component\.wasm: .*component/m);
      assert.match(stderr, /^wasm-trace: text\.wasm: .+$/m);
      assert.match(stderr, /^wasm-trace: \.: is a directory$/m);
      assert.match(stderr, /^good\.wasm: /m);
      assert.deepEqual(readdirSync(folder).sort(), [...Object.keys(bad), 'good.wasm', 'good.wasm.orig'].sort());
      assert.deepEqual(readFileSync(path.join(folder, 'cut.wasm')), Buffer.from(CUT_MODULE));
    });

    test('no match is an error that changes nothing', (t) => {
      const folder = makeFolder(t, { 'a.wasm': MODULE });
      const before = listFolder(folder);
      const { status, stderr } = run(command, folder, ['--trace', 'calls(mallok)', 'a.wasm']);
      assert.equal(status, 1);
      assert.match(stderr, /^wasm-trace: a\.wasm: .*malloc/);
      assert.deepEqual(listFolder(folder), before);
    });

    test('a probe that does not parse is shown with a caret, before any file is read', (t) => {
      const folder = makeFolder(t);
      const { status, stderr } = run(command, folder, ['-t', 'calls', '-t', 'arg(é, malloc)', 'missing.wasm']);
      assert.equal(status, 2);
      assert.match(stderr, /^wasm-trace: --trace, column 5: .+\n {2}arg\(é, malloc\)\n {6}\^\nTry /);
    });

    test('files beside a module without names tell them', (t) => {
      const modules = { 'a.wasm': MODULE, 'a_bg.wasm': MODULE, 'named.wasm': NAMED_MODULE };
      const folder = makeFolder(t, { ...modules, 'a.wasm.symbols': '0:allocate\n1:start\n', 'a.js': '', 'named.js': '' });
      const found = run(command, folder, ['--trace', 'calls(allocate)', '--list', 'a.wasm']);
      assert.equal(found.status, 0, found.stderr);
      assert.match(found.stdout, /allocate/);
      assert.match(found.stderr, /^a\.wasm: names also from a\.wasm\.symbols, a\.js$/m);
      assert.match(trace(folder, '--list', 'a_bg.wasm').stderr, /^a_bg\.wasm: names also from a\.js$/m);
      assert.equal(trace(folder, '--list', 'named.wasm').stderr, '');
    });

    test('--symbols names files, and one that is not there is an error', (t) => {
      const folder = makeFolder(t, { 'a.wasm': MODULE, map: '0:allocate\n1:start\n' });
      assert.match(run(command, folder, ['-t', 'calls(start)', '-l', '--symbols', 'map', 'a.wasm']).stdout, /start/);
      const missing = trace(folder, '--symbols', 'nowhere', 'a.wasm');
      assert.deepEqual([missing.status, missing.stderr], [1, 'wasm-trace: nowhere: no such file or directory\n']);
    });

    const skip = command.name !== 'node' && 'the fault is put into node:fs';
    test('a failed rename brings everything back', { skip }, (t) => {
      const folder = makeFolder(t, { 'a.wasm': MODULE, 'a.wasm.orig': 'mine' });
      const before = listFolder(folder);
      const [node, script] = command.command;
      const broken = { command: [node, '--import', FAILING_RENAME, script] };
      const { status, stderr } = run(broken, folder, ['-t', 'calls(*)', '--link=split', 'a.wasm']);
      assert.deepEqual([status, stderr], [1, 'wasm-trace: a.wasm: cannot replace it: no space left on device\n']);
      assert.deepEqual(listFolder(folder), before);
    });

    test('damaged gzip data is an error', (t) => {
      const folder = makeFolder(t, { 'a.wasm.gz': gzipSync(MODULE).subarray(0, 30) });
      assert.equal(trace(folder, 'a.wasm.gz').stderr, 'wasm-trace: a.wasm.gz: damaged gzip data\n');
    });

    test('the way back is quoted for the shell', (t) => {
      const folder = makeFolder(t, { "it's.wasm": MODULE });
      assert.match(trace(folder, "it's.wasm").stderr, /wasm-trace --restore 'it'\\''s\.wasm'\n/);
    });
  });
}
