// Known ways in which rewriters fail that no other file is about: pitfalls.md lists them all, and what tests each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Instrumenter } from '../../js/loader/instrumenter.js';
import { assemble } from './assemble.js';
import { isValid } from './judge.js';
import { smallModules } from './modules.js';
import { links, runModule } from './run-module.js';

/** @type {import('../../js/index.js').InstrumentOptions[]} */
const PLANS = [
  { trace: 'calls', minSize: 0 },
  { trace: ['calls', 'args(*)', 'ret(*)', 'imports', 'memory.grow', 'traps'], display: ['log', 'tree'], stack: true, minSize: 0, someMatch: true },
];

/** @param {Uint8Array} bytes */
const compile = (bytes) => new WebAssembly.Module(/** @type {BufferSource} */ (bytes));

/** @param {Uint8Array} bytes @param {import('../../js/index.js').InstrumentOptions} options */
function instrumentOrNull(bytes, options) {
  try {
    return Instrumenter.create().run(bytes, options).bytes;
  } catch (error) {
    if (/** @type {any} */ (error).code === 'no-match') return null;
    throw error;
  }
}

test('no import is added, and exports are the same ones in the same order, ours behind them', async () => {
  let checked = 0;
  for (const { name, bytes } of (await smallModules()).filter((one) => isValid(one.bytes)))
    for (const link of links)
      for (const plan of PLANS) {
        const output = instrumentOrNull(bytes, { ...plan, link });
        if (!output) continue;
        const [before, after] = [compile(bytes), compile(output)];
        const exports = WebAssembly.Module.exports(before);
        assert.deepEqual(WebAssembly.Module.imports(after), WebAssembly.Module.imports(before), name);
        assert.deepEqual(WebAssembly.Module.exports(after).slice(0, exports.length), exports, name);
        const ours = WebAssembly.Module.exports(after).slice(exports.length).map((one) => one.name);
        assert.deepEqual(ours, [link === 'merged' ? '__wasm_trace_memory' : '__wasm_trace_table'], name);
        checked++;
      }
  assert.ok(checked > 20);
});

/** Text and calls: what is behind an instruction that does not return has a stack of any type. */
const DEAD_CODE = `(module
  (import "env" "log" (func $log (param i32) (result i32)))
  (func $behindReturn (export "behindReturn") (param i32) (result i32 i64)
    (return (local.get 0) (i64.const 2))
    i32.add drop (call $log) drop memory.grow drop)
  (func (export "behindBranch") (param i32) (result i32)
    (block (result i32) (br 0 (local.get 0)) i64.extend_i32_s i32.wrap_i64 (return) select)
    i32.const 1 i32.add)
  (func (export "behindTrap") (param i32) (result i32 f64)
    (if (local.get 0) (then unreachable (call $behindReturn) unreachable))
    (return (i32.const 3) (f64.const 4))
    return unreachable (br_table 0 0) drop)
  (func (export "behindTail") (param i32) (result i32)
    (return_call $log (local.get 0)) (return_call $log) call $log)
  (func (export "behindLoop") (param i32) (result i32)
    (loop (result i32) (local.get 0) return (br 0) (br_if 1)))
  (memory 1))`;

test('code that is never reached', async () => {
  const bytes = await assemble(DEAD_CODE);
  const calls = ['behindReturn(5)', 'behindBranch(5)', 'behindTrap(0)', 'behindTrap(1)', 'behindTail(6)', 'behindLoop(7)'];
  const plain = runModule(bytes, calls);
  assert.deepEqual(plain.results, [
    'behindReturn(5) = 5 2n', 'behindBranch(5) = 6', 'behindTrap(0) = 3 4', 'behindTrap(1) = trap', 'behindTail(6) = 6', 'behindLoop(7) = 7',
  ]);
  for (const link of links)
    for (const plan of PLANS) {
      const { results, heard } = runModule(Instrumenter.create().run(bytes, { ...plan, link }).bytes, calls, { traced: true });
      assert.deepEqual({ results, heard }, { results: plain.results, heard: plain.heard }, link);
    }
});

/** Bits that a number of JavaScript would lose: a signalling NaN with a payload, an i64 beyond 2^53. */
const BITS = { f32: 0x7fa12345n, f64: 0x7ff4123456789abcn, i64: 0x7fffedcba9876543n };

const EXACT = `(module
  (func $f32 (param f32) (result f32) (local.get 0))
  (func $f64 (param f64) (result f64) (local.get 0))
  (func $i64 (param i64) (result i64) (local.get 0))
  (func (export "f32") (result i32) (i32.reinterpret_f32 (call $f32 (f32.reinterpret_i32 (i32.const ${BITS.f32})))))
  (func (export "f64") (result i64) (i64.reinterpret_f64 (call $f64 (f64.reinterpret_i64 (i64.const ${BITS.f64})))))
  (func (export "i64") (result i64) (call $i64 (i64.const ${BITS.i64}))))`;

test('bits of values are kept, in the program and in the trace', async () => {
  const bytes = await assemble(EXACT);
  for (const link of links) {
    const output = Instrumenter.create().run(bytes, { trace: ['args(#0)', 'args(#1)', 'args(#2)', 'ret(#0)', 'ret(#1)', 'ret(#2)'], link }).bytes;
    const { results, session } = runModule(output, ['f32()', 'f64()', 'i64()'], { traced: true });
    assert.deepEqual(results, [`f32() = ${BITS.f32}`, `f64() = ${BITS.f64}n`, `i64() = ${BITS.i64}n`], link);
    const words = [...(session?.snapshot().records ?? [])].filter((_, at) => at % 2 === 0); // each record: one value, its header
    assert.deepEqual(words, [BITS.f32, BITS.f32, BITS.f64, BITS.f64, BITS.i64, BITS.i64], link);
  }
});
