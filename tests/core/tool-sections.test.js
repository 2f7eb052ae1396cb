// What other tools read in custom sections stays right: sections that mean the original stay byte for byte, sections that
// describe the module are extended, annotations move with their instructions.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Instrumenter } from '../../js/loader/instrumenter.js';
import { assemble, bytesOf } from './assemble.js';
import { Cursor } from './cursor.js';
import { ModuleView } from './module-view.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const LINKS = /** @type {const} */ (['split', 'merged']);
const OURS = `processed-by: wasm-trace ${version}`;

/** run() calls leaf(); custom sections may stand in front, behind the functions, and at the end. */
const module = ({ first = '', middle = '', last = '', memory = '' }) => bytesOf(`module ${first}
  01 { 01 60 00 00 }
  03 { 02 00 00 }
  ${memory}
  07 { 01 "run" 00 01 }
  ${middle}
  0a { 02 { 00 0b } { 00 10 00 0b } }
  ${last}`);

const MEMORY = '05 { 01 00 01 }';

/** @param {Uint8Array} bytes @param {import('../../js/index.js').InstrumentOptions} [options] */
const traced = (bytes, options) => Instrumenter.create().run(bytes, { trace: 'calls', minSize: 0, link: 'merged', ...options });

/** The bytes of custom sections by name, headers included. @param {Uint8Array} bytes */
const customs = (bytes) =>
  new ModuleView(bytes).sections
    .filter(({ id }) => id === 0)
    .map(({ name, start, content }) => [name, Buffer.from(bytes.subarray(start, content.end)).toString('hex')]);

/** @param {Uint8Array} bytes @param {string} name @returns {Cursor} */
function section(bytes, name) {
  const found = new ModuleView(bytes).find(name);
  assert.ok(found, name);
  return found;
}

test('sections that mean the original, or say nothing of its code, stay byte for byte and in their order', () => {
  const first = '00 { "dylink.0" 01 { 00 00 00 00 } }';
  const middle = '00 { "between" 01 02 } 00 { ".debug_abbrev" 01 11 00 }';
  const last = `00 { "sourceMappingURL" "http://host/a.wasm.map" } 00 { "external_debug_info" "a.debug.wasm" }
    00 { "build_id" 04 01 02 03 04 } 00 { ".debug_info" 2a 00 00 00 04 } 00 { ".debug_line" 03 00 08 01 }
    00 { ".debug_str" "main.c" 'a' 00 } 00 { "linking" 02 } 00 { "reloc.CODE" 0a 01 00 05 00 } 00 { "" 07 }`;
  const bytes = module({ first, middle, last });
  for (const link of LINKS) {
    const output = traced(bytes, { link }).bytes;
    assert.deepEqual(customs(output).slice(0, -1), customs(bytes));
    assert.equal(customs(output).at(-1)?.[0], 'wasm-trace');
    assert.equal(new ModuleView(output).sections[0].name, 'dylink.0');
  }
});

test('who traces an object file is told that its relocations mean the original', () => {
  const [warning, ...others] = traced(module({ last: '00 { "linking" 02 }' })).warnings;
  assert.match(warning, /relocations/);
  assert.deepEqual(others, []);
  assert.deepEqual(traced(module({})).warnings, []);
});

/** @param {Uint8Array} bytes @returns {string[]} */
function producers(bytes) {
  const c = section(bytes, 'producers');
  const fields = c.list(() => `${c.name()}: ${c.list(() => `${c.name()} ${c.name()}`).join(', ')}`);
  assert.ok(!c.more, 'nothing behind the fields');
  return fields;
}

const PRODUCERS = [
  { content: '00', after: [OURS] },
  { content: '01 "language" 01 "C99" ""', after: ['language: C99 ', OURS] },
  {
    content: '02 "processed-by" 02 "clang" "18.1" "wasm-bindgen" "0.2 (abc)" "sdk" 01 "Emscripten" "3.1"',
    after: [`processed-by: clang 18.1, wasm-bindgen 0.2 (abc), wasm-trace ${version}`, 'sdk: Emscripten 3.1'],
  },
  { content: '01 "processed-by" 01 "wasm-trace" "0.0.1"', after: ['processed-by: wasm-trace 0.0.1'] },
];

for (const { content, after } of PRODUCERS) {
  test(`producers: ${content}`, () => {
    const bytes = module({ last: `00 { "producers" ${content} }` });
    assert.deepEqual(producers(traced(bytes).bytes), after);
  });
}

/** @param {Uint8Array} bytes @returns {string[]} */
function features(bytes) {
  const c = section(bytes, 'target_features');
  const list = c.list(() => String.fromCharCode(c.u8()) + c.name());
  assert.ok(!c.more, 'nothing behind the features');
  return list;
}

const FEATURES = [
  { content: '00', link: 'split', after: ['+reference-types'] },
  { content: '01 2b "reference-types"', link: 'split', after: ['+reference-types'] },
  { content: `02 2b "sign-ext" 2b "bulk-memory"`, memory: MEMORY, after: ['+sign-ext', '+bulk-memory', '+multimemory'] },
  { content: '02 2d "multimemory" 3d "sign-ext"', memory: MEMORY, after: ['+multimemory', '=sign-ext'] },
  { content: '01 2b "multimemory"', memory: MEMORY, after: ['+multimemory'] },
  { content: '01 2b "sign-ext"', after: ['+sign-ext', '+bulk-memory'] },
];

for (const { content, memory, link = 'merged', after } of FEATURES) {
  test(`target_features: ${content}, ${memory ? 'a memory' : 'no memory'}, ${link}`, () => {
    const bytes = module({ memory, last: `00 { "target_features" ${content} }` });
    const found = features(traced(bytes, { link: /** @type {any} */ (link) }).bytes);
    assert.deepEqual(found.filter((one) => after.includes(one)), after);
    // The runtime's own code may use sign extension.
    assert.deepEqual(found.filter((one) => !after.includes(one) && one !== '+sign-ext'), []);
  });
}

test('target_features: exception handling, where a thunk has it and the module had none', () => {
  const bytes = bytesOf(`module
    01 { 01 60 00 00 } 02 { 01 "env" "tell" 00 00 } 03 { 01 00 } 07 { 01 "run" 00 01 } 0a { 01 { 00 10 00 0b } }
    00 { "target_features" 00 }`);
  assert.ok(features(traced(bytes, { display: 'nested', legacyExceptions: true }).bytes).includes('+exception-handling'));
  assert.ok(!features(traced(bytes, { display: 'nested' }).bytes).includes('+exception-handling'));
});

test('malformed ones stay byte for byte, missing ones are not made', () => {
  const malformed = [
    '"producers" 02 "language" 01 "C" "99"', '"producers" 00 00', '"producers" 01 "processed-by" 7f "x"', '"producers"',
    '"target_features" 02 2b "sign-ext"', '"target_features" 01 2b 7f', '"target_features" 00 00', '"target_features"',
  ];
  for (const content of malformed) {
    const bytes = module({ memory: MEMORY, last: `00 { ${content} }` });
    assert.deepEqual(customs(traced(bytes).bytes).slice(0, -1), customs(bytes), content);
  }
  assert.deepEqual(customs(traced(module({})).bytes).map(([name]) => name), ['wasm-trace']);
});

test('the way back from extended sections', () => {
  const bytes = module({ memory: MEMORY, middle: '00 { "target_features" 00 }', last: '00 { "producers" 00 }' });
  const result = Instrumenter.create().rewrite(bytes, { trace: 'calls', minSize: 0, link: 'merged' });
  assert.ok(result && Buffer.compare(result.undo.apply(result.bytes), bytes) === 0);
});

/** Binaryen's names. */
const FLAGS = Object.freeze({
  'bulk-memory': 'BulkMemory', 'exception-handling': 'ExceptionHandling', multimemory: 'MultiMemory',
  'reference-types': 'ReferenceTypes', 'sign-ext': 'SignExt',
});

test('Binaryen needs no more features than the section lists', async () => {
  const { default: binaryen } = await import('binaryen');
  const readBinary = /** @type {any} */ (binaryen.readBinary); // the second parameter is missing in its types
  const validates = (/** @type {Uint8Array} */ bytes, /** @type {string[]} */ list) => {
    const flags = list.map((feature) => binaryen.Features[FLAGS[feature.slice(1)]]);
    return readBinary(bytes, flags.reduce((all, flag) => all | flag, binaryen.Features.MVP)).validate() === 1;
  };
  for (const memory of ['', MEMORY])
    for (const link of LINKS) {
      const bytes = module({ memory, last: '00 { "target_features" 00 }' });
      const output = traced(bytes, { link, display: ['nested', 'tree'] }).bytes;
      assert.ok(validates(output, features(output)), `${link} ${memory}`);
    }
  assert.ok(!validates(traced(module({ memory: MEMORY })).bytes, []), 'and it does need some');
});

/** Code metadata: by function, by the opcode it stands at. @param {Uint8Array} bytes @param {string} name */
function annotations(bytes, name) {
  const { bodies } = new ModuleView(bytes);
  const c = section(bytes, name);
  return c.list(() => {
    const func = c.u32();
    const at = c.list(() => {
      const offset = bodies[func].start + c.u32();
      const instruction = bodies[func].instructions.find(({ start }) => start === offset);
      return `${instruction?.name} ${Buffer.from(c.take(c.u32())).toString('hex')}`;
    });
    return { func, at };
  });
}

const ANNOTATED = bytesOf(`module
  01 { 01 60 01 7f 01 7f }
  03 { 03 00 00 00 }
  07 { 02 "run" 00 01 "leaf" 00 00 }
  00 { "metadata.code.branch_hint" 02 00 01 03 01 00 01 02 03 01 01 05 01 01 }
  00 { "metadata.code.trace_inst" 01 01 01 09 04 01 02 03 04 }
  0a { 03
    { 00 20 00 04 40 0b 20 00 0b }
    { 00 20 00 04 40 20 00 0f 0b 20 00 10 00 0b }
    { 01 01 7e 20 00 0b } }
  00 { "metadata.code.broken" 01 00 05 }`);

test('code metadata of every kind moves with its instruction, in functions that are left alone too', () => {
  const names = ['metadata.code.branch_hint', 'metadata.code.trace_inst'];
  for (const link of LINKS)
    for (const trace of ['calls', 'calls(#1)', 'calls(#0)', 'args(*)']) {
      const output = traced(ANNOTATED, { trace, link }).bytes;
      for (const name of names) assert.deepEqual(annotations(output, name), annotations(ANNOTATED, name), `${trace} ${name}`);
      assert.equal(new ModuleView(output).find('metadata.code.broken'), null, 'what cannot be read is not left stale');
    }
});

/** Subsections of the name section as they stand. @param {Uint8Array} bytes */
function nameSubsections(bytes) {
  const c = section(bytes, 'name');
  const parts = [];
  while (c.more) {
    const id = c.u8();
    parts.push({ id, content: Buffer.from(c.take(c.u32())).toString('hex') });
  }
  return parts;
}

test('the name section is extended, not rewritten', async () => {
  const bytes = await assemble(`;; assembler: binaryen
    (module $m
      (type $pair (struct (field $left i32)))
      (memory $mem 1) (table $tab 1 funcref) (global $glob i32 (i32.const 1)) (elem $el (i32.const 0) $leaf) (data $dat "x")
      (tag $tag)
      (func $leaf (param $value i32) (result i32) (block $inner) (local.get $value))
      (func $run (export "run") (result i32) (local $kept i64) (call $leaf (i32.const 1))))`);
  const before = nameSubsections(bytes);
  assert.ok(before.length > 6, 'a name section of many kinds of names');
  for (const link of LINKS) {
    const after = nameSubsections(traced(bytes, { link }).bytes);
    assert.deepEqual(after.filter(({ id }) => id !== 1), before.filter(({ id }) => id !== 1));
    const [was, is] = [before, after].map((parts) => Buffer.from(parts.find(({ id }) => id === 1)?.content ?? '', 'hex'));
    const counts = [was, is].map((names) => new Cursor(names));
    assert.ok(counts[0].u32() < counts[1].u32());
    assert.ok(is.subarray(counts[1].at).subarray(0, was.length - counts[0].at).equals(was.subarray(counts[0].at)));
  }
});
