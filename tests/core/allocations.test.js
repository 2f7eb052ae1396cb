// The n-th allocation fails, for all n: every path of the instrumenter ends in "out of memory" or does not notice, and leaks nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SECTION, body, join, list, listOf, moduleOf, name, section } from './large-module.js';
import { smallModules } from './modules.js';
import { failAllocations } from './native.js';

/** Names that the glue beside a module of Emscripten knows. */
const GLUE = 'var wasmImports={a:___assert_fail,b:_fd_write,c:invoke_iii,d:_exit};_malloc=Module["_malloc"]=wasmExports["run"];_free=wasmExports["go"]';

/** By what each is about. @type {Record<string, import('../../js/index.js').InstrumentOptions & {twin?: boolean}>} */
const PLANS = {
  'a tree of calls': { trace: 'calls', minSize: 0 },
  'a tree, tiny functions left out': { trace: 'calls' },
  'everything at once': {
    trace: ['calls', 'args(*)', 'ret(*)', 'imports', 'memory.grow', 'traps', 'stack(*)'],
    display: ['log', 'nested', 'tree'],
    stack: true,
    minSize: 0,
  },
  histograms: { trace: ['args(*)', 'ret(*)', 'memory.grow', 'imports'], display: 'histogram', someMatch: true },
  'only and hide': { trace: 'calls', only: ['/./', '#1'], hide: ['*a*', '"main"'], someMatch: true, minSize: 0 },
  'a deferred start, thunks with legacy exceptions': { trace: 'imports', deferStart: true, legacyExceptions: true, someMatch: true },
  'Emscripten glue': { trace: 'calls(*l*)', symbols: GLUE },
  'a file of symbols': { trace: 'calls(foo*)', symbols: '0:_ZN3foo3barEv\n1:_RNvCs123_3foo4main\n2:_ZN3foo4main17h0123456789abcdefE\n' },
  'a twin with names': { trace: 'calls(*)', twin: true, symbols: 'hello', guessedSymbols: 'hello' },
  'a count of weights': { trace: 'calls', minSize: 0, clock: 'instructions', weights: 'name a table\ndefault 2\nnop 0' },
  'a block in the heap': { trace: 'calls(*)', display: ['report', 'nested'], clock: 'auto', from: 'begin', until: 'end', link: 'heap' },
  'a block in the heap, from an allocator that is named': { trace: ['args(*)', 'traps'], from: '*', allocator: '/./', onFull: 'stop', link: 'heap' },
  'a block in the heap, and no allocator': { trace: 'calls', from: '*', clock: 'instructions', link: 'heap' },
  'durations by a ticker, between calls, and a ring that stops': {
    trace: ['duration(*)', 'args(*)', 'memory.grow'],
    display: ['log', 'report'],
    clock: 'ticker',
    from: ['/./'],
    until: ['*a*', '#1'],
    skip: 1,
    maxEvents: 5,
    onFull: 'stop',
    someMatch: true,
  },
  'the clock of the host, a ring that is drained': { trace: ['calls', 'imports'], display: 'nested', minSize: 0, clock: 'host', onFull: 'drain', someMatch: true },
  'counted instructions, wall time beside it, then only the tree': { trace: ['duration(*)', 'imports'], display: ['report', 'log'], wall: true, onFull: 'aggregate', stopped: true, someMatch: true },
  'an import as the clock': { trace: 'calls(*)', clock: 'import:env.log', display: 'report' },
  'a mistake in the weights': { trace: 'calls', weights: 'i32.nonsense 3' },
  'suggestions for what matches nothing': { trace: ['calls(mian)', 'args(/^nothing$/)'] },
  'a mistake in a probe': { trace: 'calls(' },
};

/** Tables that grow: types, functions with names, exports, results of several values, functions that are left alone, sections of tools. */
function largeModule() {
  const count = 150;
  const pair = [0x60, 1, 0x7f, 2, 0x7f, 0x7e];
  const names = Array.from({ length: count }, (_, i) => join(i < 128 ? [i] : [(i & 0x7f) | 0x80, i >> 7], name(`_ZN3foo3f${String(i).padStart(2, '0')}Ev`)));
  return moduleOf(
    section(SECTION.TYPE, listOf(50, [0x60, 0, 0], pair)),
    section(SECTION.FUNCTION, listOf(count, [50])),
    section(SECTION.MEMORY, listOf(100, [0, 0])), // auto links split
    section(SECTION.EXPORT, list(names.map((_, i) => join(name(`export${i}`), [0, ...(i < 128 ? [i] : [(i & 0x7f) | 0x80, i >> 7])])))),
    section(SECTION.CODE, listOf(count - 1, body([0, 0x20, 0, 0x42, 1]), body([1, 0xd0, 0x86, 3, 0x7f, 0x20, 0, 0x42, 1]))),
    section(SECTION.CUSTOM, join(name('name'), [1, ...sizeOf(list(names))], list(names))),
    section(SECTION.CUSTOM, join(name('producers'), list([join(name('processed-by'), list([join(name('c'), name(''))]))]))),
    section(SECTION.CUSTOM, join(name('target_features'), list([]))),
  );
}

/** @param {Uint8Array} content */
const sizeOf = ({ length }) => [(length & 0x7f) | 0x80, ((length >> 7) & 0x7f) | 0x80, length >> 14];

const large = { name: 'large', bytes: largeModule() };
const modules = [...(await smallModules()), large];

/** Auto is merged where the module has room for it. */
const LINKED = /** @type {const} */ ([
  ['merged', modules],
  ['split', modules],
  ['auto', [large]],
]);

/** @param {import('../../js/index.js').InstrumentOptions} plan */
const linkedFor = ({ link }) => (link ? [/** @type {const} */ ([link, modules])] : LINKED);

for (const [what, plan] of Object.entries(PLANS))
  for (const [link, tried] of linkedFor(plan))
    test(`${what}, ${link}`, () => {
      const results = failAllocations(tried.map(({ bytes }) => bytes), { ...plan, link });
      const faults = results.flatMap(({ status, message }, i) => (status === 0 ? [] : [`${tried[i].name}: ${message}`]));
      assert.deepEqual(faults, []);
    });
