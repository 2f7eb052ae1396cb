// Files for other tools: collapsed stacks, speedscope (against its published schema), Chrome's trace events; over hand-made trees
// and over random rings, with calls that do not end, beginnings that are lost, tail calls, exceptions, suspended stacks.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import * as ABI from '../../js/generated/abi.js';
import * as RECORD from '../../js/generated/record.js';
import { decodeEvents } from '../../js/model/events.js';
import { MOST_LEVELS, stackWeights } from '../../js/model/stack-weights.js';
import { timelineOf } from '../../js/model/timeline.js';
import { TraceModel } from '../../js/model/trace-model.js';
import { exportFile, exportNotes, exportParts } from '../../js/views/exports.js';
import { speedscope } from '../packages.mjs';
import { random } from './random.js';
import { Recorder, metadataOf, namesOf } from './recorder.js';
import { INSTRUCTIONS, course, timedMetadata, timedNodes, timedRecords, timedSnapshot } from './timed.js';

const names = namesOf([[0, 'env.log'], [5, 'main'], [6, 'a;b\nc'], [7, 'fib']]);
const nodes = timedNodes([[0, 5, 1, 100], [2, 6, 3, 40], [3, 0, 3, 7], [2, 7, 9, 0]], { outside: 1e6 });

function sessionOf(parts = {}) {
  const { name = 'app.wasm', metadata = timedMetadata({ importCount: 1 }), ...rest } = parts;
  return { name, names, metadata, snapshot: timedSnapshot({ nodes, ...rest }) };
}

/** A file of one process. */
function fileOf(form, sessions, options) {
  const processes = [{ program: 'app.js', parts: exportParts(form, sessions, options) }];
  return { text: exportFile(form, processes), notes: exportNotes(processes) };
}

/** A whole ring: main calls a;b\nc, which calls the import, then fib. */
function ringParts(text = '>5 >6 >0 <0 <6 >7 <7 <5') {
  const rows = course(text, nodes);
  return { records: timedRecords(rows), events: rows.length, ringWords: BigInt(rows.length * 2), ringEvents: BigInt(rows.length) };
}

describe('collapsed stacks', () => {
  test('self time by stack; names cannot break the lines; time outside is not there', () => {
    const { text, notes } = fileOf('folded', [sessionOf()]);
    assert.equal(text, 'main 100\nmain;a:b c 40\nmain;a:b c;env.log 7\n');
    assert.deepEqual(notes, ['weights: self time in ns, clock: ticker']);
  });

  test('instructions, or calls without a clock', () => {
    const counting = fileOf('folded', [sessionOf({ metadata: timedMetadata({ clock: INSTRUCTIONS }) })]);
    assert.deepEqual(counting.notes, ['weights: instructions in the function itself, clock: instructions']);
    const untimed = { ...nodes, self: null, min: null, max: null, wall: null };
    const { text, notes } = fileOf('folded', [sessionOf({ nodes: untimed, clock: null, metadata: metadataOf({ tree: true }) })]);
    assert.equal(text, 'main 1\nmain;a:b c 3\nmain;a:b c;env.log 3\nmain;fib 9\n');
    assert.deepEqual(notes, ['weights: calls']);
  });

  test('without what tracing cost', () => {
    const { text, notes } = fileOf('folded', [{ ...sessionOf(), cost: 5 }]);
    assert.equal(text, 'main 35\nmain;a:b c 10\n');
    assert.deepEqual(notes, ['weights: self time in ns, clock: ticker', 'without what tracing cost']);
  });

  test('times of events are with it, and say so', () => {
    const session = { ...sessionOf(ringParts()), cost: 5 };
    for (const form of ['speedscope', 'chrome']) {
      const { text, notes } = fileOf(form, [session]);
      assert.equal(notes.at(-1), 'with what tracing cost');
      assert.equal(fileOf(form, [{ ...session, cost: null }]).text, text.replace(/(; |,")with what tracing cost"?/, ''));
    }
  });

  test('several sessions and several processes are the outermost frames; equal stacks are one line', () => {
    const twice = sessionOf({ name: 'two', nodes: timedNodes([[0, 8, 1, 1], [0, 9, 1, 2]]) });
    twice.names = { name: () => 'same' };
    const parts = exportParts('folded', [sessionOf(), twice]);
    const text = exportFile('folded', [{ program: 'x;y', parts }, { program: 'child', parts: parts.slice(1) }]);
    assert.equal(text, 'x:y;app.wasm;main 100\nx:y;app.wasm;main;a:b c 40\nx:y;app.wasm;main;a:b c;env.log 7\nx:y;two;same 3\nchild;two;same 3\n');
  });

  test('what is not in the tree is told', () => {
    assert.deepEqual(fileOf('folded', [sessionOf({ nodesDropped: 3n })]).notes.slice(1), ['3 calls are not in the tree: it was full']);
    assert.deepEqual(fileOf('folded', [sessionOf({ closed: ABI.CLOSED_FULL })]).notes.slice(1), ['recording stopped when the buffer was full; a larger --buffer keeps more']);
  });

  test('stacks that are too deep or too many are cut, and that is said', () => {
    const deep = timedNodes(Array.from({ length: 2000 }, (_, i) => [i === 0 ? 0 : i + 1, i % 7, 1, 1]));
    const { text, notes } = fileOf('folded', [sessionOf({ nodes: deep })]);
    const lines = text.trim().split('\n');
    assert.equal(Math.max(...lines.map((line) => line.split(';').length)), MOST_LEVELS);
    assert.equal(lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0), 2000);
    assert.match(notes[1], /^1,500 stacks of more than 500 frames/);
    const deepest = timedNodes(Array.from({ length: 200_000 }, (_, i) => [i === 0 ? 0 : i + 1, i % 2, 1, 1]));
    const { stacks: few } = stackWeights(new TraceModel(timedSnapshot({ nodes: deepest }), timedMetadata()));
    assert.deepEqual([few.length, few.at(-1).frames.length, few.at(-1).weight], [MOST_LEVELS, MOST_LEVELS, 200_001 - MOST_LEVELS]);
    const model = new TraceModel(timedSnapshot({ nodes: timedNodes([[0, 1, 1, 5], [2, 2, 1, 50], [0, 3, 1, 2]]) }), timedMetadata());
    const { stacks, left } = stackWeights(model, 3);
    assert.deepEqual([stacks, left], [[{ frames: [1], weight: 5 }, { frames: [1, 2], weight: 50 }], 2]);
  });

  test('frames of doubt are no frames', () => {
    const { text } = fileOf('folded', [sessionOf({ nodes: timedNodes([[0, 5, 1, 3], [2, ABI.UNCERTAIN, 1, 4], [3, 7, 1, 9]]) })]);
    assert.equal(text, 'main 7\nmain;fib 9\n');
  });
});

/** Every begin has its end, inside of the others; times do not fall. Returns how many there are. */
function assertBalanced(events, { begins, name, at }) {
  const open = [];
  let last = -Infinity;
  for (const event of events) {
    assert.ok(at(event) >= last, `${at(event)} after ${last}`);
    last = at(event);
    if (begins(event)) open.push(name(event));
    else assert.equal(open.pop(), name(event));
  }
  assert.deepEqual(open, []);
  return events.length;
}

const CHROME = { begins: ({ ph }) => ph === 'B', name: ({ name }) => name, at: ({ ts }) => ts };
const EVENTED = { begins: ({ type }) => type === 'O', name: ({ frame }) => frame, at: ({ at }) => at };

describe('speedscope', () => {
  let validate;
  before(() => {
    const folder = path.join(speedscope(), 'node_modules');
    const schema = JSON.parse(readFileSync(path.join(folder, 'speedscope/dist/release/file-format-schema.json'), 'utf8'));
    const { default: Ajv } = createRequire(path.join(folder, 'index.js'))('ajv');
    validate = new Ajv({ strict: false }).compile(schema);
  });

  function checked(sessions, options) {
    const { text, notes } = fileOf('speedscope', sessions, options);
    const file = JSON.parse(text);
    assert.ok(validate(file), JSON.stringify(validate.errors));
    return { file, notes };
  }

  test('a whole log with times is in the order of time', () => {
    const { file } = checked([sessionOf(ringParts())]);
    const [profile] = file.profiles;
    assert.deepEqual([profile.type, profile.unit, profile.startValue, profile.endValue], ['evented', 'nanoseconds', 0, 70]);
    assert.deepEqual(file.shared.frames, [{ name: 'main' }, { name: 'a;b\nc' }, { name: 'env.log' }, { name: 'fib' }]);
    assert.deepEqual(profile.events.map(({ type, frame, at }) => `${type}${frame} ${at}`), ['O0 0', 'O1 10', 'O2 20', 'C2 30', 'C1 40', 'O3 50', 'C3 60', 'C0 70']);
    assert.match(profile.name, /^app.wasm \(in the order of time: ns, clock: ticker\)$/);
  });

  test('one that is not whole is a sum, of self time or of calls', () => {
    const lost = checked([sessionOf({ ...ringParts('>5 >6'), ringEvents: 20n })]).file.profiles[0];
    assert.deepEqual([lost.type, lost.unit, lost.endValue], ['sampled', 'nanoseconds', 147]);
    assert.deepEqual([lost.samples, lost.weights], [[[0], [0, 1], [0, 1, 2]], [100, 40, 7]]);
    const untimed = { ...nodes, self: null, min: null, max: null, wall: null };
    const calls = checked([sessionOf({ nodes: untimed, clock: null, metadata: metadataOf({ tree: true }) })]).file.profiles[0];
    assert.deepEqual([calls.unit, calls.weights], ['none', [1, 3, 3, 9]]);
    assert.match(calls.name, /weights: calls/);
    assert.equal(checked([sessionOf({ metadata: timedMetadata({ clock: INSTRUCTIONS }) })]).file.profiles[0].unit, 'none');
  });

  test('a log that a full buffer has cut is a sum, too; where recording stopped with it, that is said', () => {
    const cut = checked([sessionOf({ ...ringParts(), missedEvents: 3n })]).file.profiles[0];
    assert.deepEqual([cut.type, cut.endValue], ['sampled', 147]);
    const stopped = checked([sessionOf({ ...ringParts(), closed: ABI.CLOSED_FULL })]).file.profiles[0];
    assert.deepEqual([stopped.type, stopped.endValue], ['evented', 70]);
    assert.match(stopped.name, /; recording stopped when the buffer was full; /);
  });

  test('profiles of several sessions share their frames; none makes a valid file, too', () => {
    const { file } = checked([sessionOf(), sessionOf({ name: 'two', nodes: timedNodes([[0, 7, 1, 3]]) })]);
    assert.equal(file.profiles.length, 2);
    const [fib] = file.profiles[1].samples[0];
    assert.equal(file.shared.frames[fib].name, 'fib');
    checked([]);
  });
});

describe('trace events of Chrome', () => {
  test('microseconds from the first event on, a thread for each session', () => {
    const { text, notes } = fileOf('chrome', [sessionOf(ringParts()), sessionOf({ ...ringParts('>5 <5'), name: 'two' })]);
    const { traceEvents, displayTimeUnit, otherData } = JSON.parse(text);
    assert.deepEqual([displayTimeUnit, otherData.notes, notes], ['ns', ['ts: microseconds, clock: ticker'], ['ts: microseconds, clock: ticker']]);
    const heads = traceEvents.filter(({ ph }) => ph === 'M').map(({ name, pid, tid, args }) => [name, pid, tid, args.name]);
    assert.deepEqual(heads, [['process_name', 1, 0, 'app.js'], ['thread_name', 1, 1, 'app.wasm'], ['thread_name', 1, 2, 'two']]);
    const first = traceEvents.filter(({ ph, tid }) => ph !== 'M' && tid === 1);
    assert.deepEqual(first.map(({ name, ph, ts }) => `${ph} ${name} ${ts.toFixed(2)}`).slice(0, 3), ['B main 0.00', 'B a;b\nc 0.01', 'B env.log 0.02']);
    assert.equal(assertBalanced(first, CHROME), 8);
  });

  test('processes, which began one after the other, stand on one line of time', () => {
    const processes = [2, 1].map((timeOrigin) => ({ program: `began at ${timeOrigin}`, parts: exportParts('chrome', [{ ...sessionOf(ringParts('>5 <5')), timeOrigin }]) }));
    const { traceEvents } = JSON.parse(exportFile('chrome', processes));
    assert.deepEqual([1, 2].map((process) => traceEvents.find(({ ph, pid }) => ph === 'B' && pid === process).ts), [1000, 0]);
  });

  test('other units are told, and what is not there', () => {
    assert.deepEqual(fileOf('chrome', [sessionOf({ ...ringParts(), metadata: timedMetadata({ clock: INSTRUCTIONS }) })]).notes, ['ts: instructions, clock: instructions']);
    assert.deepEqual(fileOf('chrome', [sessionOf({ metadata: timedMetadata({ ring: false }) })]).notes, ['no log was kept: the displays that were asked for do without']);
    const { text, notes } = fileOf('chrome', [sessionOf({ ...ringParts(), ringEvents: 12n })], { most: 2 });
    assert.deepEqual(notes.slice(1), ['4 older events were overwritten; a larger --buffer keeps more', '2 older calls left out']);
    const drained = fileOf('chrome', [{ ...sessionOf({ ...ringParts(), ringEvents: 12n }), drainedTo: 'all.wtrace' }]);
    assert.deepEqual(drained.notes.slice(1), ['4 older events are in all.wtrace']);
    assert.deepEqual(JSON.parse(text).traceEvents.filter(({ ph }) => ph === 'B').map(({ name }) => name), ['main', 'a;b\nc', 'env.log', 'fib']);
  });
});

/** Calls, returns, tail calls, exceptions, growing memories. */
function runProgram(recorder, pick, steps) {
  const open = [];
  for (let step = 0; step < steps; step++) {
    const what = pick(10);
    if (open.length === 0 || (what < 5 && open.length < 12)) {
      open.push({ ...recorder.enter(pick(5)), own: recorder.position });
    } else if (what < 7) {
      recorder.leave(open.pop());
    } else if (what === 7) {
      recorder.tail(open.pop());
    } else if (what === 8) {
      recorder.grow(1, 0, 1, 1);
    } else {
      open.splice(pick(open.length) + 1);
      recorder.restore(open.at(-1).own);
    }
  }
}

/** The ring of a timed module, out of that of an untimed one; now and then another stack goes on. */
function timedModel(snapshot, pick, switches) {
  const rows = [];
  let time = 1000;
  for (const { kind, func, position, values } of decodeEvents(snapshot, metadataOf()).events) {
    time += pick(3) * 10;
    if (switches && pick(8) === 0) rows.push([RECORD.STACK, pick(3), 0, time]);
    rows.push([kind, func, position, time, ...(kind === RECORD.GROW ? values : [])]);
  }
  const { position, treePositions, nodes: tree, ringEvents } = snapshot;
  const timedTree = { ...tree, self: new Float64Array(tree.func.length), min: null, max: null, wall: null };
  const parts = { records: timedRecords(rows), ringEvents: ringEvents + BigInt(rows.length), position, treePositions, nodes: timedTree, idle: false };
  return new TraceModel(timedSnapshot(parts), timedMetadata());
}

describe('random rings', () => {
  for (const [what, options, switches] of [['whole', { ringWords: 1024 }, false], ['that lost their beginnings', { ringWords: 64 }, false], ['of several stacks', { ringWords: 256 }, true]]) {
    test(`${what}: balanced, in the order of time`, () => {
      let sum = 0;
      for (let seed = 1; seed <= 60; seed++) {
        for (const tree of [false, true]) {
          const pick = random(seed);
          const recorder = new Recorder({ tree, ...options });
          runProgram(recorder, pick, 200);
          const model = timedModel(recorder.snapshot(), pick, switches);
          for (const limit of [Infinity, 7]) {
            const timeline = timelineOf(model, limit);
            const events = timeline.call.map((call, i) => ({ call, begins: timeline.begins[i], at: timeline.at[i] }));
            sum += assertBalanced(events, { begins: ({ begins }) => begins, name: ({ call }) => call, at: ({ at }) => at });
            assert.ok(events.every(({ at }) => at >= timeline.from && at <= timeline.to));
          }
          if (!switches) assertTrue(model);
        }
      }
      assert.ok(sum > 10_000, String(sum));
    });
  }

  /** Each call is there once, from the event that began it to the one that ended it. */
  function assertTrue(model) {
    const { calls, events } = model;
    const { call, begins, at } = timelineOf(model);
    const [from, to] = [new Map(), new Map()];
    call.forEach((one, i) => {
      const side = begins[i] ? from : to;
      assert.ok(!side.has(one), `call ${one} twice`);
      side.set(one, at[i]);
    });
    for (let one = 0; one < calls.length; one++) {
      if (calls.enter[one] >= 0) assert.equal(from.get(one), events.time(calls.enter[one]));
      if (calls.leave[one] >= 0) assert.equal(to.get(one), events.time(calls.leave[one]));
    }
    assert.equal(from.size, calls.length);
  }
});
