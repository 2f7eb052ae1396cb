// The package as a library.

import { heapRuntimeBytes } from './loader/artifacts.js';
import { connect, runDeferredStart } from './loader/attach.js';
import { costOf } from './loader/calibration.js';
import { findCaller } from './loader/caller.js';
import { startClock } from './loader/clock.js';
import { shared } from './loader/engine.js';
import { WasmTraceError } from './loader/errors.js';
import { hideExports, isInstrumented } from './loader/hidden.js';
import { install as installHook } from './loader/hook.js';
import { Instrumenter } from './loader/instrumenter.js';
import { ModuleFacts } from './loader/module-facts.js';
import { Session } from './loader/session.js';
import { mergeSnapshots, renderReport, reportKinds } from './views/report.js';

export { WasmTraceError };

/** @typedef {import('./loader/instrumenter.js').InstrumentOptions} InstrumentOptions */

/** Tickers let go of the memories of instances that are gone. @type {FinalizationRegistry<() => void>} */
const collected = new FinalizationRegistry((stop) => stop());

const views = () => ({ mergeSnapshots, renderReport, reportKinds });

/**
 * Instruments a module, synchronously.
 * @template {ArrayBufferLike} [B=ArrayBuffer]
 * @param {Uint8Array<B>} bytes a module; not kept
 * @param {InstrumentOptions} options
 * @returns {Uint8Array<B | ArrayBuffer>} the instrumented module; `bytes` itself when no probe matches anything
 * @throws {WasmTraceError} for bytes that are no module, a module that is instrumented already, a probe that does not parse
 */
export function instrument(bytes, options) {
  try {
    return Instrumenter.create().rewrite(bytes, withRuntime(options))?.bytes ?? bytes;
  } catch (error) {
    if (error instanceof WasmTraceError && error.code === 'no-match') return bytes;
    throw error;
  }
}

/** Page scripts link no other runtime than the usual one, and so do without the other. @param {InstrumentOptions} options */
function withRuntime(options) {
  return options.link === 'heap' ? { ...options, runtime: heapRuntimeBytes() } : options;
}

/**
 * Patches WebAssembly.*, so that every module from now on is instrumented in memory and traced. There is one such session
 * in a realm: a second call, or one under the preload, returns the first one's.
 * @param {InstrumentOptions} [options] without `trace`, only modules that are instrumented already are attached to
 * @returns {import('./loader/hook.js').Hook} sessions (one for each instance), report(kind?), snapshot(), uninstall()
 */
export function install(options = {}) {
  return installHook(options, { views, caller: findCaller, costOf });
}

/**
 * Starts to read what an instance of an instrumented module records. Split modules record from here on, merged ones have
 * since they were made.
 * @param {WebAssembly.Instance} instance
 * @param {WebAssembly.Module} module
 * @param {{name?: string}} [options] name: for titles
 * @returns {Session}
 * @throws {WasmTraceError} code 'module' when the module is not instrumented
 */
export function attach(instance, module, { name } = {}) {
  const session = shared.hook?.sessionOf(instance);
  if (session) return session;
  const { exports } = instance;
  if (!isInstrumented(exports, module)) throw new WasmTraceError('module', 'the module is not instrumented');
  const facts = ModuleFacts.ofModule(module, name);
  const { memory, count } = connect(exports, facts);
  collected.register(instance, startClock(facts.metadata.clock?.kind, memory.buffer, (message) => console.warn(`wasm-trace: ${message}`)));
  hideExports(instance);
  runDeferredStart(exports);
  return new Session({ name: facts.name, facts, memory, count, views, costOf });
}
