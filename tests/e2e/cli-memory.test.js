// The n-th allocation fails, for all n, in the native command, libraries included: it succeeds or says why not; a file is either
// what it was or what it should become, and nothing else is left beside it.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { COMMANDS, MODULE, NAMED_MODULE, OTHER_MODULE, listFolder, makeFolder, run } from './cli-support.js';

const library = fileURLToPath(new URL('../../build/libfailing_malloc.so', import.meta.url));
const [native] = COMMANDS;
const PROBE = ['--trace', 'arg(0, /mall?oc/)'];
const GLUE = 'Module["_malloc"]=wasmExports["malloc"];Module["_run"]=wasmExports["run"];';

/** Files, and what is done with them. */
const ROWS = {
  'in place, with all that may be beside': {
    files: { 'a.wasm.gz': gzipSync(MODULE), 'a.wasm.gz.orig': OTHER_MODULE, 'a.js': GLUE, 'a.wasm.symbols': '0:malloc\n1:_ZN3foo3runEv\n' },
    args: [...PROBE, '--hide', 'foo::*', 'a.wasm.gz'],
  },
  'over an old file': { files: { 'a.wasm': NAMED_MODULE, 'b.wasm.gz': MODULE }, args: [...PROBE, '--output', 'b.wasm.gz', 'a.wasm'] },
  'a list': { files: { 'a.wasm': NAMED_MODULE }, args: ['--list', '--trace', 'calls(*)', 'a.wasm'] },
};

const skip = existsSync(library) ? false : 'the library that makes allocations fail is not built here';

for (const [what, { files, args }] of Object.entries(ROWS))
  for (const env of [{}, { FAIL_ALONE: '1' }])
    test(`${what}${'FAIL_ALONE' in env ? ', one alone' : ''}`, { skip }, (t) => {
      const folder = makeFolder(t, files);
      const before = listFolder(folder);
      const expected = { ...run(native, folder, args), files: listFolder(folder) };
      assert.equal(expected.status, 0, expected.stderr);
      for (let n = 0; ; n++) {
        reset(folder, files);
        const { status, stdout, stderr } = run(native, folder, args, { env: { ...process.env, ...env, LD_PRELOAD: library, FAIL_AT: String(n) } });
        const failed = stderr.includes('an allocation has failed');
        const where = `allocation ${n}: status ${status}, ${stderr}`;
        if (status === 0) assert.deepEqual([listFolder(folder), stdout], [expected.files, expected.stdout], where);
        else assert.deepEqual([listFolder(folder), failed], [before, true], where);
        assert.ok([0, 1, 2].includes(/** @type {number} */ (status)), where); // 2: before any FILE is read
        if (status !== 0) assert.match(stderr, /out of memory|cannot allocate memory/i, where);
        if (!failed) break;
      }
    });

/** @param {string} folder @param {Record<string, string | Uint8Array>} files */
function reset(folder, files) {
  for (const name of readdirSync(folder)) rmSync(path.join(folder, name));
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
}
