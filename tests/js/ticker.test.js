// The loop of a ticker's thread.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tickerLoop } from '../../js/loader/ticker-loop.js';

test('however long it ticks, it writes over nothing but the oldest steps', () => {
  const control = new Int32Array(6).fill(2 ** 31 - 1); // as if it had ticked for very long
  control[0] = 0;
  let looks = 0;
  const goOn = () => looks++ < 20;
  tickerLoop({ control, address: 0 }, goOn)({ id: 'a', buffer: new SharedArrayBuffer(8), origin: performance.timeOrigin });
  const [messages, longest, ...steps] = control;
  assert.equal(messages, 0);
  assert.equal(longest, 2 ** 31 - 1);
  assert.ok(steps.every((step) => step > 0 && step < 2 ** 31 - 1), `steps: ${steps}`);
});

test('how long it stood still is known, while somebody reads the time', () => {
  const wait = 5; // milliseconds
  const longestOf = (/** @type {SharedArrayBuffer | undefined} */ buffer) => {
    const control = new Int32Array(6);
    let looks = 0;
    const goOn = () => {
      for (const end = performance.now() + wait; performance.now() < end; );
      return looks++ < 2;
    };
    tickerLoop({ control, address: 0 }, goOn)({ id: 'a', buffer, origin: performance.timeOrigin });
    return control[1];
  };
  assert.equal(longestOf(undefined), 0);
  assert.ok(longestOf(new SharedArrayBuffer(8)) >= wait * 1e6);
});
