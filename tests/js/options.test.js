// The command line of both Node commands and the WASM_TRACE variable.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { helpText } from '../../node/help.js';
import { OPTION_ROWS, UsageError, parseCommand, parseEnvironment } from '../../node/options.js';
import { asksNothing, clockAsked, neededDisplays, reportForm, tracedBy } from '../../node/question.js';
import { WasmTraceError } from '../../js/loader/errors.js';
import { splitWords } from '../../js/loader/words.js';

const EVERYTHING = ['calls', 'imports'];

const WORDS = [
  ['', []],
  ['  \t\n', []],
  ['--trace calls --display tree', ['--trace', 'calls', '--display', 'tree']],
  ['--trace arg(0, malloc)', ['--trace', 'arg(0, malloc)']],
  ['--trace "arg(0, malloc)" x', ['--trace', 'arg(0, malloc)', 'x']],
  ["--hide='a b'", ['--hide=a b']],
  ['"a \\"b\\" \\\\ \\n"', ['a "b" \\ \\n']],
  ["'a \\ b'", ['a \\ b']],
  ['a\\ b \\"c', ['a b', '"c']],
  ['a\\.b C:\\x', ['a\\.b', 'C:\\x']],
  ['""', ['']],
  ['calls("Player::update(float, int)") x', ['calls("Player::update(float, int)")', 'x']],
  ['calls(/^a\\(b/) x', ['calls(/^a\\(b/)', 'x']],
  ['calls("a)b") x', ['calls("a)b")', 'x']],
  ['a) b', ['a)', 'b']],
];

for (const [text, words] of WORDS) {
  test(`splits ${JSON.stringify(text)}`, () => assert.deepEqual(splitWords(text), words));
}

for (const [text, message] of [
  ['a "b', 'a " is not closed'],
  ["a 'b", "a ' is not closed"],
  ['calls(a', 'a ( is not closed'],
]) {
  test(`does not split ${JSON.stringify(text)}`, () => assert.throws(() => splitWords(text), new WasmTraceError('probe', message)));
}

test('options have their kinds', () => {
  const numbers = ['--min-size=12', '--buffer', '64K'];
  const argv = ['-t', 'calls', '--trace=ret:f', '-dlog', ...numbers, '--stack', '--link=split', 'a', '-o', 'b'];
  const { options, operands } = parseCommand(argv);
  assert.deepEqual(options.trace, ['calls', 'ret:f']);
  assert.deepEqual(options.display, ['log']);
  assert.equal(options.minSize, 12);
  assert.equal(options.stack, true);
  assert.equal(options.buffer, '64K');
  assert.equal(options.link, 'split');
  assert.equal(options.output, 'b');
  assert.equal(options.list, false);
  assert.deepEqual(operands, ['a']);
});

test('a limit is a number from 1 on, on the command line and in the variable', () => {
  const error = new UsageError("--limit takes a number from 1 on, not '0'");
  assert.throws(() => parseCommand(['--limit', '0', 'app.mjs'], 'wasm-trace-node'), error);
  assert.throws(() => parseEnvironment('--limit=0'), error);
  assert.equal(parseCommand(['--limit', '1', 'app.mjs'], 'wasm-trace-node').options.limit, 1);
  assert.equal(parseCommand(['-t', 'calls', '--min-size=0', 'a']).options.minSize, 0);
});

test('of options that count once the last counts', () => {
  assert.equal(parseCommand(['-t', 'calls', '--link=split', '--link=merged', 'a']).options.link, 'merged');
});

test('the options of wasm-trace-node end at the program', () => {
  const { options, operands } = parseCommand(['--trace', 'calls', 'app.mjs', '--trace', '-x', '--'], 'wasm-trace-node');
  assert.deepEqual(options.trace, ['calls']);
  assert.deepEqual(operands, ['app.mjs', '--trace', '-x', '--']);
  assert.deepEqual(parseCommand(['--', '-x', '--'], 'wasm-trace-node').operands, ['-x', '--']);
});

test('the variable takes what the commands take, but files', () => {
  const options = parseEnvironment('--display tree --limit 5 --report "my report.txt"');
  assert.deepEqual([options.display, options.limit, options.report], [['tree'], 5, 'my report.txt']);
  assert.throws(() => parseEnvironment('calls'), new UsageError('calls is not an option'));
  assert.throws(() => parseEnvironment('--list'), new UsageError('--list is an option of wasm-trace'));
});

test('a display is a word or callers(PATTERN)', () => {
  const { display } = parseEnvironment('--display report --display callers("f(int)") --display callers:f*');
  assert.deepEqual(display, ['report', 'callers("f(int)")', 'callers:f*']);
  const said = "--display takes log, nested, tree, histogram, report, inverted or callers(PATTERN), not 'callers()'";
  assert.throws(() => parseEnvironment('--display callers()'), new UsageError(said));
});

test('where time is asked for, or a display, everything is traced for it; else nothing is asked', () => {
  const all = () => ['log', 'tree'];
  for (const [text, trace, display] of [
    ['', EVERYTHING, ['tree']],
    ['--clock none', EVERYTHING, ['tree']],
    ['--report out.html', EVERYTHING, ['log', 'tree']],
    ['--clock auto', EVERYTHING, ['report']],
    ['--sort total', EVERYTHING, ['report']],
    ['--sort total --trace calls', ['calls'], ['report']],
    ['--clock auto --trace calls', ['calls'], []],
    ['--display tree --sort self', EVERYTHING, ['tree']],
    ['--trace calls --on-full drain', ['calls'], ['nested']],
    ['--report out.folded', EVERYTHING, ['report']],
    ['--report out.speedscope.json --trace calls:f', ['calls:f'], ['report', 'nested']],
    ['--report out.trace.json --display log', EVERYTHING, ['log']],
  ]) {
    const options = parseEnvironment(text);
    assert.deepEqual([tracedBy(options), neededDisplays(options, all)], [trace, display], text);
  }
  const nothing = ['', '--limit 3', '--clock none', '--report a.json'];
  for (const text of nothing) assert.ok(asksNothing(parseEnvironment(text)), text);
  for (const text of ['--clock host', '--display tree', '--report a.chrome.json']) assert.ok(!asksNothing(parseEnvironment(text)), text);
  assert.deepEqual(parseCommand(['--display', 'report', 'a.mjs'], 'wasm-trace-node').options.display, ['report']);
  assert.throws(() => parseCommand(['--display', 'report', 'a.wasm']), new UsageError('--display needs --trace'));
});

test('the name of a report says what it is', () => {
  const names = ['r', 'r.txt', '-', 'r.json', 'r.HTML', 'r.htm', 'r.folded', 'a.b.speedscope.json', 'r.trace.json', 'r.Chrome.json', 'trace.json', 'speedscope.json.txt'];
  const forms = ['text', 'text', 'text', 'json', 'html', 'html', 'folded', 'speedscope', 'chrome', 'chrome', 'json', 'text'];
  assert.deepEqual(names.map(reportForm), forms);
});

test('help offers no choice that the command refuses', () => {
  const link = (command) => /--link HOW +(.*)/.exec(helpText(command))[1];
  assert.equal(link('wasm-trace'), 'merged (multi-memory), split (any engine), heap, auto');
  for (const command of ['wasm-trace-node', 'wasm-trace serve']) assert.equal(link(command), 'merged (multi-memory), split (any engine), auto');
});

test('every help text fits, every option has a command', () => {
  for (const row of OPTION_ROWS) {
    assert.ok(row.help.length + (row.many ? ' (repeatable)'.length : 0) <= 57, row.name);
    assert.ok(row.commands.length > 0, row.name);
  }
});

test('options of clocks and windows', () => {
  const argv = ['-t', 'calls', '--clock=import:ic0.performance_counter', '--from', 'a', '--from=b', '--until', 'c', '--during', 'd'];
  const { options } = parseCommand([...argv, '--skip', '0', '--max-events=5', '--on-full', 'drain', '--drain-to', 'x', '--compensate', 'app.mjs'], 'wasm-trace-node');
  const { clock, from, until, during, skip, maxEvents, onFull, drainTo, compensate, stopped } = options;
  assert.deepEqual([clock, from, until, during], ['import:ic0.performance_counter', ['a', 'b'], ['c'], ['d']]);
  assert.deepEqual([skip, maxEvents, onFull, drainTo, compensate, stopped], [0, 5, 'drain', 'x', true, false]);
  assert.equal(parseEnvironment('--clock auto --stopped').stopped, true);
});

for (const [argv, message] of [
  [['--clock', 'sundial'], "--clock takes auto, ticker, instructions, host, none or import:MODULE.NAME, not 'sundial'"],
  [['--clock', 'import:now'], "--clock takes auto, ticker, instructions, host, none or import:MODULE.NAME, not 'import:now'"],
  [['--max-events', '0'], "--max-events takes a number from 1 on, not '0'"],
  [['--on-full', 'panic'], "--on-full takes overwrite, drain, stop or aggregate, not 'panic'"],
  [['--from', 'f', 'app.mjs'], '--from needs --trace'],
  [['--drain-to', 'all.wtrace', 'app.mjs'], '--drain-to needs --on-full drain'],
]) {
  test(`refuses ${argv.join(' ')}`, () => assert.throws(() => parseCommand(argv, 'wasm-trace-node'), new UsageError(message)));
}

test('a page has no file to drain to', () => {
  const error = new UsageError("--on-full takes overwrite, stop or aggregate, not 'drain'");
  assert.throws(() => parseCommand(['--trace', 'calls', '--on-full', 'drain', 'dist'], 'wasm-trace serve'), error);
  assert.equal(parseCommand(['--trace', 'calls', '--on-full', 'drain', 'x.wasm'], 'wasm-trace').options.onFull, 'drain');
  assert.equal(parseEnvironment('--trace calls --on-full drain').onFull, 'drain');
});

test('wasm-trace report shows, and has nothing to trace', () => {
  assert.deepEqual(parseCommand(['--display', 'log', 'x.wtrace'], 'wasm-trace report').options.display, ['log']);
  assert.throws(() => parseCommand(['--trace', 'calls', 'x.wtrace'], 'wasm-trace report'), UsageError);
  assert.throws(() => parseCommand([], 'wasm-trace report'), UsageError);
});

test('weights ask for the clock that they are of, and go with no other', () => {
  const { options } = parseCommand(['--weights', 'x', 'app.mjs'], 'wasm-trace-node');
  assert.deepEqual([clockAsked(options), asksNothing(options), neededDisplays(options, () => [])], ['instructions', false, ['report']]);
  const error = new UsageError('--weights does not go with --clock host: it needs --clock instructions');
  assert.throws(() => parseCommand(['--weights', 'x', '--clock', 'host', 'app.mjs'], 'wasm-trace-node'), error);
  assert.throws(() => parseEnvironment('--clock=host --weights=x'), error);
});
