// What the instrumenter adds to a module and the program must not see. Emscripten's dynamic linking, for one, walks every
// export and complains of what it does not know.

import { parseShims } from '../trace/metadata.js';
import { natives } from './engine.js';

export const SECTION = 'wasm-trace';
export const MEMORY_EXPORT = '__wasm_trace_memory';
export const TABLE_EXPORT = '__wasm_trace_table';
export const START_EXPORT = '__wasm_trace_start';
export const HOOKS_EXPORT = '__wasm_trace_hooks';
export const COUNT_EXPORT = '__wasm_trace_count';

/** The instrumenter refuses modules that export one of these themselves. */
const OURS = new Set([MEMORY_EXPORT, TABLE_EXPORT, START_EXPORT, HOOKS_EXPORT, COUNT_EXPORT]);

/** @param {WebAssembly.Module} module @returns {Uint8Array | null} its "wasm-trace" section; null when it is not instrumented */
export function traceSection(module) {
  const [section] = natives.customSections(module, SECTION);
  return section ? new Uint8Array(section) : null;
}

/** Looks at the exports first: reading a section copies it. @param {WebAssembly.Exports} exports @param {WebAssembly.Module} module */
export function isInstrumented(exports, module) {
  return (MEMORY_EXPORT in exports || TABLE_EXPORT in exports) && traceSection(module) !== null;
}

/** @param {WebAssembly.ModuleExportDescriptor[]} descriptors */
export function withoutOurs(descriptors) {
  return descriptors.filter(({ name }) => !OURS.has(name));
}

/**
 * Shadows `instance.exports`, which the engine froze, by an object of the same kind without our exports.
 * @param {WebAssembly.Instance} instance
 */
export function hideExports(instance) {
  const visible = Object.create(null);
  for (const [name, value] of Object.entries(instance.exports)) if (!OURS.has(name)) visible[name] = value;
  Object.defineProperty(instance, 'exports', { value: Object.freeze(visible), configurable: true });
}

/**
 * The name of an exported function is its index, by the standard; a shim's is made the index of the function behind it.
 * @param {WebAssembly.Exports} exports
 * @param {WebAssembly.Module} module an instrumented one
 */
export function nameShims(exports, module) {
  const shims = parseShims(traceSection(module) ?? new Uint8Array(0));
  for (const value of shims.size > 0 ? Object.values(exports) : []) {
    const func = typeof value === 'function' ? shims.get(Number(value.name)) : undefined;
    if (func !== undefined) Object.defineProperty(value, 'name', { value: String(func), configurable: true });
  }
}
