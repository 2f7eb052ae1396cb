// The worker that watches whether a page hangs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWatcher } from '../../web/loader/watcher.js';

const LOOKS = 250; // milliseconds

/** @param {import('node:test').TestContext} t @param {(beat: Int32Array) => void} answer of the page, when it is asked */
function watch(t, answer) {
  const beat = new Int32Array(new SharedArrayBuffer(4));
  const global = /** @type {any} */ (globalThis);
  /** @type {any[]} */
  const told = [];
  let now = 0;
  t.mock.timers.enable({ apis: ['setInterval'] });
  t.mock.method(performance, 'now', () => now);
  t.mock.method(globalThis, 'fetch', async (/** @type {URL} */ _, { body }) => void told.push(JSON.parse(body)));
  global.postMessage = () => answer(beat);
  t.after(() => {
    delete global.postMessage;
    delete global.onmessage;
  });
  startWatcher();
  global.onmessage({ data: { kind: 'begin', beat, canvas: null, scale: 1, page: 'http://x/', served: 'http://x/' } });
  const pass = (/** @type {number} */ milliseconds) => {
    for (const end = now + milliseconds; now < end; t.mock.timers.tick(LOOKS)) now += LOOKS;
  };
  return { told, pass };
}

test('a page that answers lives, whatever its own timers do', (t) => {
  const { told, pass } = watch(t, (beat) => Atomics.add(beat, 0, 1));
  pass(60_000);
  assert.deepEqual(told, []);
});

test('one that does not hangs, until it does', (t) => {
  let answers = 0;
  const { told, pass } = watch(t, (beat) => Atomics.add(beat, 0, answers));
  pass(2000);
  assert.deepEqual(told.map(({ milliseconds }) => milliseconds), [1000, 1250, 1500, 1750]);
  answers = 1;
  pass(10_000);
  assert.deepEqual(told.at(-1), { page: 'http://x/', session: '', milliseconds: 0, stack: [] });
});
