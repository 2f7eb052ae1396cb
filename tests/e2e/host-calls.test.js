// Every way between the host and a module, in and out, with the nested log that tells it: after each, the next call has the
// right caller, or says that it is not certain. All three kinds of functions take part: one that is exported (behind a shim),
// one that is also in a table (with the handshake), and an import that is in the table too.
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { bestLink } from '../../js/loader/engine.js';
import { install } from '../../js/index.js';
import { assemble } from '../core/assemble.js';

const LINKS = bestLink() === 'merged' ? ['merged', 'split'] : ['split'];

const MODULE = await assemble(`(module
  (type $void (func))
  (import "env" "host" (func $host))
  (table (export "table") 8 funcref)
  (elem (i32.const 0) $target $host $signature)
  (func $leaf)
  (func $entry (export "entry") (call $leaf))
  (func $target (export "target") (call $leaf))
  (func $signature (param i32))
  (func $trap (export "trap") (unreachable))
  (func $divide (export "divide") (drop (i32.div_s (i32.const 1) (i32.const 0))))
  (func $deep (export "deep") (call $deep))
  (func $callHost (export "callHost") (call $host) (call $leaf))
  (func $callTable (export "callTable") (param i32) (call_indirect (type $void) (local.get 0)) (call $leaf))
  (func $tailTable (export "tailTable") (param i32) (return_call_indirect (type $void) (local.get 0)))
  (func $callTail (export "callTail") (param i32) (call $tailTable (local.get 0)) (call $leaf))
  (func $callTarget (export "callTarget") (call $target) (call $leaf)))`);

/** Another module, which is not traced. */
const other = /** @type {any} */ (new WebAssembly.Instance(new WebAssembly.Module(await assemble('(module (func (export "trap") (unreachable)))'))).exports);

/** @typedef {any} Exports */
const swallow = (/** @type {() => void} */ run) => {
  try {
    run();
  } catch {
    // what is tested is what comes next
  }
};
const fail = () => {
  throw new Error('from the host');
};

/**
 * What the program does, what the imported function does (the first call of it, the second ...), and the log.
 * @type {Record<string, {run: (exports: Exports) => void, host?: ((exports: Exports) => void)[], log: string}>}
 */
const SCENES = {
  'a trap that the host catches, then an export': {
    run: (e) => (swallow(e.trap), e.entry()),
    log: `
      call trap
      unwound trap
      call entry
        call leaf
        return from leaf
      return from entry`,
  },
  'a trap that the host catches, then a function of the table': {
    run: (e) => (swallow(e.divide), e.table.get(0)()),
    log: `
      call divide
      unwound divide
      call target
        call leaf
        return from leaf
      return from target`,
  },
  'the end of the stack, then a function of the table': {
    run: (e) => (swallow(e.deep), e.target()),
    log: `
      call target
        call leaf
        return from leaf
      return from target`,
  },
  'the module calls a function of the table': {
    run: (e) => (e.callTable(0), e.callTarget()),
    log: `
      call callTable
        call target
          call leaf
          return from leaf
        return from target
        call leaf
        return from leaf
      return from callTable
      call callTarget
        call target
          call leaf
          return from leaf
        return from target
        call leaf
        return from leaf
      return from callTarget`,
  },
  'a tail call through the table': {
    run: (e) => (e.callTail(0), e.target()),
    log: `
      call callTail
        call tailTable
        tail call from tailTable
        call target
          call leaf
          return from leaf
        return from target
        call leaf
        return from leaf
      return from callTail
      call target
        call leaf
        return from leaf
      return from target`,
  },
  'the host calls back': {
    run: (e) => e.callHost(),
    host: [(e) => (e.entry(), e.target())],
    log: `
      call callHost
        call host()
          call entry
            call leaf
            return from leaf
          return from entry
          call target
            call leaf
            return from leaf
          return from target
        return from host
        call leaf
        return from leaf
      return from callHost`,
  },
  'the host calls back what traps, and swallows it': {
    run: (e) => e.callHost(),
    host: [(e) => (swallow(e.trap), e.entry(), e.target())],
    log: `
      call callHost
        call host()
          call trap
          unwound trap
          call entry
            call leaf
            return from leaf
          return from entry
          call target
            call leaf
            return from leaf
          return from target
        return from host
        call leaf
        return from leaf
      return from callHost`,
  },
  'a trap passes through the host': {
    run: (e) => (swallow(e.callHost), e.entry()),
    host: [(e) => e.trap()],
    log: `
      call callHost
        call host()
          call trap
          unwound trap
          call entry (caller uncertain)
            call leaf
            return from leaf
          return from entry
        unwound host
      unwound callHost`,
  },
  "a trap of the host's own, caught outside, then an export": {
    run: (e) => (swallow(e.callHost), e.entry(), e.target()),
    host: [() => other.trap()],
    log: `
      call callHost
        call host()
          call entry (caller uncertain)
            call leaf
            return from leaf
          return from entry
          call target (caller uncertain)
            call leaf
            return from leaf
          return from target
        unwound host
      unwound callHost`,
  },
  'the host throws': {
    run: (e) => (swallow(e.callHost), e.entry(), e.target()),
    host: [fail],
    log: `
      call callHost
        call host()
        throw from host
      unwound callHost
      call entry
        call leaf
        return from leaf
      return from entry
      call target
        call leaf
        return from leaf
      return from target`,
  },
  'the host throws through an activation, and catches in the outer one': {
    run: (e) => e.callHost(),
    host: [(e) => (swallow(e.callHost), e.target()), fail],
    log: `
      call callHost
        call host()
          call callHost
            call host()
            throw from host
          unwound callHost
          call target
            call leaf
            return from leaf
          return from target
        return from host
        call leaf
        return from leaf
      return from callHost`,
  },
  'the host is called through the table, and calls back': {
    run: (e) => e.callTable(1),
    host: [(e) => (e.entry(), e.target(), e.entry())],
    log: `
      call callTable
        call entry
          call leaf
          return from leaf
        return from entry
        call target
          call leaf
          return from leaf
        return from target
        call entry
          call leaf
          return from leaf
        return from entry
        call leaf
        return from leaf
      return from callTable`,
  },
  'an export that the host put into the table': {
    run: (e) => (e.table.set(5, e.entry), e.callTable(5), e.table.set(5, null)),
    log: `
      call callTable
        call entry
          call leaf
          return from leaf
        return from entry
        call leaf
        return from leaf
      return from callTable`,
  },
  'a call through the table that traps, then an export': {
    run: (e) => (swallow(() => e.callTable(2)), e.entry()),
    log: `
      call callTable
        call entry (caller uncertain)
          call leaf
          return from leaf
        return from entry
      unwound callTable`,
  },
  'a call through the table that traps, then a function of the table': {
    run: (e) => (swallow(() => e.callTable(7)), e.target()),
    log: `
      call callTable
        call target (caller uncertain)
          call leaf
          return from leaf
        return from target
      unwound callTable`,
  },
};

/** @param {string} report @returns {string} without the title, what a deep recursion left, and the space in front */
const told = (report) => report.split('\n').filter((line) => !/deep|earlier/.test(line)).slice(1, -1).join('\n');
const expected = (/** @type {string} */ log) => log.slice(1).replaceAll('\n      ', '\n').trimStart();

/** @type {import('../../js/loader/hook.js').Hook | undefined} */
let hook;
afterEach(() => {
  hook?.uninstall();
  hook = undefined;
});

for (const link of LINKS) {
  for (const display of ['nested', 'tree']) {
    describe(`calls between the host and a module, ${link}, ${display === 'tree' ? 'nodes' : 'depths'} as positions`, () => {
      for (const [name, { run, host = [], log }] of Object.entries(SCENES)) {
        test(name, () => {
          hook = install({ trace: ['calls(*)', 'imports'], display: ['nested', display], link });
          const waiting = [...host];
          const env = { host: () => waiting.shift()?.(exports) };
          const { exports } = new WebAssembly.Instance(new WebAssembly.Module(MODULE), { env });
          run(exports);
          assert.equal(waiting.length, 0);
          assert.equal(told(hook.report('nested', { limit: 40 })), expected(log));
        });
      }
    });
  }
}
