// Every shape of memory that a module may have beside ours: instrumented, it gives the same results, its memories hold the same
// bytes, and every memory.grow is recorded with what it returned.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attach } from '../../js/index.js';
import { Instrumenter } from '../../js/loader/instrumenter.js';
import * as RECORD from '../../js/generated/record.js';
import { decodeEvents } from '../../js/model/events.js';
import { assemble } from './assemble.js';
import { unbalanced } from './balance.js';
import { isValid } from './judge.js';
import { links } from './run-module.js';

/** @typedef {{memories: string, imports?: Record<string, () => WebAssembly.Memory>, grow?: string[], wide?: boolean, data?: boolean}} Shape */

/** @param {object} type */
const memory = (type) => () => new WebAssembly.Memory(/** @type {WebAssembly.MemoryDescriptor} */ (type));

/** By name: declarations, what is imported, the memories that are grown. @type {Record<string, Shape>} */
const SHAPES = {
  'no memory': { memories: '', grow: [] },
  'no pages': { memories: '(memory (export "m") 0)' },
  'no pages, and never any': { memories: '(memory (export "m") 0 0)' },
  'max == min': { memories: '(memory (export "m") 1 1)' },
  'no maximum': { memories: '(memory (export "m") 1)' },
  'as many pages as there are': { memories: '(memory (export "m") 1 65536)' },
  'not exported': { memories: '(memory 1 3)' },
  imported: { memories: '(import "env" "m" (memory 1))', imports: { m: memory({ initial: 1, maximum: 3 }) } },
  'imported, max == min': { memories: '(import "env" "m" (memory 2 2))', imports: { m: memory({ initial: 2, maximum: 2 }) } },
  'imported and exported': { memories: '(import "env" "m" (memory $m 1)) (export "m" (memory $m))', imports: { m: memory({ initial: 1 }) } },
  shared: { memories: '(memory (export "m") 1 3 shared)' },
  'imported shared': {
    memories: '(import "env" "m" (memory 1 3 shared))',
    imports: { m: memory({ initial: 1, maximum: 3, shared: true }) },
  },
  wide: { memories: '(memory (export "m") i64 1 3)', wide: true },
  'wide, max == min': { memories: '(memory (export "m") i64 1 1)', wide: true },
  'wide, imported shared': {
    memories: '(import "env" "m" (memory i64 1 3 shared))',
    imports: { m: memory({ initial: 1n, maximum: 3n, shared: true, address: 'i64' }) },
    wide: true,
  },
  'several, imported and own': {
    memories: '(import "env" "m" (memory 1 2)) (import "env" "n" (memory 1 2 shared)) (memory 0 1) (memory (export "o") 1 1)',
    imports: { m: memory({ initial: 1, maximum: 2 }), n: memory({ initial: 1, maximum: 2, shared: true }) },
    grow: ['0', '1', '2', '3'],
  },
};

/** grow(delta) grows every memory in turn and tells the host what came back; touch() writes and reads. @param {Shape} shape */
function sourceOf({ memories, grow = ['0'], wide = false }) {
  const type = wide ? 'i64' : 'i32';
  const result = (/** @type {string} */ index) => `(memory.grow ${index} (local.get 0))`;
  const narrow = (/** @type {string} */ code) => (wide ? `(i32.wrap_i64 ${code})` : code);
  const imports = memories.match(/\(import [^)]*\)\)/g) ?? [];
  const own = imports.reduce((rest, one) => rest.replace(one, ''), memories);
  return `(module
    (import "env" "tell" (func $tell (param i32) (result i32)))
    ${imports.join('\n')}
    ${own}
    (func (export "grow") (param ${type}) (result i32)
      ${grow.map((index) => `(drop (call $tell ${narrow(result(index))}))`).join('\n')}
      (i32.const ${grow.length}))
    (func $poke (param i32) (result i32)
      ${grow.map((index) => touch(index, type)).join('\n')}
      (local.get 0))
    (func (export "poke") (param i32) (result i32) (call $poke (i32.add (local.get 0) (i32.const 1)))))`;
}

/** Memories without pages are let be. @param {string} index @param {string} type */
const touch = (index, type) => `(if (i32.wrap_i64 ${type === 'i64' ? `(memory.size ${index})` : `(i64.extend_i32_u (memory.size ${index}))`})
  (then (i32.store ${index} offset=8 (${type}.const 0) (i32.add (local.get 0) (i32.load ${index} offset=8 (${type}.const 0))))))`;

/** @param {Uint8Array} bytes @param {Shape} shape @param {boolean} traced */
function runShape(bytes, { imports = {}, wide = false }, traced) {
  /** @type {number[]} */
  const heard = [];
  const memories = Object.fromEntries(Object.entries(imports).map(([key, make]) => [key, make()]));
  const env = { ...memories, tell: (/** @type {number} */ value) => heard.push(value) };
  const module = new WebAssembly.Module(/** @type {BufferSource} */ (bytes));
  const instance = new WebAssembly.Instance(module, { env });
  const session = traced ? attach(instance, module) : null;
  const exports = /** @type {any} */ (instance.exports);
  const deltas = [1, 0, 1, 5, 0x7fffffff].map((delta) => (wide ? BigInt(delta) : delta));
  const results = deltas.flatMap((delta) => [exports.poke(Number(delta) & 0xff), exports.grow(delta)]);
  const seen = [...Object.values(memories), ...Object.values(exports).filter((value) => value instanceof WebAssembly.Memory)];
  const contents = seen.map(({ buffer }) => [buffer.byteLength, ...new Uint8Array(buffer, 0, Math.min(buffer.byteLength, 16))]);
  return { seen: { results, heard, contents, exports: Object.keys(exports) }, session };
}

/** @type {import('../../js/index.js').InstrumentOptions[]} */
const PLANS = [
  { trace: 'calls', minSize: 0 },
  { trace: ['args(*)', 'ret(*)'] },
  { trace: 'imports' },
  { trace: 'memory.grow' },
  { trace: 'memory.grow', display: 'histogram' },
  { trace: ['calls', 'args(*)', 'ret(*)', 'imports', 'memory.grow', 'traps'], display: ['log', 'tree'], stack: true, minSize: 0 },
];

/** What memory.grow returned, by the ring. @param {import('../../js/loader/session.js').Session} session */
function recordedGrows(session) {
  const { events } = decodeEvents(session.snapshot(), session.metadata);
  return [...events].filter(({ kind }) => kind === RECORD.GROW).map(({ values }) => Number(values[2]));
}

for (const [name, shape] of Object.entries(SHAPES))
  test(`memory: ${name}`, async (t) => {
    const bytes = await assemble(sourceOf(shape));
    if (!isValid(bytes)) return t.skip('this engine does not know it');
    const plain = runShape(bytes, shape, false).seen;
    for (const link of links)
      for (const plan of PLANS) {
        const what = `${link} ${JSON.stringify(plan)}`;
        if (shape.grow?.length === 0 && plan.trace === 'memory.grow') continue; // nothing to record
        const { seen, session } = runShape(Instrumenter.create().run(bytes, { ...plan, link }).bytes, shape, true);
        assert.deepEqual(seen, plain, what);
        if (!session) continue;
        assert.deepEqual(unbalanced(session.snapshot()), new Map(), what);
        const asked = plan.display !== 'histogram' && [plan.trace].flat().includes('memory.grow');
        assert.deepEqual(recordedGrows(session), asked ? plain.heard : [], what);
      }
  });

test('a memory exported under our name: refused before anything is done', async () => {
  const bytes = await assemble('(module (memory (export "__wasm_trace_memory") 1) (func (export "run")))');
  for (const link of links)
    assert.throws(() => Instrumenter.create().run(bytes, { trace: 'calls', link }), {
      code: 'traced',
      message: 'the module exports a name of ours, "__wasm_trace_memory"',
    });
});
