// Counts against those of another interpreter, that of wabt, which can tell every instruction that it executes. Its own
// instructions are not quite those of the module: it has none for block, loop, nop, try, and `br` and `return` are used for other things too, so
// these weigh nothing here; `if` and `br_if` are both `br_unless`; and some are its own, which are left out.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { assemble } from './assemble.js';
import { exportCount, restsOf } from './counting.js';
import { ModuleView } from './module-view.js';
import { transformAll } from './native.js';
import { links, runModule } from './run-module.js';

const UNSEEN = ['block', 'loop', 'nop', 'try', 'br', 'return'];
const WEIGHTS = Object.fromEntries(UNSEEN.map((name) => [name, 0]));
const TABLE = UNSEEN.map((name) => `${name} 0`).join('\n');
const OWN = new Set(['alloca', 'drop_keep', 'catch_drop', 'br', 'return']);
const TRACE_LINE = /^#\d+\. +\d+: V:\d+ +\| ([\w.]+)/gm;

const folder = mkdtempSync(path.join(os.tmpdir(), 'wasm-trace-count-'));
after(() => rmSync(folder, { recursive: true }));

/** Programs of exports without parameters; `traps`: the instruction that traps. @type {Record<string, {source: string, traps?: string}>} */
const PROGRAMS = {
  'loops and branches': {
    source: `(module (memory 1)
      (func $collatz (param i32) (result i32) (local i32)
        (loop $l
          (if (i32.and (local.get 0) (i32.const 1))
            (then (local.set 0 (i32.add (i32.mul (local.get 0) (i32.const 3)) (i32.const 1))))
            (else (local.set 0 (i32.shr_u (local.get 0) (i32.const 1)))))
          (local.set 1 (i32.add (local.get 1) (i32.const 1)))
          (br_if $l (i32.gt_u (local.get 0) (i32.const 1))))
        (local.get 1))
      (func (export "a") (result i32) (local i32 i32)
        (block $out (loop $l
          (local.set 1 (i32.add (local.get 1) (call $collatz (i32.add (local.get 0) (i32.const 2)))))
          (i32.store (i32.mul (local.get 0) (i32.const 4)) (local.get 1))
          (br_if $out (i32.gt_u (local.get 1) (i32.const 500)))
          (br_if $l (i32.lt_u (local.tee 0 (i32.add (local.get 0) (i32.const 1))) (i32.const 60)))))
        (select (local.get 1) (local.get 0) (i32.const 1))))`,
  },
  br_table: {
    source: `(module
      (func $switch (param i32) (result i32)
        (block $d (block $c (block $b (block $a (br_table $a $b $a $c $d (local.get 0)))
          (return (i32.const 10)))
          (drop (i32.const 1)) (br $d))
          (drop (i32.const 1)) (drop (i32.const 2)))
        (i32.const 30))
      (func (export "a") (result i32) (local i32 i32)
        (loop $l (local.set 1 (i32.add (local.get 1) (call $switch (local.get 0))))
          (br_if $l (i32.lt_u (local.tee 0 (i32.add (local.get 0) (i32.const 1))) (i32.const 7))))
        (local.get 1)))`,
  },
  'calls, through tables too, and recursion': {
    source: `(module
      (type $op (func (param i32) (result i32)))
      (table 2 funcref) (elem (i32.const 0) $fib $inc)
      (func $inc (type $op) (i32.add (local.get 0) (i32.const 1)))
      (func $fib (type $op)
        (if (i32.lt_s (local.get 0) (i32.const 2)) (then (return (local.get 0))))
        (i32.add (call $fib (i32.sub (local.get 0) (i32.const 1)))
          (call_indirect (type $op) (i32.sub (local.get 0) (i32.const 2)) (i32.const 0))))
      (func (export "a") (result i32) (call_indirect (type $op) (call $fib (i32.const 9)) (i32.const 1))))`,
  },
  'several values': {
    source: `(module
      (func $pair (param i32) (result i32 i64) (local.get 0) (i64.const 3))
      (func (export "a") (result i64) (local i64)
        (call $pair (i32.const 1))
        (block (param i32 i64) (result i64) (local.set 0) (drop) (br_if 0 (local.get 0) (i32.const 1)) (drop) (i64.const 5))))`,
  },
  'tail calls': {
    source: `(module
      (type $t (func (param i32) (result i32)))
      (table 1 funcref) (elem (i32.const 0) $even)
      (func $even (type $t) (if (i32.eqz (local.get 0)) (then (return (i32.const 1)))) (return_call $odd (i32.sub (local.get 0) (i32.const 1))))
      (func $odd (type $t) (if (i32.eqz (local.get 0)) (then (return (i32.const 0))))
        (return_call_indirect (type $t) (i32.sub (local.get 0) (i32.const 1)) (i32.const 0)))
      (func (export "a") (result i32) (call $even (i32.const 9))))`,
  },
  // Without parameters and locals: unwinding frames with some, wabt loses count of its stack.
  exceptions: {
    source: `(module
      (tag $e (param i32)) (tag $f)
      (global $g (mut i32) (i32.const 0))
      (func $throws
        (if (i32.and (global.get $g) (i32.const 1)) (then (throw $e (global.get $g))))
        (if (i32.and (global.get $g) (i32.const 2)) (then (throw $f))))
      (func $tries
        (try
          (do (call $throws))
          (catch $e (global.set $g (i32.add (i32.const 3))))
          (catch_all (if (i32.eq (global.get $g) (i32.const 2)) (then (rethrow 1))))))
      (func (export "a")
        (loop $l
          (try (do (call $tries)) (catch_all (drop (global.get $g))))
          (global.set $g (i32.add (global.get $g) (i32.const 1)))
          (br_if $l (i32.lt_u (global.get $g) (i32.const 20))))))`,
  },
  'an unreachable instruction': {
    source: `(module (func $f (drop (i32.const 1)) (unreachable) (drop (i32.const 2))) (func (export "a") (drop (i32.const 3)) (call $f) (drop (i32.const 4))))`,
    traps: 'unreachable',
  },
  'a division by zero': {
    source: `(module (func (export "a") (result i32) (drop (i32.const 3)) (i32.div_u (i32.const 1) (i32.const 0)) (i32.const 1) (i32.add) (drop) (i32.const 4)))`,
    traps: 'i32.div_u',
  },
  'an address out of bounds': {
    source: `(module (memory 1) (func (export "a") (result i32) (local i32)
      (loop $l (drop (i32.load (local.tee 0 (i32.add (local.get 0) (i32.const 16384))))) (drop (i32.const 1)) (br_if $l (i32.const 1))) (i32.const 1)))`,
    traps: 'i32.load',
  },
};

/** @param {Uint8Array} bytes @returns {number} */
function interpreted(bytes) {
  const file = path.join(folder, 'module.wasm');
  writeFileSync(file, bytes);
  const args = ['--trace', '--run-all-exports', '--enable-exceptions', '--enable-tail-call', file];
  const { stdout, error } = spawnSync('wasm-interp', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error) throw error;
  return [...stdout.matchAll(TRACE_LINE)].filter(([, name]) => !OWN.has(name)).length;
}

/** What the trap leaves in the count. @param {Uint8Array} bytes @param {string} [traps] */
function left(bytes, traps) {
  const places = new ModuleView(bytes).bodies.flatMap(({ instructions }) => instructions).filter(({ name }) => name === traps);
  return Number(places.length ? restsOf(bytes, WEIGHTS).get(places[0].start) : 0);
}

for (const [name, { source, traps }] of Object.entries(PROGRAMS)) {
  const bytes = await assemble(source);
  for (const link of links)
    test(`${name}: as many as another interpreter executes, ${link}`, () => {
      const [{ bytes: output, message }] = transformAll([bytes], { trace: 'memory.grow', display: 'histogram', clock: 'instructions', weights: TABLE, link });
      assert.ok(output, message);
      let count = 0;
      runModule(exportCount(output), ['a()'], { traced: true, watch: (exports) => (count = Number(exports.count.value)) });
      const truth = interpreted(bytes);
      assert.ok(truth > 2, 'the interpreter told nothing');
      assert.equal(count, truth + left(bytes, traps));
    });
}
