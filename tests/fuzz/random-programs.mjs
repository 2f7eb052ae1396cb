// Random valid programs from Binaryen's fuzzer, run as they are and traced, for some seconds: results and calls of the host
// must be the same. node tests/fuzz/random-programs.mjs [SECONDS [SEED]]
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { instrument } from '../../js/index.js';
import { links, runModule } from '../core/run-module.js';

const wasmOpt = fileURLToPath(new URL('../../node_modules/binaryen/bin/wasm-opt', import.meta.url));
const FEATURES = [
  'tail-call', 'multivalue', 'bulk-memory', 'simd', 'sign-ext', 'nontrapping-float-to-int', 'mutable-globals', 'reference-types',
  ...(links.includes('merged') ? ['exception-handling', 'gc', 'multimemory', 'memory64'] : []), // newer engines have them all
];
const SEED_BYTES = 2000;

/** @type {import('../../js/index.js').InstrumentOptions[]} */
const PLANS = [
  { trace: 'calls', minSize: 0, display: 'nested', legacyExceptions: true },
  { trace: ['args(*)', 'ret(*)', 'imports', 'memory.grow', 'traps'], display: 'log', stack: true },
  { trace: ['args(*)', 'ret(*)'], display: 'histogram' },
];

/** The same bytes for the same seed. @param {number} seed */
function randomBytes(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  return Buffer.from(Array.from({ length: SEED_BYTES }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  }));
}

/** @param {string} folder @param {number} seed */
function randomModule(folder, seed) {
  const [input, output] = ['seed', 'out.wasm'].map((name) => path.join(folder, name));
  writeFileSync(input, randomBytes(seed));
  const features = FEATURES.map((name) => `--enable-${name}`);
  const { status, stderr } = spawnSync(process.execPath, [wasmOpt, '-ttf', input, '--mvp-features', ...features, '-q', '-o', output]);
  assert.equal(status, 0, String(stderr).slice(0, 500));
  return readFileSync(output);
}

/** Calls of all exported functions, with small numbers. @param {Uint8Array} bytes */
function callsOf(bytes) {
  if (!WebAssembly.validate(/** @type {BufferSource} */ (bytes))) return [];
  const module = new WebAssembly.Module(/** @type {BufferSource} */ (bytes));
  const functions = WebAssembly.Module.exports(module).filter(({ kind }) => kind === 'function');
  return functions.flatMap(({ name }) => [`${name}()`, `${name}(1, 2, 3)`, `${name}(1n, 2n, 3n)`]);
}

/** Where the stack ends is no property of the program: probes take some of it. @param {readonly string[]} results */
const overflows = (results) => results.some((line) => line.includes('call stack'));

/** @param {Uint8Array} bytes @param {string[]} calls @returns {ReturnType<typeof runModule> | null} null when it does not start */
function runOrNull(bytes, calls) {
  try {
    return runModule(bytes, calls);
  } catch {
    return null; // its start function or a segment traps, or the engine does not know a feature
  }
}

/** @param {Uint8Array} bytes @param {number} seed @returns {boolean} whether there was anything to compare */
function compare(bytes, seed) {
  const calls = callsOf(bytes);
  const original = runOrNull(bytes, calls);
  if (!original) return false;
  const { results, heard } = original;
  for (const plan of PLANS)
    for (const link of links) {
      const output = instrument(bytes, { ...plan, link });
      if (output === bytes) continue; // there is nothing that the plan could count
      const traced = runModule(output, calls, { traced: true });
      if (overflows([...results, ...traced.results])) continue;
      assert.deepEqual({ results: traced.results, heard: traced.heard }, { results, heard }, `seed ${seed}, ${link}, ${JSON.stringify(plan)}`);
    }
  return true;
}

const [seconds = '20', first = '1'] = process.argv.slice(2);
const folder = mkdtempSync(path.join(os.tmpdir(), 'wasm-trace-fuzz-'));
const end = Date.now() + Number(seconds) * 1000;
let seed = Number(first);
let compared = 0;
for (; Date.now() < end; seed++) {
  if (compare(randomModule(folder, seed), seed)) compared++;
}
rmSync(folder, { recursive: true });
console.log(`random programs: ${compared} of ${seed - Number(first)} compared`);
