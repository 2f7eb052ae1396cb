// Decides what happens to each module that the program hands to WebAssembly.*, and keeps the sessions. Rule one: any failure
// of ours runs the untouched module and is said once. patches.js puts this in the place of the engine's functions.

import { connect, runDeferredStart } from './attach.js';
import { bytesOf } from './bytes.js';
import { mayCount, mayTick, startClock, withClock } from './clock.js';
import { originalOf } from './edits.js';
import { canShareMemory, hasLegacyExceptions, natives, shared } from './engine.js';
import { WasmTraceError, describeError } from './errors.js';
import { START_EXPORT, hideExports, isInstrumented, nameShims, traceSection } from './hidden.js';
import { Instrumenter, resolveLink } from './instrumenter.js';
import { KnownModule, KnownModules, isLarge } from './known-modules.js';
import { ModuleFacts } from './module-facts.js';
import { UNTOUCHED, patch } from './patches.js';
import { Session } from './session.js';
import { Stacks } from './stacks.js';
import { reportSections } from './threads.js';

/** @import {Reversible} from './edits.js' */

/**
 * What the loader needs from its surroundings, all of it optional.
 * @typedef {object} Platform
 * @property {(message: string) => void} [warn] default: console.warn
 * @property {() => import('./caller.js').Caller} [caller] who calls WebAssembly.*
 * @property {(file: string | undefined, bytes: Uint8Array) => Origin} [origin] what the caller's file, or the bytes, tell of a module
 * @property {() => import('./session.js').Views} [views] called when the first report is written
 * @property {(session: Session) => void} [opened] called for each new session of this thread
 * @property {(session: Session) => void} [closed] called when nothing can run in its instance any more
 * @property {(facts: ModuleFacts, made: {reversible: Reversible, milliseconds: number}) => void} [compiled] called for each module that was
 *   instrumented and that the engine has accepted; milliseconds: spent on rewriting it
 * @property {(name: string, phase: Phase, began: number) => void} [spent] called when something that takes time is done; began: by
 *   performance.now()
 * @property {(imports: any) => any} [imports] what to give a module that is traced in the place of its imports
 * @property {(session: Session) => boolean} [tick] has another thread tick for a session, which it may do or not
 * @property {(metadata: import('../trace/metadata.js').Metadata) => number | null} [costOf] what an event costs: see Session.cost; left out: not known
 * @property {(session: Session) => void} [drain] takes what is in a ring that is full; left out: the oldest is overwritten
 * @property {number} [memoriesMax] instances that are traced at once, where the engine has room for few memories
 * @property {boolean} [everywhere] all threads of the program have this hook, for good
 *
 * @typedef {object} Origin found out when it is asked for
 * @property {string} [name] of the module
 * @property {readonly Uint8Array[]} [symbols] contents of files that know its names
 *
 * @typedef {object} Prepared
 * @property {Reversible | null} instrumented null: the engine gets the original
 * @property {WasmTraceError | null} problem to be told when the engine finds none with the original
 * @property {() => string | undefined} nameOf the module
 * @property {() => Reversible | null} withStart the same once more, with the start function in its place
 * @property {number} began when it was looked at, by performance.now()
 * @property {number} milliseconds spent on it
 *
 * @typedef {'rewrite' | 'compile' | 'instantiate'} Phase of loading a module
 */

/** The module itself is at fault; the engine will say so. */
const FAULTS_OF_MODULE = new Set(['module', 'component']);

export class Hook {
  /** @type {Session[]} */
  sessions = [];
  /** The user's modules that came by, and those of them in which something matched. */
  modules = { seen: 0, matched: 0 };
  /** Why nothing matched, for the end. */
  noMatch = '';

  /** On patterns that matched nothing in any module in which others did; null: there was none. @type {Map<string, string> | null} */
  #misses = null;

  /** Whether sessions to come record from their beginning; null: as `stopped` says. @type {boolean | null} */
  #records = null;

  /** Of calls, where the host suspends some. */
  stacks = new Stacks(() => this.sessions.flatMap((session) => session.runtime ?? []));

  #options;
  #platform;
  #unpatch;
  #active = true;
  #known = new KnownModules();
  /** @type {WeakMap<WebAssembly.Instance, Session>} */
  #sessionOf = new WeakMap();
  /** @type {Map<string, number>} */
  #nameCounts = new Map();
  /** @type {Set<string>} */
  #told = new Set();
  /** What is to be done when a session ends. @type {WeakMap<Session, () => void>} */
  #endOf = new WeakMap();
  /** @type {FinalizationRegistry<Session>} */
  #collected = new FinalizationRegistry((session) => this.#retire(session));

  /**
   * @param {import('./instrumenter.js').InstrumentOptions} options with no `trace`, only modules that are instrumented
   *   already are attached to
   * @param {Platform} platform
   */
  constructor(options, platform) {
    this.#options = options;
    this.#platform = platform;
    this.#unpatch = patch(this);
  }

  /** Of modules from now on. @param {import('./instrumenter.js').InstrumentOptions} options */
  set options(options) {
    this.#options = options;
    this.#misses = null;
  }

  /** Sentences on patterns that matched nothing in this thread, while others did. */
  get misses() {
    return [...(this.#misses?.values() ?? [])];
  }

  /** Records, in all sessions and those to come, after stop() or the option `stopped`. */
  start() {
    this.#records = true;
    for (const session of this.sessions) session.start();
  }

  /** Records nothing from here on, until start(). */
  stop() {
    this.#records = false;
    for (const session of this.sessions) session.stop();
  }

  get isRecording() {
    return this.#records ?? this.#options.stopped !== true;
  }

  /** Whether modules may come whose clock is a ticker. */
  get mayTick() {
    return this.instruments && mayTick(this.#options);
  }

  /** @param {import('./instrumenter.js').InstrumentOptions} options taken when there are none yet */
  adoptOptions(options) {
    if (!this.instruments) this.#options = options;
  }

  /** Whether modules are instrumented at all, or only attached to. */
  get instruments() {
    return this.#active && (this.#options.trace ?? []).length > 0;
  }

  /**
   * Instruments a module, unless there is a reason not to. Runs to its end before the caller's buffer can change.
   * @param {unknown} source
   * @param {{deferStart?: boolean, name?: string, caller?: import('./caller.js').Caller}} [how]
   * @returns {Prepared}
   */
  prepare(source, { deferStart = false, name, caller = this.#active ? this.findCaller() : undefined } = {}) {
    const bytes = this.#active && !caller?.internal ? bytesOf(source) : null;
    const origin = (bytes && this.#originOf(caller?.file, bytes)) ?? {};
    /** @type {Prepared} */
    const prepared = { ...UNTOUCHED, nameOf: () => name ?? origin.name, began: performance.now() };
    if (bytes === null || !this.instruments) return prepared;
    this.modules.seen++;
    try {
      const made = this.#instrument(bytes, deferStart, origin.symbols);
      prepared.instrumented = made;
      prepared.withStart = () => made && this.#instrument(originalOf(made), false, origin.symbols);
      if (made) this.modules.matched++;
    } catch (error) {
      prepared.problem = this.#classify(error);
    }
    prepared.milliseconds = performance.now() - prepared.began;
    this.#platform.spent?.(prepared.nameOf() ?? '', 'rewrite', prepared.began);
    return prepared;
  }

  /** Who loads a module is good to know, no more. */
  findCaller() {
    try {
      return this.#platform.caller?.();
    } catch {
      return undefined;
    }
  }

  /** @param {string | undefined} file @param {Uint8Array} bytes */
  #originOf(file, bytes) {
    try {
      return this.#platform.origin?.(file, bytes);
    } catch {
      return undefined;
    }
  }

  /** The engine compiled what prepare() gave out. @param {WebAssembly.Module} module @param {Prepared} prepared @param {unknown[]} options */
  compiled(module, { instrumented, nameOf, milliseconds }, options) {
    if (!instrumented) return;
    // A split module has no memory of ours before it is connected; but no module may become too large for the engine's main thread.
    const mayFail = resolveLink(this.#options.link) === 'merged' || this.#platform.memoriesMax || isLarge(instrumented);
    const reversible = mayFail || mayCount(this.#options) ? instrumented : undefined;
    const facts = ModuleFacts.ofModule(module, nameOf());
    this.#known.add(module, new KnownModule(facts, { reversible, options, weights: this.#options.weights }));
    this.#platform.compiled?.(facts, { reversible: instrumented, milliseconds });
  }

  /** Something that takes time is done. @param {string | undefined} name of the module @param {Phase} phase @param {number} began */
  spent(name, phase, began) {
    this.#platform.spent?.(name ?? '', phase, began);
  }

  /** @param {WebAssembly.Module} module */
  nameOf(module) {
    return this.#known.get(module)?.facts.name;
  }

  /**
   * The module for a program to keep. One whose start function was left to this hook would never start where the hook is not.
   * @param {WebAssembly.Module} module
   * @param {Prepared} prepared
   * @returns {Prepared | null} to be compiled for it; null: the module will do
   */
  keepable(module, prepared) {
    if (this.#platform.everywhere || !natives.moduleExports(module).some(({ name }) => name === START_EXPORT)) return null;
    try {
      const instrumented = prepared.withStart();
      return instrumented && { ...prepared, instrumented };
    } catch (error) {
      this.warn(`a module starts only where wasm-trace is installed: ${describe(error)}`);
      return null;
    }
  }

  /**
   * The engine took the original, which may have been instrumented in place.
   * @param {WebAssembly.Module} module
   * @param {Prepared} prepared
   */
  passed(module, { problem, nameOf }) {
    if (problem) this.warn(`a module runs untraced: ${describe(problem)}`);
    if (traceSection(module)) this.#known.add(module, new KnownModule(ModuleFacts.ofModule(module, nameOf())));
  }

  /** The engine took the original but not what we made of it. @param {unknown} error the engine's */
  refused(error) {
    this.warn(`a module runs untraced: this engine refuses it when instrumented (${describe(error)})`);
  }

  /**
   * Starts to record what a new instance does, if its module is instrumented.
   * @param {WebAssembly.Instance} instance fresh from the engine
   * @param {WebAssembly.Module} module
   * @throws only what the module's own start function throws
   */
  adopt(instance, module) {
    const { exports } = instance;
    if (!isInstrumented(exports, module)) return;
    if (!this.#active) {
      runDeferredStart(exports);
      return;
    }
    hideExports(instance);
    try {
      nameShims(exports, module);
      this.#open(instance, exports, module);
    } catch (error) {
      this.warn(`an instance runs untraced: ${describe(error)}`);
    }
    runDeferredStart(exports);
  }

  /** @param {unknown} imports @param {WebAssembly.Module} module @returns {any} what to instantiate it with */
  importsOf(imports, module) {
    return this.#active && this.#platform.imports && this.#known.get(module) ? this.#platform.imports(imports) : imports;
  }

  /**
   * Engines have room for so many memories, and the program is to have its own.
   * @param {WebAssembly.Module} module that is to be instantiated
   * @returns {[bytes: Uint8Array, ...options: unknown[]] | null} arguments to compile the original with; null: there is room
   */
  originalWhenFull(module) {
    const { memoriesMax = Infinity } = this.#platform;
    const known = this.#known.get(module);
    if (!known?.isReversible || this.sessions.filter((session) => session.runtime).length < memoriesMax) return null;
    this.warn(`more than ${memoriesMax} instances at once: others run untraced, since this engine has room for few memories`);
    return known.original;
  }

  /**
   * When an instance could not be made for want of memory, ours may be what was too much; in Chromium's main thread, `new Instance` takes
   * no module of more than 8 MiB, and our code may be what passed that.
   * @param {unknown} error
   * @param {WebAssembly.Module} module
   * @returns {[bytes: Uint8Array, ...options: unknown[]] | null} arguments to compile the original with; null: not our fault
   */
  withoutOurs(error, module) {
    const known = this.#known.get(module);
    // With frames of wasm it comes from the start function, which must not run twice.
    const isOurs = error instanceof RangeError && /memory|larger than/i.test(error.message) && !/wasm-function/.test(String(error.stack));
    if (!isOurs || !known?.isReversible) return null;
    this.warn(`an instance runs untraced: ${describe(error)}`);
    return known.original;
  }

  /** @param {WebAssembly.Instance} instance */
  sessionOf(instance) {
    return this.#sessionOf.get(instance);
  }

  /**
   * Takes in what is or was recorded in another thread.
   * @param {number} thread
   * @param {ModuleFacts} found
   * @param {{key?: string, memory?: {readonly buffer: ArrayBufferLike}, idle?: boolean, snapshot?: import('./session.js').Snapshot}} recorded
   *   the memory, while it can be read, and whether the thread is known to be outside of wasm; a copy of what was in it otherwise; key: see Session
   * @returns {Session}
   */
  addRemote(thread, found, recorded) {
    const facts = this.#known.sharedFacts(found);
    const label = `${facts.name} (worker ${thread})`;
    const name = this.#uniqueName(label);
    const session = new Session({ name, label, thread, facts, ...recorded, views: this.#views, costOf: this.#platform.costOf });
    this.sessions.push(session);
    return session;
  }

  /** Numbers sessions of one name anew, for who shows only these. @param {readonly Session[]} sessions */
  renumber(sessions) {
    this.#nameCounts.clear();
    for (const session of sessions) session.name = this.#uniqueName(session.label);
  }

  /** Whether anything went wrong. */
  get hasWarned() {
    return this.#told.size > 0;
  }

  /** Says something once, however often it happens. @param {string} message */
  warn(message) {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    (this.#platform.warn ?? console.warn)(`wasm-trace: ${message}`);
  }

  /** @returns {import('./session.js').Snapshot[]} one for each session */
  snapshot() {
    return this.sessions.map((session) => session.snapshot());
  }

  /**
   * Reports of all sessions, one after the other; what threads did in the same module is added up where it can be.
   * @param {import('../views/report.js').ReportKind} [kind]
   * @param {import('../views/log.js').ViewOptions} [options]
   */
  report(kind, options) {
    return reportSections(this.sessions, kind).map((section) => section.session.report(section.kind, options)).join('\n');
  }

  /** Gives the engine's functions back. What was recorded stays readable. */
  uninstall() {
    this.#active = false;
    this.#unpatch();
    if (shared.hook === this) shared.hook = null;
  }

  /** @param {Uint8Array} bytes @param {boolean} deferStart @param {readonly Uint8Array[]} [symbols] @returns {Reversible | null} */
  #instrument(bytes, deferStart, symbols = []) {
    const result = Instrumenter.create().rewrite(bytes, {
      ...withClock(this.#options, (message) => this.warn(message)),
      deferStart,
      guessedSymbols: symbols,
      legacyExceptions: hasLegacyExceptions(),
      shared: canShareMemory(), // a module may be posted to a worker, and the worker be terminated
      someMatch: true, // a program has several modules, and a probe is meant for the one that has the function
    });
    if (result === null) return null;
    for (const warning of result.warnings) this.warn(warning);
    this.#misses = new Map([...(this.#misses ?? result.misses)].filter(([pattern]) => result.misses.has(pattern)));
    return result;
  }

  /** @param {unknown} error @returns {WasmTraceError | null} what is to be told later, if the engine accepts the original */
  #classify(error) {
    if (!(error instanceof WasmTraceError)) {
      this.warn(`a module runs untraced: ${describe(error)}`);
      return null;
    }
    if (error.code === 'traced') this.modules.matched++;
    else if (isNoMatch(error)) this.noMatch = error.message;
    else if (FAULTS_OF_MODULE.has(error.code)) return error;
    else this.warn(describe(error));
    return null;
  }

  /** @param {WebAssembly.Instance} instance @param {WebAssembly.Exports} exports @param {WebAssembly.Module} module */
  #open(instance, exports, module) {
    const known = this.#known.find(module);
    const { facts } = known;
    const { memory, hooks, count } = connect(exports, facts);
    if (!count) known.forgetLarge();
    const debuggee = Object.values(exports).find((value) => value instanceof WebAssembly.Memory && value !== memory);
    const { name: label } = facts;
    const name = this.#uniqueName(label);
    const { drain, costOf } = this.#platform;
    const restAt = (/** @type {number} */ offset) => known.restOfBlock(offset);
    const session = new Session({ name, label, facts, memory, count, restAt, debuggee: /** @type {any} */ (debuggee), views: this.#views, costOf });
    if (drain) hooks.onFull = () => drain(session);
    if (this.#records !== null) session.setRecording(this.#records);
    this.sessions.push(session);
    this.#sessionOf.set(instance, session);
    this.#collected.register(instance, session);
    this.#platform.opened?.(session);
    this.#startClock(session, memory);
  }

  /** @param {Session} session @param {WebAssembly.Memory} memory */
  #startClock(session, { buffer }) {
    const { kind } = session.metadata.clock ?? {};
    const { tick } = this.#platform;
    const warn = (/** @type {string} */ message) => this.warn(message);
    this.#endOf.set(session, startClock(kind, buffer, warn, tick && (() => tick(session))));
  }

  /** @param {Session} session of an instance that nothing can run any more */
  #retire(session) {
    this.#platform.drain?.(session);
    session.freeze();
    this.#endOf.get(session)?.();
    this.#platform.closed?.(session);
    if (!session.hasData) this.sessions = this.sessions.filter((one) => one !== session);
  }

  /** @param {string} name */
  #uniqueName(name) {
    const count = (this.#nameCounts.get(name) ?? 0) + 1;
    this.#nameCounts.set(name, count);
    return count === 1 ? name : `${name}#${count}`;
  }

  get #views() {
    return this.#platform.views ?? noViews;
  }
}

/** @param {unknown} error */
function isNoMatch(error) {
  return error instanceof WasmTraceError && error.code === 'no-match';
}

/** @returns {never} */
function noViews() {
  throw new Error('this loader was set up without views');
}

/** @param {unknown} error ours or the engine's */
function describe(error) {
  if (!(error instanceof Error)) return String(error);
  return error instanceof WasmTraceError ? describeError(error) : error.message.replace(/^WebAssembly\.[\w.]+\(\): /, '');
}

/**
 * Patches WebAssembly.*. There is one hook in a realm: when a preload, or an earlier call, has put one there, that one is
 * returned. It takes these options if it had none, and keeps its own otherwise.
 * @param {import('./instrumenter.js').InstrumentOptions} [options]
 * @param {Platform} [platform]
 * @returns {Hook}
 */
export function install(options = {}, platform = {}) {
  if (shared.hook) shared.hook.adoptOptions(options);
  else shared.hook = new Hook(options, platform);
  return shared.hook;
}
