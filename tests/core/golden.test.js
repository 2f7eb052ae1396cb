// tests/golden and tests/regress: see golden-file.js for the files, golden-views.js for the kinds of blocks.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { assemble } from './assemble.js';
import { readGolden, writeGolden } from './golden-file.js';
import { RUNNING, VIEWS } from './golden-views.js';

const updating = process.env.UPDATE === '1';
const folders = ['../golden/', '../regress/'].map((folder) => new URL(folder, import.meta.url));
const files = folders.flatMap((folder) => readdirSync(folder).filter((name) => name.endsWith('.txt')).sort().map((name) => new URL(name, folder)));

/** "twice(3) = 6" -> "twice(3)" @param {import('./golden-file.js').Block | undefined} block */
const callsOf = (block) => (block?.body ?? '').split('\n').filter(Boolean).map((line) => line.replace(/ =.*$/, ''));

for (const file of files) {
  test(decodeURIComponent(file.pathname.split('/').slice(-2).join('/')), async (t) => {
    const golden = readGolden(file);
    const bytes = await assemble(golden.source);
    const calls = callsOf(golden.blocks.find(({ kind }) => kind === 'run'));
    const runnable = WebAssembly.validate(/** @type {BufferSource} */ (bytes));
    for (const block of golden.blocks) {
      await t.test(block.header, { skip: RUNNING.has(block.kind) && !runnable && 'this engine does not know the module' }, () => {
        const found = VIEWS[block.kind]({ bytes, calls }, block) ?? '';
        if (updating) block.body = found;
        else assert.equal(found, block.body);
      });
    }
    if (updating) writeGolden(file, golden);
  });
}
