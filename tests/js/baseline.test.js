// Baselines: what is in them, the file, what is told of two of them, and rules.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { makeBaseline, mergeBaselines } from '../../js/model/baseline.js';
import { compareBaselines, conditionsThatDiffer } from '../../js/model/compare.js';
import { stableName } from '../../js/model/stable-name.js';
import { BaselineError, baselineText, readBaseline } from '../../js/views/baseline-file.js';
import { renderDiff, renderDiffMarkdown, unitProblem } from '../../js/views/diff.js';
import { judge, parseRule } from '../../js/views/rules.js';
import { timedMetadata, timedNodes, timedSnapshot } from './timed.js';

const CLOCK = { kind: 'instructions', name: '', unit: 'instructions', weights: '', wall: false };
const ABOUT = { wasmTrace: '1.0.0', options: { trace: ['calls'] } };

/** Function 0 is an import; the others have names that end in hashes, or none. */
const NAMES = ['env.now', 'app::run::h0123456789abcdef', 'app::step::h00000000000000aa', 'app::step::h00000000000000bb'];

/** run calls step (of one hash), which calls step (of another), which calls the import. */
const ROWS = [
  [0, 1, 1, 100, 700, 700],
  [2, 2, 2, 200, 250, 350],
  [3, 3, 4, 300, 90, 140],
  [4, 0, 4, 100, 20, 30],
];

function source({ rows = ROWS, clock = CLOCK, name = 'app.wasm', sha256 = 'aa', names = NAMES, producers = { language: ['Rust'] }, outside = 0, ...facts } = {}) {
  const metadata = timedMetadata({ importCount: 1, functionCount: 4, tracedCount: 3, originalSize: 1000, clock, ...facts });
  const identity = sha256 === null ? null : { sha256, producers };
  return { name, identity, metadata, names: { name: (func) => names[func] ?? `wasm-function[${func}]` }, snapshot: timedSnapshot({ nodes: timedNodes(rows, { outside }) }) };
}

const baseline = (...sources) => makeBaseline(sources.length > 0 ? sources : [source()], ABOUT);
const functionsOf = ({ modules }) => Object.fromEntries(modules[0].functions.map(({ name, ...figures }) => [name, figures]));

test('names lose the hashes of what was compiled, and nothing else', () => {
  for (const [name, stable] of [
    ['core::fmt::write::h0123456789abcdef', 'core::fmt::write'],
    ['<T as app[8f3e2a1b]::Trait>::go', '<T as app::Trait>::go'],
    ['wasm_bindgen__convert__closures__invoke__h0123456789abcdef', 'wasm_bindgen__convert__closures__invoke'],
    ['wbg.__wbg_log_0123456789abcdef', 'wbg.__wbg_log'],
    ['local.llvm.1234567890', 'local'],
    ['table[12]', 'table[12]'],
    ['log_0123456789abcdef', 'log_0123456789abcdef'],
    ['operator[]', 'operator[]'],
    ['wasm-function[123456]', 'wasm-function[123456]'],
  ])
    assert.equal(stableName(name), stable);
});

describe('a baseline', () => {
  test('has functions by name, those of one name as one, imports apart', () => {
    const functions = functionsOf(baseline());
    assert.deepEqual(Object.keys(functions), ['app::run', 'app::step', 'env.now']);
    // step within step is recursion: what the inner one took is not counted twice.
    assert.deepEqual(functions['app::step'], { host: false, calls: 6, total: 600, self: 500, min: 90, max: 350 });
    assert.deepEqual(functions['env.now'], { host: true, calls: 4, total: 100, self: 100, min: 20, max: 30 });
  });

  test('adds up threads, instances and processes of one module', () => {
    const twice = baseline(source(), source({ outside: 5 }));
    assert.equal(twice.modules.length, 1);
    assert.equal(twice.modules[0].total, 1400);
    assert.deepEqual(functionsOf(twice)['app::step'], { host: false, calls: 12, total: 1200, self: 1000, min: 90, max: 350 });
    assert.deepEqual(mergeBaselines([baseline(), baseline()]), twice);
    assert.deepEqual(baseline(source(), source({ sha256: 'bb', name: 'a.wasm' })).modules.map(({ name }) => name), ['a.wasm', 'app.wasm']);
  });

  test('a call that did not return has no least and no most; times that vary have neither', () => {
    const running = functionsOf(baseline(source({ rows: [[0, 1, 1, 10, NaN, 0]] })));
    assert.deepEqual([running['app::run'].min, running['app::run'].max], [null, null]);
    const both = functionsOf(baseline(source({ rows: [[0, 1, 1, 10, NaN, 0]] }), source({ rows: [[0, 1, 1, 10, 4, 9]] })));
    assert.deepEqual([both['app::run'].min, both['app::run'].max], [4, 9]);
    assert.deepEqual(Object.keys(functionsOf(baseline(source({ clock: { ...CLOCK, kind: 'ticker', unit: 'ns' } })))['app::run']), ['host', 'calls', 'total', 'self']);
  });

  test('is a file with a line for each function, and comes back from it', () => {
    const text = baselineText(baseline(source({ names: ['env.now', 'a"b', '__proto__', '7'] })));
    assert.match(text, /\n {8}"a\\"b": \{"calls": 1, "total": 700, "self": 100, "min": 700, "max": 700\},\n/);
    assert.match(text, /\n {8}"env\.now \(host\)": \{"calls": 4, /);
    assert.equal(baselineText(readBaseline(text)), text);
    assert.equal(readBaseline(text).modules[0].functions.length, 4);
  });

  test('of another kind or version is refused', () => {
    for (const text of ['', '{}', '[1]', 'null', '{"format": "wasm-trace-recording", "version": 1}', '{"format": "wasm-trace-baseline", "version": 1}'])
      assert.throws(() => readBaseline(text), BaselineError);
    assert.throws(() => readBaseline('{"format": "wasm-trace-baseline", "version": 2}'), /version 2/);
  });
});

/** Copies of plain data, each with another property or item that is gone, or something else. @returns {Generator<any>} */
function* damaged(data, whole = (part) => part) {
  for (const key of Object.keys(data)) {
    for (const instead of [undefined, null, 'text', { 0: null }, [null], -1]) yield whole(Object.assign(structuredClone(data), { [key]: instead }));
    if (typeof data[key] === 'object' && data[key] !== null) yield* damaged(data[key], (part) => whole(Object.assign(structuredClone(data), { [key]: part })));
  }
}

test('what is damaged in a file is told, or does not matter', () => {
  const now = baseline();
  for (const data of damaged(JSON.parse(baselineText(now)))) {
    const text = JSON.stringify(data);
    try {
      const comparison = compareBaselines(readBaseline(text), now);
      renderDiff(comparison, judge(comparison, []));
    } catch (error) {
      assert.ok(error instanceof BaselineError, `${text}\n${error.stack}`);
    }
  }
});

/** The next build: step takes longer, and calls something new; other hashes. */
const NEXT = baseline(
  source({
    rows: [[0, 1, 1, 100, 800, 800], [2, 2, 2, 210, 250, 350], [3, 3, 4, 350, 90, 140], [4, 4, 4, 140, 35, 35]],
    sha256: 'bb',
    names: ['env.now', 'app::run::hffffffffffffffff', 'app::step::h1111111111111111', 'app::step::h2222222222222222', 'a|`b'],
    producers: { language: ['Rust'], 'processed-by': ['rustc 1.90.0'] },
    originalSize: 1200,
  }),
);

function compared(rules = [], old = baseline(), now = NEXT) {
  const comparison = compareBaselines(old, now);
  return { comparison, judgement: judge(comparison, rules.map(parseRule)) };
}

describe('two of them', () => {
  test('are compared by function, the biggest change first', () => {
    const { comparison, judgement } = compared(['+2%', 'total(*step) +10%', 'self(app::run) +0', 'none > 1']);
    assert.equal(renderDiff(comparison, judgement), `instructions: 700 -> 800 (+100, +14.3 %)
app.wasm: another module, 1,000 -> 1,200 bytes, 3 functions; made by rustc 1.90.0 instead of none that is told

      Self | Change |     % | Total % |  Calls | Function
-----------+--------+-------+---------+--------+------------------------
  0 -> 140 |   +140 |   new |     new | 0 -> 4 | a|\`b
  100 -> 0 |   -100 |  gone |    gone | 4 -> 0 | env.now (host)
500 -> 560 |    +60 | +12.0 |   +16.7 |      6 | app::step
       100 |      0 |     0 |   +14.3 |      1 | app::run
(--fail-if "none > 1": no function in either run matches it)
clock: instructions, exact
regression: +2%: all instructions: 700 -> 800 (+100, +14.3 %)
regression: total(*step) +10%: total of app::step: 600 -> 700 (+100, +16.7 %)
`);
  });

  test('as Markdown, in which names may hold anything', () => {
    const { comparison, judgement } = compared(['app::step +5%']);
    assert.equal(renderDiffMarkdown(comparison, judgement, { limit: 2 }), `### ❌ instructions: 700 → 800 (+100, +14.3 %)

1 regression:

- \`app::step +5%\`: total of app::step: 600 → 700 (+100, +16.7 %)

app.wasm: another module, 1,000 → 1,200 bytes, 3 functions; made by rustc 1.90.0 instead of none that is told  

| Function | Self | Change | % | Total % | Calls |
| :-- | --: | --: | --: | --: | --: |
| \`\` a\\|\`b \`\` | 0 → 140 | +140 | new | new | 0 → 4 |
| \`env.now (host)\` | 100 → 0 | -100 | gone | gone | 4 → 0 |

2 more functions changed; a larger --limit shows more
`);
  });

  test('as Markdown, a | is escaped in the table only, where it would end a cell', () => {
    const { comparison, judgement } = compared(['/step|walk/ +5%']);
    assert.match(renderDiffMarkdown(comparison, judgement), /\n- `\/step\|walk\/ \+5%`: total of /);
  });

  test('of the same module say so, and have nothing to show', () => {
    const { comparison, judgement } = compared(['+0%', 'app::step +0'], baseline(), baseline());
    assert.equal(renderDiff(comparison, judgement), `instructions: 700 (no change)
app.wasm: the same module, byte by byte

no function changed
(3 functions did not change)
clock: instructions, exact
`);
  });

  test('tell what was not done alike, and refuse other units', () => {
    const other = { ...NEXT, options: { trace: ['calls(*)'], only: ['x'] }, clock: { ...CLOCK, weights: 'ic' } };
    assert.deepEqual(conditionsThatDiffer(baseline(), other).map(({ what }) => what), ['the table of weights', '--trace', '--only']);
    assert.match(renderDiff(...Object.values(compared([], baseline(), other))), /\(--trace differs: calls, now calls\(\*\)\)\n/);
    assert.equal(unitProblem(baseline(), other), null);
    const timed = { ...NEXT, clock: { ...CLOCK, kind: 'ticker', unit: 'ns' } };
    assert.equal(unitProblem(baseline(), timed), 'the baseline counts instructions, this run time: they cannot be compared');
    assert.match(renderDiff(...Object.values(compared([], timed, timed))), /\(times vary from run to run; --clock instructions/);
    assert.notEqual(unitProblem(baseline(), { ...NEXT, clock: null }), null);
  });

  test('modules are paired by their bytes, then by name', () => {
    const old = baseline(source(), source({ name: 'b.wasm', sha256: 'b1' }), source({ name: 'gone.wasm', sha256: 'g' }));
    const now = baseline(source({ name: 'renamed.wasm' }), source({ name: 'b.wasm', sha256: 'b2' }), source({ name: 'new.wasm', sha256: 'n' }));
    const pairs = compareBaselines(old, now).modules.map((change) => [change.old?.name, change.now?.name, change.identical]);
    assert.deepEqual(pairs, [['app.wasm', 'renamed.wasm', true], ['b.wasm', 'b.wasm', false], ['gone.wasm', undefined, null], [undefined, 'new.wasm', null]]);
    assert.equal(compareBaselines(baseline(source({ sha256: null })), baseline()).modules[0].identical, null);
  });
});

describe('rules', () => {
  const parsed = (text) => {
    const { figure, pattern, limit } = parseRule(text);
    return [figure, pattern, limit.kind, limit.value];
  };

  test('are a figure and a limit', () => {
    for (const [text, rule] of [
      ['+2%', ['total', null, 'percent', 2]],
      [' + 0.5 % ', ['total', null, 'percent', 0.5]],
      ['+1,000', ['total', null, 'growth', 1000]],
      ['> 1.5M', ['total', null, 'most', 1.5e6]],
      ['> 1_000,000.5', ['total', null, 'most', 1000000.5]],
      ['"f(int)" +1', ['total', '"f(int)"', 'growth', 1]],
      ['app::f(int) +1', ['total', 'app::f(int)', 'growth', 1]],
      ['malloc +5%', ['total', 'malloc', 'percent', 5]],
      ['operator+ +5%', ['total', 'operator+', 'percent', 5]],
      ['"f(int, char)" +1k', ['total', '"f(int, char)"', 'growth', 1000]],
      ['/^a b\\/c/ +5%', ['total', '/^a b\\/c/', 'percent', 5]],
      ['calls(malloc)+0', ['calls', 'malloc', 'growth', 0]],
      ['self( f(int) ) > 10', ['self', 'f(int)', 'most', 10]],
      ['max(/x\\)/) +2%', ['max', '/x\\)/', 'percent', 2]],
      ['avg(*) +5ms', ['avg', '*', 'growth', 5e6]],
      ['calls() +1%', ['calls', null, 'percent', 1]],
      ['total +1%', ['total', 'total', 'percent', 1]],
    ])
      assert.deepEqual(parsed(text), rule, text);
  });

  test('that do not parse say where', () => {
    for (const [text, column, reason] of [
      ['', 1, /pattern or a limit/],
      ['malloc', 7, /expected a limit/],
      ['malloc 5%', 8, /expected a limit/],
      ['+2% more', 5, /behind the limit/],
      ['+2x', 3, /units are/],
      ['> 2%', 1, /about growth/],
      ['self(malloc +2%', 16, /expected \)/],
      ['min() +2%', 1, /needs a pattern/],
      ['"f(int) +2%', 1, /not closed/],
      ['self(/(/) +2%', 6, /regular expression/],
      ['#12 +2%', 1, /index/],
      ['calls(f) +2ms', 12, /no unit of time/],
      ['count(malloc) +0', 1, /figures are total, self, calls, avg, min, max/],
      ['p99 (malloc) > 10', 1, /figures are total/],
      ['+0,5%', 3, /behind the limit/],
      ['> 10,00', 5, /behind the limit/],
      ['ü #', 3, /expected a limit/],
    ])
      assert.throws(() => parseRule(text), (error) => (assert.match(error.message, reason, text), assert.equal(error.column, column, text), true));
  });

  const failed = (...rules) => compared(rules).judgement.regressions.map(({ rule, change, old, now }) => [rule.text, change?.name, old, now]);

  test('hold where nothing grows more', () => {
    assert.deepEqual(failed('+14.3%', '+100', '> 800', 'app::step +17%', 'calls(app::step) +0', 'env.now +0%', 'min(app::step) +0', 'self(app::run) > 100'), []);
  });

  test('and fail where something does', () => {
    assert.deepEqual(failed('+14.2%', '+99', '> 799'), [['+14.2%', undefined, 700, 800], ['+99', undefined, 700, 800], ['> 799', undefined, 700, 800]]);
    assert.deepEqual(failed('self(*) +1%'), [['self(*) +1%', 'app::step', 500, 560], ['self(*) +1%', 'a|`b', 0, 140]]);
    assert.deepEqual(failed('calls(/b$/) +3'), [['calls(/b$/) +3', 'a|`b', 0, 4]]);
    assert.deepEqual(failed('avg(app::step) > 116'), [['avg(app::step) > 116', 'app::step', 100, 700 / 6]]);
  });

  test('that cannot be held against these figures are told', () => {
    const problems = (rule, clock) => {
      const [old, now] = [baseline(), NEXT].map((one) => ({ ...one, clock }));
      return compared([rule], old, now).judgement.problems.map(({ problem }) => problem);
    };
    assert.match(problems('+5ms', CLOCK)[0], /clock counts instructions/);
    assert.match(problems('self(x) +1', null)[0], /no clock ran/);
    assert.match(problems('max(*) +1', { ...CLOCK, unit: 'ns' })[0], /no max/);
    assert.deepEqual(problems('+1%', null), []);
  });
});
