// A ring that was full, and what was recorded is forgotten.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { attach, instrument } from '../../js/index.js';
import { TraceModel } from '../../js/model/trace-model.js';
import { assemble } from '../core/assemble.js';
import { links } from '../core/run-module.js';
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

/** What is told in many words in one call: memory that grows, calls of the host in between, and places of traps. */
const TELLING = await assemble(`(module
  (import "env" "host" (func $host (param i32)))
  (memory 1)
  (func $tiny (export "tiny") (param i32))
  (func (export "grow") (param i32)
    (loop $again
      (drop (memory.grow (i32.const 0)))
      (br_if $again (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
  (func (export "call") (param i32) (call $host (local.get 0)))
  (func (export "trap") (unreachable)))`);

/** @type {Record<string, {trace: string, act: (exports: any) => void}>} */
const TELLS = {
  'memory.grow': { trace: 'memory.grow', act: ({ grow }) => grow(MANY) },
  'calls of the host': { trace: 'imports', act: ({ call }) => call(MANY) },
  traps: { trace: 'traps', act: ({ trap }) => Array.from({ length: MANY }, () => assert.throws(() => trap(), WebAssembly.RuntimeError)) },
};

for (const link of links)
  for (const [what, { trace, act }] of Object.entries(TELLS))
    for (const onFull of /** @type {const} */ (['stop', 'aggregate']))
      test(`${onFull}, ${link}: ${what} without calls that are recorded overwrite nothing`, () => {
        const options = /** @type {const} */ ({ trace, display: 'log', buffer: '64K', onFull, link, minSize: 1000 });
        const module = new WebAssembly.Module(/** @type {Uint8Array<ArrayBuffer>} */ (instrument(TELLING, options)));
        /** @type {any} */
        let exports;
        const host = (/** @type {number} */ n) => {
          for (let i = 0; i < n; i++) exports.tiny(i);
        };
        const instance = new WebAssembly.Instance(module, { env: { host } });
        const session = attach(instance, module);
        ({ exports } = instance);
        act(exports);
        const { lost, events } = new TraceModel(session.snapshot(), session.metadata);
        assert.equal(lost, 0);
        assert.ok(events.length > 0);
      });
