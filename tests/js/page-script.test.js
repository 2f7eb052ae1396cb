// The page script as the build makes it: how large it is, and that the wasm files in it are the same bytes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { gzipSync } from 'node:zlib';

import { encodePage } from '../../cmake/page-text.mjs';
import { root } from '../command.mjs';

const build = path.join(root, 'build');
const scripts = ['wasm-trace.js', 'wasm-trace-panel.js', 'wasm-trace-report.js'];

/** It was 120 KB before there were clocks: docs/PAGE.md tells what it consists of. */
const SIZE_MAX = 140 * 1024;

test('the page script has at most 140 KB when it is gzipped', () => {
  const size = gzipSync(readFileSync(path.join(build, 'web/wasm-trace.js')), { level: 9 }).length;
  assert.ok(size <= SIZE_MAX, `${size} bytes, ${size - SIZE_MAX} too many`);
});

for (const script of scripts) {
  test(`${script} is ASCII, a classic script, and ends no script element`, () => {
    const text = readFileSync(path.join(build, 'web', script), 'utf8');
    assert.doesNotMatch(text, /[^\n\x20-\x7e]/);
    assert.doesNotMatch(text, /<\/script/i);
    new vm.Script(text);
  });
}

test('the files in the page script are those of the build', async () => {
  const { instrumenterBytes, runtimeBytes } = await import(pathToFileURL(path.join(root, 'web/loader/artifacts.js')).href);
  assert.deepEqual(Buffer.from(instrumenterBytes()), readFileSync(path.join(build, 'wasm-trace.wasm')));
  assert.deepEqual(Buffer.from(runtimeBytes()), readFileSync(path.join(build, 'guest-runtime.wasm')));
});

/** As web/loader/artifacts.js does. */
function decode(text, { pages }) {
  const bytes = [];
  for (let at = 0, page = 0; at < text.length; at++) {
    const value = pages[page * 128 + text.charCodeAt(at)];
    page = value < 0 ? -value : 0;
    if (value >= 0) bytes.push(value);
  }
  return Uint8Array.from(bytes);
}

test('every byte survives as text, whatever the frequencies', () => {
  const all = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (const files of [[all], [all, new Uint8Array(1000).fill(200)], [new Uint8Array(0)], [all.slice().reverse(), Uint8Array.of(39, 92, 96, 36, 60)]]) {
    const coded = encodePage(files);
    assert.deepEqual(coded.texts.map((text) => decode(text, coded)), files);
    for (const text of coded.texts) assert.match(text, /^[\x20-\x7e]*$/);
    for (const text of coded.texts) assert.doesNotMatch(text, /['\\`$]/);
  }
});
