// Edit lists: what is applied can be taken back.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { applyEdits, applyEditsInPlace, Undo } from '../../js/loader/edits.js';

/** Numbers that look random and are the same on every run. */
function makeRandom(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Input, edits and inserts, and the output by the plainest means. */
function makeCase(seed) {
  const random = makeRandom(seed);
  const bytes = (size) => Uint8Array.from({ length: size }, () => random(256));
  const input = bytes(random(2000));
  const [edits, inserts, output] = [[], [], []];
  let cursor = 0;
  while (random(12) > 0 && cursor < input.length) {
    const copyEnd = Math.min(input.length, cursor + random(200));
    const resume = Math.min(input.length, copyEnd + random(6));
    const insert = bytes(random(3) === 0 ? random(120) : random(8));
    edits.push(copyEnd, resume, insert.length);
    inserts.push(...insert);
    output.push(...input.subarray(cursor, copyEnd), ...insert);
    cursor = resume;
  }
  output.push(...input.subarray(cursor));
  return { input, edits: Uint32Array.from(edits), inserts: Uint8Array.from(inserts), output: Uint8Array.from(output) };
}

test('an edit list makes the output, and its undo the input', () => {
  for (let seed = 0; seed < 300; seed++) {
    const { input, edits, inserts, output } = makeCase(seed);
    const undo = new Undo(input, edits);
    const made = applyEdits(input, edits, inserts, output.length);
    assert.deepEqual(made, output, `seed ${seed}`);
    assert.deepEqual(undo.apply(made), input, `seed ${seed}`);
  }
});

test('edits can be applied in place when nothing moves towards the start', () => {
  let done = 0;
  for (let seed = 0; seed < 300; seed++) {
    const { input, edits, inserts, output } = makeCase(seed);
    const memory = new Uint8Array(8000).fill(0xee);
    memory.set(input, 100);
    const before = memory.slice();
    const made = applyEditsInPlace(memory, { at: 100, size: input.length, capacity: 6000 }, edits, inserts, output.length);
    if (made) {
      assert.deepEqual(Uint8Array.from(made), output, `seed ${seed}`);
      assert.ok(memory.subarray(0, 100).every((byte) => byte === 0xee));
      assert.ok(memory.subarray(6100).every((byte) => byte === 0xee));
      done++;
    } else assert.deepEqual(memory, before);
  }
  assert.ok(done > 50, `only ${done} of 300`);
});

test('edits are not applied in place without room', () => {
  const input = { at: 0, size: 3, capacity: 3 };
  assert.equal(applyEditsInPlace(Uint8Array.of(1, 2, 3, 9), input, Uint32Array.of(1, 1, 1), Uint8Array.of(7), 4), null);
});

test('no edits copy the input', () => {
  const input = Uint8Array.of(1, 2, 3);
  assert.deepEqual(applyEdits(input, new Uint32Array(0), new Uint8Array(0), 3), input);
});
