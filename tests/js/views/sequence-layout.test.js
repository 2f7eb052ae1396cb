// Calls on the axis of events: each call from its begin to its end, and nowhere that it did not run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as RECORD from '../../../js/generated/record.js';
import { pairCalls } from '../../../js/model/calls.js';
import { TraceModel } from '../../../js/model/trace-model.js';
import { EDGE, sequenceLayout } from '../../../js/views/sequence-layout.js';
import { Recorder, metadataOf } from '../recorder.js';

function layoutOf(recorder, facts = {}) {
  return describe(new TraceModel({ ...recorder.snapshot(), ...facts }, metadataOf()));
}

/** Spans as [function, level, begin, end, edges]. */
function describe(model, axis) {
  const layout = sequenceLayout(model, axis);
  const { levels, calls, edges } = layout;
  const spans = Array.from({ length: levels.length }, (_, slot) => [
    model.calls.func[calls[levels.item(slot)]],
    levels.levelOf(slot),
    levels.x0(slot),
    levels.x1(slot),
    Object.keys(EDGE).filter((name) => edges[slot] & EDGE[name]).join(' '),
  ]);
  return { ...layout, spans };
}

/** A model of events as plain rows [kind, func, position], as the runtime would have recorded them. */
function modelOf(rows, times = null, now = 0) {
  const events = {
    length: rows.length,
    timed: times !== null,
    time: (event) => times[event],
    kind: (event) => rows[event][0],
    func: (event) => rows[event][1],
    position: (event) => rows[event][2] ?? 0,
  };
  const snapshot = { treePositions: false, nodes: { parent: new Uint32Array(0), func: new Uint32Array(0) }, position: 0, idle: true };
  return { events, lost: 0, calls: pairCalls(events, snapshot), snapshot: { clock: times && { now } } };
}

const MODES = [{ tree: false }, { tree: true }];

test('calls from event to event, by depth', () => {
  for (const mode of MODES) {
    const recorder = new Recorder(mode);
    const main = recorder.enter(1);
    recorder.leave(recorder.enter(2));
    recorder.leave(recorder.enter(3));
    recorder.leave(main);
    const { spans, whole, origin } = layoutOf(recorder);
    assert.deepEqual(spans, [[1, 0, 0, 5, ''], [2, 1, 1, 2, ''], [3, 1, 3, 4, '']]);
    assert.deepEqual([whole, origin], [6, 0]);
  }
});

test('a running call reaches the right end', () => {
  const recorder = new Recorder();
  recorder.enter(1);
  recorder.enter(2);
  assert.deepEqual(layoutOf(recorder).spans, [[1, 0, 0, 2, 'OPEN'], [2, 1, 1, 2, 'OPEN']]);
});

test('a call that was left without an event ends where that was noticed; a tail call makes room at its place', () => {
  const recorder = new Recorder();
  const main = recorder.enter(1);
  const own = recorder.position;
  recorder.enter(2);
  recorder.enter(3);
  recorder.restore(own);
  recorder.tail(recorder.enter(4));
  recorder.leave(recorder.enter(5));
  recorder.leave(main);
  assert.deepEqual(layoutOf(recorder).spans, [
    [1, 0, 0, 7, ''],
    [2, 1, 1, 3, ''],
    [4, 1, 3, 4, ''],
    [5, 1, 5, 6, ''],
    [3, 2, 2, 3, ''],
  ]);
});

test('calls whose begin was overwritten start at the left edge', () => {
  for (const mode of MODES) {
    const recorder = new Recorder({ ...mode, ringWords: 8 });
    const main = recorder.enter(1);
    const inner = recorder.enter(2);
    for (let i = 0; i < 10; i++) recorder.leave(recorder.enter(3));
    recorder.leave(inner);
    recorder.leave(main);
    const { spans, origin } = layoutOf(recorder);
    assert.equal(origin, 16);
    assert.deepEqual(spans.slice(0, 2), [[1, 0, 0, 7, 'LOST'], [2, 1, 0, 6, 'LOST']]);
    assert.deepEqual(spans.slice(2), [[3, 2, 0, 1, ''], [3, 2, 2, 3, ''], [3, 2, 4, 5, '']]);
  }
});

test('a suspended stack covers only what it ran', () => {
  const { spans } = describe(
    modelOf([
      [RECORD.ENTER, 1, 1], // 0: the thread's own stack
      [RECORD.STACK, 7], //    1: another one begins
      [RECORD.ENTER, 2, 1], // 2
      [RECORD.ENTER, 3, 2], // 3: suspended in here
      [RECORD.STACK, 0], //    4
      [RECORD.ENTER, 4, 2], // 5
      [RECORD.LEAVE, 4, 2], // 6
      [RECORD.LEAVE, 1, 1], // 7
      [RECORD.STACK, 7], //    8: resumes
      [RECORD.LEAVE, 3, 2], // 9
      [RECORD.LEAVE, 2, 1], // 10
      [RECORD.STACK, 7], //    11: has ended
      [RECORD.ENTER, 5, 1], // 12: another stack of the same number
      [RECORD.LEAVE, 5, 1], // 13
    ]),
  );
  assert.deepEqual(spans, [
    [1, 0, 0, 1, 'SUSPENDED'],
    [2, 0, 2, 4, 'SUSPENDED'],
    [1, 0, 4, 7, 'RESUMED'],
    [2, 0, 8, 10, 'RESUMED'],
    [5, 0, 12, 13, ''],
    [3, 1, 3, 4, 'SUSPENDED'],
    [4, 1, 5, 6, ''],
    [3, 1, 8, 9, 'RESUMED'],
  ]);
});

test('a call that seemed to be gone and came back is drawn up to where it seemed so', () => {
  const { spans } = describe(
    modelOf([
      [RECORD.ENTER, 1, 1],
      [RECORD.ENTER, 2, 1],
      [RECORD.LEAVE, 2, 1],
      [RECORD.LEAVE, 1, 1],
    ]),
  );
  assert.deepEqual(spans, [[1, 0, 0, 1, ''], [2, 0, 1, 2, '']]);
});

test('memory.grow and traps are marks at the level of their call', () => {
  const recorder = new Recorder();
  const main = recorder.enter(1);
  recorder.leave(recorder.enter(2));
  recorder.grow(1, 0, 1, 1);
  const inner = recorder.enter(3);
  recorder.trap(3, 99);
  recorder.leave(inner);
  recorder.leave(main);
  const { marks } = layoutOf(recorder);
  const found = Array.from({ length: marks.length }, (_, slot) => [marks.levelOf(slot), marks.x0(slot)]);
  assert.deepEqual(found, [[0, 3], [1, 5]]);
});

test('nothing recorded: nothing to draw', () => {
  const { spans, whole } = layoutOf(new Recorder());
  assert.deepEqual([spans, whole], [[], 0]);
});

const TWICE = [[RECORD.ENTER, 1, 1], [RECORD.ENTER, 2, 2], [RECORD.LEAVE, 2, 2], [RECORD.ENTER, 2, 2], [RECORD.LEAVE, 2, 2], [RECORD.LEAVE, 1, 1]];

test('by time calls stand where the clock was, and what took no time keeps its place', () => {
  const { spans, origin, whole, axis } = describe(modelOf(TWICE, [1000, 1010, 1010, 1300, 1350, 1400], 1500), 'time');
  assert.deepEqual(spans, [[1, 0, 0, 400, ''], [2, 1, 10, 10, ''], [2, 1, 300, 350, '']]);
  assert.deepEqual([origin, whole, axis], [1000, 500, 'time']);
});

test('by time, too, running calls reach the right end, which is the last that the clock said', () => {
  const { spans, whole } = describe({ ...modelOf(TWICE.slice(0, 4), [5, 6, 7, 9], 20) }, 'time');
  assert.deepEqual([spans[0], spans[2], whole], [[1, 0, 0, 15, ''], [2, 1, 4, 15, ''], 15]);
});

test('by time, a clock that goes back stands', () => {
  const { spans, whole } = describe(modelOf(TWICE, [100, 200, 150, 160, 300, 310], 0), 'time');
  assert.deepEqual(spans, [[1, 0, 0, 210, ''], [2, 1, 100, 100, ''], [2, 1, 100, 200, '']]);
  assert.equal(whole, 210);
});

test('by time there are the calls that there are by event, in the same order', () => {
  let state = 5;
  const pick = (below) => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) % 65536 % below;
  for (let round = 0; round < 30; round++) {
    const rows = [];
    const times = [];
    const open = [];
    let now = 2 ** 40;
    for (let event = 0; event < 300; event++) {
      if (open.length === 0 || (pick(10) < 5 && open.length < 9)) rows.push([RECORD.ENTER, open[open.push(pick(5)) - 1], open.length]);
      else rows.push([RECORD.LEAVE, open.at(-1), open.length]) && open.pop();
      times.push((now += pick(3) * pick(1000)));
    }
    const model = modelOf(rows, times, now);
    const [byEvent, byTime] = [sequenceLayout(model), sequenceLayout(model, 'time')];
    assert.deepEqual(byTime.calls, byEvent.calls);
    for (let slot = 0; slot < byTime.levels.length; slot++) {
      const { enter, leave } = model.calls;
      const call = byTime.calls[slot];
      assert.equal(byTime.levels.x0(slot), times[enter[call]] - times[0]);
      if (leave[call] >= 0) assert.equal(byTime.levels.x1(slot), times[leave[call]] - times[0]);
      const before = byTime.levels.beside(slot, -1);
      assert.ok(before < 0 || byTime.levels.x1(before) <= byTime.levels.x0(slot));
    }
  }
});

test('random programs: no two spans of one level overlap, and each call that began is there', () => {
  let state = 17;
  const pick = (below) => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) % 65536 % below;
  for (let round = 0; round < 60; round++) {
    const recorder = new Recorder({ tree: round % 2 === 0, ringWords: round % 3 === 0 ? 64 : 1024 });
    const open = [];
    for (let step = 0; step < 200; step++) {
      if (open.length === 0 || (pick(10) < 5 && open.length < 12)) open.push({ ...recorder.enter(pick(5)), own: recorder.position });
      else if (pick(4) > 0) recorder.leave(open.pop());
      else {
        open.length = 1 + pick(open.length);
        recorder.restore(open.at(-1).own);
      }
    }
    const model = new TraceModel(recorder.snapshot(), metadataOf());
    const { levels, calls } = sequenceLayout(model);
    for (let slot = 0; slot < levels.length; slot++) {
      const before = levels.beside(slot, -1);
      assert.ok(levels.x0(slot) < levels.x1(slot));
      assert.ok(before < 0 || levels.x1(before) <= levels.x0(slot));
    }
    const drawn = new Set(calls);
    for (let call = 0; call < model.calls.length; call++) {
      // Of a call that is over at the first event that is left, nothing is.
      assert.ok(drawn.has(call) || model.calls.enter[call] < 0);
    }
  }
});

test('a call that was open when recording stopped reaches up to there, and takes no place of what was recorded later', () => {
  const recorder = new Recorder();
  const outer = recorder.enter(1);
  recorder.close();
  recorder.open();
  recorder.leave(recorder.enter(2));
  recorder.leave(outer);
  recorder.enter(3);
  recorder.close();
  assert.deepEqual(layoutOf(recorder).spans, [[1, 0, 0, 1, ''], [2, 0, 2, 3, ''], [3, 0, 5, 6, 'OPEN']]);
});
