// What the fuzzers of modules have in common: which runs cannot be compared, and what is kept of a find.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { engine } from '../engine-features.js';

/** Settings that ask for what the module does not have. */
export const REFUSALS = new Set(['probe', 'no-match', 'limit']);

/** Where the stack ends is no property of the program: probes take some of it. @param {readonly string[]} account */
export const overflows = (account) => account.some((line) => line.includes('call stack'));

/**
 * Keeps the module, and says how to come to it again.
 * @param {string} fuzzer its name
 * @param {number} seed
 * @param {Uint8Array} bytes
 * @param {unknown} settings as JSON
 * @param {string} problem
 */
export function reportFind(fuzzer, seed, bytes, settings, problem) {
  const found = fileURLToPath(new URL(`../../../build/fuzz/${fuzzer}`, import.meta.url));
  mkdirSync(found, { recursive: true });
  writeFileSync(path.join(found, `${seed}.wasm`), bytes);
  console.log(`FOUND with seed ${seed}: ${JSON.stringify(settings)}\n${problem}`);
  console.log(`again, with ${engine.name}: node tests/fuzz/${fuzzer}.mjs 0 ${seed}; the module is build/fuzz/${fuzzer}/${seed}.wasm`);
}
