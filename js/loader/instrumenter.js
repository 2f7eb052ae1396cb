// The instrumenter (C, compiled to wasm) as a JS object: bytes and options in, instrumented bytes out. Each job has an
// instance to itself; one that has been released serves the next job, if the garbage collector left it, because fresh
// memory is what costs most time here. Compiling happens once, at the first job, synchronously: the patched
// `new WebAssembly.Module` cannot wait.

import { instrumenterBytes, runtimeBytes } from './artifacts.js';
import { Undo } from './edits.js';
import { bestLink, natives } from './engine.js';
import { ERROR_CODES, WasmTraceError } from './errors.js';
import { makeRuntimeModule } from './runtime-module.js';

/**
 * @typedef {object} InstrumentOptions
 * @property {string | readonly string[]} [trace] probes: "calls", "arg(0, malloc)" ...; nothing is done without one
 * @property {string | readonly string[]} [display] log, nested, tree, inverted, histogram, report, callers(PATTERN): decides what is kept
 * @property {string | readonly string[]} [hide] patterns: leave out these functions, keep what they call
 * @property {string | readonly string[]} [only] patterns: record only inside calls of these
 * @property {string | readonly string[]} [during] the same as `only`
 * @property {number} [minSize] leave out functions of fewer bytes
 * @property {'auto' | 'merged' | 'split' | 'heap'} [link] auto (the default): merged where this engine has multi-memory; heap: what is
 *   recorded is kept in a block that the module's own allocator hands out (docs/CANISTERS.md)
 * @property {string} [allocator] pattern: the function that hands out that block, where it is none that is known
 * @property {number} [nodes] of the call tree in that block: a power of two
 * @property {Uint8Array} [runtime] what is linked into the module, where it is not the usual one: that of link mode heap
 * @property {string | number} [buffer] bytes of events to keep: 65536, "64K", "1M"
 * @property {boolean} [stack] show the stack of every event
 * @property {boolean} [deferStart] the caller promises to call the export `__wasm_trace_start`
 * @property {readonly Uint8Array[]} [symbols] contents of files that know names
 * @property {readonly Uint8Array[]} [guessedSymbols] the same, not named by the user: useless ones are no warning
 * @property {boolean} [someMatch] a probe that matches nothing is no error while another one matches
 * @property {boolean} [shared] the memory in which a merged module records is a shared one: another thread can read it, also
 *   when this one has ended; a ticker has one in any case
 * @property {string} [clock] none, ticker, instructions, host, import:MODULE.NAME, auto (where something is asked for that needs one)
 * @property {Uint8Array} [weights] content of a table of weights: `instructions` counts these instead of ones, and is the clock
 *   when none is named
 * @property {string | readonly string[]} [from] patterns: recording begins when one of these functions is called
 * @property {string | readonly string[]} [until] patterns: and ends when one of these is called
 * @property {number} [skip] events to leave out at first: calls, returns, memory.grow
 * @property {number} [maxEvents] events to record then
 * @property {'overwrite' | 'drain' | 'stop' | 'aggregate'} [onFull] what happens when the buffer is full
 * @property {boolean} [stopped] nothing is recorded until the session is started
 * @property {boolean} [wall] where `auto` comes to instructions, the host's clock is read around calls of the host
 * @property {'ticker' | 'instructions' | 'host'} [autoClock] what `auto` means here
 * @property {boolean} [legacyExceptions] the module will run where legacy exception handling exists: what an import
 *   throws then leaves the recorded stack right, in modules without exceptions of their own too
 */

/**
 * The wasm build's exports: see instrumenter/wasm/api.c.
 * @typedef {object} Api
 * @property {WebAssembly.Memory} memory
 * @property {() => void} [_initialize]
 * @property {(size: number) => number} wt_api_alloc
 * @property {(pointer: number) => void} wt_api_free
 * @property {() => number} wt_api_job
 * @property {(job: number) => void} wt_api_job_free
 * @property {(job: number, option: number, text: number, size: number) => number} wt_api_set
 * @property {(job: number, module: number, size: number, runtime: number, runtimeSize: number) => number} wt_api_run
 * @property {(job: number, module: number, size: number) => number} wt_api_check
 * @property {(job: number, module: number, size: number, offset: number) => number} wt_api_rest_of_block
 * @property {(job: number) => number} wt_api_error
 * @property {(job: number) => number} wt_api_edits
 * @property {(job: number, module: number, size: number) => number} wt_api_output
 * @property {(job: number, which: number) => number} wt_api_text
 * @property {(job: number, name: number, size: number) => number} wt_api_demangle
 */

/** Options by the numbers of wt_option. @type {readonly (keyof InstrumentOptions)[]} */
const OPTIONS = Object.freeze([
  'trace', 'display', 'hide', 'only', 'minSize', 'link', 'buffer', 'stack', 'deferStart', 'symbols', 'legacyExceptions', 'guessedSymbols', 'someMatch', 'shared',
  'clock', 'weights', 'from', 'until', 'skip', 'maxEvents', 'onFull', 'stopped', 'wall', 'autoClock', 'allocator', 'nodes',
]);

/** Numbers of wt_text. */
const TEXT = Object.freeze({ LIST: 0, SUMMARY: 1, WARNINGS: 2, MISSES: 3 });

const NO_OFFSET = 0xffffffff;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One wt_job; it has its instance to itself. */
class Job {
  #api;
  #job;
  /** What #copyIn allocated. @type {number[]} */
  #copies = [];
  /** Where the module is that run() was given, and its size. @type {[number, number]} */
  #input = [0, 0];

  /** @param {Api} api */
  constructor(api) {
    this.#api = api;
    this.#job = this.#pointer(api.wt_api_job());
  }

  /** @param {InstrumentOptions} options */
  set(options) {
    OPTIONS.forEach((name, option) => {
      for (const value of optionValues(name, options[name])) {
        const text = this.#copyIn(value);
        const accepted = this.#api.wt_api_set(this.#job, option, text, value.length);
        if (!accepted) throw this.#error({ option: name, text: decoder.decode(value) });
      }
    });
  }

  /** @param {Uint8Array} bytes @param {Uint8Array} runtime */
  run(bytes, runtime) {
    const input = this.#copyIn(bytes);
    const linked = this.#copyIn(runtime);
    if (!this.#api.wt_api_run(this.#job, input, bytes.length, linked, runtime.length)) throw this.#error();
    this.#input = [input, bytes.length];
  }

  /** The instrumented module. To be called once. @returns {Uint8Array<ArrayBuffer>} */
  output() {
    const [, , , , outputSize] = this.#words(this.#api.wt_api_edits(this.#job), 5);
    const output = new Uint8Array(outputSize);
    for (let at = 0; at < outputSize; ) {
      const [part, size] = this.#words(this.#api.wt_api_output(this.#job, ...this.#input), 2);
      output.set(new Uint8Array(this.#api.memory.buffer, part, size), at);
      at += size;
    }
    return output;
  }

  /** Ends the job. @returns {Api} fit for the next one */
  release() {
    this.#api.wt_api_job_free(this.#job);
    for (const copy of this.#copies) this.#api.wt_api_free(copy);
    return this.#api;
  }

  /** @param {Uint8Array} bytes */
  check(bytes) {
    if (!this.#api.wt_api_check(this.#job, this.#copyIn(bytes), bytes.length)) throw this.#error();
  }

  /** @param {Uint8Array} bytes @param {number} offset */
  restOfBlock(bytes, offset) {
    const rest = this.#api.wt_api_rest_of_block(this.#job, this.#copyIn(bytes), bytes.length, offset);
    const [low, high] = rest === 0 ? [0, 0] : this.#words(rest, 2);
    return low + high * 2 ** 32;
  }

  /** The edit list: see Undo. @returns {Uint32Array} */
  edits() {
    const [edits, count] = this.#words(this.#api.wt_api_edits(this.#job), 2);
    return this.#words(edits, count * 3).slice();
  }

  /** @param {number} which one of TEXT */
  text(which) {
    const text = this.#string(this.#words(this.#api.wt_api_text(this.#job, which), 2));
    const [status] = this.#words(this.#api.wt_api_error(this.#job), 1);
    if (status !== 0) throw this.#error();
    return text;
  }

  /** @param {string} name */
  demangle(name) {
    const text = encoder.encode(name);
    return this.#string(this.#words(this.#pointer(this.#api.wt_api_demangle(this.#job, this.#copyIn(text), text.length)), 2));
  }

  /** @param {{option: string, text: string}} [source] */
  #error(source) {
    const [status, offset, message, size] = this.#words(this.#api.wt_api_error(this.#job), 4);
    const text = this.#string([message, size]);
    return new WasmTraceError(ERROR_CODES[status] ?? 'module', text, offset === NO_OFFSET ? undefined : offset, source);
  }

  /** @param {Uint8Array} bytes */
  #copyIn(bytes) {
    const at = this.#pointer(this.#api.wt_api_alloc(bytes.length));
    this.#copies.push(at);
    new Uint8Array(this.#api.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }

  /** Addresses above 2 GiB come out of wasm as negative numbers. @param {number} value */
  #pointer(value) {
    if (value === 0) throw new WasmTraceError('memory', 'the instrumenter ran out of memory');
    return value >>> 0;
  }

  /** @param {number} at @param {number} count */
  #words(at, count) {
    return new Uint32Array(this.#api.memory.buffer, at >>> 0, count);
  }

  /** @param {ArrayLike<number>} slice address and size */
  #string(slice) {
    return decoder.decode(new Uint8Array(this.#api.memory.buffer, slice[0], slice[1]));
  }
}

/** What a job made. The texts are written when they are asked for, and keep the job's memory until then. */
export class InstrumentResult {
  #job;

  /** @param {Uint8Array} input @param {Job} job a finished one */
  constructor(input, job) {
    this.#job = job;
    /** The edit list: see Undo. @type {Uint32Array} */
    this.edits = job.edits();
    /** The instrumented module; the input itself when there was nothing to do. @type {Uint8Array} */
    this.bytes = this.edits.length === 0 ? input : job.output();
  }

  /** For --list. */
  get list() {
    return this.#job.text(TEXT.LIST);
  }

  /** What was done, in a few lines. */
  get summary() {
    return this.#job.text(TEXT.SUMMARY);
  }

  /** A line each. @returns {string[]} */
  get warnings() {
    return splitLines(this.#job.text(TEXT.WARNINGS));
  }

  /** Sentences on patterns that matched nothing, where `someMatch` let that pass, by the number of the pattern. @returns {Map<string, string>} */
  get misses() {
    const lines = splitLines(this.#job.text(TEXT.MISSES));
    return new Map(lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
  }
}

export class Instrumenter {
  /** @type {Instrumenter | undefined} */
  static #shared;

  /** @type {WebAssembly.Module | undefined} */
  #module;
  /** @type {Uint8Array<ArrayBuffer> | undefined} */
  #runtime;
  /** By the pages of its memory. @type {Map<number, WebAssembly.Module>} */
  #runtimeModules = new Map();
  /** @type {Job | undefined} */
  #demangler;
  /** An instance without a job. @type {WeakRef<Api> | undefined} */
  #idle;

  /** The one of this realm: compiled once however many ask. @returns {Instrumenter} */
  static create() {
    return (Instrumenter.#shared ??= new Instrumenter());
  }

  /**
   * @param {Uint8Array} bytes a module; read only while this runs
   * @param {InstrumentOptions} [options]
   * @returns {InstrumentResult}
   * @throws {WasmTraceError}
   */
  run(bytes, options = {}) {
    return new InstrumentResult(bytes, this.#finishedJob(bytes, options));
  }

  /**
   * As run(), for who needs no texts but the warnings: gives the memory back at once.
   * @param {Uint8Array} bytes
   * @param {InstrumentOptions} options
   * @returns {{bytes: Uint8Array<ArrayBuffer>, undo: Undo, warnings: string[], misses: Map<string, string>} | null} null when there is nothing to do
   * @throws {WasmTraceError}
   */
  rewrite(bytes, options) {
    const job = this.#finishedJob(bytes, options);
    const { edits, bytes: output, warnings, misses } = new InstrumentResult(bytes, job);
    this.#idle = new WeakRef(job.release());
    return edits.length === 0 ? null : { bytes: /** @type {Uint8Array<ArrayBuffer>} */ (output), undo: new Undo(bytes, edits), warnings, misses };
  }

  /**
   * Reads a module to its end: structure, indices and opcodes.
   * @param {Uint8Array} bytes
   * @throws {WasmTraceError}
   */
  check(bytes) {
    this.#newJob().check(bytes);
  }

  /**
   * What the instructions weigh that are behind this one in its block: where it traps, they were counted and never began.
   * @param {Uint8Array} bytes of the original module
   * @param {number} offset of an instruction; 0 is what others have
   * @param {Uint8Array} [weights]
   */
  restOfBlock(bytes, offset, weights) {
    const job = this.#newJob();
    job.set({ weights });
    const rest = job.restOfBlock(bytes, offset);
    this.#idle = new WeakRef(job.release());
    return rest;
  }

  /** @param {string} name @returns {string} the readable form of a C++ or Rust symbol, or the name itself */
  demangle(name) {
    this.#demangler ??= this.#newJob();
    return this.#demangler.demangle(name);
  }

  /** What split linking instantiates beside the debuggee. @param {number} pages of its memory @returns {WebAssembly.Module} */
  runtimeModule(pages) {
    const module = this.#runtimeModules.get(pages) ?? makeRuntimeModule(this.#runtimeBytes(), pages);
    this.#runtimeModules.set(pages, module);
    return module;
  }

  /** @param {Uint8Array} bytes @param {InstrumentOptions} options */
  #finishedJob(bytes, options) {
    const job = this.#newJob();
    const { link, only = [], during = [], runtime = this.#runtimeBytes() } = options;
    job.set({ ...options, only: [only, during].flat(), link: coreLink(link) });
    job.run(bytes, runtime);
    return job;
  }

  #newJob() {
    const api = this.#idle?.deref() ?? this.#instantiate();
    this.#idle = undefined;
    return new Job(api);
  }

  /** @returns {Api} */
  #instantiate() {
    this.#module ??= new natives.Module(instrumenterBytes());
    const { exports } = new natives.Instance(this.#module, hostImports(this.#module));
    const api = /** @type {Api} */ (/** @type {unknown} */ (exports));
    api._initialize?.();
    return api;
  }

  #runtimeBytes() {
    return (this.#runtime ??= runtimeBytes());
  }
}

/** @param {string} text */
function splitLines(text) {
  return text.split('\n').filter(Boolean);
}

/**
 * The core's `auto` is merged wherever that passes no limit.
 * @param {InstrumentOptions['link']} [link]
 */
function coreLink(link = 'auto') {
  return link === 'auto' && bestLink() === 'merged' ? 'auto' : resolveLink(link);
}

/** @param {InstrumentOptions['link']} [link] @returns {'merged' | 'split' | 'heap'} */
export function resolveLink(link = 'auto') {
  return link === 'auto' ? bestLink() : link;
}

/**
 * @param {string} name
 * @param {InstrumentOptions[keyof InstrumentOptions]} value
 * @returns {Uint8Array[]} one for each time the option is set
 */
function optionValues(name, value) {
  if (value === undefined || value === false) return [];
  if (value === true) return [encoder.encode('1')];
  const values = Array.isArray(value) ? value : [value];
  // Bytes may be those of another frame of the page, and so no Uint8Array of this one.
  return values.map((one) => (ArrayBuffer.isView(one) ? /** @type {Uint8Array} */ (one) : encoder.encode(String(one))));
}

/**
 * Emscripten's standalone output may ask to be told of memory growth; no other import is called.
 * @param {WebAssembly.Module} module
 * @returns {WebAssembly.Imports}
 */
function hostImports(module) {
  /** @type {WebAssembly.Imports} */
  const imports = {};
  for (const { module: from, name } of natives.moduleImports(module)) {
    imports[from] ??= {};
    imports[from][name] = () => {
      if (name !== 'emscripten_notify_memory_growth') throw new Error(`the instrumenter called ${from}.${name}`);
    };
  }
  return imports;
}
