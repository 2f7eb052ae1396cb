// tests/bad: malformed modules, one for each rule of the reader, and what it says of them. A file begins with the bytes that
// all its cases have in front. With UPDATE=1 in the environment the answers are written instead of compared.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { Instrumenter } from '../../js/loader/instrumenter.js';
import { bytesOf } from './assemble.js';

const folder = new URL('../bad/', import.meta.url);
const CASE = /^-- (?<name>.*)\n(?<text>(?:(?!--|=>).*\n)*)(?:=> (?<answer>.*)\n)?/gm;

/** @param {() => unknown} job */
function answerOf(job) {
  try {
    job();
  } catch (error) {
    const { message, offset } = /** @type {any} */ (error);
    return offset === undefined ? message : `${message} at byte ${offset}`;
  }
  return 'accepted';
}

/** @param {string} name @param {Uint8Array} bytes */
function judge(name, bytes) {
  const instrumenter = Instrumenter.create();
  const answer = answerOf(() => instrumenter.check(bytes));
  for (const link of /** @type {const} */ (['split', 'merged'])) {
    assert.equal(answerOf(() => instrumenter.run(bytes, { trace: 'calls', minSize: 0, link })), answer, `${name}, ${link}`);
  }
  assert.ok(!WebAssembly.validate(/** @type {BufferSource} */ (bytes)), `${name}: the engine accepts it`);
  return answer;
}

for (const file of readdirSync(folder).sort()) {
  test(`bad/${file}`, () => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    const before = text.slice(0, text.search(/^-- /m));
    const updated = text.replace(CASE, (found, name, body, answer) => {
      const answerNow = judge(name, bytesOf(before + body));
      if (process.env.UPDATE === '1') return `-- ${name}\n${body}=> ${answerNow}\n`;
      assert.equal(answerNow, answer, `${file}: ${name}`);
      return found;
    });
    if (updated !== text) writeFileSync(new URL(file, folder), updated);
  });
}
