// Which name a function gets when several know one, and name sections that are damaged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FunctionNames, moduleName } from '../../js/trace/names.js';

const text = (string) => [string.length, ...Buffer.from(string)];
const subsection = (id, content) => [id, content.length, ...content];
const functions = (...rows) => subsection(1, [rows.length, ...rows.flatMap(([index, name]) => [index, ...text(name)])]);
const nameSection = Uint8Array.from([
  ...subsection(0, text('module')),
  ...functions([1, 'imported'], [3, '_Z3foov'], [4, '']),
]);

const sources = {
  nameSection,
  imports: [
    { module: 'env', name: 'log' },
    { module: 'env', name: 'abort' },
  ],
  exports: [
    { name: 'run', index: 5 },
    { name: 'start', index: 5 },
    { name: 'malloc', index: 6 },
    { name: 'log', index: 0 },
  ],
  metadata: {
    names: new Map([
      [6, 'dlmalloc'],
      [3, 'unused'],
    ]),
  },
  demangle: (name) => (name === '_Z3foov' ? 'foo()' : name),
};

test('name section, then names found by the instrumenter, imports, exports, index', () => {
  const names = new FunctionNames(sources);
  const rows = [
    [0, 'env.log', true],
    [1, 'imported', true],
    [2, 'wasm-function[2]', false],
    [3, 'foo()', true],
    [4, 'wasm-function[4]', false],
    [5, 'run', true],
    [6, 'dlmalloc', true],
    [2 ** 32 - 1, 'wasm-function[4294967295]', false],
  ];
  for (const [index, name, has] of rows)
    assert.deepEqual([names.name(index), names.has(index)], [name, has], `function ${index}`);
});

test('what patterns may mean a function by', () => {
  const names = new FunctionNames(sources);
  assert.deepEqual([0, 1, 2, 3].map((index) => names.spellings(index)), [
    ['env.log', 'log', 'env.log'],
    ['imported', 'imported', 'abort', 'env.abort'],
    ['wasm-function[2]'],
    ['foo()', '_Z3foov'],
  ]);
});

test('nothing is known', () => {
  const names = new FunctionNames({});
  assert.deepEqual([names.name(12), names.has(12)], ['wasm-function[12]', false]);
});

test('a demangler that throws leaves the name as it is', () => {
  const demangle = () => {
    throw new Error('no');
  };
  assert.equal(new FunctionNames({ ...sources, demangle }).name(3), '_Z3foov');
});

test('names cannot write control characters', () => {
  const section = Uint8Array.from(functions([0, 'a\x1b[31m\n']));
  assert.equal(new FunctionNames({ nameSection: section }).name(0), 'a\\x1b[31m\\x0a');
});

test('a damaged name section keeps its good names', () => {
  const good = functions([0, 'a'], [1, 'b']);
  const damaged = [
    good.slice(0, -1),
    [1, good.length, 99, ...good.slice(3)],
    [...good.slice(0, -2), 200, 98],
    [1, 0xff, 0xff, 0xff, 0xff, 0x0f, ...good.slice(2)],
  ];
  for (const bytes of damaged)
    assert.equal(new FunctionNames({ nameSection: Uint8Array.from(bytes) }).name(0), 'a', String(bytes));
  for (const bytes of [[], [1], [0xff, 0xff], [1, 3, 0xff, 0xff, 0xff], [1, 4, 1, 0, 5, 65]]) {
    assert.equal(new FunctionNames({ nameSection: Uint8Array.from(bytes) }).has(0), false, String(bytes));
  }
});

test('the name of a module is the one in its name section, if that is no path', () => {
  const section = (/** @type {string} */ name) => Uint8Array.of(0, name.length + 1, name.length, ...Buffer.from(name));
  assert.equal(moduleName(section('app.wasm')), 'app.wasm');
  assert.equal(moduleName(Uint8Array.of(1, 1, 0, ...section('late'))), 'late');
  for (const broken of [section(''), section('x'.repeat(65)), new Uint8Array(0), Uint8Array.of(0, 5, 9, 65), Uint8Array.of(1, 1, 0)]) {
    assert.equal(moduleName(broken), undefined);
  }
});
