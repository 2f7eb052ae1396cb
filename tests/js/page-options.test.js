// The question as a page asks it: attributes of the script tag, the query of the address.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { OVERVIEW, asAttributes, checkOptions, isOverview, readPageOptions, withQuestion, withTrace } from '../../web/loader/options.js';

const ROWS = [
  [{}, '', { ...OVERVIEW }],
  [{ trace: 'calls' }, '', { trace: ['calls'] }],
  [{ trace: 'arg(0, malloc) imports' }, '', { trace: ['arg(0, malloc)', 'imports'] }],
  [{ trace: '' }, '', { trace: [] }],
  [{ trace: 'calls', display: 'tree log', minSize: '0', stack: '', buffer: '1M', link: 'split' }, '',
    { trace: ['calls'], display: ['tree', 'log'], minSize: 0, stack: true, buffer: '1M', link: 'split' }],
  [{ trace: 'calls', display: 'report inverted callers(mal*) callers:x' }, '', { trace: ['calls'], display: ['report', 'inverted', 'callers(mal*)', 'callers:x'] }],
  [{}, '?wasm-trace=calls&wasm-trace-display=callers("f(int)")', { trace: ['calls'], display: ['callers("f(int)")'] }],
  [{ trace: 'calls', sort: 'self', recursion: '' }, '', { trace: ['calls'], display: ['report'], sort: 'self', recursion: true }],
  [{ display: 'tree', sort: 'calls' }, '', { ...OVERVIEW, sort: 'calls' }],
  [{ trace: 'calls', panel: '' }, '', { trace: ['calls'], panel: 'right' }],
  [{ trace: 'calls', button: 'false', values: 'no' }, '', { trace: ['calls'], button: false, values: false }],
  [{ trace: 'calls' }, '?wasm-trace=imports&wasm-trace-panel=bottom&x=1', { trace: ['imports'], panel: 'bottom' }],
  [{}, '?wasm-trace=calls&wasm-trace=imports', { trace: ['calls', 'imports'] }],
  [{ trace: 'calls', cfasync: 'false', turboTrack: 'reload', cookieconsent: 'x' }, '', { trace: ['calls'] }],
];

for (const [dataset, search, options] of ROWS) {
  test(`reads ${JSON.stringify(dataset)} ${search}`, () => {
    assert.deepEqual(readPageOptions({ dataset, search }), { options, problems: [] });
  });
}

const WRONG = [
  [{ display: 'chart' }, '', 'data-display: log, nested, tree, inverted, histogram, report, callers(PATTERN), not "chart"'],
  [{ minSize: 'x' }, '', 'data-min-size: a number, not "x"'],
  [{ sort: 'size' }, '', 'data-sort: total, self, calls, avg, min, max, name, not "size"'],
  [{}, '?wasm-trace-link=both', '?wasm-trace-link: auto, merged, split, not "both"'],
  [{ trace: 'arg(0, malloc' }, '', 'data-trace: a ( is not closed'],
  [{ clok: 'host' }, '', 'data-clok: there is no such option'],
  [{}, '?wasm-trace-maxevents=5', '?wasm-trace-maxevents: there is no such option'],
  [{ weights: 'cost.txt' }, '', 'data-weights: it is bytes, which install({ weights }) takes'],
];

for (const [dataset, search, problem] of WRONG) {
  test(`says what is wrong in ${JSON.stringify(dataset)} ${search}`, () => {
    assert.deepEqual(readPageOptions({ dataset, search }).problems, [problem]);
  });
}

test('nothing asked is an overview, and only that', () => {
  assert.equal(isOverview(withQuestion({})), true);
  assert.equal(isOverview({ trace: ['calls'] }), false);
  assert.equal(isOverview(withQuestion({ trace: [] })), false);
});

test('another question in the address takes the place of the one that is there', () => {
  const href = withTrace('https://a.example/p?x=1&wasm-trace=calls#top', ['arg(0, malloc)', 'imports']);
  assert.equal(href, 'https://a.example/p?x=1&wasm-trace=arg%280%2C+malloc%29&wasm-trace=imports#top');
  assert.deepEqual(readPageOptions({ dataset: {}, search: new URL(href).search }).options.trace, ['arg(0, malloc)', 'imports']);
});

test('words of a command as attributes', () => {
  assert.equal(asAttributes(['--trace', 'arg(0, "a")', '--stack', '--display', 'log']), 'data-trace="arg(0, &quot;a&quot;)" data-stack data-display="log"');
});

test('what install() is given is checked, too', () => {
  assert.deepEqual(checkOptions({ trace: 'calls', display: ['tree'], panel: 'right' }), { options: { trace: 'calls', display: ['tree'], panel: 'right' }, problems: [] });
  assert.deepEqual(checkOptions(/** @type {any} */ ({ trace: 'calls', display: ['tree', 'chart'], panel: 'top' })), {
    options: { trace: 'calls' },
    problems: ['install(): display is log, nested, tree, inverted, histogram, report, callers(PATTERN), not "chart"', 'install(): panel is right, bottom, hidden, none, not "top"'],
  });
  const weights = new Uint8Array(0);
  assert.deepEqual(checkOptions({ weights }), { options: { weights }, problems: [] });
  assert.deepEqual(checkOptions({ weights, clock: 'host' }), { options: { clock: 'host' }, problems: ['install(): weights are of instructions, and clock is "host"'] });
});
