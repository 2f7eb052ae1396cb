// The overview, the trap report and the report as JSON.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportJson } from '../../js/views/json.js';
import { renderOverview } from '../../js/views/overview.js';
import { renderReport } from '../../js/views/report.js';
import { renderTrap } from '../../js/views/trap.js';
import { Recorder, argsOf, metadataOf, namesOf } from './recorder.js';

const names = namesOf([
  [0, 'env.log'],
  [1, 'env.now'],
  [2, 'main'],
  [3, 'parse'],
  [4, 'malloc'],
  [5, 'Player::update(float, int)'],
]);

function lines(...rows) {
  return rows.map((row) => `${row}\n`).join('');
}

/** A session in which `record` has run. */
function sessionOf(record, { runtime = { tree: true }, metadata = {}, ...rest } = {}) {
  const recorder = new Recorder(runtime);
  record(recorder);
  return {
    name: 'app.wasm',
    snapshot: recorder.snapshot(),
    metadata: metadataOf({ importCount: 2, ...metadata }),
    names,
    ...rest,
  };
}

function work(t) {
  const main = t.enter(2);
  for (let i = 0; i < 1500; i++) {
    const parse = t.enter(3);
    t.leave(t.enter(4));
    if (i % 3 === 0) t.leave(t.enter(0));
    t.leave(parse);
  }
  t.leave(main);
}

test('overview of one module', () => {
  const session = sessionOf(work, {
    memory: { initial: 16 << 20, final: 64 << 20 },
    metadata: { originalSize: 1234567, tinyCount: 12, tracedCount: 86 },
  });
  assert.equal(
    renderOverview({ sessions: [session], target: 'app.mjs' }),
    lines(
      '1 module',
      '  app.wasm: 1.2 MiB, 98 functions (86 traced, 12 too small), has names',
      '',
      'called most',
      '  1,500  parse',
      '  1,500  malloc',
      '      1  main',
      '',
      'calls to the host',
      '  500  env.log',
      '',
      'memory grew',
      '  app.wasm: 16 MiB -> 64 MiB',
      '',
      'to go deeper',
      '  wasm-trace-node --trace "arg(0, malloc)" --display histogram app.mjs',
      '  wasm-trace-node --trace imports app.mjs',
      '  wasm-trace-node --trace memory.grow --stack app.mjs',
    ),
  );
});

test('overview with a limit of its own: rows of each list', () => {
  const text = renderOverview({ sessions: [sessionOf(work)] }, { limit: 1 });
  assert.match(text, /called most\n {2}1,500 {2}parse\n\ncalls to the host/);
});

test('overview of many modules stays within 40 lines', () => {
  const trap = { kind: 'unreachable', func: 3, offset: 99 };
  const many = Array.from({ length: 30 }, (_, i) =>
    sessionOf(
      (t) => {
        for (let func = 0; func < 60; func++) t.leave(t.enter(func % 40));
      },
      { name: `m${i}.wasm`, runtime: { tree: true, nodes: 30 }, memory: { initial: 1, final: 2 ** 20 }, traps: [trap] },
    ),
  );
  const text = renderOverview({ sessions: many });
  assert.ok(text.split('\n').length - 1 <= 40, text);
  assert.match(text, /and 26 more/);
  assert.match(text, /unreachable in parse at byte 99 \(m0\.wasm\)/);
  assert.match(text, /calls are not in the tree/);
  assert.match(text, /wasm-trace-node --trace traps\n/);
});

test('overview tells when names are missing', () => {
  const session = sessionOf((t) => t.leave(t.enter(77)));
  assert.match(renderOverview({ sessions: [session] }), /no names: build with names, or give --symbols FILE/);
  assert.match(renderOverview({ sessions: [session] }), /--trace "args\(#77\)"/);
});

test('overview of nothing', () => {
  assert.match(renderOverview({ sessions: [] }), /^no modules\n/);
});

const HOST = [[0, { args: argsOf(['i32']), results: ['i32'] }]];

function crash(t) {
  t.enter(2);
  for (let i = 0; i < 3; i++) t.leave(t.enter(0, [i]), [0]);
  t.enter(3);
  t.enter(3);
  t.trap(3, 4711);
}

test('a trap: where, its stack, what was before', () => {
  const report = (trap, runtime) =>
    renderTrap(trap, { ...sessionOf(crash, { runtime, metadata: { probes: HOST } }), title: 'app.wasm' });
  const rest = lines(
    '  last events:',
    '    call main',
    '      call env.log(0)',
    '      return 0 from env.log',
    '      call env.log(1)',
    '      return 0 from env.log',
    '      call env.log(2)',
    '      return 0 from env.log',
    '      call parse',
    '        call parse',
    '          trap: unreachable in parse at byte 4711',
    '  last host calls:',
    '    env.log(0) -> 0',
    '    env.log(1) -> 0',
    '    env.log(2) -> 0',
  );
  for (const tree of [false, true]) {
    assert.equal(
      report({ kind: 'unreachable' }, { tree }),
      lines(
        'trap: unreachable in parse at byte 4711 (app.wasm)',
        '  stack:',
        '    parse at byte 4711',
        '    parse',
        '    main',
      ) + rest,
    );
  }
  const stack = [
    { func: 4, offset: 10 },
    { func: 3, offset: 20 },
    { func: 3, offset: 20 },
    { func: 2, offset: null },
  ];
  assert.equal(
    report({ kind: 'memory access out of bounds', func: 4, offset: 10, stack }),
    lines(
      'trap: memory access out of bounds in malloc at byte 10 (app.wasm)',
      '  stack:',
      '    malloc at byte 10',
      '    parse at byte 20 x 2',
      '    main',
    ) + rest,
  );
});

test('a trap of which nothing was recorded', () => {
  const source = sessionOf(() => {});
  assert.equal(renderTrap({ kind: 'unreachable' }, source), 'trap: unreachable\n');
  assert.equal(
    renderTrap({ kind: 'unreachable', func: 9, offset: 5 }, source),
    lines('trap: unreachable in wasm-function[9] at byte 5', '  stack:', '    wasm-function[9] at byte 5'),
  );
});

test('--trace traps shows the traps, not all calls', () => {
  const metadata = { probes: HOST, trace: ['traps'] };
  assert.equal(
    renderReport('log', sessionOf(crash, { metadata })),
    lines('trap: unreachable in parse at byte 4711', '    parse x 2', '    main'),
  );
  assert.equal(
    renderReport(
      'log',
      sessionOf((t) => t.leave(t.enter(2)), { metadata }),
    ),
    'no trap was recorded\n',
  );
});

test('the report as JSON', () => {
  const metadata = {
    probes: [[4, { args: argsOf(['i64', 'f64'], [0, 2]), results: ['i32'] }]],
    histograms: [{ func: 4, what: 'arg', index: 0, type: 'i64' }],
    trace: ['args(malloc)'],
    display: ['log'],
    tree: true,
  };
  const session = sessionOf(
    (t) => {
      t.enter(2);
      t.leave(t.enter(4, [16, 0x7ff8000000000000n]), [1024]);
      t.count(0, 16);
      t.grow(2, 0, 1, 4);
      t.trap(2, 99);
    },
    {
      metadata,
      runtime: { tree: true, histograms: 1 },
      memory: { initial: 1, final: 2 },
      traps: [{ kind: 'unreachable', func: 2, offset: 99 }],
    },
  );
  assert.deepEqual(JSON.parse(JSON.stringify(reportJson({ sessions: [session] }))), {
    version: 1,
    sessions: [
      {
        name: 'app.wasm',
        module: {
          size: 1000,
          functions: 100,
          imports: 2,
          traced: 100,
          tiny: 0,
          link: 'merged',
          trace: ['args(malloc)'],
          display: ['log'],
        },
        memory: { initial: 1, final: 2 },
        traps: [{ kind: 'unreachable', func: 2, offset: 99 }],
        lostEvents: 0,
        missedEvents: 0,
        stoppedFull: false,
        droppedCalls: '0',
        position: 2,
        calls: {
          left: 0,
          items: [
            { id: 0, parent: -1, parentUncertain: false, func: 2, depth: 0, startKnown: true, end: 'running', args: [], results: [], entered: null, left: null },
            {
              id: 1,
              parent: 0,
              func: 4,
              depth: 1,
              parentUncertain: false,
              startKnown: true,
              end: 'returned',
              args: [
                { index: 0, type: 'i64', value: '16' },
                { index: 2, type: 'f64', value: 'NaN' },
              ],
              results: [{ type: 'i32', value: 1024 }],
              entered: null,
              left: null,
            },
          ],
        },
        events: {
          left: 0,
          items: [
            { kind: 'grow', func: 2, memory: 0, delta: 1, previous: 4, time: null },
            { kind: 'trap', func: 2, offset: 99, time: null },
          ],
        },
        tree: {
          left: 0,
          items: [
            { id: 1, parent: 0, parentUncertain: false, func: 2, total: 2, self: 1, recursion: 1, time: null },
            { id: 2, parent: 1, parentUncertain: false, func: 4, total: 1, self: 1, recursion: 1, time: null },
          ],
        },
        histograms: [
          {
            func: 4,
            what: 'arg',
            index: 0,
            type: 'i64',
            total: '1',
            nan: '0',
            rows: [
              { sign: 1, exponent: 3, count: '0' },
              { sign: 1, exponent: 4, count: '1' },
              { sign: 1, exponent: 5, count: '0' },
            ],
          },
        ],
        clock: null,
        time: null,
        tracingCost: null,
        functions: {
          left: 0,
          items: [
            { func: 2, host: false, calls: 1, time: null },
            { func: 4, host: false, calls: 1, time: null },
          ],
        },
        durations: [],
        names: { 2: 'main', 4: 'malloc' },
      },
    ],
  });
  const short = reportJson({ sessions: [session] }, { limit: 1 }).sessions[0];
  assert.deepEqual([short.calls.left, short.calls.items[0].id, short.events.left, short.tree.left], [1, 1, 1, 1]);
});
