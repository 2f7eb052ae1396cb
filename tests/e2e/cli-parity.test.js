// The native and the Node command print the same, return the same and write the same, byte for byte.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { CLOCK_MODULE, COMMANDS, COMPONENT, CUT_MODULE, MODULE, NAMED_MODULE, listFolder, makeFolder, run } from './cli-support.js';

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
  ['--stopped'],
  ['--drain-to', 'x'],
  ['--compensate'],
  ['--sort', 'self'],
  ['--recursion'],
  ['--list=yes'],
  ['--display', 'log', 'a.wasm'],
  ['--display', 'graph', '-t', 'calls', 'a.wasm'],
  ['--link=static', '-t', 'calls', 'a.wasm'],
  ['--min-size', 'tiny', '-t', 'calls', 'a.wasm'],
  ['--min-size', '12345678901', '-t', 'calls', 'a.wasm'],
  ['--buffer', '12T', '-t', 'calls', 'a.wasm'],
  ['--buffer', '1K', '-t', 'calls', 'a.wasm'],
  ['--list', '-t', 'calls', '-o', 'x', 'a.wasm'],
  ['--restore', '--clock', 'auto', 'a.wasm'],
  ['--clock', 'sundial', '-t', 'calls', 'a.wasm'],
  ['--clock', 'import:', '-t', 'calls', 'a.wasm'],
  ['--clock', 'import:env', '-t', 'calls', 'a.wasm'],
  ['--clock', 'import:.now', '-t', 'calls', 'a.wasm'],
  ['--clock', 'import:env.', '-t', 'calls', 'a.wasm'],
  ['--clock', 'host'],
  ['--weights', '-t', 'calls', 'a.wasm'],
  ['--weights', 'internet-computer', '--clock', 'host', '-t', 'calls', 'a.wasm'],
  ['--weights', 'internet-computer', '--clock=none', '-t', 'calls', 'a.wasm'],
  ['--during', 'run', 'a.wasm'],
  ['--from', 'run', 'a.wasm'],
  ['--until', 'run', 'a.wasm'],
  ['--skip', '1', 'a.wasm'],
  ['--skip', '-1', '-t', 'calls', 'a.wasm'],
  ['--max-events', '5', 'a.wasm'],
  ['--max-events', '00', '-t', 'calls', 'a.wasm'],
  ['--max-events', 'all', '-t', 'calls', 'a.wasm'],
  ['--on-full', 'explode', '-t', 'calls', 'a.wasm'],
  ['-d', 'callers', '-t', 'calls', 'a.wasm'],
  ['-d', 'callers()', '-t', 'calls', 'a.wasm'],
  ['-d', 'callers(run', '-t', 'calls', 'a.wasm'],
  ['-d', 'callers:', '-t', 'calls', 'a.wasm'],
  ['--restore', '-t', 'calls', 'a.wasm'],
  ['--restore'],
  ['-t', 'calls', '-o', 'x', 'a.wasm', 'b.wasm'],
  ['-t', 'calls(', 'a.wasm'],
  ['-t', 'arg(é, x)', 'a.wasm'],
  ['-t', 'nothing', 'a.wasm'],
  ['-t', 'calls', '--hide', '"malloc', 'a.wasm'],
  ['-t', 'calls', '--only', '', 'a.wasm'],
  ['-t', 'calls', '--during', '"malloc', '--from', '"run', 'a.wasm'],
  ['-t', 'calls', '--until', '/(/', '--from', '/[/', 'a.wasm'],
  ['-t', 'calls', '--until', '"run', '--min-size=1', 'a.wasm'],
  ['-t', 'duration', 'a.wasm'],
  ['-t', 'duration(', 'a.wasm'],
  ['-t', 'duration(run)', '--clock', 'none', 'a.wasm'],
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
  ['-t', 'calls(*)', '--link=split', '--clock', 'instructions', 'a.wasm'],
  ['-t', 'calls(*)', '--link=merged', '--clock', 'instructions', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--clock=ticker', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--clock=host', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--clock=none', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--clock=auto', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--clock=import:env.now', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--clock=import:env.now', 'clock.wasm'],
  ['-t', 'calls(*)', '--link=split', '--clock=import:a.b\x1b.c', 'clock.wasm'],
  ['-t', 'calls(*)', '--link=split', '--clock=instructions', '--weights', 'internet-computer', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--clock=instructions', '--weights', 'text', '--weights', 'weights', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--clock=instructions', '--weights', 'weights.gz', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--clock=instructions', '--weights', 'heavy', 'a.wasm', 'named.wasm'],
  ['-t', 'calls(*)', '--link=split', '--clock=instructions', '--weights', 'missing', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--clock=instructions', '--weights', '.', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--clock=instructions', '--weights', 'bad.gz', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '-d', 'report', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '-d', 'inverted', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '-d', 'callers(run)', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '-d', 'callers:run', '-d', 'log', 'a.wasm'],
  ['-t', 'duration(run)', '--link=split', 'a.wasm'],
  ['-t', 'duration(run)', '-t', 'calls:malloc', '--list', '--link=split', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--during', 'run', '--only', 'malloc', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--during', 'nobody', '--only', 'nothing', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--from', 'run', '--until', 'malloc', '--skip', '007', '--max-events=2', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--from', 'nothing', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--on-full', 'stop', '-d', 'log', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--on-full=aggregate', '-d', 'log', '--buffer=64K', 'a.wasm'],
  ['-t', 'calls(*)', '--link=split', '--on-full=drain', '-d', 'log', 'a.wasm'],
  ['-t', 'imports', 'a.wasm'],
  ['-t', 'calls(mallok)', 'a.wasm'],
  ['-t', 'arg(7, malloc)', 'a.wasm'],
  ['-t', 'calls', 'missing.wasm', '.', 'cut.wasm', 'component.wasm', 'text', 'empty', 'bad.gz'],
  ['-t', 'calls', '--', '-t'],
  ['--restore', 'a.wasm', 'missing.wasm'],
];

const WEIGHTS = 'name Some\x1b machine\ndefault 2\nlocal.get 7\n';

const FILES = {
  'a.wasm': MODULE,
  'named.wasm': NAMED_MODULE,
  'cut.wasm': CUT_MODULE,
  'component.wasm': COMPONENT,
  'packed.wasm.gz': gzipSync(MODULE),
  'bad.gz': gzipSync(MODULE).subarray(0, 20),
  map: '0:allocate\n',
  'clock.wasm': CLOCK_MODULE,
  weights: WEIGHTS,
  'weights.gz': gzipSync(WEIGHTS),
  heavy: 'i32.add heavy\n',
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
