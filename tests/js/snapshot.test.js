// Copies of the runtime's memory, whole and damaged, and the events in them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as ABI from '../../js/generated/abi.js';
import * as NODE from '../../js/generated/node.js';
import * as RECORD from '../../js/generated/record.js';
import * as STATE from '../../js/generated/state.js';
import { decodeEvents } from '../../js/model/events.js';
import { RuntimeState } from '../../js/trace/runtime-state.js';
import { takeSnapshot } from '../../js/trace/snapshot.js';
import { Recorder, argsOf, metadataOf } from './recorder.js';

const VALUES = metadataOf({ probes: [[7, { args: argsOf(['i32', 'i64']), results: ['i32'] }]] });

test('a snapshot is a copy of what was recorded', () => {
  const recorder = new Recorder({ tree: true, histograms: 1 });
  recorder.leave(recorder.enter(7, [1, 2]), [3]);
  recorder.count(0, 5);
  const snapshot = recorder.snapshot();
  recorder.enter(8);
  recorder.count(0, 5);
  assert.equal(snapshot.records.length, 5);
  assert.deepEqual([snapshot.ringWords, snapshot.ringEvents, snapshot.capacityWords], [5n, 2n, 1024]);
  assert.deepEqual([...snapshot.nodes.func], [0, 0, 7]);
  assert.deepEqual([...snapshot.nodes.count], [0, 0, 1]);
  assert.deepEqual([...snapshot.nodes.depth], [0, 0, 1]);
  assert.equal(
    snapshot.histograms[0].reduce((sum, count) => sum + count),
    1n,
  );
  assert.deepEqual([snapshot.position, snapshot.treePositions, snapshot.nodesDropped], [0, true, 0n]);
  assert.ok(Object.isFrozen(snapshot));
});

test('a shared memory is read, too', () => {
  const recorder = new Recorder();
  recorder.enter(7);
  const shared = new SharedArrayBuffer(recorder.buffer.byteLength);
  new Uint8Array(shared).set(new Uint8Array(recorder.buffer));
  const { records } = takeSnapshot(shared);
  assert.ok(records.buffer instanceof ArrayBuffer);
  assert.equal(records.length, 1);
});

const DAMAGED = [
  ['no magic', (set) => set(STATE.magic, 7), /no wasm-trace runtime/, ABI.STATE_ADDRESS],
  [
    'ring outside',
    (set) => (set(STATE.ring_words, 5), set(STATE.ring_base, 0xfffff000)),
    /the ring reaches beyond/,
    0xfffff000,
  ],
  ['ring not aligned', (set) => (set(STATE.ring_words, 5), set(STATE.ring_base, 257)), /the ring is not aligned/, 257],
  [
    'tree too large',
    (set) => (set(STATE.tree_base, 4096), set(STATE.tree_count, 0xffffffff)),
    /the call tree reaches beyond/,
    4096,
  ],
  [
    'histograms outside',
    (set) => (set(STATE.hist_base, 65528), set(STATE.hist_count, 9)),
    /the histograms reaches beyond/,
    65528,
  ],
];

test('damaged memories are errors with their address', () => {
  for (const [name, damage, message, offset] of DAMAGED) {
    const recorder = new Recorder();
    damage((field, value) => recorder.set(field, value));
    assert.throws(
      () => recorder.snapshot(),
      (error) => {
        assert.match(error.message, message, name);
        assert.deepEqual([error.name, error.code, error.offset], ['TraceError', 'snapshot', offset], name);
        return true;
      },
    );
  }
  assert.throws(() => takeSnapshot(new ArrayBuffer(16)), { code: 'snapshot' });
});

test('a node before its parent is an error: readers count on the order', () => {
  const recorder = new Recorder({ tree: true });
  recorder.enter(7);
  const base = new DataView(recorder.buffer).getUint32(ABI.STATE_ADDRESS + STATE.tree_base, true);
  new DataView(recorder.buffer).setUint32(base + 2 * NODE.bytes + NODE.parent, 2, true);
  assert.throws(() => recorder.snapshot(), { offset: base + 2 * NODE.bytes });
});

test('events, oldest first, with their values', () => {
  const recorder = new Recorder();
  const frame = recorder.enter(7, [-1, -2n]);
  recorder.grow(7, 0, 1, -1);
  recorder.leave(frame, [3]);
  const { events, lost } = decodeEvents(recorder.snapshot(), VALUES);
  assert.equal(lost, 0);
  assert.deepEqual(
    [...events],
    [
      { kind: RECORD.ENTER, func: 7, position: 1, values: [-1, -2n], time: NaN },
      { kind: RECORD.GROW, func: 7, position: 1, values: [0n, 1n, -1n], time: NaN },
      { kind: RECORD.LEAVE, func: 7, position: 1, values: [3], time: NaN },
    ],
  );
});

test('a partly overwritten record is lost, whatever the ring is cut to', () => {
  for (let calls = 0; calls < 40; calls++) {
    const recorder = new Recorder({ ringWords: 16 });
    for (let i = 0; i < calls; i++) recorder.leave(recorder.enter(7, [i, i]), [i]);
    const { events, lost } = decodeEvents(recorder.snapshot(), VALUES);
    assert.equal(events.length + lost, calls * 2, `${calls} calls`);
    // A call takes five words: three whole ones fit into 16, and one word of the fourth.
    assert.equal(events.length, Math.min(calls * 2, 6), `${calls} calls`);
    assert.deepEqual(
      [...events].map(({ values }) => Number(values[0])),
      [...Array(calls * 2).keys()].map((i) => i >> 1).slice(-events.length || Infinity),
    );
  }
});

test('garbage in the ring ends the events and is no crash', () => {
  const recorder = new Recorder({ ringWords: 64 });
  for (let i = 0; i < 20; i++) recorder.enter(i);
  const ring = new DataView(recorder.buffer).getUint32(ABI.STATE_ADDRESS + STATE.ring_base, true);
  new BigUint64Array(recorder.buffer, ring, 10).fill(0xffff_ffff_ffff_ffffn);
  const { events, lost } = decodeEvents(recorder.snapshot(), VALUES);
  assert.deepEqual([events.length, lost], [10, 10]);
});

test('a record that was never closed is not there, and takes nothing but the oldest with it', () => {
  const recorder = new Recorder({ ringWords: 16 });
  const frame = recorder.enter(7, [1, 2]);
  recorder.begin([4711, 4712]);
  recorder.leave(frame, [3]);
  const { events, lost } = decodeEvents(recorder.snapshot(), VALUES);
  assert.deepEqual([[...events].map(({ values }) => values), lost], [[[1, 2n], [3]], 0]);
  for (let i = 0; i < 5; i++) recorder.enter(8);
  recorder.leave(recorder.enter(7, [5, 6]), [7]);
  assert.equal(decodeEvents(recorder.snapshot(), VALUES).events.length, 9);
  recorder.begin([4711, 4712]);
  const full = decodeEvents(recorder.snapshot(), VALUES);
  assert.deepEqual([full.events.at(0).values, full.events.length, full.lost], [[3], 8, 1]);
});

test('fewer payload words than the probe says give fewer values', () => {
  const recorder = new Recorder();
  recorder.enter(7, [9]);
  assert.deepEqual(decodeEvents(recorder.snapshot(), VALUES).events.at(0).values, [9]);
});

test('what a full ring did not take is told, and forgotten with the rest', () => {
  for (const [full, closed] of [[ABI.FULL_STOP, ABI.CLOSED_FULL], [ABI.FULL_AGGREGATE, 0]]) {
    const recorder = new Recorder({ tree: true, ringWords: 8192, full });
    const call = () => {
      recorder.makeRoom();
      recorder.leave(recorder.enter(7));
    };
    for (let i = 0; i < 10_000; i++) call();
    const snapshot = recorder.snapshot();
    const { events, lost } = decodeEvents(snapshot, metadataOf());
    assert.deepEqual([events.length, lost, events.at(0).kind, events.at(events.length - 1).kind], [4099, 0, RECORD.ENTER, RECORD.CLOSED]);
    assert.deepEqual([snapshot.closed, snapshot.missedEvents], [closed, closed ? 0n : 15902n]);
    new RuntimeState(recorder.buffer).clear();
    for (let i = 0; i < 10; i++) call();
    const after = recorder.snapshot();
    assert.deepEqual([after.closed, after.missedEvents, after.ringEvents, after.records.length], [0, 0n, 20n, 20]);
  }
});

describe('another thread stops the recording', () => {
  for (const tree of [true, false])
    test(`in the middle of an event, which then stores its position (${tree ? 'tree' : 'depth'})`, () => {
      const recorder = new Recorder({ tree });
      const outer = recorder.enter(7);
      const inner = recorder.enter(8);
      const { position } = recorder;
      new RuntimeState(recorder.buffer).close();
      recorder.set(STATE.position, position);
      recorder.leave(inner);
      assert.equal(recorder.position >>> 0, ABI.SHUT);
      recorder.leave(outer);
      assert.equal(recorder.snapshot().ringEvents, 3n, 'that event, and nothing behind it');
    });

  test('and looks again, as it may be long until that event goes on', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const recorder = new Recorder({ tree: true });
    recorder.enter(7);
    const { position } = recorder;
    const state = new RuntimeState(recorder.buffer);
    state.closeElsewhere();
    recorder.set(STATE.position, position);
    t.mock.timers.tick(10);
    assert.equal(recorder.position >>> 0, ABI.SHUT);
    state.open();
    recorder.set(STATE.position, position);
    t.mock.timers.tick(1000);
    assert.equal(recorder.position, position, 'it was started again');
  });
});
