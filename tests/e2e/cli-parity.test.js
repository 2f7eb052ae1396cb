// The native and the Node command print the same, return the same and write the same, byte for byte.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { COMMANDS, COMPONENT, CUT_MODULE, MODULE, NAMED_MODULE, listFolder, makeFolder, run } from './cli-support.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** Command lines, run in a folder of their own. */
const ROWS = [
  // What is printed.
  ['--help'],
  ['-h', '--nonsense-behind-it'],
  ['--version'],
  ['-V'],
  // Wrong usage.
  [],
  ['--trace'],
  ['--trace', 'calls'],
  ['--trace='],
  ['--trace', '--list', 'a.wasm'],
  ['--dispaly', 'tree'],
  ['--lis'],
  ['-trace', 'calls'],
  ['-x'],
  ['--ünknown'],
  ['--report', 'x'],
  ['--invoke=x'],
  ['--save', 'x'],
  ['--diff=x'],
  ['--fail-if', '+2%'],
  ['--port', '1'],
  ['--isolate', 'a.wasm'],
  ['--list=yes'],
  ['--display', 'log', 'a.wasm'],
  ['--display', 'graph', '-t', 'calls', 'a.wasm'],
  ['--link=static', '-t', 'calls', 'a.wasm'],
  ['--min-size', 'tiny', '-t', 'calls', 'a.wasm'],
  ['--min-size', '12345678901', '-t', 'calls', 'a.wasm'],
  ['--buffer', '12T', '-t', 'calls', 'a.wasm'],
  ['--buffer', '1K', '-t', 'calls', 'a.wasm'],
  ['--list', '-t', 'calls', '-o', 'x', 'a.wasm'],
  ['--restore', '-t', 'calls', 'a.wasm'],
  ['--restore'],
  ['-t', 'calls', '-o', 'x', 'a.wasm', 'b.wasm'],
  ['-t', 'calls(', 'a.wasm'],
  ['-t', 'arg(é, x)', 'a.wasm'],
  ['-t', 'nothing', 'a.wasm'],
  ['-t', 'calls', '--hide', '"malloc', 'a.wasm'],
  ['-t', 'calls', '--only', '', 'a.wasm'],
  ['-t', 'calls', '-d', 'histogram', 'a.wasm'],
  // Files.
  ['-t', 'calls(*)', '--link=split', 'a.wasm'],
  ['-t', 'calls', '--link=split', 'named.wasm'],
  ['-tcalls(*)', '--link', 'merged', 'a.wasm', 'named.wasm'],
  ['-t', 'arg0:malloc', '-d', 'histogram', '--link=split', '-o', 'out.wasm', 'a.wasm'],
  ['--trace=ret(malloc)', '--display=log', '--display=tree', '--stack', '--buffer=64K', '--link=split', 'a.wasm'],
  ['-t', 'calls(*)', '--hide', 'run', '--link=split', 'a.wasm'],
  ['-t', 'calls(*)', '--min-size=5', '--link=split', 'a.wasm'],
  ['-t', 'calls(*)', '-l', '--link=split', 'a.wasm'],
  ['-t', 'calls(*)', '-l', '--link=split', 'a.wasm', 'named.wasm'],
  ['-t', 'calls(*)', '--link=split', 'packed.wasm.gz'],
  ['-t', 'calls(*)', '--link=split', '--symbols', 'map', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '-o', 'missing/out.wasm', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '-o', '.', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '-o', '-', 'a.wasm'],
  ['-t', 'imports', 'a.wasm'],
  ['-t', 'calls(mallok)', 'a.wasm'],
  ['-t', 'arg(7, malloc)', 'a.wasm'],
  ['-t', 'calls', 'missing.wasm', '.', 'cut.wasm', 'component.wasm', 'text', 'empty', 'bad.gz'],
  ['-t', 'calls', '--', '-t'],
  ['--restore', 'a.wasm', 'missing.wasm'],
];

const FILES = {
  'a.wasm': MODULE,
  'named.wasm': NAMED_MODULE,
  'cut.wasm': CUT_MODULE,
  'component.wasm': COMPONENT,
  'packed.wasm.gz': gzipSync(MODULE),
  'bad.gz': gzipSync(MODULE).subarray(0, 20),
  map: '0:allocate\n',
  text: '(module)',
  empty: '',
};

/** In a folder of its own. */
function runFresh(t, command, args) {
  const folder = makeFolder(t, FILES);
  const result = run(command, folder, args);
  return { ...result, files: listFolder(folder) };
}

for (const args of ROWS) {
  test(`wasm-trace ${args.join(' ')}`, (t) => {
    const [native, node] = COMMANDS.map((command) => runFresh(t, command, args));
    assert.deepEqual(native, node);
  });
}

test('the version is that of the package', (t) => {
  const folder = makeFolder(t);
  for (const command of COMMANDS)
    assert.equal(run(command, folder, ['--version']).stdout, `wasm-trace ${version}\n`);
});

test('--help fits a terminal of 80 columns', (t) => {
  const { stdout } = run(COMMANDS[0], makeFolder(t), ['--help']);
  assert.deepEqual(stdout.split('\n').filter((line) => line.length > 80), []);
});
