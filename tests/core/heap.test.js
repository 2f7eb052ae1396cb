// In a block of the debuggee's heap the same is recorded as in a memory of the runtime's own, whatever way functions are left: to the last word.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ModuleFacts } from '../../js/loader/module-facts.js';
import { blockSize, blockSnapshot } from '../../js/trace/block.js';
import { assemble } from './assemble.js';
import { programs } from './count-programs.js';
import { isValid } from './judge.js';
import { transformAll } from './native.js';
import { links, runModule } from './run-module.js';

/** @import {InstrumentOptions} from '../../js/index.js' */
/** @import {Snapshot} from '../../js/trace/snapshot.js' */

/** Far above what the programs use of their memories. */
const BLOCK = 128 * 65_536;

/** With a larger memory, and what is taken for its allocator, behind all else. @param {string} source */
function withAllocator(source) {
  const end = source.lastIndexOf(')');
  const memory = source.includes('(memory 1)') ? '' : '(memory 256)';
  const body = source.slice(0, end).replace('(memory 1)', '(memory 256)');
  return `${body} ${memory} (export "the memory" (memory 0)) (func $malloc (param i32) (result i32) (i32.const ${BLOCK})))`;
}

/** @type {Record<string, InstrumentOptions>} */
const QUESTIONS = {
  'a tree and events, with instructions': { trace: ['calls', 'args(*)', 'ret(*)'], display: ['tree', 'nested'], clock: 'instructions', from: '*', minSize: '0' },
  'events alone, with stacks': { trace: ['calls'], display: 'log', stack: true, from: '*', minSize: '0' },
  'values counted': { trace: ['args(*)', 'ret(*)', 'imports'], display: 'histogram', from: '*', someMatch: true },
};

/** @param {Uint8Array} bytes @param {InstrumentOptions} options @returns {Uint8Array | null} null: there is nothing to count */
function instrumented(bytes, options) {
  const [{ bytes: output, message }] = transformAll([bytes], options);
  assert.ok(output || message.startsWith('nothing to count'), message);
  return output;
}

/** What a run leaves that does not depend on the link mode. The root's time is apart: before the window opens the allocator runs. @param {Snapshot} snapshot */
function left({ nodes, records, ringEvents, histograms, position, treePositions }) {
  const { parent, func, depth, count, self, min, max } = nodes;
  const own = self?.slice(1) ?? null;
  const plainRecords = self ? null : records; // times of records begin elsewhere
  return { parent, func, depth, count, own, min, max, ringEvents, words: records.length, plainRecords, histograms, position, treePositions };
}

/** @param {Uint8Array} bytes @param {readonly string[]} calls */
function inHeap(bytes, calls) {
  /** @type {Record<string, any>} */
  let exports = {};
  const { results, heard } = runModule(bytes, calls, { watch: (now) => (exports = now) });
  const { metadata } = ModuleFacts.ofModule(new WebAssembly.Module(/** @type {BufferSource} */ (bytes)));
  const address = exports.__wasm_trace_block();
  assert.equal(address, BLOCK);
  const block = new Uint8Array(exports['the memory'].buffer, address, blockSize(metadata));
  return { results, heard, left: left(blockSnapshot(block, metadata).snapshot) };
}

/** @param {Uint8Array} bytes @param {readonly string[]} calls */
function apart(bytes, calls) {
  const { results, heard, session } = runModule(bytes, calls, { traced: true });
  assert.ok(session);
  return { results, heard, left: left(session.snapshot()) };
}

/** A split module records nothing of its start function. @param {string} name */
const isComparable = (name) => name !== 'start' || links.includes('merged');

for (const [name, { source, calls }] of Object.entries(programs).filter(([name]) => isComparable(name)))
  for (const [what, question] of Object.entries(QUESTIONS))
    test(`${name}: ${what}`, async (t) => {
      const bytes = await assemble(withAllocator(source));
      if (!isValid(bytes)) return t.skip('this engine does not know it');
      const [heap, other] = ['heap', links[links.length - 1]].map((link) => instrumented(bytes, { ...question, link: /** @type {any} */ (link) }));
      if (!heap || !other) return assert.equal(heap, other);
      assert.deepEqual(inHeap(heap, calls), apart(other, calls));
    });
