// The patched WebAssembly.*: a program sees the engine's own behaviour, and every module is traced.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { afterEach, describe, test } from 'node:test';

import { attach, install, instrument } from '../../js/index.js';
import { bestLink, natives } from '../../js/loader/engine.js';
import { Instrumenter } from '../../js/loader/instrumenter.js';
import { originalOffset } from '../../js/trace/metadata.js';
import { takeSnapshot } from '../../js/trace/snapshot.js';
import { readFrame } from '../../js/trace/stack-frames.js';
import { BUILTIN_MODULE, MODULE, START_MODULE, TRAP_MODULE, wasmResponse } from './loader-support.js';

const LINKS = bestLink() === 'merged' ? ['merged', 'split'] : ['split'];
const CUT = MODULE.subarray(0, 30);

/** @type {import('../../js/loader/hook.js').Hook | undefined} */
let hook;
const setUp = (options = {}) => (hook = install({ trace: 'calls(*)', ...options }));

afterEach(() => {
  hook?.uninstall();
  hook = undefined;
});

function describeProperties(owner) {
  return Reflect.ownKeys(owner).map((key) => {
    const { value, ...flags } = Object.getOwnPropertyDescriptor(owner, key);
    return [String(key), flags, typeof value === 'function' ? [value.name, value.length] : typeof value];
  });
}

/** What a call comes to: its error as seen by a program. */
async function outcome(call) {
  try {
    await call();
    return 'no error';
  } catch (error) {
    return `${error.name}: ${error.message} ${error instanceof WebAssembly.CompileError} ${error instanceof TypeError}`;
  }
}

/** Each is a mistake of the program. */
const MISTAKES = [
  () => new WebAssembly.Module(),
  () => WebAssembly.Module(MODULE),
  () => new WebAssembly.Module('text'),
  () => new WebAssembly.Module(new Uint8Array(0)),
  () => new WebAssembly.Module(CUT),
  () => new WebAssembly.Instance(),
  () => new WebAssembly.Instance({}),
  () => new WebAssembly.Instance(new WebAssembly.Module(START_MODULE)),
  () => new WebAssembly.Instance(new WebAssembly.Module(START_MODULE), { env: {} }),
  () => WebAssembly.compile(),
  () => WebAssembly.compile(5),
  () => WebAssembly.compile(CUT),
  () => WebAssembly.instantiate(),
  () => WebAssembly.instantiate(CUT),
  () => WebAssembly.instantiate(MODULE, null),
  () => WebAssembly.instantiate(MODULE, 5),
  () => WebAssembly.instantiate(START_MODULE),
  () => WebAssembly.instantiate(START_MODULE, { env: {} }),
  () => WebAssembly.compileStreaming(),
  () => WebAssembly.compileStreaming(5),
  () => WebAssembly.compileStreaming(Promise.reject(new Error('no network'))),
  () => WebAssembly.compileStreaming(wasmResponse(MODULE, 'text/plain')),
  () => WebAssembly.compileStreaming(wasmResponse(MODULE, 'application/wasm; charset=utf-8')),
  () => WebAssembly.compileStreaming(wasmResponse(MODULE, 'application/wasm', 404)),
  () => WebAssembly.compileStreaming(wasmResponse(CUT)),
  () => WebAssembly.instantiateStreaming(wasmResponse(CUT)),
  () => WebAssembly.instantiateStreaming(wasmResponse(MODULE), 5),
  () => WebAssembly.instantiateStreaming(wasmResponse(START_MODULE), { env: {} }),
  () => WebAssembly.Module.exports(),
  () => WebAssembly.Module.exports({}),
  () => WebAssembly.Module.customSections(),
  () => WebAssembly.validate(),
  async () => {
    const used = wasmResponse(MODULE);
    await used.text();
    return WebAssembly.compileStreaming(used);
  },
];

/** Every way from bytes to an instance. */
const WAYS = {
  'instantiate(bytes)': async (bytes, imports) => (await WebAssembly.instantiate(bytes, imports)).instance,
  'instantiate(buffer)': async (bytes, imports) => (await WebAssembly.instantiate(bytes.slice().buffer, imports)).instance,
  'compile, instantiate(module)': async (bytes, imports) => WebAssembly.instantiate(await WebAssembly.compile(bytes), imports),
  'new Module, new Instance': (bytes, imports) => new WebAssembly.Instance(new WebAssembly.Module(bytes), imports),
  instantiateStreaming: async (bytes, imports) => (await WebAssembly.instantiateStreaming(wasmResponse(bytes), imports)).instance,
  'compileStreaming, new Instance': async (bytes, imports) =>
    new WebAssembly.Instance(await WebAssembly.compileStreaming(Promise.resolve(wasmResponse(bytes))), imports),
};

describe('the memory of the runtime', () => {
  test('can be read by other threads', () => {
    for (const link of LINKS) {
      const { sessions } = setUp({ link, display: 'log' });
      /** @type {any} */ (new WebAssembly.Instance(new WebAssembly.Module(MODULE)).exports).add(1, 2);
      assert.ok(sessions[0].sharedBuffer, link);
      assert.equal(takeSnapshot(sessions[0].sharedBuffer).ringEvents, 2n, link);
      hook?.uninstall();
    }
  });

  test('is not shared where nothing can be', () => {
    const script = `
      delete globalThis.SharedArrayBuffer;
      const { install } = await import(${JSON.stringify(new URL('../../js/index.js', import.meta.url).href)});
      const hook = install({ trace: 'calls(*)' });
      const module = new WebAssembly.Module(Uint8Array.from(${JSON.stringify([...MODULE])}));
      new WebAssembly.Instance(module).exports.add(1, 2);
      console.log(hook.sessions[0].sharedBuffer, hook.sessions[0].snapshot().ringEvents);`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
    assert.equal(stdout, 'null 2n\n', stderr);
  });
});

describe('the patched WebAssembly', () => {
  test('has the properties of the engine’s', () => {
    const owners = [WebAssembly, WebAssembly.Module, WebAssembly.Instance, WebAssembly.Module.prototype];
    const before = owners.map(describeProperties);
    setUp();
    assert.deepEqual([WebAssembly, WebAssembly.Module, WebAssembly.Instance, WebAssembly.Module.prototype].map(describeProperties), before);
  });

  test('reports mistakes as the engine does', async () => {
    const expected = [];
    for (const mistake of MISTAKES) expected.push(await outcome(mistake));
    setUp();
    for (const [at, mistake] of MISTAKES.entries()) assert.equal(await outcome(mistake), expected[at], String(mistake));
  });

  test('keeps instanceof, subclasses and constructors', () => {
    setUp();
    class Special extends WebAssembly.Module {}
    const module = new Special(MODULE);
    assert.ok(module instanceof Special && module instanceof WebAssembly.Module && module instanceof natives.Module);
    assert.equal(new WebAssembly.Module(MODULE).constructor, WebAssembly.Module);
    assert.equal(new WebAssembly.Instance(module).constructor, WebAssembly.Instance);
  });

  test('takes the bytes before it returns', async () => {
    setUp();
    const changed = MODULE.slice();
    const compiled = WebAssembly.compile(changed);
    changed.fill(0);
    const moved = MODULE.slice();
    const made = WebAssembly.instantiate(moved);
    structuredClone(moved.buffer, { transfer: [moved.buffer] });
    assert.ok((await compiled) instanceof WebAssembly.Module);
    assert.equal((await made).instance.exports.add(1, 2), 3);
  });

  test('gives plain results', async () => {
    setUp();
    const made = await WebAssembly.instantiate(MODULE);
    assert.deepEqual(Object.keys(made), ['module', 'instance']);
    assert.equal(Object.getPrototypeOf(made), Object.prototype);
  });

  test('forwards options', { skip: !supportsBuiltins() }, async () => {
    setUp();
    const options = { builtins: ['js-string'] };
    const { instance } = await WebAssembly.instantiate(BUILTIN_MODULE, {}, options);
    const modules = [
      new WebAssembly.Module(BUILTIN_MODULE, options),
      await WebAssembly.compile(BUILTIN_MODULE, options),
      await WebAssembly.compileStreaming(wasmResponse(BUILTIN_MODULE), options),
    ];
    const streamed = await WebAssembly.instantiateStreaming(wasmResponse(BUILTIN_MODULE), {}, options);
    const instances = [instance, streamed.instance, ...modules.map((module) => new WebAssembly.Instance(module))];
    assert.deepEqual(instances.map(({ exports }) => exports.measure('four')), [4, 4, 4, 4, 4]);
  });

  test('is the engine’s again after uninstall', () => {
    setUp();
    hook.uninstall();
    assert.equal(WebAssembly.Module, natives.Module);
    assert.equal(WebAssembly.instantiate, natives.instantiate);
    assert.equal(natives.Module.prototype.constructor, natives.Module);
  });
});

function supportsBuiltins() {
  try {
    return new natives.Instance(new natives.Module(BUILTIN_MODULE, { builtins: ['js-string'] })).exports.measure('four') === 4;
  } catch {
    return false;
  }
}

/** The frames of wasm in what `call` throws. @param {() => void} call */
function wasmFrames(call) {
  try {
    call();
  } catch (error) {
    const frames = error.stack.split('\n').map(readFrame).filter((frame) => frame !== null);
    return frames.map(({ name, func, offset }) => ({ name, func, offset }));
  }
  return assert.fail('nothing was thrown');
}

for (const link of LINKS) {
  describe(`a traced module, ${link}`, () => {
    for (const [name, make] of Object.entries(WAYS)) {
      test(`records: ${name}`, async () => {
        setUp({ link });
        const { exports } = await make(MODULE);
        assert.equal(exports.twice(21), 42);
        assert.equal(hook.sessions.length, 1);
        assert.match(hook.report('nested'), /call twice[^]*call add[^]*return/);
      });
    }

    test('hides what was added', () => {
      setUp({ link });
      const module = new WebAssembly.Module(MODULE);
      const { exports } = new WebAssembly.Instance(module);
      assert.deepEqual(Object.keys(exports), ['twice', 'mem', 'add']);
      assert.ok(Object.isFrozen(exports) && Object.getPrototypeOf(exports) === null);
      assert.deepEqual(WebAssembly.Module.exports(module).map(({ name }) => name), ['twice', 'mem', 'add']);
      assert.deepEqual(WebAssembly.Module.customSections(module, 'wasm-trace'), []);
      assert.equal(WebAssembly.Module.customSections(module, 'name').length, 1);
    });

    test('throws errors whose stack has the functions of the program, and tells ours apart', () => {
      const stack = () => wasmFrames(() => new WebAssembly.Instance(new WebAssembly.Module(TRAP_MODULE)).exports.fail());
      const plain = stack();
      assert.deepEqual(plain.map(({ name, func }) => `${name} ${func}`), ['broken 0', 'fail 1']);
      setUp({ link, display: 'nested' });
      const traced = stack();
      assert.ok(traced.some(({ name }) => name.startsWith('wtr_')), 'there is a frame of ours');
      const own = traced.filter(({ name }) => !name.startsWith('wtr_'));
      const { metadata } = hook.sessions[0];
      assert.deepEqual(own.map((frame) => ({ ...frame, offset: originalOffset(metadata, frame.offset) })), plain);
    });

    test('records its start function where one call compiles and instantiates', async () => {
      setUp({ link });
      const told = [];
      const imports = Object.freeze({ env: Object.freeze({ tell: () => told.push(hook.sessions.length) }) });
      await WebAssembly.instantiate(START_MODULE, imports);
      assert.equal(told.length, 1);
      assert.match(hook.report('nested'), /begin/);
    });

    test('runs its start function once where a module is compiled first', () => {
      setUp({ link });
      let told = 0;
      new WebAssembly.Instance(new WebAssembly.Module(START_MODULE), { env: { tell: () => told++ } });
      assert.equal(told, 1);
    });

    test('gives the program a module that starts without the loader, too', async () => {
      setUp({ link, trace: ['calls(*)', 'traps'] });
      let told = 0;
      const imports = { env: { tell: () => told++ } };
      const { module } = await WebAssembly.instantiate(START_MODULE, imports);
      assert.equal(told, 1);
      hook?.uninstall();
      new WebAssembly.Instance(module, imports);
      assert.equal(told, 2);
    });

    test('passes on what its start function throws, and shows it where traps are asked for', async () => {
      setUp({ link, trace: ['calls(*)', 'traps'] });
      const tell = () => { throw new WebAssembly.RuntimeError('as if it trapped'); };
      await assert.rejects(WebAssembly.instantiate(START_MODULE, { env: { tell } }), WebAssembly.RuntimeError);
      assert.match(hook.report('nested'), /begin/);
    });

    test('passes on what its start function throws', async () => {
      setUp({ link });
      const error = new Error('from the program');
      const imports = { env: { tell: () => { throw error; } } };
      await assert.rejects(WebAssembly.instantiate(START_MODULE, imports), error);
    });

    test('is instrumented once, and attached to after a journey through structuredClone', () => {
      setUp({ link });
      const module = structuredClone(new WebAssembly.Module(MODULE));
      const bytes = instrument(MODULE, { trace: 'calls(*)', link });
      for (const one of [module, new WebAssembly.Module(bytes)]) {
        const { exports } = new WebAssembly.Instance(one);
        assert.equal(exports.add(1, 2), 3);
      }
      assert.equal(hook.sessions.length, 2);
      assert.ok(hook.sessions.every((session) => session.hasData));
    });

    test('has a name of its own for each instance', () => {
      setUp({ link });
      const module = new WebAssembly.Module(MODULE);
      for (let i = 0; i < 3; i++) new WebAssembly.Instance(module).exports.add(i, 1);
      const [first, ...others] = hook.sessions.map(({ name }) => name);
      assert.deepEqual(others, [`${first}#2`, `${first}#3`]);
    });

    test('works without the hook, through instrument and attach', () => {
      const module = new WebAssembly.Module(instrument(MODULE, { trace: 'calls(*)', link }));
      const instance = new WebAssembly.Instance(module);
      assert.equal(instance.exports.twice(2), 4);
      const session = attach(instance, module);
      assert.equal(instance.exports.twice(3), 6);
      assert.match(session.report('nested'), /call twice/);
      assert.deepEqual(Object.keys(instance.exports), ['twice', 'mem', 'add']);
    });
  });
}

describe('a failure of ours', () => {
  /** Makes the instrumenter fail, or answer with something else. */
  function withInstrumenter(test, run) {
    const instrumenter = Instrumenter.create();
    instrumenter.rewrite = run;
    test.after(() => delete instrumenter.rewrite);
  }

  /** @returns {string[]} */
  function collectWarnings(test) {
    const messages = [];
    test.mock.method(console, 'warn', (message) => messages.push(message));
    return messages;
  }

  for (const [name, make] of Object.entries(WAYS)) {
    test(`runs the untouched module: ${name}`, async (t) => {
      withInstrumenter(t, () => {
        throw new Error('broken');
      });
      const warnings = collectWarnings(t);
      setUp();
      for (let i = 0; i < 2; i++) assert.equal((await make(MODULE)).exports.add(1, 2), 3);
      assert.deepEqual(warnings, ['wasm-trace: a module runs untraced: broken']);
    });

    test(`is overcome when the engine refuses the result: ${name}`, async (t) => {
      const bytes = Uint8Array.from([...MODULE, 99, 0]);
      const undo = { apply: () => MODULE };
      withInstrumenter(t, () => ({ bytes, undo, warnings: [], misses: new Map() }));
      const warnings = collectWarnings(t);
      setUp();
      for (let i = 0; i < 2; i++) assert.equal((await make(MODULE)).exports.add(1, 2), 3);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0], /runs untraced: this engine refuses it when instrumented/);
    });
  }

  test('leaves a module alone in which nothing matches', async (t) => {
    const warnings = collectWarnings(t);
    setUp({ trace: 'calls(nowhere)' });
    const { module, instance } = await WebAssembly.instantiate(MODULE);
    assert.equal(instance.exports.add(1, 2), 3);
    assert.deepEqual(natives.customSections(module, 'wasm-trace'), []);
    assert.deepEqual([hook.sessions.length, hook.modules, warnings], [0, { seen: 1, matched: 0 }, []]);
    assert.notEqual(hook.noMatch, '');
    assert.equal(instrument(MODULE, { trace: 'calls(nowhere)' }), MODULE);
  });
});
