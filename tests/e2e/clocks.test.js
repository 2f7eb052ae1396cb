// Clocks of the loader: a ticker, the host's, what auto means; sessions that are started and stopped; what tracing costs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import * as ABI from '../../js/generated/abi.js';
import { attach, install, instrument } from '../../js/index.js';
import { costOf } from '../../js/loader/calibration.js';
import { mayTick, withClock } from '../../js/loader/clock.js';
import { bestLink } from '../../js/loader/engine.js';
import { Ticker } from '../../js/loader/ticker.js';
import { RuntimeState } from '../../js/trace/runtime-state.js';
import { assemble } from '../core/assemble.js';
import { makeFolder } from './cli-support.js';
import { MODULE } from './loader-support.js';

const LINKS = bestLink() === 'merged' ? ['merged', 'split'] : ['split'];
const root = fileURLToPath(new URL('../..', import.meta.url));
const noTicker = Ticker.refusal !== '' && `no ticker: ${Ticker.refusal}`;

/** outer() calls env.host, then inner() three times. */
const CALLS = await assemble(`(module
  (import "env" "host" (func $host))
  (func $inner (result i32) (i32.const 7))
  (func $outer (export "outer") (result i32)
    (call $host)
    (i32.add (call $inner) (i32.add (call $inner) (call $inner)))))`);

/** @type {import('../../js/loader/hook.js').Hook | undefined} */
let hook;
afterEach(() => {
  hook?.uninstall();
  hook = undefined;
});

/** @param {Uint8Array} bytes @param {object} options @param {() => void} [host] */
function load(bytes, options, host = () => {}) {
  hook ??= install({ trace: ['calls(*)', 'imports'], display: 'tree', ...options });
  const module = new WebAssembly.Module(/** @type {any} */ (bytes));
  const { exports } = /** @type {any} */ (new WebAssembly.Instance(module, { env: { host } }));
  return { exports, session: hook.sessions[hook.sessions.length - 1] };
}

const sum = (/** @type {Iterable<number>} */ values) => [...values].reduce((one, other) => one + other, 0);

/** Nanoseconds. */
const SPENT = 100_000;

/** Works until time has passed by the clock of a session: the machine may give the ticker no time meanwhile. */
function passTime() {
  const [{ sharedBuffer, metadata }] = hook?.sessions ?? [];
  const clock = metadata.clock.kind === 'ticker' ? new RuntimeState(sharedBuffer) : null;
  const now = () => clock?.ticker ?? performance.now() * 1e6;
  for (const end = now() + SPENT; now() < end; );
}

/** What its clock says. @param {import('../../js/loader/session.js').Session} session */
function now({ metadata, sharedBuffer }) {
  return Math.floor(metadata.clock?.kind === 'ticker' ? new RuntimeState(/** @type {any} */ (sharedBuffer)).ticker : performance.now() * 1e6);
}

/** Where a function stands in the tree: it has one node here. */
const nodeOf = ({ nodes }, func) => nodes.func.lastIndexOf(func);
const [HOST, OUTER] = [0, 2];

for (const link of LINKS) {
  for (const clock of ['ticker', 'host']) {
    describe(`${clock}, ${link}`, { skip: clock === 'ticker' && noTicker }, () => {
      test('what passes is counted once, where execution stood', () => {
        const { exports, session } = load(CALLS, { clock, link }, passTime);
        exports.outer();
        const before = session.snapshot();
        exports.outer();
        const after = session.snapshot();
        assert.deepEqual([session.metadata.clock.kind, session.clock.unit], [clock, 'ns']);
        assert.equal(sum(after.nodes.self) - sum(before.nodes.self), after.clock.now - before.clock.now);
        assert.ok(after.nodes.self.every((time) => time >= 0));
        assert.ok(after.nodes.self[nodeOf(after, HOST)] >= 2 * (SPENT - 1), 'the time in the host is apart');
      });

      test('what passed before it was forgotten, or while it was stopped, is nobody\'s', () => {
        const { exports, session } = load(CALLS, { clock, link });
        /** Nothing of before is counted. @param {() => void} work */
        const holdAfter = (work) => {
          passTime();
          const began = now(session);
          work();
          exports.outer();
          const after = session.snapshot();
          assert.ok(sum(after.nodes.self) <= after.clock.now - began);
        };
        exports.outer();
        holdAfter(() => session.clear());
        session.stop();
        session.clear();
        holdAfter(() => session.start());
      });

      for (const part of [{ from: 'inner' }, { from: 'inner', until: 'inner' }, { skip: 3 }, { during: 'inner' }])
        test(`what passes before recording begins is nobody's: ${JSON.stringify(part)}`, () => {
          let began = 0;
          const { exports, session } = load(CALLS, { clock, link, ...part }, () => {
            passTime();
            began = now(session);
          });
          exports.outer();
          const { nodes, clock: last } = session.snapshot();
          assert.ok(sum(nodes.count) > 0 && sum(nodes.self) <= last.now - began);
        });

      test('what passes before it is stopped is counted', () => {
        const { exports, session } = load(CALLS, { clock, link }, () => {
          passTime();
          session.stop();
        });
        exports.outer();
        assert.ok(sum(session.snapshot().nodes.self) >= 100_000);
      });

      test('what tracing cost is told in the words of who asks here', () => {
        const { exports, session } = load(CALLS, { clock, link }, passTime);
        exports.outer();
        const isKnown = session.cost > 0; // a machine that is busy may not let it be measured
        assert.equal(/\ntracing cost about .* an event.* \(compensate: true subtracts it\)\n/.test(session.report('report')), isKnown);
        assert.equal(/; subtracted from total, self and avg\n/.test(session.report('report', { compensate: true })), isKnown);
      });

      test('what a call took is between its shortest and its longest', () => {
        const { exports, session } = load(CALLS, { clock, link }, passTime);
        for (let call = 0; call < 5; call++) exports.outer();
        const { nodes } = session.snapshot();
        const outer = nodes.func.lastIndexOf(OUTER);
        const total = sum(nodes.self.slice(outer));
        assert.ok(nodes.min[outer] > 0 && nodes.min[outer] <= nodes.max[outer]);
        assert.ok(nodes.min[outer] * 5 <= total && total <= nodes.max[outer] * 5);
      });
    });
  }

  describe(`windows of the host, ${link}`, () => {
    const counts = (session) => sum(session.snapshot().nodes.count);

    test('instructions that were executed meanwhile, or before the session was cleared, are nobody\'s', () => {
      const { exports, session } = load(CALLS, { link, clock: 'instructions' });
      const counted = () => [...session.snapshot().nodes.self];
      exports.outer();
      const once = counted();
      session.clear();
      assert.equal(sum(counted()), 0);
      session.stop();
      exports.outer();
      session.start();
      exports.outer();
      assert.deepEqual(counted(), once);
    });

    test('a session that is stopped records nothing, until it is started', () => {
      const { exports, session } = load(CALLS, { link });
      exports.outer();
      assert.equal(counts(session), 5);
      session.stop();
      assert.equal(session.isRecording, false);
      exports.outer();
      assert.equal(counts(session), 5);
      session.start();
      exports.outer();
      assert.deepEqual([counts(session), session.isRecording], [10, true]);
      assert.equal(session.snapshot().position, 0);
    });

    test('also in the middle of a call, from the host that it called', () => {
      let turn = 0;
      const { exports, session } = load(CALLS, { link }, () => (turn++ % 2 === 0 ? hook?.stop() : hook?.start()));
      exports.outer();
      assert.equal(counts(session), 2, 'outer and env.host');
      exports.outer();
      assert.equal(counts(session), 5, 'and then three calls of inner, whose caller was not seen');
      assert.equal(session.snapshot().position, 0);
    });

    test('sessions to come are as the hook is', () => {
      const { exports, session } = load(CALLS, { link, stopped: true });
      assert.equal(hook?.isRecording, false);
      exports.outer();
      assert.equal(counts(session), 0);
      hook?.start();
      const other = load(CALLS, {});
      other.exports.outer();
      exports.outer();
      assert.deepEqual([counts(session), counts(other.session)], [5, 5]);
      hook?.stop();
      const late = load(CALLS, {});
      late.exports.outer();
      assert.equal(counts(late.session), 0);
    });

    test('a stopped session stays so when promises switch stacks', { skip: !('promising' in WebAssembly) && 'no promise integration' }, async () => {
      hook = install({ trace: ['calls(*)', 'imports'], display: 'nested', link, stopped: true });
      const { Suspending, promising } = /** @type {any} */ (WebAssembly);
      const host = new Suspending(() => Promise.resolve());
      const { exports } = /** @type {any} */ (new WebAssembly.Instance(new WebAssembly.Module(CALLS), { env: { host } }));
      await promising(exports.outer)();
      assert.deepEqual([hook.snapshot()[0].ringWords, hook.snapshot()[0].position], [0n, ABI.SHUT]);
    });
  });
}

describe('what the loader adds', () => {
  test('the table of hooks is hidden', { skip: bestLink() !== 'merged' && 'split only' }, () => {
    const { exports } = load(MODULE, { clock: 'host', link: 'merged' });
    assert.deepEqual(Object.keys(exports), ['twice', 'mem', 'add']);
  });

  test('a module that was instrumented before and is attached has its clock', { skip: noTicker }, () => {
    for (const clock of ['ticker', 'host']) {
      const bytes = instrument(MODULE, { trace: 'calls(*)', display: 'tree', clock, shared: true });
      const module = new WebAssembly.Module(/** @type {any} */ (bytes));
      const instance = new WebAssembly.Instance(module);
      const session = attach(instance, module);
      /** @type {any} */ (instance.exports).twice(2);
      const { clock: read } = session.snapshot();
      assert.ok(read && read.now > 0);
    }
  });
});

describe('auto', () => {
  test('the host keeps its time, whatever it called back and swallowed the trap of', async () => {
    const module = await assemble(`(module
      (import "env" "host" (func $host))
      (func $trap (export "trap") (unreachable))
      (func $outer (export "outer") (call $host)))`);
    const { exports, session } = load(module, { clock: 'auto', autoClock: 'instructions' }, () => {
      assert.throws(exports.trap, WebAssembly.RuntimeError);
      for (const start = performance.now(); performance.now() === start; );
    });
    exports.outer();
    const { func, wall } = session.snapshot().nodes;
    const spent = new Set([...func].filter((_, node) => wall[node] > 0).map(session.names.name, session.names));
    assert.deepEqual([...spent], ['host']);
  });

  test('is a ticker where there can be one, else instructions', () => {
    const { autoClock, wall } = withClock({}, assert.fail);
    assert.deepEqual([autoClock, wall], [noTicker ? 'instructions' : 'ticker', true]);
  });

  test('a ticker is started before it is needed where time may be asked for', { skip: noTicker }, () => {
    const asked = [{ clock: 'ticker' }, { clock: 'auto' }, { display: ['report'] }, { trace: 'duration(f)' }];
    assert.deepEqual(asked.map(mayTick), [true, true, true, true]);
    const others = [{}, { clock: 'none', display: 'report' }, { clock: 'instructions' }, { trace: 'calls', display: 'tree' }];
    assert.deepEqual(others.map(mayTick), [false, false, false, false]);
  });

  test('what calls of the host take is not measured while nothing is recorded', (t) => {
    const autoClock = /** @type {const} */ ('instructions');
    const { exports, session } = load(CALLS, { clock: 'auto', autoClock, wall: true, stopped: true });
    const now = t.mock.method(performance, 'now', () => 1);
    exports.outer();
    assert.equal(now.mock.callCount(), 0);
    hook?.start();
    exports.outer();
    assert.equal(now.mock.callCount(), 2);
    hook?.stop();
    now.mock.mockImplementation(() => 1000);
    const { exports: other } = load(CALLS, {}, () => hook?.start());
    other.outer();
    assert.deepEqual([...session.snapshot().nodes.wall, ...(hook?.sessions[1].snapshot().nodes.wall ?? [])].filter((wall) => wall > 0), []);
  });

  test('a ticker that cannot be had is told, and instructions stand in', () => {
    const program = `
      Object.defineProperty(process.getBuiltinModule('node:os'), 'availableParallelism', { value: () => 1 });
      const { install } = await import(${JSON.stringify(path.join(root, 'js/index.js'))});
      const { MODULE } = await import(${JSON.stringify(path.join(root, 'tests/e2e/loader-support.js'))});
      const hook = install({ trace: 'calls(*)', display: 'tree', clock: 'ticker' });
      new WebAssembly.Instance(new WebAssembly.Module(MODULE));
      console.log(hook.sessions[0].metadata.clock.kind, hook.sessions[0].metadata.clock.wall);`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    assert.equal(stdout, 'instructions true\n');
    assert.match(stderr, /^wasm-trace: there is no ticker: there is one processor; the clock is instructions, /);
  });
});

describe('a ticker', { skip: noTicker }, () => {
  test('keeps no program alive, and is seen by none', (t) => {
    const program = `
      process.on('worker', () => console.log('a worker'));
      const { install } = await import(${JSON.stringify(path.join(root, 'js/index.js'))});
      const { readFileSync } = await import('node:fs');
      install({ trace: 'calls(*)', display: 'tree', clock: 'ticker' });
      const { twice } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync('add.wasm'))).exports;
      setTimeout(() => console.log(twice(2)), 20);`;
    const folder = makeFolder(t, { 'add.wasm': MODULE, 'app.mjs': program });
    const options = /** @type {const} */ ({ cwd: folder, encoding: 'utf8', timeout: 60_000 });
    const { status, stdout, stderr } = spawnSync(process.execPath, ['app.mjs'], options);
    assert.deepEqual([status, stdout, stderr], [0, '4\n', '']);
  });

  for (const link of LINKS) {
    test(`reaches a module that was instrumented without being asked to share memory, ${link}`, () => {
      const module = new WebAssembly.Module(/** @type {any} */ (instrument(MODULE, { trace: 'calls(*)', display: 'tree', clock: 'ticker', link: /** @type {any} */ (link) })));
      const session = attach(new WebAssembly.Instance(module), module);
      assert.ok(session.sharedBuffer instanceof SharedArrayBuffer);
    });
  }

  test('has steps, of which it is told how long they are', () => {
    const { session } = load(MODULE, { clock: 'ticker' });
    const { resolution } = session.clock;
    assert.ok(resolution.median >= 1000 && resolution.most >= resolution.median);
  });
});

test('what an event costs is measured once for each clock, and not known of clocks of the program', () => {
  for (const kind of noTicker ? ['host'] : ['ticker', 'host']) {
    const metadata = /** @type {any} */ ({ clock: { kind }, ring: true, split: true });
    const cost = costOf(metadata);
    assert.ok(cost !== null && cost >= 0 && cost < 1e6);
    assert.equal(costOf(metadata), cost);
  }
  assert.equal(costOf(/** @type {any} */ ({ clock: { kind: 'import' } })), null);
});

test('instructions cost nothing that would be in their count; other sessions have no clock', () => {
  assert.equal(load(MODULE, { clock: 'instructions' }).session.cost, 0);
  hook?.uninstall();
  hook = undefined;
  const { session } = load(MODULE, { clock: 'none' });
  assert.deepEqual([session.clock, session.cost], [null, null]);
});
