// Calls for the developer tools.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_SPANS, spansOf } from '../../web/panel/spans.js';
import { namesOf } from './recorder.js';

/** Calls as [function, event of the enter, event of the leave]; -1: there is none. */
function modelOf(times, rows) {
  const [func, enter, leave] = [0, 1, 2].map((column) => rows.map((row) => row[column]));
  return { calls: { func, enter, leave, length: rows.length }, events: { time: (event) => times[event] }, metadata: { importCount: 1 } };
}

const NAMES = namesOf([[0, 'env.read'], [1, 'main']]);

test('calls that began and ended are spans, callers first', () => {
  const model = modelOf([100, 200, 300, 400, 400], [[1, 0, 3], [0, 1, 2], [1, -1, 2], [1, 1, -1], [1, 3, 4]]);
  assert.deepEqual(spansOf(model, NAMES), {
    spans: [
      { name: 'main', host: false, start: 100, end: 400 },
      { name: 'env.read', host: true, start: 200, end: 300 },
    ],
    left: 0,
  });
});

test('the longest are kept', () => {
  const count = MOST_SPANS + 10;
  const times = Array.from({ length: count + 1 }, (_, i) => i ** 2);
  const { spans, left } = spansOf(modelOf(times, times.slice(1).map((_, i) => [1, i, i + 1])), NAMES);
  assert.deepEqual([spans.length, left, spans[0].start], [MOST_SPANS, 10, 100]);
});
