// Edit lists: what was applied can be taken back.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Undo } from '../../js/loader/edits.js';

/** Numbers that look random and are the same on every run. */
function makeRandom(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Input and edits, and the output by the plainest means. */
function makeCase(seed) {
  const random = makeRandom(seed);
  const bytes = (size) => Uint8Array.from({ length: size }, () => random(256));
  const input = bytes(random(2000));
  const [edits, output] = [[], []];
  let cursor = 0;
  while (random(12) > 0 && cursor < input.length) {
    const copyEnd = Math.min(input.length, cursor + random(200));
    const resume = Math.min(input.length, copyEnd + random(6));
    const insert = bytes(random(3) === 0 ? random(120) : random(8));
    edits.push(copyEnd, resume, insert.length);
    output.push(...input.subarray(cursor, copyEnd), ...insert);
    cursor = resume;
  }
  output.push(...input.subarray(cursor));
  return { input, edits: Uint32Array.from(edits), output: Uint8Array.from(output) };
}

test('the undo of an edit list makes the input of the output', () => {
  for (let seed = 0; seed < 300; seed++) {
    const { input, edits, output } = makeCase(seed);
    assert.deepEqual(new Undo(input, edits).apply(output), input, `seed ${seed}`);
  }
});
