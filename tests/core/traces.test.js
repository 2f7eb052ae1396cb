// tests/regress/traces: programs whose trace was wrong once, found by tests/fuzz/traces.mjs and made small there.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { check, linked } from '../fuzz/traces/check.js';
import { moduleOf } from '../fuzz/traces/program-code.js';
import { links } from './run-module.js';

const folder = new URL('../regress/traces/', import.meta.url);

for (const file of readdirSync(folder).sort()) {
  const one = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  const runnable = WebAssembly.validate(/** @type {BufferSource} */ (moduleOf(one.program)));
  for (const link of links)
    test(`${file}, ${link}`, { skip: !runnable && 'this engine does not know the module' }, () => {
      assert.equal(check(linked(one, link), undefined, { all: true })?.text, undefined);
    });
}
