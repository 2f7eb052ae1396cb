// The world around a random module: the imports that Binaryen's fuzzer expects, calls of all exports, and an account of
// everything that can be seen from outside, as text.
import { createHash } from 'node:crypto';
import { attach } from '../../../js/index.js';

/** @import {Session} from '../../../js/loader/session.js' */

/** JSTag and the like are newer than the types. */
const Wasm = /** @type {any} */ (WebAssembly);

/** @param {unknown} value @returns {string} */
function show(value) {
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`;
  if (typeof value === 'function') return `function ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'bigint') return `${value}n`;
  return Object.is(value, -0) ? '-0' : String(value);
}

/** A trap with its kind, an exception, or what else was thrown. @param {any} error */
function failure(error) {
  if (error instanceof WebAssembly.RuntimeError) return `trap: ${error.message}`;
  if (error instanceof WebAssembly.Exception) return 'exception';
  return error instanceof Error ? `${error.name}: ${error.message}` : `thrown ${show(error)}`;
}

/** Calls that the host makes back. A trap resets what Binaryen bounds a program by, so one whose traps the host swallows may go on for years. */
const MOST_CALLS_BACK = 5000;

class World {
  /** @type {string[]} */
  account = [];
  #callsBack = 0;
  /** @type {Record<string, any>} */
  #exports = {};
  #tag = new WebAssembly.Tag({ parameters: ['i32'] });
  #trapped;

  /** @param {(exports: Record<string, any>) => void} [trapped] */
  constructor(trapped) {
    this.#trapped = trapped;
  }

  /** @param {WebAssembly.Module} module @returns {WebAssembly.Imports} */
  imports(module) {
    /** @type {Record<string, Record<string, any>>} */
    const imports = {};
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
      imports[from] ??= {};
      imports[from][name] = this.#import(name, kind);
    }
    return imports;
  }

  /** @param {string} name @param {string} kind */
  #import(name, kind) {
    if (kind === 'function') return this.#function(name);
    if (kind === 'tag') return name === 'jstag' ? (Wasm.JSTag ?? this.#tag) : this.#tag;
    if (kind === 'global') return name.startsWith('extern') ? name : new WebAssembly.Global({ value: 'i32' }, 0);
    if (kind === 'memory') return new WebAssembly.Memory({ initial: 1, maximum: 4 });
    return new WebAssembly.Table({ initial: 4, element: 'anyfunc' });
  }

  /** @param {string} name */
  #function(name) {
    /** @type {Record<string, (...args: any[]) => unknown>} */
    const known = {
      throw: (which) => {
        throw which ? new WebAssembly.Exception(this.#tag, [which]) : 'a string';
      },
      'table-get': (index) => this.#exports.table?.get(index >>> 0) ?? null,
      'table-set': (index, value) => this.#exports.table?.set(index >>> 0, value),
      'call-export': (index) => this.#call(this.#functions[index]),
      'call-export-catch': (index) => this.#caught(this.#functions[index]),
      'call-ref': (callee) => this.#call(callee),
      'call-ref-catch': (callee) => this.#caught(callee),
      sleep: (_, id) => id,
    };
    const own = known[name] ?? (() => undefined);
    return (/** @type {unknown[]} */ ...args) => {
      this.account.push(`${name}(${args.map(show).join(', ')})`);
      return own(...args);
    };
  }

  get #functions() {
    return Object.values(this.#exports).filter((one) => typeof one === 'function');
  }

  /** @param {Function} callee */
  #call(callee) {
    if (++this.#callsBack > MOST_CALLS_BACK) return;
    callee(...Array.from({ length: callee.length }, () => 0));
  }

  /** @param {Function} callee */
  #caught(callee) {
    try {
      this.#call(callee);
      return 0;
    } catch (error) {
      this.account.push(this.#failure(error));
      return 1;
    }
  }

  /** @param {WebAssembly.Exports} exports */
  connect(exports) {
    this.#exports = exports;
  }

  callAll() {
    for (const [name, one] of Object.entries(this.#exports)) {
      if (typeof one !== 'function') continue;
      for (const args of [[], [1, 2, 3], [1n, 2n, 3n]]) this.account.push(`${name}(${args}) = ${this.#result(one, args)}`);
    }
  }

  /** @param {Function} callee @param {unknown[]} args */
  #result(callee, args) {
    try {
      return show(callee(...args));
    } catch (error) {
      return this.#failure(error);
    }
  }

  /** @param {unknown} error */
  #failure(error) {
    if (error instanceof WebAssembly.RuntimeError) this.#trapped?.(this.#exports);
    return failure(error);
  }

  /** Memories and globals, as they are now. */
  look() {
    for (const [name, one] of Object.entries(this.#exports)) {
      if (one instanceof WebAssembly.Memory) this.account.push(`${name}: ${digest(one.buffer)}`);
      if (one instanceof WebAssembly.Global) this.account.push(`${name}: ${globalText(one)}`);
      if (one instanceof WebAssembly.Table) this.account.push(`${name}: ${one.length}`);
    }
  }
}

/** @param {ArrayBufferLike} buffer */
function digest(buffer) {
  return `${buffer.byteLength} bytes, ${createHash('sha1').update(new Uint8Array(buffer)).digest('hex')}`;
}

/** @param {WebAssembly.Global} global */
function globalText(global) {
  try {
    return show(global.value);
  } catch {
    return 'of a type that JavaScript does not see';
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {{traced?: boolean, trapped?: (exports: Record<string, any>) => void}} [options] trapped: is told of each trap
 * @returns {{account: string[], session: Session | null, exports?: Record<string, any>}} the account ends early where the module does not start
 */
export function runWorld(bytes, { traced = false, trapped } = {}) {
  const world = new World(trapped);
  const module = new WebAssembly.Module(/** @type {BufferSource} */ (bytes));
  try {
    const instance = new WebAssembly.Instance(module, world.imports(module));
    const session = traced ? attach(instance, module) : null;
    world.connect(instance.exports);
    world.callAll();
    world.look();
    return { account: world.account, session, exports: instance.exports };
  } catch (error) {
    world.account.push(`does not start: ${failure(error)}`);
    return { account: world.account, session: null };
  }
}
