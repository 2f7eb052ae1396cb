// The shape of guest-runtime.wasm: what the linker counts on, so that a change of compiler or flags cannot break it quietly.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const url = (/** @type {string} */ path) => new URL(`../../${path}`, import.meta.url);
const bytes = readFileSync(url('build/guest-runtime.wasm'));
const module = new WebAssembly.Module(bytes);

const SECTION = { table: 4, memory: 5, global: 6, start: 8, element: 9, data: 11, dataCount: 12 };

/** Section ids in the order of the file, with their content. */
function readSections() {
  const sections = new Map();
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at];
    const [size, start] = readU32(at + 1);
    sections.set(id, bytes.subarray(start, start + size));
    at = start + size;
  }
  return sections;
}

/** @returns {[value: number, end: number]} */
function readU32(/** @type {number} */ at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
  }
}

function entryNames() {
  const table = readFileSync(url('guest-runtime/include/wtr_entries.def'), 'utf8');
  return [...table.matchAll(/^WTR_ENTRY\((\w+),/gm)].map(([, name]) => `wtr_${name}`);
}

test('it imports the hooks and nothing else', () => {
  const names = WebAssembly.Module.imports(module).map((row) => `${row.module}.${row.name}`);
  assert.deepEqual(names.sort(), ['wtr.full', 'wtr.now']);
});

test('it exports its memory and every entry of the table', () => {
  const names = WebAssembly.Module.exports(module).map((row) => row.name);
  assert.deepEqual(names.sort(), ['memory', ...entryNames()].sort());
});

test('it has no table, no start function and no data', () => {
  const sections = readSections();
  for (const name of /** @type {const} */ (['table', 'start', 'element', 'data', 'dataCount'])) {
    assert.equal(sections.has(SECTION[name]), false, `${name} section`);
  }
});

test('it has one memory of one page that may grow', () => {
  assert.deepEqual([...readSections().get(SECTION.memory)], [1, 0, 1]);
});

test('it has no globals, so no stack', () => {
  assert.equal(readSections().has(SECTION.global), false);
});
