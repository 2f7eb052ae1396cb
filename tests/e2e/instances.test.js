// Several modules and several instances of one module in one thread: a session and a name for each, and no events of another.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';

import { install } from '../../js/index.js';
import { bestLink } from '../../js/loader/engine.js';
import { assemble } from '../core/assemble.js';

const LINKS = /** @type {const} */ (bestLink() === 'merged' ? ['merged', 'split'] : ['split']);

/** down(n) calls the other instance's down(n - 1), as long as n is not 0. */
const PING = await assemble(`(module
  (import "env" "other" (func $other (param i32) (result i32)))
  (func $down (export "down") (param $n i32) (result i32)
    (if (result i32) (local.get $n)
      (then (i32.add (i32.const 1) (call $other (i32.sub (local.get $n) (i32.const 1)))))
      (else (i32.const 0)))))`);

/** Another module with the same shape and other names. */
const PONG = await assemble(`(module
  (import "env" "other" (func $partner (param i32) (result i32)))
  (func $through (export "down") (param $n i32) (result i32)
    (if (result i32) (local.get $n)
      (then (i32.add (i32.const 1) (call $partner (i32.sub (local.get $n) (i32.const 1)))))
      (else (i32.const 0)))))`);

for (const link of LINKS) {
  describe(`instances beside each other, ${link}`, () => {
    /** @type {import('../../js/loader/hook.js').Hook} */
    let hook;
    beforeEach(() => (hook = install({ trace: ['args(*)', 'ret(*)', 'imports'], display: ['nested', 'tree'], link })));
    afterEach(() => hook.uninstall());

    /** Two instances that call each other; `direct`: without JavaScript in between. @param {WebAssembly.Module[]} modules @param {boolean} direct */
    function connect([one, other], direct) {
      /** @type {any} */
      let first = null;
      const second = new WebAssembly.Instance(other, { env: { other: (/** @type {number} */ n) => first(n) } });
      const { down } = /** @type {any} */ (second.exports);
      const imports = { env: { other: direct ? down : (/** @type {number} */ n) => down(n) } };
      first = new WebAssembly.Instance(one, imports).exports.down;
      return first;
    }

    /** Calls of each function in each session, in the order of the log. */
    function logs() {
      return hook.sessions.map((session) => session.report('nested', { color: false }).split('\n').slice(1).filter(Boolean));
    }

    for (const direct of [true, false]) {
      test(`two instances of one module call each other ${direct ? 'directly' : 'through JavaScript'}`, () => {
        const module = new WebAssembly.Module(PING);
        const down = connect([module, module], direct);
        assert.equal(down(3), 3);
        assert.deepEqual(hook.sessions.map(({ name }) => name), ['module', 'module#2']);
        const [second, first] = logs();
        assert.deepEqual(first, [
          'call down(3)',
          '  call other(2)',
          '    call down(1)',
          '      call other(0)',
          '      return 0 from other',
          '    return 1 from down',
          '  return 2 from other',
          'return 3 from down',
        ]);
        assert.deepEqual(second, [
          'call down(2)',
          '  call other(1)',
          '    call down(0)',
          '    return 0 from down',
          '  return 1 from other',
          'return 2 from down',
        ]);
      });
    }

    test('two modules call each other', () => {
      const down = connect([new WebAssembly.Module(PING), new WebAssembly.Module(PONG)], true);
      assert.equal(down(40), 40);
      const names = logs().map((lines) => new Set(lines.map((line) => /(\w+)(\(|$)/.exec(line)?.[1])));
      assert.deepEqual(names, [new Set(['through', 'partner']), new Set(['down', 'other'])]);
      assert.deepEqual(hook.sessions.map((session) => session.snapshot().position), [0, 0]);
    });

    test('each of many instances has what it did, and no more', () => {
      const module = new WebAssembly.Module(PING);
      const instances = Array.from({ length: 20 }, () => new WebAssembly.Instance(module, { env: { other: () => 0 } }));
      for (const [i, { exports }] of instances.entries()) for (let n = 0; n < i; n++) /** @type {any} */ (exports).down(1);
      const counts = hook.sessions.map((session) => session.snapshot().nodes.count.reduce((sum, count) => sum + count));
      assert.deepEqual(counts, instances.map((_, i) => i * 2));
      assert.equal(new Set(hook.sessions.map(({ name }) => name)).size, 20);
    });
  });
}
