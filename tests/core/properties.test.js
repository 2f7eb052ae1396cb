// What holds for every module: nothing asked, nothing changed; the same answer twice; what every validator accepts, every
// validator still accepts; every instruction of the debuggee is still there, in order, and the code map leads back to it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { instrument } from '../../js/index.js';
import { heapRuntimeBytes } from '../../js/loader/artifacts.js';
import { Instrumenter } from '../../js/loader/instrumenter.js';
import { originalOffset, parseMetadata } from '../../js/trace/metadata.js';
import { fault, isValid } from './judge.js';
import { ModuleView } from './module-view.js';
import { smallModules } from './modules.js';
import { transformAll } from './native.js';
import { links } from './run-module.js';

const LINKS = /** @type {const} */ (['split', 'merged']);

/** @type {import('../../js/index.js').InstrumentOptions[]} */
const PLANS = [
  { trace: 'calls', minSize: 0 },
  { trace: 'calls(*)', display: ['nested', 'tree'] },
  { trace: ['args(*)', 'ret(*)', 'imports', 'memory.grow', 'traps'], display: 'log', stack: true },
  { trace: ['arg(0, *)', 'ret(*)', 'memory.grow'], display: 'histogram' },
  { trace: 'calls(*)', clock: 'instructions', weights: 'default 1000000' },
  { trace: ['duration(*)', 'imports', 'memory.grow'], display: ['report', 'log'], clock: 'ticker', from: '#0', until: '#1', onFull: 'stop', someMatch: true },
  { trace: ['calls', 'ret(*)', 'traps'], display: 'nested', minSize: 0, clock: 'host', skip: 3, maxEvents: 20, onFull: 'drain', stack: true },
  { trace: ['duration(*)', 'imports'], display: ['histogram', 'log'], clock: 'auto', wall: true, onFull: 'aggregate', stopped: true, someMatch: true },
  { trace: 'calls(*)', clock: 'import:env.log', display: ['report', 'nested'] },
  { trace: 'calls', only: '#1', hide: '#0', minSize: 0, deferStart: true },
];

/** Of link mode heap: for a module that has what it takes, and for any with something that might be an allocator. @type {import('../../js/index.js').InstrumentOptions[]} */
const HEAP_PLANS = [
  { trace: 'calls(*)', display: ['report', 'nested'], clock: 'auto', from: 'begin', until: 'end', buffer: '64K', nodes: 256 },
  { trace: ['args(*)', 'ret(*)', 'traps'], display: ['tree', 'log'], stack: true, from: '*', allocator: '/./', onFull: 'aggregate' },
];

/** @type {import('../../js/index.js').InstrumentOptions[]} */
const QUESTIONS = [
  ...PLANS.flatMap((plan) => LINKS.map((link) => ({ ...plan, link }))),
  ...HEAP_PLANS.map((plan) => ({ ...plan, link: /** @type {const} */ ('heap') })),
];

const runtime = heapRuntimeBytes();

/** @param {import('../../js/index.js').InstrumentOptions} options */
const withRuntime = (options) => (options.link === 'heap' ? { ...options, runtime } : options);

const build = fileURLToPath(new URL('../../build', import.meta.url));

/** The build's own modules. @returns {{name: string, bytes: Uint8Array}[]} */
function builtModules() {
  const files = ['guest-runtime.wasm', 'wasm-trace.wasm', 'programs/json.wasm'];
  return files
    .map((name) => ({ name, file: path.join(build, name) }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({ name, bytes: readFileSync(file) }));
}

/** @param {Uint8Array} bytes @param {import('../../js/index.js').InstrumentOptions} options */
function runOrNull(bytes, options) {
  try {
    return Instrumenter.create().run(bytes, withRuntime(options));
  } catch (error) {
    if (['no-match', 'probe'].includes(/** @type {any} */ (error).code)) return null; // the plan is not for this module
    throw error;
  }
}

const modules = [...(await smallModules()), ...builtModules()];

/** Every module under every plan that applies to it, in both link modes; `name` says which. */
const outputs = modules.flatMap(({ name, bytes }) =>
  QUESTIONS.flatMap((options) => {
    const result = runOrNull(bytes, options);
    const { link } = options;
    return result ? [{ name: `${name} ${JSON.stringify(options)}`, original: bytes, options, link: String(link), output: result.bytes }] : [];
  }),
);

/** @param {Uint8Array} a @param {Uint8Array} b */
const equal = (a, b) => Buffer.compare(a, b) === 0;

test('nothing asked or nothing found, nothing changed', () => {
  for (const { name, bytes } of modules)
    for (const link of LINKS) {
      assert.equal(instrument(bytes, { link }), bytes, name);
      assert.equal(instrument(bytes, { trace: 'calls(no such function)', link }), bytes, name);
    }
});

test('the same bytes twice, and the way back', () => {
  for (const { name, original, options, output } of outputs) {
    const again = Instrumenter.create().rewrite(original, withRuntime(options));
    assert.ok(again && equal(again.bytes, output), name);
    assert.ok(equal(again.undo.apply(again.bytes), original), name);
  }
});

test('the same bytes from the native build', () => {
  for (const options of QUESTIONS) {
    const these = outputs.filter((one) => one.options === options);
    const results = transformAll(these.map(({ original }) => original), options);
    these.forEach(({ name, output }, i) => assert.ok(equal(results[i].bytes ?? new Uint8Array(), output), name));
  }
});

test('every instruction is still there, and the code map leads back to it', () => {
  for (const { original, output } of outputs) if (original.length < 20_000) holdAgainstOriginal(original, output);
});

/** @param {Uint8Array} original @param {Uint8Array} output */
function holdAgainstOriginal(original, output) {
  const before = new ModuleView(original).bodies;
  const view = new ModuleView(output);
  const section = view.find('wasm-trace');
  assert.ok(section);
  const metadata = parseMetadata(section.take(section.end - section.at));
  const { bodies } = view;
  before.forEach((body, i) => {
    const mapped = bodies[i].instructions
      .map((instruction) => ({ ...instruction, from: originalOffset(metadata, instruction.start) }))
      .filter(({ from }) => from !== null && from >= body.instructions[0].start);
    assert.deepEqual(mapped.map(({ from }) => from), body.instructions.map(({ start }) => start));
    mapped.forEach(({ name }, k) => assert.equal(name, replaced(body.instructions[k].name, name)));
  });
}

/** A `return` may have become a branch to the block around the body. @param {string} name @param {string} now */
const replaced = (name, now) => (name === 'return' && now === 'br' ? 'br' : name);

/**
 * @param {(bytes: Uint8Array) => boolean} accepts
 * @param {readonly import('../../js/index.js').InstrumentOptions[]} [questions]
 */
function holdAgainstValidator(accepts, questions = QUESTIONS) {
  /** @type {Map<Uint8Array, boolean>} */
  const verdicts = new Map();
  for (const { name, original, output, options } of outputs) {
    if (!questions.includes(options)) continue;
    if (!verdicts.has(original)) verdicts.set(original, accepts(original));
    if (verdicts.get(original)) assert.ok(accepts(output), name);
  }
  assert.ok([...verdicts.values()].filter(Boolean).length > verdicts.size / 2, 'the validator accepts most modules');
}

test('this engine accepts what it accepted, and no more', () => {
  for (const { name, original, output, link } of outputs)
    assert.equal(fault(isValid(original), { status: 0, bytes: output, message: '' }, link), null, name);
});

test('wabt accepts what it accepted', () => {
  const some = QUESTIONS.filter(({ display, link }) => link === 'heap' || display === 'log' || String(display) === 'nested,tree'); // a process for each module
  holdAgainstValidator((bytes) => spawnSync('wasm-validate', ['--enable-all', '-'], { input: bytes }).status === 0, some);
});

test('Binaryen accepts what it accepted', async () => {
  const { default: binaryen } = await import('binaryen');
  const readBinary = /** @type {any} */ (binaryen.readBinary); // the second parameter is missing in its types
  holdAgainstValidator((bytes) => {
    if (bytes.length > 100_000) return false; // seconds each
    try {
      return readBinary(bytes, binaryen.Features.All).validate() === 1;
    } catch {
      return false;
    }
  });
});

/** Every module of the spec suite, the malformed and invalid ones too. @param {string} folder */
function specModules(folder) {
  const suite = path.join(folder, 'suite');
  return readdirSync(suite)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const bytes = readFileSync(path.join(suite, file.replace(/json$/, 'bin')));
      const commands = JSON.parse(readFileSync(path.join(suite, file), 'utf8'));
      return commands
        .filter((/** @type {any} */ command) => command.size !== undefined)
        .map((/** @type {any} */ { line, offset, size }) => ({ name: `${file}:${line}`, bytes: bytes.subarray(offset, offset + size) }));
    });
}

const CORPUS_BYTES = 4 << 20;

/** The wasm files below a folder that are not large. @param {string} folder */
function corpusModules(folder) {
  return /** @type {string[]} */ (readdirSync(folder, { recursive: true }))
    .filter((name) => name.endsWith('.wasm'))
    .filter((name) => isSmallFile(path.join(folder, name)))
    .map((name) => ({ name, bytes: readFileSync(path.join(folder, name)) }));
}

/** @param {string} file */
function isSmallFile(file) {
  const stat = statSync(file);
  return stat.isFile() && stat.size <= CORPUS_BYTES;
}

/** @param {{name: string, bytes: Uint8Array}[]} many @param {Record<string, string>} plan */
function holdMany(many, plan) {
  for (const link of links) {
    const results = transformAll(many.map(({ bytes }) => bytes), { ...plan, link });
    results.forEach((result, i) => assert.equal(fault(isValid(many[i].bytes), result, link), null, `${many[i].name}, ${link}`));
  }
}

const spec = process.env.WASM_TRACE_SPEC;
test('the spec suite: what is valid stays so, what is not too', { skip: !spec && 'WASM_TRACE_SPEC is not set' }, () => {
  const many = specModules(String(spec));
  holdMany(many, { trace: 'calls', minSize: '0', display: 'nested' });
  holdMany(many, { trace: 'args(*)', display: 'log', stack: '1' });
});

const cache = process.env.WASM_TRACE_CORPUS_CACHE ?? path.join(os.tmpdir(), 'wasm-trace-corpus');
const corpus = process.env.WASM_TRACE_CORPUS && existsSync(cache);
const MAPPED_BYTES = 400_000;
const MAPPED_COUNT = 12;

/** The largest modules below a size that a test can disassemble, of different sizes: there are many copies. */
function modulesToMap() {
  const bySize = new Map(corpusModules(cache).map((one) => [one.bytes.length, one]));
  return [...bySize.values()]
    .filter(({ bytes }) => bytes.length < MAPPED_BYTES)
    .sort((one, other) => other.bytes.length - one.bytes.length)
    .slice(0, MAPPED_COUNT);
}

const mapped = corpus ? modulesToMap() : [];
const isWhole = mapped.length === MAPPED_COUNT;

test('the corpus, every instruction of some modules and the way back to it', { skip: !isWhole && 'the corpus is not installed, or not all of it' }, () => {
  for (const { bytes } of mapped)
    for (const link of LINKS) {
      const result = runOrNull(bytes, { ...PLANS[2], link });
      if (result) holdAgainstOriginal(bytes, result.bytes);
    }
});

test('the corpus, its smaller modules', { skip: !corpus && 'no corpus is installed' }, () => {
  holdMany(corpusModules(cache), { trace: 'args(*)', display: 'tree' });
});
