// Stacks in the shapes that engines and tools print, rewritten: which frame means which function and which byte.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodeBodies } from '../../js/trace/code-bodies.js';
import { readFrame } from '../../js/trace/stack-frames.js';
import { Symbolizer } from '../../js/views/symbolize.js';

/** A code section at byte 8: bodies of these sizes. The first body begins at byte 12. */
const moduleOf = (...sizes) => {
  const bodies = sizes.flatMap((size) => [size, ...Array(size).fill(0)]);
  return Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 10, bodies.length + 1, sizes.length, ...bodies]);
};

const NAMES = new Map([
  [1, 'malloc'],
  [2, 'foo::bar(int, char*)'],
  [4, 'wtr_enter'],
]);
const names = { has: (index) => NAMES.has(index), name: (index) => NAMES.get(index) ?? `wasm-function[${index}]` };
const demangle = (name) => (name === '_ZN3foo3barEic' ? 'foo::bar(int, char)' : name);

/** Function 0 is imported; 1 has bytes 12 to 31, 2 has 33 to 52, 3 has 54 to 73, 4 has 75 to 84. */
const bodies = new CodeBodies(moduleOf(20, 20, 20, 10), 1);

/** Instrumented: at byte 14 four bytes were added, of 36 and 37 one byte was there; 4 is a function of ours. */
const metadata = { functionCount: 4, codeMap: Uint32Array.of(14, 14, 18, 33, 36, 38) };

const original = () => new Symbolizer({ names, bodies, demangle });
const instrumented = () => new Symbolizer({ names, bodies, metadata, demangle });

test('which function a byte belongs to', () => {
  const rows = [[0, null], [11, null], [12, 1], [31, 1], [32, null], [33, 2], [84, 4], [85, null], [2 ** 32, null]];
  for (const [offset, func] of rows) assert.equal(bodies.functionAt(offset), func, `byte ${offset}`);
  assert.equal(bodies.functionCount, 5);
  assert.equal(new CodeBodies(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0), 3).functionCount, 3);
  assert.throws(() => new CodeBodies(moduleOf(20).subarray(0, 20), 0), /metadata|left|count/);
});

/** Lines of an original module, and what becomes of them. */
const ORIGINAL = [
  // V8
  ['    at wasm://wasm/7cfe1d22:wasm-function[1]:0xc', '    at malloc (wasm://wasm/7cfe1d22:wasm-function[1]:0xc)'],
  ['    at wasm://wasm/7cfe1d22:wasm-function[3]:0x36', '    at wasm://wasm/7cfe1d22:wasm-function[3]:0x36'],
  ['    at old name (wasm://wasm/7cfe1d22:wasm-function[1]:0xc)', '    at malloc (wasm://wasm/7cfe1d22:wasm-function[1]:0xc)'],
  ['    at app._ZN3foo3barEiPc (http://host/a.wasm:wasm-function[2]:0x22)', '    at foo::bar(int, char*) (http://host/a.wasm:wasm-function[2]:0x22)'],
  ['    at foo::bar(int, char*) (wasm://wasm/app-7cfe1d22:wasm-function[2]:0x22)', '    at foo::bar(int, char*) (wasm://wasm/app-7cfe1d22:wasm-function[2]:0x22)'],
  ['    at async app (wasm://wasm/app-7cfe1d22:wasm-function[1]:0xc)', '    at async malloc (wasm://wasm/app-7cfe1d22:wasm-function[1]:0xc)'],
  ['    at app (wasm://wasm/app-7cfe1d22:wasm-function[3]:0x36)', '    at app (wasm://wasm/app-7cfe1d22:wasm-function[3]:0x36)'],
  // Firefox
  ['wasm-function[1]@http://host/a.wasm:wasm-function[1]:0xc', 'malloc@http://host/a.wasm:wasm-function[1]:0xc'],
  ['f@http://host/@scope/a.js line 3 > WebAssembly.instantiate:wasm-function[2]:0x22', 'foo::bar(int, char*)@http://host/@scope/a.js line 3 > WebAssembly.instantiate:wasm-function[2]:0x22'],
  ['async*f@http://host/a.wasm:wasm-function[1]:0xc', 'async*malloc@http://host/a.wasm:wasm-function[1]:0xc'],
  ['setTimeout handler*f@http://host/a.wasm:wasm-function[1]:0xc', 'setTimeout handler*malloc@http://host/a.wasm:wasm-function[1]:0xc'],
  ['f(char*)@http://host/a.wasm:wasm-function[1]:0xc', 'malloc@http://host/a.wasm:wasm-function[1]:0xc'],
  // Safari
  ['<?>.wasm-function[1]@[wasm code]', 'malloc@[wasm code]'],
  ['<?>.wasm-function[3]@[wasm code]', '<?>.wasm-function[3]@[wasm code]'],
  ['app.wasm-function[_ZN3foo3barEic]@[wasm code]', 'foo::bar(int, char)@[wasm code]'],
  ['app.wasm-function[main]@[wasm code]', 'app.wasm-function[main]@[wasm code]'],
  ['app.wasm-function[]@[wasm code]', 'app.wasm-function[]@[wasm code]'],
  ['wasm-function[1]@[wasm code]', 'malloc@[wasm code]'],
  ['_ZN3foo3barEic@[wasm code]', 'foo::bar(int, char)@[wasm code]'],
  ['wasm-stub@[wasm code]', 'wasm-stub@[wasm code]'],
  // Wasmtime, WAMR, Wasmer
  ['    0:    0xc - <unknown>!<wasm function 1>', '    0:    0xc - <unknown>!malloc'],
  ['    1:   0x22 - app.wasm!_ZN3foo3barEiPc', '    1:   0x22 - app.wasm!foo::bar(int, char*)'],
  ['#00: 0x000c - $f1', '#00: 0x000c - malloc'],
  ['    at <unnamed> (<module>[1]:0xc)', '    at malloc (<module>[1]:0xc)'],
  // Developer tools
  ['$func1 @ a.wasm:0xc', 'malloc @ a.wasm:0xc'],
  ['    at $func2 (http://host/a.wasm:0x22)', '    at foo::bar(int, char*) (http://host/a.wasm:0x22)'],
  // In other text
  ['crashed in wasm-function[1] + 0x34', 'crashed in malloc + 0x34'],
  ['550,259  wasm-function[3]', '550,259  wasm-function[3]'],
  // No frames of this module
  ['    at run (file:///app/main.mjs:5:40)', '    at run (file:///app/main.mjs:5:40)'],
  ['    at async Promise.all (index 0)', '    at async Promise.all (index 0)'],
  ['run@http://host/main.js:5:40', 'run@http://host/main.js:5:40'],
  ['RuntimeError: unreachable', 'RuntimeError: unreachable'],
  ['', ''],
];

test('a stack of an original module', () => {
  for (const [line, expected] of ORIGINAL) assert.equal(original().line(line), expected);
});

test('columns stay columns', () => {
  assert.equal(instrumented().line('    0: 0x0012 - app!f'), '    0: 0x000e - app!malloc');
});

/** Lines of an instrumented module; null: left out. */
const INSTRUMENTED = [
  ['    at wasm://wasm/7cfe1d22:wasm-function[1]:0xd', '    at malloc (wasm://wasm/7cfe1d22:wasm-function[1]:0xd)'],
  ['    at wasm://wasm/7cfe1d22:wasm-function[1]:0x12', '    at malloc (wasm://wasm/7cfe1d22:wasm-function[1]:0xe)'],
  ['    at wasm://wasm/7cfe1d22:wasm-function[1]:0xf', '    at malloc (wasm://wasm/7cfe1d22:wasm-function[1]:0xe) [in a probe of wasm-trace]'],
  ['    at wasm://wasm/7cfe1d22:wasm-function[2]:0x25', '    at foo::bar(int, char*) (wasm://wasm/7cfe1d22:wasm-function[2]:0x20)'],
  ['    at wasm://wasm/7cfe1d22:wasm-function[4]:0x4c', null],
  ['    at app.wtr_export_shim (wasm://wasm/app-7cfe1d22:wasm-function[4]:0x4c)', null],
  ['    at wtr_enter (wasm://wasm/0123abcd:wasm-function[1]:0x12)', null],
  ['wtr_export_shim@http://host/a.wasm:wasm-function[4]:0x4c', null],
  ['<?>.wasm-function[4]@[wasm code]', null],
  ['app.wasm-function[wtr_import_thunk]@[wasm code]', null],
  ['    3: 0x4c - app!whatever', null],
  ['f@http://host/a.wasm:wasm-function[3]:0x36', 'f@http://host/a.wasm:wasm-function[3]:0x31'],
];

test('a stack of an instrumented module', () => {
  for (const [line, expected] of INSTRUMENTED) assert.equal(instrumented().line(line), expected, line);
});

test('what does not fit the module stays as it is, and is counted', () => {
  const lines = [
    '    at wasm://wasm/7cfe1d22:wasm-function[1]:0x22', // the byte is another function's
    '    at app.f (wasm://wasm/7cfe1d22:wasm-function[2]:0x9999)', // no function's
    '<?>.wasm-function[5]@[wasm code]', // no such function
    '    0: 0x9999 - other.wasm!f',
    'f@http://host/a.wasm:wasm-function[0]:0xc', // an import has no bytes
  ];
  for (const make of [original, instrumented]) {
    const symbolizer = make();
    for (const line of lines) assert.equal(symbolizer.line(line), line);
    assert.equal(symbolizer.misfits, lines.length);
  }
});

test('text keeps its line ends and everything that is no frame', () => {
  const text = 'Error: x\r\n    at wtr_enter (wasm://wasm/0:wasm-function[4]:0x4c)\r\n<?>.wasm-function[1]@[wasm code]\r\n\r\nend';
  assert.equal(instrumented().text(text), 'Error: x\r\nmalloc@[wasm code]\r\n\r\nend');
  assert.equal(instrumented().text(''), '');
  assert.equal(instrumented().text('{ not JSON'), '{ not JSON');
});

test('a crash report in JSON', () => {
  const frame = (address, name) => ({ platform: 'native', package: 'http://host/a.wasm', instruction_addr: address, function: name, addr_mode: 'rel:0' });
  const js = { filename: 'http://host/main.js', function: 'run', lineno: 5 };
  const native = { instruction_addr: '0x7f0012340000', function: 'main' };
  const report = (...frames) => ({ exception: { stack: 'Error\n<?>.wasm-function[1]@[wasm code]', frames }, count: 3, none: null });
  const before = report(js, frame('0x4c', 'wasm-function[4]'), frame('0x12', 'wasm-function[1]'), frame('0x36', 'f'), native);
  const after = report(js, frame('0xe', 'malloc'), frame('0x31', 'f'), native);
  after.exception.stack = 'Error\nmalloc@[wasm code]';
  assert.equal(instrumented().text(JSON.stringify(before)), JSON.stringify(after));
  assert.equal(instrumented().text(`${JSON.stringify(before, null, 2)}\n`), `${JSON.stringify(after, null, 2)}\n`);
});

test('numbers that JavaScript would change keep a report from being read', () => {
  const text = '{"id": 12345678901234567890, "stack": "<?>.wasm-function[1]@[wasm code]"}';
  assert.equal(original().text(text), text.replace('<?>.wasm-function[1]', 'malloc'));
});

test('no other line is a frame', () => {
  for (const line of ['', 'at', '@', '[12]:0x34', 'x[1]:0x2', 'https://host/a.js:1:2', '    at f (a.js:1:2)', '0x34 - x'])
    assert.equal(readFrame(line), null, line);
});
