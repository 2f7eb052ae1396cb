// Parts of the panel that need no DOM: completion of probes, sessions to choose from, and how often it looks.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { choicesOf, snapshotOf } from '../../web/panel/choices.js';
import { completionsOf } from '../../web/panel/completion.js';
import { soFar } from '../../web/panel/probe-text.js';
import { pauseAfter } from '../../web/panel/poller.js';
import { Recorder, metadataOf } from './recorder.js';

const NAMES = ['malloc', 'memcpy', 'Player::update(float, int)'];
const complete = (prefix, most) => NAMES.filter((name) => name.startsWith(prefix)).slice(0, most);
const texts = (typed) => completionsOf(typed, complete).map(({ text }) => text);

describe('completion', () => {
  test('begins with the kinds of probes', () => {
    assert.deepEqual(texts('ca'), ['calls', 'calls(']);
    assert.deepEqual(texts('ar'), ['args(', 'arg(0, ']);
    assert.deepEqual(texts('arg('), ['arg(0, ']);
    assert.deepEqual(texts('xyz'), []);
  });

  test('goes on with names, quoted where they must be', () => {
    assert.deepEqual(texts('args(m'), ['args(malloc)', 'args(memcpy)']);
    assert.deepEqual(texts('arg(0, mal'), ['arg(0, malloc)']);
    assert.deepEqual(texts('arg0:mal'), ['arg0:malloc']);
    assert.deepEqual(texts('calls(Play'), ['calls("Player::update(float, int)")']);
    assert.deepEqual(texts('calls("Play'), ['calls("Player::update(float, int)")']);
    assert.deepEqual(texts('calls(malloc)'), []);
  });
});

test('a probe that is half typed stands for all that it may become', () => {
  const known = { 'args(mal': 'args(mal*)', 'arg(0, mal': 'arg(0, mal*)', 'args(': '', 'arg(0, ': '', 'calls("a(': '', 'calls(/x': '' };
  for (const [typed, counted] of Object.entries(known)) assert.equal(soFar(typed), counted);
  for (const whole of ['calls', 'args(malloc)', 'arg0:mal', 'arg(x, f)']) assert.equal(soFar(whole), whole);
});

describe('choices', () => {
  const metadata = metadataOf();
  const session = (name, label, thread) => {
    const recorder = new Recorder({ tree: true });
    recorder.untrack(recorder.track(1));
    return { name, label, thread, metadata, names: { name: String, has: () => true }, snapshot: () => recorder.snapshot() };
  };
  const [one, two, other] = [session('a.wasm', 'a.wasm'), session('a.wasm (worker 1)', 'a.wasm (worker 1)', 1), session('b.wasm', 'b.wasm')];

  test('are the sessions, and the sum of those of one module before them', () => {
    assert.deepEqual(choicesOf([one, other, two]).map(({ text }) => text), [
      'a.wasm: all 2 instances (2 threads)', 'a.wasm', 'a.wasm (worker 1)', 'b.wasm',
    ]);
    assert.deepEqual(choicesOf([]), []);
  });

  test('tell frames apart, which have names of their own', () => {
    const ids = choicesOf([other, session('b.wasm', 'b.wasm')]).slice(1).map(({ id }) => id);
    assert.deepEqual(ids, ['b.wasm', 'b.wasm (2)']);
  });

  test('have no sums of different clocks', () => {
    const timed = { ...one, metadata: metadataOf({ clock: { kind: 'instructions' } }) };
    const ticking = { ...two, metadata: metadataOf({ clock: { kind: 'ticker' } }) };
    assert.deepEqual(choicesOf([timed, ticking]).map(({ text }) => text), ['a.wasm', 'a.wasm (worker 1)']);
  });

  test('of several sessions are added up', () => {
    const [sum, single] = choicesOf([one, two]);
    const calls = (choice) => snapshotOf(choice).nodes.count.reduce((all, count) => all + count, 0);
    assert.deepEqual([calls(sum), calls(single)], [2, 1]);
  });
});

test('a look that takes long is taken less often', () => {
  assert.equal(pauseAfter(0), 250);
  assert.equal(pauseAfter(50), 600);
  assert.equal(pauseAfter(100_000), 4000);
});
