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
  const [messages, ...steps] = control;
  assert.equal(messages, 0);
  assert.ok(steps.every((step) => step > 0 && step < 2 ** 31 - 1), `steps: ${steps}`);
});
