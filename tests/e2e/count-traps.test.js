// Instructions after a trap: what ran before it belongs to the function that trapped, and what stands behind it in its block never ran.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { install } from '../../js/index.js';
import { bestLink } from '../../js/loader/engine.js';
import { findTrap, plainError } from '../../js/loader/find-trap.js';
import { assemble } from '../core/assemble.js';
import { makeFolder } from './cli-support.js';

const LINKS = bestLink() === 'merged' ? ['merged', 'split'] : ['split'];
const command = fileURLToPath(new URL('../../node/wasm-trace-node.js', import.meta.url));
const FAR = 1e8;
/** Counted where the load traps: itself and what is before it, and the rest of its block, which never runs. */
const [BEGUN, REST] = [3, 5];

/** @param {string} table @param {string} name of the function that traps, unless it is given an address that is there */
const source = (table, name) => `(module
  (memory 1)
  ${table}
  (func $deep (export "${name}") (param i32)
    (nop)
    (drop (i32.load (local.get 0)))
    (nop) (nop) (nop) (nop))
  (func $bare (export "bare") (nop) (nop))
  (func $next (export "next") (nop)))`;
const MODULES = {
  'behind a shim': await assemble(source('', 'deep')),
  'in a table': await assemble(source('(table (export "t") 3 funcref) (elem (i32.const 0) $deep $bare $next)', 'deep')),
};

/** @type {import('../../js/loader/hook.js').Hook | undefined} */
let hook;
afterEach(() => {
  hook?.uninstall();
  hook = undefined;
});

/** @param {Uint8Array} bytes @param {object} options @returns {{exports: any, session: any}} */
function load(bytes, options) {
  hook = install({ trace: ['calls(deep)', 'calls(next)'], display: 'tree', minSize: 0, clock: 'instructions', ...options });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(/** @type {any} */ (bytes)));
  return { exports, session: hook.sessions[0] };
}

/** @param {any} session @returns {{outside: number, deep: number, next: number, now: number}} what each took */
function times(session) {
  const { nodes, clock } = session.snapshot();
  const of = (/** @type {number} */ func) => nodes.self[nodes.func.lastIndexOf(func)] ?? 0;
  assert.equal([...nodes.self].reduce((sum, one) => sum + one, 0), clock.now, 'all that was counted is somewhere');
  return { outside: nodes.self[0], deep: of(0), next: nodes.func.includes(2) ? of(2) : 0, now: clock.now };
}

/** @param {any} exports @returns {any} what it throws */
function trap({ deep }) {
  try {
    deep(FAR);
  } catch (error) {
    return error;
  }
  return assert.fail('nothing trapped');
}

for (const link of LINKS)
  for (const [where, bytes] of Object.entries(MODULES))
    describe(`${where}, ${link}`, () => {
      test('what ran before a trap is the function\'s that trapped', () => {
        const { exports, session } = load(bytes, { link });
        trap(exports);
        assert.deepEqual(times(session), { outside: 0, deep: BEGUN + REST, next: 0, now: BEGUN + REST });
        exports.bare();
        assert.deepEqual(times(session), { outside: 2, deep: BEGUN + REST, next: 0, now: BEGUN + REST + 2 });
        exports.next();
        exports.bare();
        exports.bare();
        assert.deepEqual(times(session), { outside: 6, deep: BEGUN + REST, next: 1, now: BEGUN + REST + 7 });
      });

      test('what stands behind it in its block is taken back where the trap is known', () => {
        const { exports, session } = load(bytes, { link });
        exports.deep(0);
        const found = findTrap(plainError(trap(exports)), [session]);
        assert.ok(found);
        session.trapped(found.trap);
        const whole = BEGUN + REST;
        assert.deepEqual(times(session), { outside: 0, deep: whole + BEGUN, next: 0, now: whole + BEGUN });
        exports.next();
        assert.deepEqual(times(session), { outside: 0, deep: whole + BEGUN, next: 1, now: whole + BEGUN + 1 });
        session.freeze();
        assert.equal(times(session).now, whole + BEGUN + 1);
      });

      test('so are weights', () => {
        const { exports, session } = load(bytes, { link, weights: new TextEncoder().encode('nop 10\n') });
        const found = findTrap(plainError(trap(exports)), [session]);
        assert.ok(found);
        session.trapped(found.trap);
        assert.equal(times(session).deep, 12);
      });
    });

const swallowing = await assemble(`(module
  (import "env" "swallow" (func $swallow))
  (table 1 funcref) (elem (i32.const 0) $swallow)
  (func $deep (export "deep") (nop) (nop) (unreachable))
  (func $main (export "main") (call_indirect (i32.const 0)) (nop)))`);

for (const link of LINKS)
  test(`what ran before a trap that a host function of a table swallowed is the function's that trapped, ${link}`, () => {
    hook = install({ trace: ['calls(deep)', 'calls(main)'], display: 'tree', minSize: 0, clock: 'instructions', link });
    /** @type {any} */
    const imports = { env: { swallow: () => assert.throws(() => exports.deep()) } };
    const { exports } = /** @type {{exports: any}} */ (new WebAssembly.Instance(new WebAssembly.Module(/** @type {any} */ (swallowing)), imports));
    exports.main();
    const { nodes } = hook.sessions[0].snapshot();
    const selfOf = (/** @type {number} */ func) => nodes.self[nodes.func.lastIndexOf(func)];
    assert.deepEqual([selfOf(1), selfOf(2)], [3, 3]);
  });

for (const link of LINKS)
  test(`a trap that ends the program leaves exact figures, ${link}`, async (t) => {
    const folder = makeFolder(t, { 'app.wasm': await assemble(source('', '_start').replace('(param i32)', '(local i32) (local.set 0 (i32.const -1))')) });
    const args = [command, '--trace', 'calls(*)', '--display', 'tree', '--min-size', '0', '--clock', 'instructions', '--link', link];
    const run = (/** @type {string[]} */ ...more) => spawnSync(process.execPath, [...args, ...more, 'app.wasm'], { cwd: folder, encoding: 'utf8' });
    assert.match(run().stderr, /^ +5 \| +100.0 \| +5 \| +1 \| deep$/m);
    run('--report', 'report.json');
    const [{ functions, clock }] = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')).sessions;
    assert.equal(functions.items[0].time.raw.self, BEGUN + 2);
    assert.equal(clock.now, BEGUN + 2);
  });
