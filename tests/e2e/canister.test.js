// Link mode heap, on a host as strict as those of smart contracts: one memory, no hooks, no second instance, replies with a limit. The figures
// are held against those of an exact count of instructions, in which the probes have no part.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Canister, encode, fetchBlock } from '../../examples/canister/host.mjs';
import { attach, instrument } from '../../js/index.js';
import { ModuleFacts } from '../../js/loader/module-facts.js';
import { compensate } from '../../js/model/compensation.js';
import { blockSize, blockSnapshot } from '../../js/trace/block.js';
import { assemble } from '../core/assemble.js';
import { makeFolder } from './cli-support.js';

/** @import {TestContext} from 'node:test' */
/** @import {InstrumentOptions} from '../../js/index.js' */

const root = fileURLToPath(new URL('../..', import.meta.url));
const command = path.join(root, 'node/wasm-trace.js');
const plain = readFileSync(path.join(root, 'build/programs/canister.wasm'));
const weights = readFileSync(path.join(root, 'weights/internet-computer.txt'));

const WINDOW = { from: 'bench_begin', until: 'bench_end' };
const DEPOSITS = 1000;
const REPLY_LIMIT = 100_000;

/** @param {Partial<InstrumentOptions>} [options] */
const traced = (options) => instrument(plain, { trace: 'calls(*)', display: 'tree', clock: 'auto', link: 'heap', ...WINDOW, ...options });

/** @param {Uint8Array} bytes */
const factsOf = (bytes) => ModuleFacts.ofModule(new WebAssembly.Module(/** @type {Uint8Array<ArrayBuffer>} */ (bytes)));

/** Messages to a canister, and what it answers. @param {Canister} canister */
function converse(canister) {
  return ['update:run', 'query:total', 'update:run', 'query:total'].map((message, i) => Buffer.from(canister.call(message, encode(DEPOSITS + i))).toString('hex'));
}

/**
 * What functions took and how often they were called.
 * @param {import('../../js/trace/snapshot.js').TreeNodes} nodes
 * @param {(func: number) => string} nameOf
 * @returns {Record<string, {calls: number, self: number, paths: number}>}
 */
function byFunction({ func, count, self }, nameOf) {
  /** @type {Record<string, {calls: number, self: number, paths: number}>} */
  const functions = {};
  for (let node = 2; node < func.length; node++) {
    const row = (functions[nameOf(func[node])] ??= { calls: 0, self: 0, paths: 0 });
    row.paths++;
    row.calls += count[node];
    row.self += self?.[node] ?? 0;
  }
  return functions;
}

/** The module with a memory of the runtime's own and instructions as the clock: the truth. @param {number[]} runs deposits of each message */
function exactFigures(runs) {
  const bytes = instrument(plain, { trace: 'calls(*)', display: 'tree', clock: 'instructions', weights, ...WINDOW });
  const module = new WebAssembly.Module(/** @type {Uint8Array<ArrayBuffer>} */ (bytes));
  let argument = encode(0);
  const nothing = () => {};
  const ic0 = {
    msg_arg_data_size: () => argument.length,
    msg_arg_data_copy: (/** @type {number} */ to) => new Uint8Array(/** @type {any} */ (instance.exports.memory).buffer).set(argument, to),
    msg_reply_data_append: nothing,
    msg_reply: nothing,
    performance_counter: () => 0n,
  };
  const instance = new WebAssembly.Instance(module, { ic0 });
  const session = attach(instance, module);
  /** @type {any} */ (instance.exports).canister_init();
  for (const run of runs) {
    argument = encode(run);
    /** @type {any} */ (instance.exports)['canister_update run']();
  }
  return byFunction(session.snapshot().nodes, (func) => session.names.name(func));
}

/** @param {Uint8Array} bytes @param {Uint8Array} block */
function figuresOf(bytes, block) {
  const { metadata, names } = factsOf(bytes);
  const { snapshot, cost } = blockSnapshot(block, metadata);
  assert.ok(cost);
  const nameOf = (/** @type {number} */ func) => names.name(func);
  return { cost, snapshot, raw: byFunction(snapshot.nodes, nameOf), compensated: byFunction(compensate(snapshot.nodes, cost), nameOf) };
}

/** @param {string[]} args @param {string} cwd */
function run(args, cwd) {
  return spawnSync(process.execPath, [command, ...args], { cwd, encoding: 'utf8' });
}

describe('a canister', () => {
  test('does what it did', () => {
    assert.deepEqual(converse(new Canister(traced())), converse(new Canister(plain)));
  });

  test('says what it took, without what tracing took', () => {
    const bytes = traced();
    const canister = new Canister(bytes);
    canister.call('update:run', encode(DEPOSITS));
    const { cost, raw, compensated } = figuresOf(bytes, fetchBlock(canister));
    const exact = exactFigures([DEPOSITS]);
    assert.ok(cost.inner > 100 && cost.outer > 100, 'each side of a call reads the counter, which costs 200');
    assert.deepEqual(Object.keys(raw).sort(), Object.keys(exact).sort());
    for (const [name, { calls, self, paths }] of Object.entries(exact)) {
      assert.equal(raw[name].calls, calls, name);
      const [error, traceError] = [compensated[name].self - self, raw[name].self - self];
      assert.ok(Math.abs(error) <= 100 * paths + self * 0.02, `${name}: ${compensated[name].self} where ${self} is right`);
      assert.ok(traceError >= calls * cost.inner * 0.9, `${name}: ${raw[name].self} has what tracing took`);
    }
  });

  test('is fetched in pieces, each below the limit of a reply', () => {
    const bytes = traced();
    const canister = new Canister(bytes, { replyLimit: REPLY_LIMIT });
    canister.call('update:run', encode(DEPOSITS));
    const block = fetchBlock(canister, REPLY_LIMIT);
    assert.equal(block.length, blockSize(factsOf(bytes).metadata));
    assert.deepEqual(fetchBlock(canister, 77_777), block);
    assert.throws(() => fetchBlock(canister, REPLY_LIMIT + 1), /at most 100000/);
    assert.equal(canister.call('query:__wasm_trace', encode(block.length - 3, 10)).length, 3);
    assert.equal(canister.call('query:__wasm_trace', encode(0xffff_ffff, 0xffff_ffff)).length, 0);
    assert.equal(canister.call('query:__wasm_trace', encode(1)).length, 0, 'no argument of eight bytes');
  });

  test('records window after window, though the counter begins anew with each message', () => {
    const bytes = traced();
    const canister = new Canister(bytes);
    for (const count of [DEPOSITS, 10]) canister.call('update:run', encode(count));
    const { snapshot, raw } = figuresOf(bytes, fetchBlock(canister));
    assert.equal(raw.deposit.calls, DEPOSITS + 10);
    assert.ok(Object.values(raw).every(({ self }) => self >= 0 && self < 1e8));
    assert.ok(Number(snapshot.nodes.self?.[0]) >= 0);
  });

  test('has no block before the window opens first, and one that is no larger than asked for', () => {
    const bytes = traced({ nodes: 256, buffer: '4K' });
    const canister = new Canister(bytes);
    canister.call('query:total');
    const none = fetchBlock(canister);
    assert.equal(none.length, 0);
    const { metadata } = factsOf(bytes);
    assert.throws(() => blockSnapshot(none, metadata), /there was no block yet/);
    assert.throws(() => blockSnapshot(new Uint8Array(100), metadata), /65536 bytes, and these are 100/);
    canister.call('update:run', encode(5));
    assert.equal(fetchBlock(canister).length, 65_536);
  });

  test('keeps events, values and durations, and goes on counting when the buffer is full', () => {
    const bytes = traced({ trace: ['calls(*)', 'arg(0, deposit)'], display: ['nested', 'report'], buffer: '256K', onFull: 'aggregate' });
    const canister = new Canister(bytes);
    canister.call('update:run', encode(DEPOSITS * 10));
    const { snapshot, raw } = figuresOf(bytes, fetchBlock(canister));
    const { metadata } = factsOf(bytes);
    assert.equal(raw.deposit.calls, DEPOSITS * 10);
    assert.ok(snapshot.records.length > 28_000 && snapshot.records.length <= 32_768);
    const deposits = metadata.durations.map((func, i) => ({ name: factsOf(bytes).names.name(func), table: snapshot.durations[i] }));
    const total = deposits.find(({ name }) => name === 'deposit')?.table.reduce((sum, count) => sum + count, 0n);
    assert.equal(total, BigInt(DEPOSITS * 10));
  });
});

describe('the commands', () => {
  /** @param {TestContext} t */
  function recorded(t) {
    const folder = makeFolder(t, { 'canister.wasm': plain });
    const made = run(['--trace', 'calls(*)', '--display', 'tree', '--clock', 'auto', '--link', 'heap', '--from', 'bench_begin', '--until', 'bench_end', '-o', 'traced.wasm', 'canister.wasm'], folder);
    assert.equal(made.status, 0, made.stderr);
    const host = path.join(root, 'examples/canister/host.mjs');
    const ran = spawnSync(process.execPath, [host, '--block', 'out.block', 'traced.wasm', `update:run=${DEPOSITS}`, 'query:total'], { cwd: folder, encoding: 'utf8' });
    assert.equal(ran.status, 0, ran.stderr);
    return { folder, made, ran };
  }

  test('trace a canister, and show what it recorded', (t) => {
    const { folder, made, ran } = recorded(t);
    assert.match(made.stderr, /in the heap\n/);
    assert.match(made.stderr, /wasm-trace report --block BLOCK/);
    assert.match(ran.stdout, /^update:run=1000: 499501, \d+ instructions\nquery:total: 499501, /);
    const shown = run(['report', '--block', 'out.block', '--compensate', 'traced.wasm'], folder);
    assert.match(shown.stderr, /tracing cost \d+ units a call, measured where it ran: .*; subtracted from total, self and avg\n/);
    assert.match(shown.stdout, /195k .* 174k \| 1,000 \|     └── find_account\n/);
    assert.match(shown.stdout, /clock: import ic0.performance_counter \(units\)/);
  });

  test('write reports for people, machines and other tools', (t) => {
    const { folder } = recorded(t);
    for (const form of ['folded', 'html', 'json', 'txt', 'speedscope.json']) {
      const { status, stderr } = run(['report', '--block', 'out.block', '--compensate', '--report', `out.${form}`, 'traced.wasm'], folder);
      assert.equal(status, 0, stderr);
      assert.equal(stderr.includes('; without what tracing cost)'), form === 'folded' || form === 'speedscope.json');
    }
    const read = (/** @type {string} */ form) => readFileSync(path.join(folder, `out.${form}`), 'utf8');
    const folded = read('folded').trim().split('\n').map((line) => Number(line.split(' ')[1]));
    const exact = Object.values(exactFigures([DEPOSITS])).reduce((sum, { self }) => sum + self, 0);
    assert.ok(Math.abs(folded.reduce((sum, value) => sum + value, 0) / exact - 1) < 0.01);
    assert.match(read('folded'), /^deposits;deposit;find_account;open_account;malloc \d+$/m);
    assert.match(read('html'), /<!doctype html>/i);
    const [session] = JSON.parse(read('json')).sessions;
    assert.ok(session.time.raw.whole > session.time.compensated.whole * 5);
  });

  test('say what is wrong', (t) => {
    const { folder } = recorded(t);
    const stderrOf = (/** @type {string[]} */ ...args) => run(args, folder).stderr;
    assert.match(stderrOf('report', '--block', 'nothing', 'traced.wasm'), /nothing: no such file/i);
    assert.match(stderrOf('report', '--block', 'out.block', 'canister.wasm'), /canister.wasm: is not instrumented/);
    assert.match(stderrOf('report', '--block', 'canister.wasm', 'traced.wasm'), /the block has \d+ bytes, and these are \d+/);
    assert.match(stderrOf('--trace', 'calls', '--link', 'heap', '-o', 'x', 'canister.wasm'), /--link heap: it needs --from PATTERN/);
  });
});

/** A module with a memory that is all that is asked for: an allocator, in text. @param {string} allocator @param {string} [memory] */
const around = (allocator, memory = '(memory (export "memory") 64)') => assemble(`(module ${memory} (global $asked (export "asked") (mut i64) (i64.const 0))
  ${allocator}
  (func $step (export "step"))
  (func $run (export "run") (call $step) (call $step)))`);

const BLOCK = 4096;

/** Functions that keep what they were asked for, and hand out a dirty block at an odd address. */
const ALLOCATORS = {
  calloc: ['(func $calloc (param i32 i32) (result i32) (global.set $asked (i64.extend_i32_u (i32.mul (local.get 0) (local.get 1)))) (i32.const 4096))'],
  malloc: ['(func $malloc (param i32) (result i32) (global.set $asked (i64.extend_i32_u (local.get 0))) (memory.fill (i32.const 4096) (i32.const 255) (local.get 0)) (i32.const 4096))'],
  'Rust, zeroed': ['(func $__rust_alloc_zeroed (param i32 i32) (result i32) (global.set $asked (i64.extend_i32_u (local.get 0))) (i32.shl (local.get 1) (i32.const 8)))'],
  'Rust of late': ['(func $_RNvCs691rhTbG0Ee_7___rustc12___rust_alloc (param i32 i32) (result i32) (global.set $asked (i64.extend_i32_u (local.get 0))) (i32.shl (local.get 1) (i32.const 8)))'],
  'wasm-bindgen': ['(func (export "__wbindgen_malloc") (param i32 i32) (result i32) (global.set $asked (i64.extend_i32_u (local.get 0))) (i32.shl (local.get 1) (i32.const 8)))'],
  AssemblyScript: [
    '(func (export "__new") (param i32 i32) (result i32) (global.set $asked (i64.extend_i32_u (local.get 0))) (i32.const 4000))',
    '(func (export "__pin") (param i32) (result i32) (i32.add (local.get 0) (i32.const 96)))',
  ],
};

describe('allocators', () => {
  const options = /** @type {const} */ ({ trace: 'calls(*)', display: 'tree', minSize: 0, link: 'heap', from: 'run', nodes: 256, buffer: '4K' });

  /** @param {Uint8Array} bytes of an instrumented module */
  function runOnce(bytes) {
    const module = new WebAssembly.Module(/** @type {Uint8Array<ArrayBuffer>} */ (bytes));
    const exports = /** @type {any} */ (new WebAssembly.Instance(module).exports);
    const size = blockSize(factsOf(bytes).metadata);
    const read = () => new Uint8Array(exports.memory.buffer, exports.__wasm_trace_block(), size);
    return { exports, read, size };
  }

  for (const [name, functions] of Object.entries(ALLOCATORS))
    test(name, async () => {
      const bytes = instrument(await around(functions.join('\n')), options);
      const { exports, read, size } = runOnce(bytes);
      exports.step();
      assert.equal(exports.__wasm_trace_block(), 0);
      assert.equal(exports.asked.value, 0n);
      exports.run();
      exports.run();
      assert.equal(exports.__wasm_trace_block(), BLOCK);
      assert.equal(exports.asked.value, BigInt(size + 8));
      const { snapshot } = blockSnapshot(read(), factsOf(bytes).metadata);
      const { names } = factsOf(bytes);
      const { step, run: ran } = byFunction(snapshot.nodes, (func) => names.name(func));
      assert.deepEqual([step.calls, ran.calls], [4, 2]);
    });

  test('one that is named', async () => {
    const module = await around('(func $mine (param i32 i32) (result i32) (global.set $asked (i64.extend_i32_u (local.get 0))) (i32.shl (local.get 1) (i32.const 8)))');
    assert.equal(instrument(module, options), module, 'no allocator that is known');
    const { exports } = runOnce(instrument(module, { ...options, allocator: 'mine' }));
    exports.run();
    assert.equal(exports.__wasm_trace_block(), BLOCK);
  });

  test('one that has no memory to give: the module goes on as if it were not traced', async () => {
    const { exports } = runOnce(instrument(await around('(func $malloc (param i32) (result i32) (i32.const 0))'), options));
    exports.run();
    assert.equal(exports.__wasm_trace_block(), 0);
  });

  test('what such a host has not is refused', async () => {
    const module = await around(ALLOCATORS.malloc[0]);
    const refused = (/** @type {Partial<InstrumentOptions>} */ more, /** @type {RegExp} */ message, bytes = module) =>
      assert.throws(() => instrument(bytes, { ...options, ...more }), (/** @type {Error} */ error) => message.test(error.message));
    refused({ from: undefined }, /needs --from PATTERN/);
    refused({ clock: 'ticker' }, /nobody is there to tell the time/);
    refused({ clock: 'host' }, /nobody is there to tell the time/);
    refused({ display: 'log', onFull: 'drain' }, /nobody is there to take/);
    refused({ link: 'merged' }, /--nodes is for --link heap/);
    refused({ nodes: 300 }, /power of two/);
    refused({}, /no memory/, await assemble('(module (func $run))'));
    refused({}, /64-bit/, await assemble(';; assembler: binaryen\n(module (memory i64 1) (func $run (export "run")) (func $malloc (param i32) (result i32) (local.get 0)))'));
  });
});
