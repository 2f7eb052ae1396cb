// The displays, as text, from what the real runtime recorded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderReport, reportKinds } from '../../js/views/report.js';
import { Recorder, argsOf, bits, metadataOf, namesOf } from './recorder.js';

const names = namesOf([
  [0, 'env.log'],
  [1, 'query_selector'],
  [2, 'create_element'],
  [3, 'crate::mod::func'],
  [4, 'crate::mod::helper'],
  [5, 'main'],
  [6, 'do_tick'],
  [7, 'physics'],
  [8, 'render'],
  [9, 'destroy_node'],
  [10, 'fib'],
  [11, 'malloc'],
]);

/** Text of a display of what `record` recorded. */
function shown(kind, parts, record, options) {
  const recorder = new Recorder(parts.runtime);
  record(recorder);
  return renderReport(
    kind,
    { snapshot: recorder.snapshot(), metadata: metadataOf(parts), names, ...parts.source },
    options,
  );
}

function lines(...rows) {
  return rows.map((row) => `${row}\n`).join('');
}

const HANDLES = [
  [1, { args: argsOf(['i32']), results: ['i32'] }],
  [2, { args: argsOf(['i32']), results: ['i32'] }],
];

test('log: a call and its result in a line', () => {
  const text = shown('log', { probes: HANDLES }, (t) => {
    t.leave(t.enter(1, [0x12345678]), [0xbad0bad1 | 0]);
    t.leave(t.enter(2, [0xcafecafe | 0]), [0xdeaddead | 0]);
  });
  assert.equal(text, lines('query_selector(0x12345678) -> 0xbad0bad1', 'create_element(0xcafecafe) -> 0xdeaddead'));
});

const NUMBERS = [
  [3, { args: argsOf(['i32', 'i32']), results: ['i32'] }],
  [4, { args: argsOf(['i32']), results: ['i32'] }],
];

test('nested: calls and returns, indented', () => {
  const text = shown('nested', { probes: NUMBERS }, (t) => {
    const outer = t.enter(3, [123, 456]);
    t.leave(t.enter(4, [0]), [42]);
    t.leave(outer, [1]);
  });
  assert.equal(
    text,
    lines(
      'call crate::mod::func(123, 456)',
      '  call crate::mod::helper(0)',
      '  return 42 from crate::mod::helper',
      'return 1 from crate::mod::func',
    ),
  );
});

function tick(t) {
  const outer = t.track(6);
  const physics = t.track(7);
  for (let i = 0; i < 67; i++) t.leave(t.enter(9));
  t.untrack(physics);
  const render = t.track(8);
  for (let i = 0; i < 56; i++) t.leave(t.enter(9));
  t.untrack(render);
  t.untrack(outer);
}

const DESTROY = { runtime: { tree: true }, tree: true, trace: ['stack(destroy_node)'], probes: [[9, { stack: true }]] };

test('tree: counts of the events that were asked for, the heaviest first', () => {
  assert.equal(
    shown('tree', DESTROY, tick),
    lines(
      'Total Count | Self Count | Stack Frame',
      '------------+------------+------------------------',
      '        123 |          0 | do_tick',
      '         67 |          0 | ├── physics',
      '         67 |         67 | │   └── destroy_node',
      '         56 |          0 | └── render',
      '         56 |         56 |     └── destroy_node',
    ),
  );
});

test('tree: inverted, the callers stand below', () => {
  assert.equal(
    shown('tree', DESTROY, tick, { invert: true }),
    lines(
      'Total Count | Self Count | Stack Frame',
      '------------+------------+------------------------',
      '        123 |        123 | destroy_node',
      '         67 |          0 | ├── physics',
      '         67 |          0 | │   └── do_tick',
      '         67 |          0 | │       └── (host)',
      '         56 |          0 | └── render',
      '         56 |          0 |     └── do_tick',
      '         56 |          0 |         └── (host)',
    ),
  );
});

test('tree: a limit keeps the heaviest frames and says what it left out', () => {
  assert.equal(
    shown('tree', DESTROY, tick, { limit: 2 }),
    lines(
      'Total Count | Self Count | Stack Frame',
      '------------+------------+------------------------',
      '        123 |          0 | do_tick',
      '         67 |          0 | └── physics',
      '(3 lighter frames left out; a larger --limit shows more)',
    ),
  );
});

test('histogram: as dtrace shows them', () => {
  const histograms = [{ func: 11, what: 'arg', index: 0, type: 'i32' }];
  const text = shown('histogram', { histograms, runtime: { histograms: 1 } }, (t) => {
    for (const [value, times] of [
      [33, 169],
      [64, 16],
      [200, 10],
    ])
      for (let i = 0; i < times; i++) t.count(0, value);
  });
  assert.equal(
    text,
    lines(
      'arg(0, malloc): 195 values',
      'value  ------------- Distribution ------------- count',
      '   16 |                                         0',
      '   32 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@       169',
      '   64 |@@@                                      16',
      '  128 |@@                                       10',
      '  256 |                                         0',
    ),
  );
});

test('histogram: of several results each is told by its number', () => {
  const histograms = [
    { func: 11, what: 'ret', index: 0, type: 'i32' },
    { func: 11, what: 'ret', index: 1, type: 'i64' },
    { func: 10, what: 'ret', index: 0, type: 'i32' },
  ];
  const text = shown('histogram', { histograms, runtime: { histograms: 3 } }, (t) => {
    for (const table of [0, 1, 2]) t.count(table, 1);
  });
  const titles = text.split('\n').filter((line) => line.endsWith('1 value'));
  assert.deepEqual(titles, [
    'ret(malloc), result 0 (i32): 1 value',
    'ret(malloc), result 1 (i64): 1 value',
    'ret(fib): 1 value',
  ]);
});

test('histogram: rows of their own for 0 and 1, negative rows, rows below 1 for floats, NaN', () => {
  const histograms = [
    { func: 11, what: 'ret', index: 0, type: 'i64' },
    { func: 10, what: 'arg', index: 1, type: 'f64' },
    { func: 0, what: 'grow', index: 0, type: 'i64' },
  ];
  const text = shown('histogram', { histograms, runtime: { histograms: 3 } }, (t) => {
    for (const value of [-3, -1, 0, 1, 1, 2]) t.count(0, value);
    for (const value of [0.3, 0.5, 1.5, NaN, -0]) t.countFloat(1, value);
  });
  assert.equal(
    text,
    lines(
      'ret(malloc): 6 values',
      'value  ------------- Distribution ------------- count',
      '   -4 |                                         0',
      '   -2 |@@@@@@                                   1',
      '   -1 |@@@@@@                                   1',
      '    0 |@@@@@@                                   1',
      '    1 |@@@@@@@@@@@@@                            2',
      '    2 |@@@@@@                                   1',
      '    4 |                                         0',
      '',
      'arg(1, fib): 5 values',
      'value  ------------- Distribution ------------- count',
      '    0 |@@@@@@@@                                 1',
      '  ...',
      ' 0.25 |@@@@@@@@                                 1',
      '  0.5 |@@@@@@@@                                 1',
      '    1 |@@@@@@@@                                 1',
      '    2 |                                         0',
      '  NaN |@@@@@@@@                                 1',
      '(1 more histogram without values)',
    ),
  );
});

test('values of every type', () => {
  const types = ['i32', 'i64', 'f32', 'f64', 'f32', 'f64', 'f64', 'v128', 'funcref', 'externref'];
  const probes = [[3, { args: argsOf(types), results: ['i32', 'i64'] }]];
  const text = shown('log', { probes }, (t) => {
    const words = [
      -5,
      -(2n ** 63n),
      bits.f32(0.1),
      bits.f64(0.1),
      bits.f32(-0),
      bits.f64(NaN),
      bits.f64(-Infinity),
      0x1122n,
      0xaabbn,
      1,
      0,
    ];
    t.leave(t.enter(3, words), [7, 8]);
  });
  assert.equal(
    text,
    lines(
      'crate::mod::func(-5, -9223372036854775808, 0.1, 0.1, -0, NaN, -inf, 0x000000000000aabb0000000000001122, null funcref, externref) -> (7, 8)',
    ),
  );
});

test('arguments that are not recorded', () => {
  const probes = [[3, { args: argsOf(['i32', 'f32'], [1, 3]) }]];
  assert.equal(
    shown('log', { probes }, (t) => t.leave(t.enter(3, [5, bits.f32(2.5)]))),
    lines('crate::mod::func(_, 5, _, 2.5)'),
  );
});

test('memory.grow and traps', () => {
  const text = shown('nested', {}, (t) => {
    t.enter(5);
    t.grow(5, 0, 16, 1024);
    t.grow(5, 1, 1, -1);
    t.trap(5, 4711);
  });
  assert.equal(
    text,
    lines(
      'call main',
      '  memory.grow(16 pages) -> 1024 (was 64 MiB, now 65 MiB) in main',
      '  memory.grow(1 page, memory 1) -> -1 (failed) in main',
      '  trap: unreachable in main at byte 4711',
      'still running: main',
    ),
  );
});

test('a frame that an exception left', () => {
  const record = (t) => {
    const outer = t.enter(5);
    const caught = t.position;
    t.enter(3);
    t.enter(4);
    t.restore(caught);
    t.leave(t.enter(10));
    t.leave(outer);
  };
  const expected = lines(
    'call main',
    '  call crate::mod::func',
    '    call crate::mod::helper',
    '    unwound crate::mod::helper',
    '  unwound crate::mod::func',
    '  call fib',
    '  return from fib',
    'return from main',
  );
  assert.equal(shown('nested', {}, record), expected);
  assert.equal(shown('nested', { runtime: { tree: true } }, record), expected);
  assert.equal(
    shown('log', {}, record),
    lines('main', 'crate::mod::func (unwound)', 'crate::mod::helper (unwound)', 'fib'),
  );
});

test('a tail call ends the caller', () => {
  const record = (t) => {
    t.tail(t.enter(3));
    t.leave(t.enter(4));
  };
  const expected = lines(
    'call crate::mod::func',
    'tail call from crate::mod::func',
    'call crate::mod::helper',
    'return from crate::mod::helper',
  );
  assert.equal(shown('nested', {}, record), expected);
  assert.equal(shown('nested', { runtime: { tree: true } }, record), expected);
});

test('frames whose enters were overwritten are there, at the right depth', () => {
  const record = (t) => {
    const main = t.enter(5);
    const func = t.enter(3);
    const helper = t.enter(4);
    t.leave(t.enter(10));
    t.leave(helper);
    t.leave(func);
    t.leave(main);
    t.enter(6);
    t.enter(7);
  };
  const expected = lines(
    '(2 older events were overwritten; a larger --buffer keeps more)',
    'call main (unknown start)',
    '  call crate::mod::func (unknown start)',
    '    call crate::mod::helper',
    '      call fib',
    '      return from fib',
    '    return from crate::mod::helper',
    '  return from crate::mod::func',
    'return from main',
    'call do_tick',
    '  call physics',
    'still running: do_tick > physics',
  );
  assert.equal(shown('nested', { runtime: { ringWords: 8 } }, record), expected);
  assert.equal(shown('nested', { runtime: { ringWords: 8, tree: true } }, record), expected);
});

test('outer levels that nothing tells about are left out, and that is said', () => {
  const text = shown('nested', { runtime: { ringWords: 4 } }, (t) => {
    t.enter(5);
    t.enter(3);
    for (let i = 0; i < 3; i++) t.leave(t.enter(4));
  });
  assert.equal(
    text,
    lines(
      '(4 older events were overwritten; a larger --buffer keeps more)',
      '(2 outer levels not shown: their calls are older than these lines)',
      'call crate::mod::helper',
      'return from crate::mod::helper',
      '(these 2 lines) x 2',
    ),
  );
});

test('stacks below their events', () => {
  const parts = {
    runtime: { tree: true },
    tree: true,
    probes: [[11, { args: argsOf(['i32']), results: ['i32'], stack: true }]],
  };
  const text = shown('log', parts, (t) => {
    t.track(5);
    for (let i = 0; i < 3; i++) t.track(10);
    t.leave(t.enter(11, [16]), [1024]);
    t.leave(t.enter(11, [16]), [1024]);
    t.leave(t.enter(11, [8]), [1040]);
  });
  assert.equal(
    text,
    lines('malloc(16) -> 1024 x 2', '    fib x 3', '    main', 'malloc(8) -> 1040', '    fib x 3', '    main'),
  );
});

test('the nested log has the stack of a call once, where it begins', () => {
  const parts = { runtime: { tree: true }, tree: true, probes: [[11, { stack: true }]] };
  const text = shown('nested', parts, (t) => {
    const main = t.track(5);
    t.leave(t.enter(11));
    t.untrack(main);
  });
  assert.equal(text, lines('call malloc', '    main', 'return from malloc'));
});

test('a fold counts lines, those of stacks too', () => {
  const parts = { runtime: { tree: true }, tree: true, probes: [[11, { stack: true }]] };
  const record = (t) => {
    const main = t.track(5);
    for (let i = 0; i < 4; i++) t.leave(t.enter(11));
    t.untrack(main);
  };
  assert.equal(shown('nested', parts, record), lines('call malloc', '    main', 'return from malloc', '(these 3 lines) x 4'));
  assert.equal(
    shown('nested', parts, record, { limit: 3 }),
    lines('(6 earlier lines left out; a larger --limit shows more)', 'call malloc', '    main', 'return from malloc'),
    'of a fold that does not fit, the newest lines',
  );
});

test('calls that did not return, by what became of the program', () => {
  const record = (t) => {
    t.enter(5);
    t.enter(10);
  };
  for (const [ending, said, listed] of [
    [undefined, 'running', 'still running'],
    ['ended', 'unfinished', 'unfinished when the program ended'],
    ['trapped', 'trapped', 'ended by the trap'],
  ]) {
    assert.equal(shown('log', {}, record, { ending }), lines(`main (${said})`, `fib (${said})`));
    assert.equal(shown('nested', {}, record, { ending }), lines('call main', '  call fib', `${listed}: main > fib`));
  }
});

test('repetition folds, alone and as blocks', () => {
  const record = (t) => {
    const main = t.enter(5);
    for (let i = 0; i < 312; i++) t.leave(t.enter(10));
    t.leave(main);
  };
  assert.equal(shown('log', {}, record), lines('main', 'fib x 312'));
  assert.equal(
    shown('nested', {}, record),
    lines('call main', '  call fib', '  return from fib', '  (these 2 lines) x 312', 'return from main'),
  );
});

test('a limit keeps the newest lines and says what it left out', () => {
  const probes = [[4, { args: argsOf(['i32']) }]];
  const text = shown(
    'log',
    { probes },
    (t) => {
      for (let i = 0; i < 10; i++) t.leave(t.enter(4, [i]));
    },
    { limit: 2 },
  );
  assert.equal(
    text,
    lines('(8 earlier lines left out; a larger --limit shows more)', 'crate::mod::helper(8)', 'crate::mod::helper(9)'),
  );
});

test('recursion folds in the tree, and the numbers stay true', () => {
  const record = (t) => {
    const frames = [t.enter(5)];
    for (let i = 0; i < 31; i++) frames.push(t.enter(10));
    frames.push(t.enter(11));
    while (frames.length > 0) t.leave(frames.pop());
  };
  const expected = lines(
    'Total Count | Self Count | Stack Frame',
    '------------+------------+------------------------',
    '         33 |          1 | main',
    '         32 |         31 | └── fib (recursive, 31 deep)',
    '          1 |          1 |     └── malloc',
  );
  assert.equal(shown('tree', { runtime: { tree: true } }, record), expected);
  assert.equal(shown('tree', {}, record), expected, 'the same from events alone');
  assert.equal(
    shown('tree', { runtime: { tree: true } }, record, { invert: true }),
    lines(
      'Total Count | Self Count | Stack Frame',
      '------------+------------+------------------------',
      '         31 |         31 | fib (recursive, 31 deep)',
      '         31 |          0 | └── main',
      '         31 |          0 |     └── (host)',
      '          1 |          1 | main',
      '          1 |          0 | └── (host)',
      '          1 |          1 | malloc',
      '          1 |          0 | └── fib (recursive, 31 deep)',
      '          1 |          0 |     └── main',
      '          1 |          0 |         └── (host)',
    ),
  );
});

test('a full tree says what it dropped', () => {
  const record = (t) => {
    const main = t.enter(5);
    for (const func of [3, 4, 10, 11]) t.leave(t.enter(func));
    t.leave(main);
  };
  assert.equal(
    shown('tree', { runtime: { tree: true, nodes: 4 } }, record),
    lines(
      'Total Count | Self Count | Stack Frame',
      '------------+------------+------------------------',
      '          2 |          1 | main',
      '          1 |          1 | └── crate::mod::func',
      '(3 calls are not in the tree: it was full)',
    ),
  );
});

test('calls beyond a full tree still pair in the log', () => {
  const text = shown('nested', { runtime: { tree: true, nodes: 3 } }, (t) => {
    const main = t.enter(5);
    const func = t.enter(3);
    t.leave(t.enter(4));
    t.leave(func);
    t.leave(main);
  });
  assert.equal(
    text,
    lines(
      'call main',
      '  call crate::mod::func',
      '    call crate::mod::helper',
      '    return from crate::mod::helper',
      '  return from crate::mod::func',
      'return from main',
    ),
  );
});

test('very deep recursion: no overflow, bounded lines', () => {
  const record = (t) => {
    for (let i = 0; i < 20000; i++) t.enter(i % 2 ? 3 : 4);
  };
  const runtime = { tree: true, nodes: 32768, ringWords: 32768 };
  for (const kind of ['log', 'nested', 'tree']) {
    const text = shown(kind, { runtime }, record);
    assert.ok(text.split('\n').length < 1010, kind);
    assert.ok(Math.max(...text.split('\n').map((line) => line.length)) < 400, kind);
  }
});

test('tiny functions that were left out are told', () => {
  const note = '(3 tiny functions left out; --min-size 0 takes them too)';
  assert.equal(shown('nested', { tinyCount: 3 }, () => {}), lines('no events', note));
  assert.equal(shown('log', { tinyCount: 3 }, () => {}), lines('no events', note));
  assert.equal(shown('tree', { tinyCount: 3 }, () => {}), lines('no calls', note));
  const { length } = lines(note);
  assert.equal(shown('tree', { tinyCount: 3 }, (t) => t.leave(t.enter(5))).slice(-length), lines(note));
  assert.equal(shown('log', { tinyCount: 3 }, (t) => t.leave(t.enter(5))), lines('main'));
});

test('a log that was not kept is not said to be empty', () => {
  const expected = lines('no log was kept: the displays that were asked for do without');
  for (const kind of ['log', 'nested']) assert.equal(shown(kind, { ring: false }, () => {}), expected);
});

test('nothing recorded', () => {
  assert.equal(
    shown('log', {}, () => {}),
    'no events\n',
  );
  assert.equal(
    shown('nested', {}, () => {}),
    'no events\n',
  );
  assert.equal(
    shown('tree', {}, () => {}),
    'no calls\n',
  );
  assert.equal(
    shown('histogram', {}, () => {}),
    'no histogram was kept: the displays that were asked for do without\n',
  );
  assert.equal(
    shown('histogram', { histograms: [{ func: 1, what: 'arg', index: 0, type: 'i32' }] }, () => {}),
    'no values\n',
  );
});

test('colour and titles only when asked for', () => {
  const text = shown('log', { source: { title: 'a.wasm' } }, (t) => t.leave(t.enter(5)), { color: true });
  assert.equal(text, '\x1b[1ma.wasm\x1b[22m\n\x1b[36mmain\x1b[39m\n');
});

test('displays that fit what is recorded', () => {
  const rows = [
    [{ display: ['nested', 'tree'] }, ['nested', 'tree']],
    [{ trace: ['calls'], tree: true }, ['tree']],
    [{ trace: ['imports'] }, ['log']],
    [{ histograms: [{ func: 1, what: 'arg', index: 0, type: 'i32' }] }, ['histogram']],
  ];
  for (const [parts, expected] of rows) assert.deepEqual(reportKinds(metadataOf(parts)), expected);
});

test('an unknown display is an error', () => {
  assert.throws(() => shown('flame', {}, () => {}), RangeError);
});

test('arguments follow the name without its parameters', () => {
  const probes = [[3, { args: argsOf(['i32']) }]];
  for (const [full, short] of [
    ['Player::update(float, int)', 'Player::update'],
    ['Map<int, int (*)(char)>::at(int) const', 'Map<int, int (*)(char)>::at'],
    ['Functor::operator()(int)', 'Functor::operator()'],
    ['<T as Trait>::f', '<T as Trait>::f'],
  ]) {
    const source = { names: namesOf([[3, full]]) };
    const text = shown('log', { probes, source }, (t) => t.leave(t.enter(3, [5]), []));
    assert.match(text, new RegExp(`^${short.replace(/[()*+.[\]]/g, '\\$&')}\\(5\\)`, 'm'));
  }
});
