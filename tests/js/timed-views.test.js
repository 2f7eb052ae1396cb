// The displays of programs that were timed, as text and as JSON, over hand-made trees and rings.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as ABI from '../../js/generated/abi.js';
import * as RECORD from '../../js/generated/record.js';
import { reportJson } from '../../js/views/json.js';
import { packRecording, unpackRecording } from '../../js/views/recorded.js';
import { isAddedUp, reportKinds } from '../../js/views/report-kinds.js';
import { renderReport } from '../../js/views/report.js';
import { functionPattern } from '../../js/views/pattern.js';
import { metadataOf, namesOf } from './recorder.js';
import { INSTRUCTIONS, TICKER, course, durationsOf, timedMetadata, timedNodes, timedRecords, timedSnapshot } from './timed.js';

const names = namesOf([[0, 'env.draw'], [5, 'main'], [6, 'walk'], [7, 'visit'], [8, 'Player::update(float, int)']]);

/** main calls walk, which calls itself through visit; both call the host. */
const ROWS = [
  [0, 5, 1, 100_000, 1_630_000, 1_630_000],
  [2, 6, 1, 200_000, 1_330_000, 1_330_000],
  [3, 7, 4, 130_000, 100_000, 900_000],
  [4, 6, 4, 700_000, 60_000, 400_000],
  [5, 0, 2, 300_000, 100_000, 200_000, 290_000],
  [2, 0, 1, 200_000, 200_000, 200_000, 190_000],
];
const nodes = timedNodes(ROWS, { outside: 4_200_000_000 });

function shown(kind, { metadata = timedMetadata({ importCount: 1 }), ...parts } = {}, options = {}) {
  return renderReport(kind, { snapshot: timedSnapshot({ nodes, ...parts }), metadata, names }, options);
}

function lines(...rows) {
  return rows.map((row) => `${row}\n`).join('');
}

describe('report', () => {
  test('a row for each function, by self time; the host apart, the clock at the end', () => {
    assert.equal(
      shown('report', {}, { resolution: { median: 1404, most: 1500 } }),
      lines(
        '  Total |   Self | Self % | Calls |     Avg |     Min |     Max | Host Time | Function',
        '--------+--------+--------+-------+---------+---------+---------+-----------+------------------------',
        '1.33 ms | 900 us |   55.2 |     5 |  466 us | 60.0 us | 1.33 ms |           | walk',
        ' 500 us | 500 us |   30.7 |     3 |  167 us |  100 us |  200 us |    480 us | env.draw (host)',
        '1.13 ms | 130 us |    8.0 |     4 |  283 us |  100 us |  900 us |           | visit',
        '1.63 ms | 100 us |    6.1 |     1 | 1.63 ms | 1.63 ms | 1.63 ms |           | main',
        '(outside of traced calls: 4.20 s)',
        'clock: ticker (ns), resolution 1.40 us',
      ),
    );
  });

  test('sorted otherwise, cut, with recursion counted at each level', () => {
    assert.equal(
      shown('report', {}, { sort: 'total', limit: 2, recursion: true }),
      lines(
        '  Total | Total % |   Self | Calls |     Avg |     Min |     Max | Host Time | Function',
        '--------+---------+--------+-------+---------+---------+---------+-----------+------------------------',
        '2.33 ms |   142.9 | 900 us |     5 |  466 us | 60.0 us | 1.33 ms |           | walk',
        '1.63 ms |   100.0 | 100 us |     1 | 1.63 ms | 1.63 ms | 1.63 ms |           | main',
        '(2 more functions left out; a larger --limit shows more)',
        '(outside of traced calls: 4.20 s)',
        'clock: ticker (ns)',
      ),
    );
  });

  test('percentiles where durations were counted, for those functions', () => {
    const metadata = timedMetadata({ durations: [5], clock: { ...INSTRUCTIONS } });
    const text = shown('report', { metadata, nodes: timedNodes([[0, 5, 2, 40, 12, 28], [2, 6, 1, 0]]), durations: [durationsOf([12, 28])] });
    assert.equal(
      text,
      lines(
        'Total | Self | Self % | Calls | Avg | Min | Max | p50 | p90 | p99 | Function',
        '------+------+--------+-------+-----+-----+-----+-----+-----+-----+------------------------',
        '   40 |   40 |  100.0 |     2 |  20 |  12 |  28 |  12 |  28 |  28 | main',
        '    0 |    0 |    0.0 |     1 |   0 |   - |   - |     |     |     | walk',
        '(p50, p90, p99: of single calls, at most 1/16 off)',
        'clock: instructions, exact',
      ),
    );
  });

  test('says how many calls were not seen to return, as far as that is known', () => {
    const nodes = timedNodes([[0, 5, 3, 400, 12, 28], [0, 6, 1, 90]]);
    const text = shown('report', { metadata: timedMetadata({ durations: [5] }), nodes, durations: [durationsOf([12, 28])] });
    assert.match(text, /\n\(Total and Avg include 1 call that was not seen to return; Min, Max and percentiles do not\)\n/);
  });

  test('without a clock: calls, and how to get time', () => {
    const untimed = { ...nodes, self: null, min: null, max: null, wall: null };
    const text = shown('report', { nodes: untimed, clock: null, metadata: metadataOf({ tree: true, trace: ['calls'], importCount: 1 }) });
    assert.equal(
      text,
      lines(
        'Calls | Calls % | Function',
        '------+---------+------------------------',
        '    5 |    38.5 | walk',
        '    4 |    30.8 | visit',
        '    3 |    23.1 | env.draw (host)',
        '    1 |     7.7 | main',
        '(no clock: calls only; --clock auto measures time)',
      ),
    );
  });

  test('a full tree says what is not in it', () => {
    const text = shown('report', { nodes: timedNodes([[0, 5, 1, 10, 10, 10]], { dropped: 5000 }), nodesDropped: 3n });
    assert.match(text, /\n\(3 calls are not in the tree: it was full\)\n\(5\.00 us passed in calls that are not in the tree\)\n/);
    assert.match(shown('report', { nodes: timedNodes([]) }), /^no calls\n/);
  });
});

test('what tracing cost is told, and subtracted when asked for', () => {
  const told = 'tracing cost about 1.00 us an event, 2 % of the time in traced functions';
  assert.equal(shown('report', {}, { cost: 1000 }), shown('report') + lines(`${told} (--compensate subtracts it)`));
  const without = shown('report', {}, { cost: 1000, compensate: true });
  assert.match(without, /\n1\.60 ms \| 97\.0 us \| .* main\n/);
  assert.ok(without.endsWith(lines(`${told}; subtracted from total, self and avg`)));
  assert.match(shown('report', {}, { cost: 1, compensateBy: 'data-compensate' }), /less than 1 % of the time in traced functions \(data-compensate subtracts it\)\n$/);
  for (const cost of [0, undefined]) assert.equal(shown('tree', {}, { cost, compensate: true }), shown('tree'));
  assert.equal(shown('tree', {}, { cost: null, compensate: true }), shown('tree') + lines('what tracing cost is not known with this clock: nothing is subtracted'));
  assert.equal(shown('tree', {}, { cost: null }), shown('tree'));
});

test('a clock that did not move has measured nothing, and that is said', () => {
  const still = { nodes: timedNodes([[0, 5, 1, 0, 0, 0], [2, 6, 3, 0, 0, 0]], { outside: 20_000_000 }) };
  const note = /\nclock: ticker \(ns\)\nno time was measured: what was traced took less than a step of the clock; the clock "instructions" is exact\n$/;
  for (const kind of ['report', 'tree', 'inverted', 'callers(main)']) assert.match(shown(kind, still), note);
  assert.doesNotMatch(shown('report', { nodes: timedNodes([]) }), /no time/);
  assert.doesNotMatch(shown('report', { ...still, metadata: timedMetadata({ clock: INSTRUCTIONS }) }), /no time/);
  assert.doesNotMatch(shown('report', { nodes: timedNodes([[0, 5, 1, 100, 100, 100]]) }, { cost: 1000, compensate: true }), /no time/);
});

describe('trees', () => {
  test('by time, with the share of it and the host', () => {
    assert.equal(
      shown('tree'),
      lines(
        '  Total | Total % |   Self | Calls | Host Time | Stack Frame',
        '--------+---------+--------+-------+-----------+------------------------',
        '1.63 ms |   100.0 | 100 us |     1 |           | main',
        '1.33 ms |    81.6 | 200 us |     1 |           | ├── walk',
        '1.13 ms |    69.3 | 130 us |     4 |           | │   └── visit',
        '1.00 ms |    61.3 | 700 us |     4 |           | │       └── walk',
        ' 300 us |    18.4 | 300 us |     2 |    290 us | │           └── env.draw',
        ' 200 us |    12.3 | 200 us |     1 |    190 us | └── env.draw',
        'clock: ticker (ns)',
      ),
    );
    assert.match(shown('tree', {}, { sort: 'calls' }), /main\n.*├── walk\n/);
    assert.match(shown('tree', {}, { sort: 'name' }), /main\n.*├── env.draw\n/);
  });

  test('upside down: where the self time of functions came from', () => {
    const expected = lines(
      '  Self | Self % | Calls | Stack Frame',
      '-------+--------+-------+------------------------',
      '900 us |   55.2 |     5 | walk',
      '700 us |   42.9 |     4 | └── visit',
      '700 us |   42.9 |     4 |     └── walk',
      '700 us |   42.9 |     4 |         └── main',
      '(5 lighter frames left out; a larger --limit shows more)',
      'clock: ticker (ns)',
    );
    const text = shown('inverted', {}, { limit: 4 });
    assert.equal(text, expected);
    assert.equal(shown('tree', {}, { limit: 4, invert: true }), text);
  });

  test('a frame for each level of recursion when asked for', () => {
    const deep = timedNodes([[0, 7, 1, 10, 40, 40], [2, 7, 1, 10, 30, 30], [3, 7, 1, 20, 20, 20]]);
    assert.match(shown('tree', { nodes: deep }), /visit \(recursive, 3 deep\)\nclock/);
    const text = shown('tree', { nodes: deep }, { recursion: true });
    assert.match(text, /\n40 ns \|.*\| visit\n30 ns \|.*└── visit\n20 ns \|.* {4}└── visit\n/);
    assert.match(shown('inverted', { nodes: deep }, { recursion: true }), /visit\n.*visit\n.*visit\n/);
  });
});

describe('callers', () => {
  test('stand above the function, callees below it', () => {
    assert.equal(
      shown('callers(walk)'),
      lines(
        '  Total |   Self | Calls | Function',
        '--------+--------+-------+------------------------',
        '1.33 ms | 200 us |     1 |     main',
        '1.00 ms | 700 us |     4 |     visit',
        '1.33 ms | 900 us |     5 | walk',
        '1.13 ms | 130 us |     4 |     visit',
        ' 300 us | 300 us |     2 |     env.draw (host)',
        '(callers above: figures of the function when they called it; below: of those that it called)',
        'clock: ticker (ns)',
      ),
    );
  });

  test('of all functions that match, whole ones up to the limit', () => {
    const text = shown('callers(*a*)', {}, { limit: 12 });
    assert.match(text, /\n {4}\(host\)\n|main\n/);
    assert.match(text, /\(1 more function left out; a larger --limit shows more\)/);
    assert.equal(shown('callers(nothing)'), lines('no calls of nothing', 'clock: ticker (ns)'));
  });

  test('without a clock there are calls', () => {
    const untimed = { ...nodes, self: null, min: null, max: null, wall: null };
    const text = shown('callers(env.draw)', { nodes: untimed, clock: null, metadata: metadataOf({ tree: true, importCount: 1 }) });
    assert.match(text, /^Calls \| Function\n-+\+-+\n {4}2 \| {5}walk\n {4}1 \| {5}main\n {4}3 \| env.draw \(host\)\n/);
  });

  test('loosely where nothing matches: an underscore, the names that linkers give to allocators; and imports', () => {
    const named = (pattern, ...rows) => {
      const known = namesOf(rows.map((name, i) => [i, name]));
      const parts = { nodes: timedNodes(rows.map((_, i) => [0, i, 1, 1])), metadata: metadataOf({ tree: true, importCount: 2 }) };
      const text = renderReport('callers(' + pattern + ')', { snapshot: timedSnapshot({ ...parts, clock: null }), metadata: parts.metadata, names: known });
      return rows.filter((name) => new RegExp(`\\| ${name}( .host.)?\n`).test(text));
    };
    const rows = ['env.log', 'env.free', 'dlmalloc', '_start', 'log', 'exit', '_exit'];
    for (const [pattern, found] of [['malloc', ['dlmalloc']], ['start', ['_start']], ['_log', ['log']], ['log', ['log']], ['free', ['env.free']], ['exit', ['exit']], ['_exit', ['_exit']], ['alloc', []]])
      assert.deepEqual(named(pattern, ...rows), found, pattern);
  });

  test('patterns are those of probes, held against readable names', () => {
    const matches = (pattern, func) => functionPattern(pattern, names, 1)(func);
    for (const [pattern, func] of [
      ['main', 5], ['m*n', 5], ['m[a-c]?n', 5], ['/^ma/', 5], ['#5', 5], ['"main"', 5], ['env.draw', 0], ['draw', 0], ['Player::update', 8],
      ['Player::update(float, int)', 8], ['"Player::update(float, int)"', 8], ['/update\\(/', 8], ['[!x]ain', 5],
    ])
      assert.ok(matches(pattern, func), pattern);
    const known = [
      [['_ZN3app4ListIiE4pushIiEEvRKT_', 'void app::List<int>::push<int>(int const&)'], [
        '_ZN3app4ListIiE4pushIiEEvRKT_', 'void app::List<int>::push<int>(int const&)', 'app::List<int>::push<int>', 'app::List<int>::push', 'app::List::push', '*::push', '/^_ZN3app/',
      ]],
      [["<r::B<true, '\\'', -5>>::show"], ["<r::B<true, '\\'', -5>>::show", 'r::B::show', '*B::show']],
      [['std::swap<int>(int&, int&)'], ['std::swap', 'std::swap<int>']],
      [['Grid::operator[](unsigned long) const'], ['Grid::operator[]']],
      [['Grid::operator<<(int)'], ['Grid::operator<<']],
      [['(anonymous namespace)::helper(int)'], ['(anonymous namespace)::helper']],
      [['Functor::operator()(int) const'], ['Functor::operator()']],
      [['Player::clear() [clone .isra.0]'], ['Player::clear']],
      [['(*regexp/syntax.compiler).nop'], ['*.nop', '(*regexp/syntax.compiler).nop']],
      [['f[abi:cxx11]'], ['f[abi:cxx11]']],
    ];
    for (const [spellings, patterns] of known)
      for (const pattern of patterns)
        assert.ok(functionPattern(pattern, { name: () => '', spellings: () => spellings }, 0)(0), pattern);
    for (const [pattern, func] of [['mai', 5], ['*x*', 5], ['#6', 5], ['"mai"', 5], ['/(/', 5], ['m.in', 5], ['update', 8], ['[!m]ain', 5]])
      assert.ok(!matches(pattern, func), pattern);
  });
});

test('histograms of durations have units at their rows', () => {
  const metadata = timedMetadata({ durations: [5, 6] });
  assert.equal(
    shown('histogram', { metadata, nodes: timedNodes([[0, 5, 4, 6397, 0, 4097]]), durations: [durationsOf([1100, 1200, 4097, 0]), durationsOf([])] }),
    lines(
      'duration(main) in ns: 4 calls, p50 1.09 us, p90 4.10 us, p99 4.10 us',
      '   took  ------------- Distribution ------------- count',
      '      0 |@@@@@@@@@@                               1',
      '   1 ns |                                         0',
      '    ...',
      ' 512 ns |                                         0',
      '1.02 us |@@@@@@@@@@@@@@@@@@@@                     2',
      '2.05 us |                                         0',
      '4.10 us |@@@@@@@@@@                               1',
      '8.19 us |                                         0',
      '(1 more histogram without values)',
      'clock: ticker (ns)',
    ),
  );
  assert.equal(shown('histogram', { metadata, durations: [durationsOf([]), durationsOf([])] }), lines('no calls that returned', 'clock: ticker (ns)'));
});

test('histograms that were asked for come before durations that are there for the report', () => {
  const values = new BigUint64Array(ABI.HISTOGRAM_BUCKETS);
  values[4] = 1n;
  const order = (...trace) => {
    const metadata = timedMetadata({ trace, durations: [5], histograms: [{ func: 5, what: 'arg', index: 0, type: 'i32' }] });
    const text = shown('histogram', { metadata, histograms: [values], durations: [durationsOf([1, 2])] });
    return text.match(/^(arg|duration)(?=\()/gm);
  };
  assert.deepEqual(order('calls', 'arg(0, main)'), ['arg', 'duration']);
  assert.deepEqual(order('duration(main)', 'arg(0, main)'), ['duration', 'arg']);
});

describe('logs', () => {
  const tree = timedNodes([[0, 5, 1, 1], [2, 6, 3, 1], [3, 7, 1, 1]]);
  const parts = (text, options) => {
    const rows = course(text, tree, options);
    return { nodes: tree, records: timedRecords(rows), ringEvents: BigInt(rows.length), metadata: timedMetadata() };
  };

  test('nested: when, and what took how long, line by line', () => {
    assert.equal(
      shown('nested', parts('>5 >6 >7 <7 <6 >6 <6 >6 <6 <5', { tick: 1_250 })),
      lines(
        '     time (ms) |      took |',
        '      0.000000 |           | call main',
        '      0.001250 |           |   call walk',
        '      0.002500 |           |     call visit',
        '      0.003750 |   1.25 us |     return from visit',
        '      0.005000 |   3.75 us |   return from walk',
        '      0.006250 |           |   call walk',
        '      0.007500 |   1.25 us |   return from walk',
        '      0.008750 |           |   call walk',
        '      0.010000 |   1.25 us |   return from walk',
        '      0.011250 |   11.3 us | return from main',
        'clock: ticker (ns); since the first event',
      ),
    );
  });

  test('log: a call, when it began and what it took', () => {
    const counting = { ...parts('>5 >6 >7', { tick: 1_500_000 }), metadata: timedMetadata({ clock: INSTRUCTIONS }), position: 4, idle: false };
    assert.equal(
      shown('log', counting),
      lines(
        '  instructions |      took |',
        '             0 |           | main (running)',
        '     1,500,000 |           | walk (running)',
        '     3,000,000 |           | visit (running)',
        'clock: instructions, exact; since the first event',
      ),
    );
    const [, , last] = shown('log', parts('>5 >6 <6', { tick: 7 })).split('\n');
    assert.equal(last, '      0.000007 |      7 ns | walk');
  });

  test('values stand in front of the time of their record; lost beginnings have no time', () => {
    const metadata = timedMetadata({ probes: [[6, { args: [{ index: 0, type: 'i32' }], results: ['i32'] }]] });
    const records = timedRecords([[RECORD.ENTER, 6, 3, 100, 41], [RECORD.LEAVE, 6, 3, 250, -1], [RECORD.LEAVE, 5, 2, 300]]);
    assert.equal(
      shown('nested', { nodes: tree, records, ringEvents: 4n, metadata }),
      lines(
        '(1 older event was overwritten; a larger --buffer keeps more)',
        '     time (ms) |      took |',
        '               |           | call main (unknown start)',
        '      0.000000 |           |   call walk(41)',
        '      0.000150 |    150 ns |   return -1 from walk',
        '      0.000200 |           | return from main',
        'clock: ticker (ns); since the oldest event that is left',
      ),
    );
  });
});

test('displays that are asked for, or fit', () => {
  const rows = [
    [{ display: ['report', 'callers(malloc)', 'inverted'] }, ['report', 'callers(malloc)', 'inverted']],
    [{ display: [], trace: ['calls'] }, ['tree']],
    [{ display: [], trace: ['duration(f)'], durations: [3] }, ['histogram']],
  ];
  for (const [parts, expected] of rows) assert.deepEqual(reportKinds(timedMetadata(parts)), expected);
  assert.throws(() => shown('callers()'), /unknown display "callers\(\)": log, nested, tree, inverted, histogram, report or callers\(PATTERN\)/);
  const added = ['report', 'callers(x)', 'tree', 'inverted', 'histogram', 'log', 'nested'];
  assert.deepEqual(added.map((kind) => isAddedUp(kind, { tree: true })), [true, true, true, true, true, false, false]);
  assert.deepEqual(added.map((kind) => isAddedUp(kind, { tree: false })), [false, false, false, false, true, false, false]);
});

test('a recording keeps times and durations', () => {
  const metadata = timedMetadata({ durations: [5] });
  const snapshot = timedSnapshot({ nodes, durations: [durationsOf([3, 9])], now: 77, closed: 2 });
  const section = Uint8Array.of(1);
  const session = { name: 'a', label: 'a', section, metadata, names, snapshot: () => snapshot };
  const { head, bytes } = packRecording({ sessions: [session], modules: [], warnings: [], trace: [], traps: [] });
  const again = unpackRecording(JSON.parse(JSON.stringify(head)), bytes).sessions[0].snapshot();
  assert.deepEqual(again, snapshot);
  const untimed = { ...snapshot, nodes: { ...nodes, self: null, min: null, max: null, wall: null }, clock: null, durations: [] };
  const bare = packRecording({ sessions: [{ ...session, snapshot: () => untimed }], modules: [], warnings: [], trace: [], traps: [] });
  assert.deepEqual(unpackRecording(JSON.parse(JSON.stringify(bare.head)), bare.bytes).sessions[0].snapshot(), untimed);
});

test('JSON has raw figures, and compensated ones where they are known', () => {
  const metadata = timedMetadata({ importCount: 1, durations: [5] });
  const rows = course('>5 >0 <0 <5', nodes, { from: 500, tick: 3 });
  const resolution = { median: 1404, most: 2000, longest: 12_100_000 };
  const snapshot = timedSnapshot({ nodes, records: timedRecords(rows), ringEvents: 4n, durations: [durationsOf([1_630_000])], now: 509 });
  const [session] = JSON.parse(JSON.stringify(reportJson({ sessions: [{ name: 'app.wasm', names, metadata, snapshot, clock: { resolution }, cost: 1000 }] }))).sessions;
  assert.deepEqual(session.clock, { ...TICKER, resolution, now: 509 });
  assert.deepEqual(session.time, {
    raw: { whole: 1_630_000, outside: 4_200_000_000, dropped: 0 },
    compensated: { whole: 1_605_000, outside: 4_199_999_000, dropped: 0 },
  });
  assert.deepEqual(session.tracingCost, { events: 26, each: 1000, total: 25_000, share: 25 / 1630 });
  assert.deepEqual(session.functions.items.map(({ func, host, calls }) => [func, host, calls]), [[6, false, 5], [0, true, 3], [7, false, 4], [5, false, 1]]);
  const main = session.functions.items[3].time;
  const { p50 } = main.raw;
  assert.ok(Math.abs(p50 - 1_630_000) <= 1_630_000 / 16);
  assert.deepEqual(main.raw, { total: 1_630_000, self: 100_000, avg: 1_630_000, min: 1_630_000, max: 1_630_000, wall: 0, p50, p90: p50, p99: p50 });
  assert.deepEqual([main.compensated.total, main.compensated.self], [1_605_000, 97_000]);
  assert.deepEqual(session.tree.items[0].time.raw, { total: 1_630_000, self: 100_000, min: 1_630_000, max: 1_630_000, wall: 0 });
  assert.equal(session.tree.items[0].time.compensated.self, 97_000);
  assert.deepEqual(session.calls.items.map(({ func, entered, left }) => [func, entered, left]), [[5, 500, 509], [0, 503, 506]]);
  assert.deepEqual(session.durations.map(({ func, total, buckets }) => [func, total, buckets.length]), [[5, '1', 1]]);
  const plain = reportJson({ sessions: [{ name: 'app.wasm', names, metadata, snapshot }] }).sessions[0];
  assert.deepEqual([plain.tracingCost, plain.clock.resolution], [null, null]);
  assert.deepEqual([plain.time.compensated, plain.functions.items[0].time.compensated, plain.tree.items[0].time.compensated], [null, null, null]);
});
