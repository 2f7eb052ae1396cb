// A ring that was full, and what was recorded is forgotten.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { attach, instrument } from '../../js/index.js';
import { MODULE } from './loader-support.js';

/** More calls than the smallest ring has room for. */
const MANY = 50_000;

for (const onFull of /** @type {const} */ (['overwrite', 'stop', 'aggregate'])) {
  test(`${onFull}: what comes after clear() is recorded, and nothing else is there`, () => {
    const bytes = instrument(MODULE, { trace: 'args(add)', display: ['log', 'tree'], buffer: '64K', onFull, link: 'split' });
    const module = new WebAssembly.Module(/** @type {Uint8Array<ArrayBuffer>} */ (bytes));
    const instance = new WebAssembly.Instance(module);
    const session = attach(instance, module);
    const add = /** @type {(a: number, b: number) => number} */ (instance.exports.add);
    const fill = () => {
      for (let i = 0; i < MANY; i++) add(1, i);
    };
    fill();
    session.clear();
    assert.equal(session.hasData, false);
    add(7, 8);
    assert.match(session.report('log'), /^[^\n]*\nadd\(7, 8\)\n$/);
    fill();
    assert.match(session.report('log', { limit: 1 }), onFull === 'overwrite' ? /add\(1, 49999\)/ : /add\(1, /);
    assert.match(session.report('tree'), onFull === 'stop' ? / add\n/ : / 50,?001 .* add\n/);
  });
}
