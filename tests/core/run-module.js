// Runs calls written as text, "twice(3)", against a module's exports, in a small world of imports.
import { attach } from '../../js/index.js';

/** What this engine can run. @type {('split' | 'merged')[]} */
export const links = WebAssembly.validate(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 5, 5, 2, 0, 0, 0, 0))
  ? ['split', 'merged']
  : ['split'];

/**
 * @typedef {object} World
 * @property {Record<string, any>} [exports]
 * @property {string[]} heard what the host was called with
 * @property {number} [time] of the clocks
 * @property {((exports: Record<string, any>, result?: string) => void)} [watch] is called where the host can look at the
 *   module: when it is called, and with the result of each call
 */

/** Imported functions by name; all others return their first argument, or 0. @type {Record<string, (world: World) => Function>} */
const HOST = {
  fail: () => () => {
    throw new Error('the host fails');
  },
  back: ({ exports }) => (/** @type {unknown[]} */ ...args) => exports?.back(...args),
  guard: ({ exports }) => () => {
    try {
      return exports?.risky();
    } catch {
      return -1;
    }
  },
};

/** What a step of the clocks below is: nobody hears that they are read. */
const STEP = 1000;

/** Clocks by name; each reading is a step later than the last one. @type {Record<string, (world: World) => Function>} */
const CLOCKS = {
  ms: (world) => () => tick(world) / 1e6,
  units: (world) => () => BigInt(tick(world)),
  low: (world) => () => tick(world) + 2 ** 31, // negative as an i32
  performance_counter: (world) => () => BigInt(tick(world)),
  clock_time_get: (world) => (/** @type {number} */ id, /** @type {bigint} */ _precision, /** @type {number} */ at) => {
    new DataView(world.exports?.memory.buffer).setBigUint64(at, BigInt(id * tick(world)), true);
    return 0;
  },
};

/** @param {World} world */
const tick = (world) => (world.time = (world.time ?? 0) + STEP);

/** @param {unknown} value */
function show(value) {
  if (typeof value === 'function' || (typeof value === 'object' && value !== null)) return typeof value;
  return typeof value === 'bigint' ? `${value}n` : String(value);
}

/** @param {string} name @param {World} world */
function hostFunction(name, world) {
  if (Object.hasOwn(CLOCKS, name)) return CLOCKS[name](world);
  return (/** @type {any[]} */ ...args) => {
    world.heard.push(`${name}(${args.map(show).join(', ')})`);
    if (world.exports) world.watch?.(world.exports);
    return Object.hasOwn(HOST, name) ? HOST[name](world)(...args) : (args[0] ?? 0);
  };
}

/** @type {Record<string, (name: string, world: World) => unknown>} */
const IMPORTS = {
  function: hostFunction,
  memory: () => new WebAssembly.Memory({ initial: 1, maximum: 4 }),
  table: () => new WebAssembly.Table({ initial: 4, element: 'anyfunc' }),
  global: () => 16,
  tag: (name) => (name === 'jstag' ? /** @type {any} */ (WebAssembly).JSTag : new WebAssembly.Tag({ parameters: ['i32'] })),
};

/** @param {WebAssembly.Module} module @param {World} world */
function importsOf(module, world) {
  /** @type {WebAssembly.Imports} */
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = /** @type {WebAssembly.ImportValue} */ (IMPORTS[kind](name, world));
  }
  return imports;
}

/** @param {unknown} error */
function failure(error) {
  const kind = error instanceof WebAssembly.RuntimeError ? 'trap' : error instanceof WebAssembly.Exception ? 'exception' : 'error';
  return kind === 'error' ? `error: ${/** @type {Error} */ (error).message}` : kind;
}

/** @param {string} text "twice(3)" */
function parseCall(text) {
  const [, name, list] = /^(.+?)\((.*)\)$/.exec(text) ?? [];
  if (name === undefined) throw new Error(`not a call: ${text}`);
  const args = list.split(',').map((word) => word.trim()).filter(Boolean);
  return { name, args: args.map((word) => (/^-?\d+n$/.test(word) ? BigInt(word.slice(0, -1)) : word === 'null' ? null : Number(word))) };
}

/**
 * @param {string} text
 * @param {World} world
 * @returns {string} results, or how it failed
 */
function call(text, world) {
  const { name, args } = parseCall(text);
  try {
    const result = world.exports?.[name](...args);
    return Array.isArray(result) ? result.map(show).join(' ') : show(result);
  } catch (error) {
    return failure(error);
  }
}

/**
 * Instantiates a module and makes the calls.
 * @param {Uint8Array} bytes
 * @param {readonly string[]} calls
 * @param {{traced?: boolean, watch?: World['watch']}} [options] traced: the module is an instrumented one
 * @returns {{results: string[], heard: string[], session: import('../../js/loader/session.js').Session | null}}
 */
export function runModule(bytes, calls, { traced = false, watch } = {}) {
  /** @type {World} */
  const world = { heard: [], watch };
  const module = new WebAssembly.Module(/** @type {BufferSource} */ (bytes));
  const instance = new WebAssembly.Instance(module, importsOf(module, world));
  world.exports = instance.exports;
  const session = traced ? attach(instance, module) : null;
  const results = calls.map((text) => {
    const result = `${text} = ${call(text, world)}`;
    if (world.exports) world.watch?.(world.exports, result);
    return result;
  });
  return { results, heard: world.heard, session };
}
