// The limits of the engines: what they accept of an original, they accept of what we make of it. At each limit the module is
// instrumented, runs and gives the results of the original; one further it is refused, or the function is left alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { install } from '../../js/loader/hook.js';
import { Instrumenter } from '../../js/loader/instrumenter.js';
import { leb } from './assemble.js';
import { isValid } from './judge.js';
import { END, SECTION, body, join, list, listOf, moduleOf, name, repeat, section } from './large-module.js';
import { links, runModule } from './run-module.js';

/** @typedef {import('./large-module.js').Bytes} Bytes */

const MOST_LOCALS = 50_000;
const MOST_BODY_BYTES = 7_654_321;
const MOST_HISTOGRAMS = 4096;
const I32 = 0x7f;

const ANSWER = [0x60, 0, 1, I32]; // [] -> [i32]
const FORTY_TWO = body([0, 0x41, 42]);
const RUN = join(name('run'), [0, 0]);

/** @param {Uint8Array} bytes @param {import('../../js/index.js').InstrumentOptions} options */
const instrument = (bytes, options) => Instrumenter.create().run(bytes, { minSize: 0, ...options });

/** @param {Uint8Array} bytes @param {readonly string[]} calls */
function resultsOf(bytes, calls, traced = false) {
  return runModule(bytes, calls, { traced }).results;
}

/**
 * The module is valid before and after, gives the same results, and has the warnings given.
 * @param {Uint8Array} bytes
 * @param {{warnings?: string[], calls?: string[], options?: import('../../js/index.js').InstrumentOptions}} [expected]
 */
function hold(bytes, { warnings = [], calls = [], options = { trace: 'calls' } } = {}) {
  const plain = resultsOf(bytes, calls);
  for (const link of links) {
    const result = instrument(bytes, { ...options, link });
    assert.deepEqual(resultsOf(result.bytes, calls, true), plain, link);
    assert.deepEqual(result.warnings, warnings, link);
  }
}

/** Functions of one type, with the bodies given. @param {Bytes[]} bodies @param {Bytes} [type] */
const functions = (bodies, type = [0x60, 0, 0]) =>
  moduleOf(section(SECTION.TYPE, list([type])), section(SECTION.FUNCTION, listOf(bodies.length, [0])), section(SECTION.CODE, list(bodies)));

/** run() -> 42, with more around it. @param {{types?: Bytes, imports?: Bytes, functions?: Bytes, exports?: Bytes, code?: Bytes, others?: Record<number, Bytes>}} parts */
function answering({ others = {}, ...parts }) {
  const content = {
    [SECTION.TYPE]: parts.types ?? list([ANSWER]),
    [SECTION.FUNCTION]: parts.functions ?? list([[0]]),
    [SECTION.EXPORT]: parts.exports ?? list([RUN]),
    [SECTION.CODE]: parts.code ?? list([FORTY_TWO]),
    ...others,
  };
  const inOrder = Object.entries(content).sort(([a], [b]) => Number(a) - Number(b));
  return moduleOf(...inOrder.map(([id, bytes]) => section(Number(id), bytes)));
}

/** Names of five characters. @param {number} count */
const manyExports = (count) => join(leb(count), RUN, ...Array.from({ length: count - 1 }, (_, i) => join(name(i.toString(36).padStart(5, '0')), [0, 0])));

/**
 * What there may be so many of: a module with `count` of them.
 * @type {{what: string, most: number, make: (count: number) => Uint8Array}[]}
 */
const COUNTED = [
  { what: 'types', most: 1_000_000, make: (count) => answering({ types: listOf(count - 1, ANSWER, ANSWER) }) },
  { what: 'functions', most: 1_000_000, make: (count) => answering({ functions: listOf(count, [0]), code: listOf(count, FORTY_TWO) }) },
  { what: 'exports', most: 100_000, make: (count) => answering({ exports: manyExports(count) }) },
  { what: 'tables', most: 100_000, make: (count) => answering({ others: { [SECTION.TABLE]: listOf(count, [0x70, 0, 0]) } }) },
  { what: 'data segments', most: 100_000, make: (count) => answering({ others: { [SECTION.DATA]: listOf(count, [1, 0]) } }) },
];

/** How many the instrumented module would have; null where that is not too many. @param {Uint8Array} bytes @param {'split' | 'merged'} link @param {string} what */
function refusedCount(bytes, link, what) {
  try {
    instrument(bytes, { trace: 'calls(#0)', link });
    return null;
  } catch (error) {
    const { code, message } = /** @type {any} */ (error);
    assert.equal(code, 'limit');
    const [, count, found] = /^the result would have (\d+) (\D+), and engines take at most \d+/.exec(message) ?? assert.fail(message);
    assert.equal(found, what);
    return Number(count);
  }
}

for (const { what, most, make } of COUNTED)
  test(`${what}: as many as engines take, with ours`, () => {
    const full = make(most);
    for (const link of links) {
      const count = refusedCount(full, link, what);
      if (count === null) continue; // none is added in this mode
      const room = make(most - (count - most));
      const { bytes } = instrument(room, { trace: 'calls(#0)', link });
      assert.deepEqual(resultsOf(bytes, ['run()'], true), ['run() = 42'], link);
      assert.equal(refusedCount(make(most - (count - most) + 1), link, what), most + 1, link);
    }
  });

test('what an original has too many of for some engines is taken as it is', () => {
  const bytes = answering({ exports: manyExports(100_001) });
  if (isValid(bytes)) hold(bytes, { calls: ['run()'], options: { trace: 'calls(#0)' } });
});

test('in the loader, a module without room for ours runs untraced, and that is said once', () => {
  /** @type {string[]} */
  const told = [];
  const hook = install({ trace: 'calls(#0)' }, { warn: (message) => told.push(message) });
  try {
    const bytes = /** @type {BufferSource} */ (answering({ types: listOf(999_999, ANSWER, ANSWER) }));
    for (let i = 0; i < 2; i++)
      assert.equal(/** @type {any} */ (new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports).run(), 42);
    assert.equal(hook.sessions.length, 0);
  } finally {
    hook.uninstall();
  }
  assert.equal(told.length, 1);
  assert.match(told[0], /^wasm-trace: the result would have 10000\d\d types, and engines take at most 1000000$/);
});

// ---- memories ----

/** @param {number} count */
const withMemories = (count) => answering({ others: { [SECTION.MEMORY]: listOf(count, [0, 0]) } });

const RELINKED = 'linked split, since merged adds a memory and a data segment, which would pass the engines\' limits';

/** The engine has no limit of its own below this one. */
const manyMemories = { skip: !links.includes('merged') && 'this engine has one memory only' };

test('100 memories: the default links split, merged is refused', manyMemories, () => {
  hold(withMemories(99), { calls: ['run()'] });
  const bytes = withMemories(100);
  const { bytes: output, warnings } = instrument(bytes, { trace: 'calls' });
  assert.deepEqual(warnings, [RELINKED]);
  assert.deepEqual(resultsOf(output, ['run()'], true), ['run() = 42']);
  assert.throws(() => instrument(bytes, { trace: 'calls', link: 'merged' }), {
    code: 'limit',
    message: 'the result would have 101 memories, and engines take at most 100; --link split adds none',
  });
});

test('100,000 data segments: the default links split', () => {
  const { bytes, warnings } = instrument(answering({ others: { [SECTION.DATA]: listOf(100_000, [1, 0]) } }), { trace: 'calls' });
  assert.deepEqual(warnings, links.includes('merged') ? [RELINKED] : []);
  assert.deepEqual(resultsOf(bytes, ['run()'], true), ['run() = 42']);
});

// ---- single functions ----

/** @param {string[]} shown */
const leftAlone = (...shown) =>
  `${shown.length} function${shown.length === 1 ? '' : 's'} left alone, since the result would pass the engines' limits (${MOST_LOCALS} locals, ${MOST_BODY_BYTES} bytes): ${shown.join(', ')}`;

/** @param {number} count */
const withLocals = (count) => body([1, ...leb(count), I32]);

/** @param {number} size of the body, mostly nops */
const bodyOf = (size) => body([0], repeat([1], size - 2));

test('a function with as many locals as there may be is left alone, one with fewer is not', () => {
  hold(functions([withLocals(MOST_LOCALS - 1), withLocals(3)]));
  hold(functions([withLocals(3), withLocals(MOST_LOCALS)]), { warnings: [leftAlone('#1 wasm-function[1]')] });
});

test('parameters are locals too', () => {
  const type = [0x60, 2, I32, I32, 0];
  hold(functions([withLocals(MOST_LOCALS - 3)], type));
  hold(functions([withLocals(MOST_LOCALS - 2), withLocals(1)], type), { warnings: [leftAlone('#0 wasm-function[0]')] });
});

/** The size of the largest body that is instrumented, found by what the probe adds to a body of nearly that size. */
function mostOriginalBytes(/** @type {'split' | 'merged'} */ link) {
  const small = functions([bodyOf(MOST_BODY_BYTES - 1000)]);
  const { bytes } = instrument(small, { trace: 'calls', link });
  const sizeAt = (/** @type {Uint8Array} */ module) => bodySize(module, 0);
  return MOST_BODY_BYTES - (sizeAt(bytes) - sizeAt(small));
}

/** @param {Uint8Array} module @param {number} index of a function that is defined */
function bodySize(module, index) {
  let at = 8;
  const number = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = module[at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  for (let id = module[at++], size = number(); id !== SECTION.CODE; id = module[at++], size = number()) at += size;
  number();
  for (let left = index; left > 0; left--) at += number();
  return number();
}

test('a body that would be too large with its probe is left alone, one byte less is not', () => {
  for (const link of links) {
    const most = mostOriginalBytes(link);
    const fits = instrument(functions([bodyOf(most), bodyOf(30)]), { trace: 'calls', link });
    assert.deepEqual([fits.warnings, isValid(fits.bytes), bodySize(fits.bytes, 0)], [[], true, MOST_BODY_BYTES], link);
    const over = instrument(functions([bodyOf(most + 1), bodyOf(30)]), { trace: 'calls', link });
    assert.deepEqual([over.warnings, isValid(over.bytes)], [[leftAlone('#0 wasm-function[0]')], true], link);
  }
  hold(functions([bodyOf(MOST_BODY_BYTES), bodyOf(30)]), { warnings: [leftAlone('#0 wasm-function[0]')] });
});

test('what is left alone is in the list, and does not count as traced', () => {
  const result = instrument(functions([withLocals(3), withLocals(MOST_LOCALS)]), { trace: 'calls', link: 'split' });
  assert.match(result.list, /^ +1 +\d+ {2}wasm-function\[1\] {2}\(left alone: past the engines' limits\)$/m);
  assert.match(result.list, /^traced: 1 of 2 functions$/m);
  assert.match(result.summary, /^traced: 1 of 2 functions$/m);
});

test('many functions that are left alone: twenty are named', () => {
  const { warnings } = instrument(functions([withLocals(1), ...Array.from({ length: 23 }, () => withLocals(MOST_LOCALS))]), { trace: 'calls' });
  assert.match(warnings[0], /^23 functions left alone.*, #20 wasm-function\[20\] and 3 more$/);
});

test('a module of which nothing is left is refused', () => {
  assert.throws(() => instrument(functions([bodyOf(MOST_BODY_BYTES)]), { trace: 'calls' }), {
    code: 'limit',
    message: /^nothing is left to trace: with a probe, what was selected would pass the engines' limits/,
  });
});

test('a function that is left alone is called, and calls, as before', () => {
  const big = body([1, ...leb(MOST_LOCALS), I32, 0x10, 0]);
  const bytes = answering({
    functions: listOf(3, [0]),
    exports: list([join(name('run'), [0, 2])]),
    code: list([FORTY_TWO, big, body([0, 0x10, 1])]),
  });
  for (const link of links) {
    const output = instrument(bytes, { trace: 'calls', link }).bytes;
    const { session, results } = runModule(output, ['run()', 'run()'], { traced: true });
    assert.deepEqual(results, ['run() = 42', 'run() = 42']);
    assert.match(session?.report('tree') ?? '', /4 \| +2 \| run\n +2 \| +2 \| └── wasm-function\[0\]\n$/);
  }
});

test('1,000 parameters and 1,000 results, of a function and of an import', () => {
  const count = 1000;
  const type = join([0x60], listOf(count, [I32]), listOf(count, [I32]));
  const params = Array.from({ length: count }, (_, i) => join([0x20], leb(i)));
  const bytes = moduleOf(
    section(SECTION.TYPE, list([type, ANSWER])),
    section(SECTION.IMPORT, list([join(name('env'), name('many'), [0, 0])])),
    section(SECTION.FUNCTION, list([[0], [1]])),
    section(SECTION.EXPORT, list([join(name('run'), [0, 2])])),
    section(SECTION.CODE, list([
      body([0], ...params, ...repeated(count), ...params, [0x10, 0]),
      body([0], ...repeated(count, [0x41, 7]), [0x10, 1], ...repeated(count - 1)),
    ])),
  );
  const world = { env: { many: (/** @type {number[]} */ ...args) => args.map((value, i) => value + i) } };
  for (const link of links) {
    const { bytes: output } = instrument(bytes, { trace: ['args(*)', 'ret(*)', 'imports'], stack: true, buffer: '1M', link });
    const instance = new WebAssembly.Instance(new WebAssembly.Module(/** @type {BufferSource} */ (output)), world);
    assert.equal(/** @type {any} */ (instance.exports).run(), 7);
  }
});

/** @param {number} times @param {Bytes} [instruction] default: drop */
function repeated(times, instruction = [0x1a]) {
  return [repeat(instruction, times)];
}

// ---- sizes that would show a quadratic loop or a recursion ----

test('blocks nested deeply', () => {
  const depth = 120_000;
  hold(functions([body([0], repeat([0x02, 0x40], depth), [0x0f], repeat([END], depth))]));
});

test('a br_table as large as engines take', () => {
  const labels = 65_520;
  hold(functions([body([0, 0x41, 0, 0x0e], leb(labels), repeat([0], labels + 1))]));
});

test('more histograms than anybody can read are refused', () => {
  const bytes = functions(Array.from({ length: MOST_HISTOGRAMS + 1 }, () => body([0])), [0x60, 1, I32, 0]);
  assert.throws(() => instrument(bytes, { trace: 'args(*)', display: 'histogram', link: 'split' }), { code: 'limit', message: /^4097 histograms/ });
  assert.ok(instrument(bytes, { trace: 'arg(0, *)', hide: '#0', display: 'histogram', link: 'split' }));
});

test('counts of 2^32 - 1 end at once, in every section', () => {
  const huge = [0xff, 0xff, 0xff, 0xff, 0x0f];
  for (const id of Object.values(SECTION).filter((one) => one !== SECTION.CUSTOM && one !== SECTION.START))
    assert.throws(() => instrument(moduleOf(section(id, huge)), { trace: 'calls' }), { code: 'module' }, `section ${id}`);
  for (const code of [join([0, 0x41, 0, 0x0e], huge), join([0, 0x02], huge), join(huge)])
    assert.throws(() => instrument(functions([body(code)]), { trace: 'calls' }), { code: 'module' }, String([...code]));
  assert.throws(() => instrument(functions([body([1], huge, [I32])]), { trace: 'calls' }), { code: 'limit' }); // well-formed
});
