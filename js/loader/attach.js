// From an instance of an instrumented module to the memory in which it records. A merged module brings that memory along;
// a split one gets an instance of the runtime beside it, whose functions go into the table that the probes call through.

import * as ABI from '../generated/abi.js';
import { natives } from './engine.js';
import { COUNT_EXPORT, HOOKS_EXPORT, MEMORY_EXPORT, START_EXPORT, TABLE_EXPORT } from './hidden.js';
import { HostHooks } from './host-hooks.js';
import { Instrumenter } from './instrumenter.js';

/**
 * Makes an instance record.
 * @param {WebAssembly.Exports} exports all of them, ours included
 * @param {import('./module-facts.js').ModuleFacts} facts
 * @returns {{memory: WebAssembly.Memory, hooks: HostHooks, count: WebAssembly.Global | undefined}} memory: the runtime's; count: of
 *   instructions, where these are counted
 * @throws RangeError when there is no memory for the runtime
 */
export function connect(exports, facts) {
  const hooks = new HostHooks();
  const table = exports[HOOKS_EXPORT];
  if (table) hooks.fill(/** @type {WebAssembly.Table} */ (table));
  const memory = exports[MEMORY_EXPORT] ?? startRuntime(exports, facts.metadata, hooks);
  const count = /** @type {WebAssembly.Global | undefined} */ (exports[COUNT_EXPORT]);
  return { memory: /** @type {WebAssembly.Memory} */ (memory), hooks, count };
}

/**
 * Runs the start function of a module whose start was left to the loader; it must have its probes connected first.
 * @param {WebAssembly.Exports} exports
 * @throws what the start function throws
 */
export function runDeferredStart(exports) {
  const start = exports[START_EXPORT];
  if (typeof start === 'function') start();
}

/** @param {WebAssembly.Exports} exports @param {import('../trace/metadata.js').Metadata} metadata @param {HostHooks} hooks */
function startRuntime(exports, metadata, hooks) {
  const runtime = new natives.Instance(Instrumenter.create().runtimeModule(metadata.pages), { wtr: hooks.imports }).exports;
  const memory = /** @type {WebAssembly.Memory} */ (runtime.memory);
  new Uint8Array(memory.buffer, ABI.STATE_ADDRESS).set(metadata.config);
  const table = /** @type {WebAssembly.Table} */ (exports[TABLE_EXPORT]);
  metadata.entries.forEach((name, slot) => table.set(slot, runtime[`wtr_${name}`]));
  return memory;
}
