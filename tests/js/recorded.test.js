// Recordings as files keep them: round trips of real snapshots, and what is refused.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { instrument } from '../../js/index.js';
import { isSameSnapshot, newestPart } from '../../js/model/snapshot-parts.js';
import { parseMetadata } from '../../js/trace/metadata.js';
import { htmlReport } from '../../js/views/html-report.js';
import { moduleInfos } from '../../js/views/module-info.js';
import { packRecording, unpackRecording } from '../../js/views/recorded.js';
import { allDisplays, renderReport } from '../../js/views/report.js';
import { Recorder, bits, namesOf } from './recorder.js';

/** A section as the instrumenter writes it, of a module with two functions of an argument and a result. */
function sectionOf(options) {
  const body = [0, ...Array(8).fill([0x20, 0, 0x1a]).flat(), 0x20, 0, 0x0b];
  const code = [2, body.length, ...body, body.length, ...body];
  const bytes = Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f],
    ...[3, 3, 2, 0, 0],
    ...[7, 9, 2, 1, 0x66, 0, 0, 1, 0x67, 0, 1],
    ...[10, code.length, ...code],
  );
  const module = new WebAssembly.Module(instrument(bytes, { link: 'split', ...options }));
  return new Uint8Array(WebAssembly.Module.customSections(module, 'wasm-trace')[0]);
}

function recordedSession({ tree = true } = {}) {
  const section = sectionOf({ trace: ['args(f)', 'ret(f)', 'arg(0, g)'], display: ['log', 'tree', 'histogram'] });
  const metadata = parseMetadata(section);
  const recorder = new Recorder({ tree, histograms: metadata.histograms.length });
  const outer = recorder.enter(0, [42]);
  recorder.leave(recorder.enter(1, [7]), []);
  recorder.leave(outer, [43]);
  recorder.count(0, -5);
  recorder.count(0, 2n ** 40n);
  const snapshot = recorder.snapshot();
  const names = namesOf([[0, 'f</script>'], [1, 'g']]);
  return { name: 'a.wasm #2', label: 'a.wasm', thread: 3, ending: 'ended', section, metadata, names, clock: null, cost: 4, snapshot: () => snapshot };
}

function timedSession() {
  const session = recordedSession();
  const floats = (...values) => Float64Array.of(...values);
  const nodes = {
    ...{ parent: Uint32Array.of(0, 0, 0, 2), func: Uint32Array.of(0, 0, 0, 1), depth: Uint32Array.of(0, 0, 1, 2), count: floats(0, 0, 2, 1) },
    ...{ self: floats(5, 0, 20, 2 ** 50), min: floats(NaN, NaN, 3, NaN), max: floats(0, 0, 9, 0), wall: floats(0, 0, 0, 77) },
  };
  const snapshot = { ...session.snapshot(), nodes, clock: { now: 2 ** 51 }, durations: [BigUint64Array.of(1n, 2n)], closed: 1 };
  const metadata = { ...session.metadata, durations: [7] };
  const names = namesOf([[0, 'f'], [1, 'g'], [7, 'of a duration only']]);
  return { ...session, metadata, names, snapshot: () => snapshot };
}

function recordingOf(...sessions) {
  return { sessions, modules: moduleInfos(sessions), warnings: ['said <once>'], trace: ['calls'], traps: ['trap: x\n'], compensates: true };
}

/** To a file and back. */
function roundTrip(recording) {
  const { head, bytes } = packRecording(recording);
  const data = deflateRawSync(bytes).toString('base64');
  return unpackRecording(JSON.parse(JSON.stringify(head)), inflateRawSync(Buffer.from(data, 'base64')));
}

describe('recordings', () => {
  for (const tree of [true, false]) {
    test(`come back as they were, ${tree ? 'with' : 'without'} a tree`, () => {
      const session = recordedSession({ tree });
      const recording = recordingOf(session);
      const { sessions, ...others } = roundTrip(recording);
      assert.deepEqual({ sessions: recording.sessions, ...others }, recording);
      const [{ names, snapshot, metadata, ...facts }] = sessions;
      assert.deepEqual(snapshot(), session.snapshot());
      assert.deepEqual(metadata, session.metadata);
      assert.deepEqual(facts, { name: 'a.wasm #2', label: 'a.wasm', thread: 3, ending: 'ended', section: session.section, clock: null, cost: 4 });
      assert.deepEqual([names.name(0), names.has(1), names.name(5), names.has(5)], ['f</script>', true, 'wasm-function[5]', false]);
    });
  }

  test('of a timed program keep its times, NaN where no call returned', () => {
    const session = timedSession();
    const { head, bytes } = packRecording(recordingOf(session));
    const [{ snapshot, names }] = roundTrip(recordingOf(session)).sessions;
    assert.deepEqual(snapshot(), session.snapshot());
    assert.deepEqual([...snapshot().nodes.min.slice(2)], [3, NaN]);
    assert.equal(names.name(7), 'of a duration only');
    assert.equal(head.version, 1);
    assert.ok(bytes.length > 0);
  });

  test('tell how finely the clock went', () => {
    const section = sectionOf({ trace: ['calls'], clock: 'instructions' });
    const metadata = parseMetadata(section);
    const session = { ...timedSession(), section, metadata, clock: { ...metadata.clock, resolution: { median: 1, most: 2 } } };
    assert.deepEqual(roundTrip(recordingOf(session)).sessions[0].clock, session.clock);
    assert.equal(session.clock.kind, 'instructions');
  });

  test('tell what tracing cost', () => {
    const { sessions, compensates } = roundTrip({ ...recordingOf({ ...timedSession(), cost: 2.5 }), compensates: true });
    assert.deepEqual([sessions[0].cost, compensates], [2.5, true]);
  });

  test('made before there were clocks still open, as untimed ones', () => {
    const session = recordedSession();
    const { head, bytes } = packRecording(recordingOf(session));
    for (const { snapshot } of head.sessions) for (const name of ['clock', 'durations', 'closed']) delete snapshot[name];
    const [{ snapshot }] = unpackRecording(JSON.parse(JSON.stringify(head)), bytes).sessions;
    assert.deepEqual(snapshot(), session.snapshot());
  });

  test('show the same as before', () => {
    const before = recordedSession();
    const [after] = roundTrip(recordingOf(before)).sessions;
    for (const kind of ['log', 'nested', 'tree', 'histogram']) {
      const text = ({ snapshot, ...session }) => renderReport(kind, { ...session, snapshot: snapshot() });
      assert.equal(text(after), text(before));
    }
  });

  test('keep arrays of several sessions apart', () => {
    const [one, other] = [recordedSession(), recordedSession({ tree: false })];
    const { sessions } = roundTrip(recordingOf(one, other));
    assert.deepEqual(sessions.map(({ snapshot }) => snapshot()), [one.snapshot(), other.snapshot()]);
  });

  test('of another kind or version, or cut short, are refused', () => {
    const { head, bytes } = packRecording(recordingOf(recordedSession()));
    const refused = (reason) => ({ name: 'RecordingError', message: reason });
    assert.throws(() => unpackRecording({ ...head, format: 'x' }, bytes), refused('this is no recording of wasm-trace'));
    assert.throws(() => unpackRecording(null, bytes), refused('this is no recording of wasm-trace'));
    assert.throws(() => unpackRecording({ ...head, version: 2 }, bytes), refused('a recording of version 2, where 1 is known'));
    assert.throws(() => unpackRecording(head, bytes.subarray(0, -64)), refused('the recording is cut short'));
  });
});

describe('the HTML report', () => {
  const script = 'const text = "</script><!-- <script>";';
  const { head } = packRecording(recordingOf(recordedSession()));
  const html = htmlReport({ script, recordings: [{ program: 'a & b', head, data: '' }], title: 'a & <b>' });

  test('has exactly its two scripts, whatever names and scripts have in them', () => {
    assert.deepEqual(html.match(/<\/?script[^>]*>/gi), [
      '<script type="application/json" id="wasm-trace-recordings">',
      '</script>',
      '<script>',
      '</script>',
    ]);
    assert.doesNotMatch(html, /<!--/);
    assert.match(html, /<title>a &#38; &#60;b&#62;<\/title>/);
  });

  test('holds the script and the data unchanged', () => {
    const [data, code] = [...html.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, text]) => text);
    assert.deepEqual(JSON.parse(data), JSON.parse(JSON.stringify([{ program: 'a & b', head, data: '' }])));
    assert.equal(new Function(`${code} return text;`)(), '</script><!-- <script>');
  });

  test('names no address', () => {
    assert.doesNotMatch(html, /https?:|src=|href=/);
  });
});

describe('parts of snapshots', () => {
  test('are the same as long as nothing is recorded', () => {
    const recorder = new Recorder({ tree: true, histograms: 1 });
    const before = recorder.snapshot();
    assert.ok(isSameSnapshot(before, recorder.snapshot()));
    recorder.untrack(recorder.track(1));
    const tracked = recorder.snapshot();
    assert.ok(!isSameSnapshot(before, tracked));
    recorder.countFloat(0, Number(bits.f32(1)));
    assert.ok(!isSameSnapshot(tracked, recorder.snapshot()));
  });

  test('can be the newest words only', () => {
    const recorder = new Recorder();
    for (let i = 0; i < 10; i++) recorder.leave(recorder.enter(i));
    const snapshot = recorder.snapshot();
    assert.deepEqual(newestPart(snapshot, 20), { snapshot, isCut: false });
    const { snapshot: part, isCut } = newestPart(snapshot, 4);
    assert.deepEqual([isCut, [...part.records]], [true, [...snapshot.records.slice(-4)]]);
  });
});

test('all displays that a question has something for, the fitting one first', () => {
  assert.deepEqual(allDisplays(['calls']), ['tree', 'log']);
  assert.deepEqual(allDisplays(['imports']), ['log', 'tree']);
  assert.deepEqual(allDisplays(['calls(f)', 'arg0:malloc']), ['nested', 'tree', 'histogram']);
  assert.deepEqual(allDisplays(['duration(f)', 'duration:g']), ['histogram', 'log', 'tree']);
  assert.deepEqual(allDisplays(['calls', 'memory.grow']), ['tree', 'log', 'histogram']);
});
