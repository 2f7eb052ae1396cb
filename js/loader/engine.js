// The engine's own WebAssembly functions, taken before anything is patched, and the state that every copy of this package
// in one realm shares: a preload and an import of the package must not patch twice. The preload (node/register.cjs) may
// have put an accessor in the place of the global; it then keeps the engine's object here.

/** @typedef {typeof globalThis.WebAssembly} Namespace */

/**
 * @typedef {object} Shared
 * @property {Namespace} [engine] the engine's WebAssembly object
 * @property {Natives} [natives]
 * @property {import('./hook.js').Hook | null} [hook] the hook that is installed now
 * @property {() => number} [finish] writes the report now and returns an exit status; for a process that hangs
 * @property {(error: unknown) => void} [noteUncaught] takes an error that ends the program, which may be a trap
 * @property {import('node:worker_threads').BroadcastChannel} [fromWorkers] what workers say in Node, from the first on
 * @property {(marks: number) => void} [toggle] stops to record, or begins again; for a process that is busy, unless it has made more marks since: see node/signals.js
 */

/**
 * @typedef {object} Natives
 * @property {Namespace} namespace
 * @property {Namespace['Module']} Module
 * @property {Namespace['Instance']} Instance
 * @property {Namespace['compile']} compile
 * @property {Namespace['instantiate']} instantiate
 * @property {Namespace['validate']} validate
 * @property {Namespace['Module']['imports']} moduleImports
 * @property {Namespace['Module']['exports']} moduleExports
 * @property {Namespace['Module']['customSections']} customSections
 */

const KEY = Symbol.for('wasm-trace');

/** @returns {Shared} */
function sharedState() {
  const realm = /** @type {Record<symbol, Shared>} */ (/** @type {unknown} */ (globalThis));
  if (!realm[KEY]) Object.defineProperty(realm, KEY, { value: {}, configurable: true });
  return realm[KEY];
}

/** @param {Namespace} namespace @returns {Natives} */
function takeNatives(namespace) {
  const { Module, Instance, compile, instantiate, validate } = namespace;
  return Object.freeze({
    namespace,
    Module,
    Instance,
    compile,
    instantiate,
    validate,
    moduleImports: Module.imports,
    moduleExports: Module.exports,
    customSections: Module.customSections,
  });
}

export const shared = sharedState();

/** @type {Natives} */
export const natives = (shared.natives ??= takeNatives(shared.engine ?? globalThis.WebAssembly));

/** Two memories and nothing else: valid where the engine has multi-memory. */
const TWO_MEMORIES = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 5, 2, 0, 0, 0, 0);

/**
 * Below this, V8 ends the process when a module with two memories imports a function that it has a fast path to, as it has
 * to those of node:wasi. It is Node's that matters: pages import functions of their own.
 */
const V8_WITHOUT_FAULT = 13;

/** @returns {'merged' | 'split'} the best way to link the runtime that this engine accepts */
export function bestLink() {
  const { process } = /** @type {{process?: {versions?: {v8?: string}}}} */ (globalThis);
  const isFaulty = Number.parseInt(process?.versions?.v8 ?? '') < V8_WITHOUT_FAULT;
  return !isFaulty && natives.validate(TWO_MEMORIES) ? 'merged' : 'split';
}

/** One memory, shared. */
const SHARED_MEMORY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 4, 1, 3, 1, 1);

/** @type {boolean | undefined} */
let sharedMemory;

/**
 * Whether the runtime's memory can be one that another thread reads, also when this one is gone. In a page, only when it is
 * cross-origin isolated.
 * @returns {boolean}
 */
export function canShareMemory() {
  return (sharedMemory ??= typeof SharedArrayBuffer === 'function' && natives.validate(SHARED_MEMORY));
}

/** A function with `try ... catch_all ... end`: valid where the engine has legacy exception handling. */
const LEGACY_TRY = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0],
  ...[10, 8, 1, 6, 0, 6, 0x40, 0x19, 0x0b, 0x0b],
);

/** @type {boolean | undefined} */
let legacyExceptions;

/** @returns {boolean} */
export function hasLegacyExceptions() {
  return (legacyExceptions ??= natives.validate(LEGACY_TRY));
}
