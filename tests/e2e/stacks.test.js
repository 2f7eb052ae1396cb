// JavaScript promise integration: activations that wait for promises, interleaved with each other and with plain calls. After
// each change of stacks the calls have the right callers. Engines without it skip this.
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { bestLink } from '../../js/loader/engine.js';
import { install } from '../../js/index.js';
import { assemble } from '../core/assemble.js';

const LINKS = bestLink() === 'merged' ? ['merged', 'split'] : ['split'];
const wasm = /** @type {any} */ (WebAssembly);
const skip = typeof wasm.Suspending !== 'function' && 'the engine does not have WebAssembly.Suspending';

const MODULE = await assemble(`(module
  (import "env" "sleep" (func $sleep (param i32) (result i32)))
  (func $inner (param i32) (result i32) (call $sleep (local.get 0)))
  (func $task (export "task") (param i32) (result i32)
    (i32.add (call $inner (local.get 0)) (call $inner (i32.add (local.get 0) (i32.const 100)))))
  (func $leaf (result i32) (i32.const 7))
  (func $fail (export "fail") (unreachable))
  (func $plain (export "plain") (result i32) (call $leaf)))`);

/** @type {import('../../js/loader/hook.js').Hook | undefined} */
let hook;
afterEach(() => {
  hook?.uninstall();
  hook = undefined;
});

/** The module with an import that waits until it is told to go on. */
function start(link, display) {
  hook = install({ trace: ['args(*)', 'ret(*)', 'imports'], display: ['nested', display], link });
  const waiting = new Map();
  const wait = (n) => new Promise((resolve, reject) => waiting.set(n, { resolve, reject }));
  const env = { sleep: new wasm.Suspending(wait) };
  const { exports } = /** @type {any} */ (new WebAssembly.Instance(new WebAssembly.Module(MODULE), { env }));
  return { exports, task: wasm.promising(exports.task), waiting };
}

const told = () => hook?.report('nested', { limit: 100 }).split('\n').slice(1, -1).join('\n');
const expected = (/** @type {string} */ log) => log.slice(1).replaceAll('\n      ', '\n').trimStart();
const turn = () => new Promise((resolve) => setTimeout(resolve));

for (const link of LINKS) {
  for (const display of ['nested', 'tree']) {
    describe(`suspended stacks, ${link}, ${display === 'tree' ? 'nodes' : 'depths'} as positions`, { skip }, () => {
      test('two tasks and a plain call between them', async () => {
        const { exports, task, waiting } = start(link, display);
        const results = [task(1), task(2)];
        exports.plain();
        for (const n of [1, 2, 102, 101]) {
          waiting.get(n).resolve(n * 2);
          await turn();
        }
        assert.deepEqual(await Promise.all(results), [204, 208]);
        const log = `
      call task(1)
        call inner(1)
          call sleep(1)
      call task(2)
        call inner(2)
          call sleep(2)
      call plain()
        call leaf()
        return 7 from leaf
      return 7 from plain
      resume task(1)
          return 2 from sleep
        return 2 from inner
        call inner(101)
          call sleep(101)
      resume task(2)
          return 4 from sleep
        return 4 from inner
        call inner(102)
          call sleep(102)
      resume task(2)
          return 204 from sleep
        return 204 from inner
      return 208 from task
      resume task(1)
          return 202 from sleep
        return 202 from inner
      return 204 from task`;
        assert.equal(told(), expected(log));
      });

      test('a promise that is rejected ends the task', async () => {
        const { exports, task, waiting } = start(link, display);
        const result = task(1);
        waiting.get(1).reject(new Error('from the host'));
        await assert.rejects(result, /from the host/);
        exports.plain();
        const log = `
      call task(1)
        call inner(1)
          call sleep(1)
      resume task(1)
          throw from sleep
        unwound inner
      unwound task
      call plain()
        call leaf()
        return 7 from leaf
      return 7 from plain`;
        assert.equal(told(), expected(log));
      });

      test('tasks that end by an exception or a trap have ended', async () => {
        const { exports, task, waiting } = start(link, display);
        const fail = wasm.promising(exports.fail);
        const first = task(1);
        await assert.rejects(fail(), WebAssembly.RuntimeError);
        waiting.get(1).reject(new Error('from the host'));
        await assert.rejects(first, /from the host/);
        const second = task(2);
        waiting.get(2).reject(new Error('from the host'));
        await assert.rejects(second, /from the host/);
        const log = `
      call task(1)
        call inner(1)
          call sleep(1)
      call fail()
      unwound fail
      resume task(1)
          throw from sleep
        unwound inner
      unwound task
      call task(2)
        call inner(2)
          call sleep(2)
      resume task(2)
          throw from sleep
        unwound inner
      unwound task`;
        assert.equal(told(), expected(log));
      });
    });
  }
}
