// A random valid module from Binaryen's translate-to-fuzz, with all that it keeps inside exported, so that it can be
// compared: memories and globals.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { leb } from '../../core/assemble.js';
import { ModuleView } from '../../core/module-view.js';
import { wasmOpt } from './wasm-opt.js';

/** @import {Random} from '../random.js' */

/** What every engine runs, by Binaryen's names. */
const EVERYWHERE = [
  'tail-call', 'multivalue', 'bulk-memory', 'bulk-memory-opt', 'simd', 'sign-ext', 'nontrapping-float-to-int', 'mutable-globals',
  'reference-types', 'threads', 'extended-const',
];
/** What engines with multi-memory run too. */
const NEWER = ['exception-handling', 'gc', 'multimemory', 'memory64', 'relaxed-simd'];
/** Left out now and then: what a module may not use shapes the rest of it. */
const OPTIONAL = ['gc', 'exception-handling', 'memory64', 'simd', 'tail-call', 'threads', 'multimemory'];

const KIND = Object.freeze({ memory: 2, global: 3 });
const EXPORT_SECTION = 7;

/** @param {ModuleView} view @param {string} section @returns {number} items */
function count(view, section) {
  return view.find(section)?.u32() ?? 0;
}

/** Exports every global and memory under names of our own. @param {Uint8Array} bytes */
export function exportState(bytes) {
  const view = new ModuleView(bytes);
  const section = view.sections.find(({ id }) => id === EXPORT_SECTION);
  if (!section) return bytes;
  const { content, start } = section;
  const added = /** @type {const} */ (['memory', 'global']).flatMap((kind) => {
    const total = view.imported(kind) + count(view, kind);
    return Array.from({ length: total }, (_, i) => [...name(`state ${kind} ${i}`), KIND[kind], ...leb(i)]);
  });
  const old = content.u32();
  const items = content.bytes.subarray(content.at, content.end);
  const body = [...leb(old + added.length), ...items, ...added.flat()];
  return Buffer.concat([bytes.subarray(0, start), Uint8Array.from([EXPORT_SECTION, ...leb(body.length), ...body]), bytes.subarray(content.end)]);
}

/** @param {string} text */
const name = (text) => [...leb(text.length), ...Buffer.from(text, 'latin1')];

export class ModuleSource {
  #folder = mkdtempSync(path.join(os.tmpdir(), 'wasm-trace-fuzz-'));
  #features;

  /** @param {boolean} newer the engine has the newer features */
  constructor(newer) {
    this.#features = newer ? [...EVERYWHERE, ...NEWER] : EVERYWHERE;
  }

  /** @param {Random} random @returns {Promise<Uint8Array>} */
  async next(random) {
    const [input, output] = ['input', 'module.wasm'].map((file) => path.join(this.#folder, file));
    writeFileSync(input, random.bytes(random.pick([300, 1000, 3000, 9000])));
    const without = random.some(OPTIONAL, 15);
    const features = this.#features.filter((feature) => !without.includes(feature)).map((feature) => `--enable-${feature}`);
    // NaN bits are the engine's choice, and its compilers choose differently: --denan makes them all 0.
    const { status, errors } = await wasmOpt(['-ttf', input, '--mvp-features', ...features, '--denan', '-q', '-o', output]);
    if (status !== 0) throw new Error(`wasm-opt: ${errors.slice(0, 500)}`);
    return exportState(readFileSync(output));
  }

  close() {
    rmSync(this.#folder, { recursive: true });
  }
}
