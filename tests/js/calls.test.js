// Pairing of events into calls: properties over random programs, and the cases in which evidence comes late.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as ABI from '../../js/generated/abi.js';
import { pairCalls } from '../../js/model/calls.js';
import * as END from '../../js/model/end.js';
import { decodeEvents } from '../../js/model/events.js';
import { random } from './random.js';
import { Recorder, metadataOf } from './recorder.js';

const ENDS = Object.fromEntries(Object.entries(END).map(([name, value]) => [value, name]));

function pair(recorder) {
  const snapshot = recorder.snapshot();
  return pairCalls(decodeEvents(snapshot, metadataOf()).events, snapshot);
}

function summary(recorder) {
  const calls = pair(recorder);
  return Array.from({ length: calls.length }, (_, i) => [
    calls.func[i],
    ENDS[calls.end[i]],
    calls.depth[i],
    calls.parent[i],
  ]);
}

const MODES = [{ tree: false }, { tree: true }];

/** Runs a random program of calls, returns, tail calls and exceptions; tells what became of each call. */
function runProgram(recorder, pick, steps) {
  const truth = [];
  const open = [];
  const end = (frame, how) => (truth[frame.id][1] = how);
  for (let step = 0; step < steps; step++) {
    const what = pick(10);
    if (open.length === 0 || (what < 5 && open.length < 12)) {
      const func = pick(5);
      const id = truth.push([func, 'RUNNING', open.length, open.at(-1)?.id ?? -1]) - 1;
      open.push({ id, ...recorder.enter(func), own: recorder.position });
    } else if (what < 8) {
      const frame = open.pop();
      recorder.leave(frame);
      end(frame, 'RETURNED');
    } else if (what === 8) {
      const frame = open.pop();
      recorder.tail(frame);
      end(frame, 'TAIL');
    } else {
      const catcher = pick(open.length);
      for (const frame of open.splice(catcher + 1)) end(frame, 'UNWOUND');
      recorder.restore(open[catcher].own);
    }
  }
  return truth;
}

test('random programs: every call is found, with its end, depth and caller', () => {
  for (let seed = 1; seed <= 60; seed++) {
    for (const mode of MODES) {
      const recorder = new Recorder(mode);
      const truth = runProgram(recorder, random(seed), 200);
      assert.deepEqual(summary(recorder), truth, `seed ${seed}, ${JSON.stringify(mode)}`);
    }
  }
});

test('random programs in small rings: what is left is told right, and at the right depth', () => {
  for (let seed = 1; seed <= 60; seed++) {
    for (const mode of MODES) {
      const recorder = new Recorder({ ...mode, ringWords: 32 });
      const truth = runProgram(recorder, random(seed), 200);
      const calls = pair(recorder);
      const known = Array.from({ length: calls.length }, (_, i) => i).filter((call) => calls.enter[call] >= 0);
      const found = known.map((call) => [calls.func[call], ENDS[calls.end[call]]]);
      assert.deepEqual(
        found,
        truth.slice(truth.length - found.length).map(([func, how]) => [func, how]),
        `seed ${seed}`,
      );
      if (mode.tree) continue;
      const depths = known.map((call) => calls.depth[call]);
      assert.deepEqual(
        depths,
        truth.slice(truth.length - found.length).map(([, , depth]) => depth),
        `seed ${seed}`,
      );
    }
  }
});

test('a call that was only suspended comes back', () => {
  for (const mode of MODES) {
    const recorder = new Recorder(mode);
    const suspended = recorder.enter(1);
    const own = recorder.position;
    recorder.restore(ABI.NODE_ROOT);
    recorder.leave(recorder.enter(2));
    recorder.restore(own);
    recorder.leave(suspended);
    assert.deepEqual(
      summary(recorder).map(([func, how]) => [func, how]),
      [
        [1, 'RETURNED'],
        [2, 'RETURNED'],
      ],
    );
  }
});

test('frames that the last position does not enclose have been left', () => {
  for (const mode of MODES) {
    const recorder = new Recorder(mode);
    recorder.enter(1);
    const own = recorder.position;
    recorder.enter(2);
    recorder.restore(own);
    assert.deepEqual(
      summary(recorder).map(([, how]) => how),
      ['RUNNING', 'UNWOUND'],
    );
    recorder.restore(ABI.OUTSIDE);
    assert.deepEqual(
      summary(recorder).map(([, how]) => how),
      ['UNWOUND', 'UNWOUND'],
    );
  }
});

describe('recording stops', () => {
  for (const mode of MODES) {
    const name = mode.tree ? 'tree' : 'depth';

    test(`what was open then stays so, what had been left before has been left (${name})`, () => {
      const recorder = new Recorder(mode);
      recorder.enter(1);
      const own = recorder.position;
      recorder.enter(2);
      recorder.restore(own);
      recorder.close();
      assert.deepEqual(summary(recorder).map(([, how]) => how), ['CUT', 'UNWOUND']);
    });

    test(`a call that returns when it has begun again is that call (${name})`, () => {
      const recorder = new Recorder(mode);
      const outer = recorder.enter(1);
      const inner = recorder.enter(2);
      recorder.enter(3);
      recorder.close();
      recorder.open();
      recorder.leave(recorder.enter(4)); // of a frame that was not seen
      recorder.leave(inner);
      recorder.leave(recorder.enter(5));
      recorder.leave(outer);
      assert.deepEqual(summary(recorder), [
        [1, 'RETURNED', 0, -1],
        [2, 'RETURNED', 1, 0],
        [3, 'CUT', 2, 1],
        [4, 'RETURNED', 0, -1],
        [5, 'RETURNED', 1, 0],
      ]);
    });

    test(`a call that goes on after it has begun again is that call (${name})`, () => {
      const recorder = new Recorder(mode);
      const outer = recorder.enter(1);
      const own = recorder.position;
      recorder.enter(2);
      recorder.close();
      recorder.open();
      recorder.restore(own); // as the handler of an exception does
      recorder.leave(recorder.enter(3));
      recorder.leave(outer);
      assert.deepEqual(summary(recorder), [
        [1, 'RETURNED', 0, -1],
        [2, 'CUT', 1, 0],
        [3, 'RETURNED', 1, 0],
      ]);
    });

    test(`another thread, which leaves no record, has stopped it (${name})`, () => {
      const recorder = new Recorder(mode);
      recorder.enter(1);
      const snapshot = { ...recorder.snapshot(), position: ABI.OUTSIDE, closed: ABI.CLOSED_WINDOW };
      const { end } = pairCalls(decodeEvents(snapshot, metadataOf()).events, snapshot);
      assert.deepEqual(end, [END.CUT]);
    });
  }

  test('a ring in which nothing is stays empty', () => {
    const recorder = new Recorder();
    recorder.close();
    assert.equal(recorder.snapshot().ringWords, 0n);
  });
});
