// What the preload does once the program turns out to use WebAssembly: reads WASM_TRACE, patches WebAssembly.*, and sees to
// it that a report is written, whichever way the program ends. In a worker, the report is the main thread's. The build
// makes one file of it (cmake/bundle-preload.mjs), which is what register.cjs loads.

import { findCaller } from '../js/loader/caller.js';
import { startTicker } from '../js/loader/clock.js';
import { shared } from '../js/loader/engine.js';
import { plainError } from '../js/loader/find-trap.js';
import { install } from '../js/loader/hook.js';
import { createRequire } from './builtins.js';
import { watchProcExit, watchReallyExit } from './exits.js';
import { parseEnvironment } from './options.js';
import { findOrigin } from './origin.js';
import { asksNothing, clockAsked, compares, neededDisplays, tracedBy } from './question.js';
import { holdSignals, holdToggle } from './signals.js';

/** @import {UncaughtError} from '../js/loader/find-trap.js' */
/** @import {Hook} from '../js/loader/hook.js' */
/** @import {Options} from './options.js' */

const require = createRequire(import.meta.url);

/**
 * What is known when the program ends.
 * @typedef {object} Run
 * @property {Hook} hook
 * @property {Options | null} options null without WASM_TRACE: only modules that are instrumented already are shown
 * @property {readonly string[]} trace what is recorded
 * @property {boolean} overview nothing was asked
 * @property {boolean} isFirst this process came first: the files that all would write are its own
 * @property {UncaughtError[]} errors
 * @property {import('./worker-link.js').WorkerCollector | null} workers
 * @property {import('./drain.js').Drain | null} drain
 */

/** @type {Run | null} */
let run = null;

/** Idempotent: register.cjs calls it when the program first touches WebAssembly. @returns {Run} */
export function start() {
  if (run) return run;
  const text = process.env.WASM_TRACE;
  const options = text === undefined ? null : parseEnvironment(text);
  const overview = options !== null && asksNothing(options);
  const trace = options === null ? [] : tracedBy(options);
  const link = isWorker() ? makeLink() : null;
  const drain = options?.onFull === 'drain' ? makeDrain(options) : null;
  const hook = install(instrumentOptions(options), {
    warn: (message) => process.stderr.write(`${message}\n`),
    caller: findCaller,
    origin: findOrigin,
    views: () => require('../js/views/report.js'),
    imports: (imports) => watchProcExit(imports, () => shared.finish?.() ?? 0),
    everywhere: true, // Node starts workers with this preload, too
    opened: (session) => {
      link?.opened(session);
      drain?.opened(session, link?.keyOf(session) ?? session.name);
      session.measureCost();
    },
    closed: (session) => link?.closed(session),
    compiled: options && compares(options) ? (facts, { reversible }) => void require('./identity.js').identify(facts, reversible) : undefined,
    tick: link ? (session) => link.tick(session) : undefined,
    drain: drain ? (session) => drain.take(session) : undefined,
    // The main thread's report tells what tracing cost: a worker need not find out, with a ticker of its own.
    costOf: link ? undefined : (metadata) => require('../js/loader/calibration.js').costOf(metadata),
  });
  run = { hook, options, trace, overview, isFirst: isFirst(), errors: [], workers: null, drain };
  shared.noteUncaught = noteUncaught;
  process.on('uncaughtExceptionMonitor', noteUncaught);
  if (link) link.watch(run);
  else reportAtExit(run);
  return run;
}

/** The program has started its first worker. */
export function watchWorkers() {
  const here = start();
  const { WorkerCollector } = require('./worker-link.js');
  here.workers = isWorker() ? null : new WorkerCollector();
  // A worker may need the time while this thread is too busy to give it a ticker.
  if (here.workers && here.hook.mayTick) startTicker((message) => here.hook.warn(message));
  require('./worker-patch.js').patchWorkers(here.workers);
}

/** An error that ends the program may be a trap of a traced module. @param {unknown} error */
function noteUncaught(error) {
  run?.errors.push(plainError(error));
}

/** @param {Options | null} options @returns {import('../js/loader/instrumenter.js').InstrumentOptions} */
function instrumentOptions(options) {
  if (options === null) return {};
  const symbols = options.symbols.length > 0 ? require('./files.js').readSymbolFiles(options.symbols) : [];
  const weights = options.weights === undefined ? undefined : require('./weights.js').readWeights(options.weights);
  return { ...options, clock: clockAsked(options), symbols, weights, trace: tracedBy(options), display: neededDisplays(options, allDisplays) };
}

/** @param {readonly string[]} trace @returns {string[]} */
function allDisplays(trace) {
  return require('../js/views/report-kinds.js').allDisplays(trace);
}

/** @param {Options} options @returns {import('./drain.js').Drain} */
function makeDrain({ drainTo, report }) {
  const { Drain } = require('./drain.js');
  const path = drainTo ?? `${(report ?? '').replace(/^-$|\.\w+$/, '') || 'trace'}.wtrace`;
  return new Drain(isFirst() ? path : `${path}.${process.pid}`, (message) => process.stderr.write(`wasm-trace: ${message}\n`));
}

/** See register.cjs. */
function isFirst() {
  const { WASM_TRACE_FIRST: first } = process.env;
  return first === undefined || first === String(process.pid);
}

/** @returns {import('./worker-link.js').WorkerLink} */
function makeLink() {
  const { WorkerLink } = require('./worker-link.js');
  return new WorkerLink();
}

/** node:worker_threads knows, but a main thread without workers would load it only for this answer, at 4 ms. */
function isWorker() {
  return /** @type {{disabled?: boolean}} */ (/** @type {unknown} */ (process.chdir)).disabled === true;
}

/** @param {Run} ending */
function reportAtExit(ending) {
  /** @type {number | null} */
  let status = null;
  const write = () => {
    if (status !== null) return status;
    status = 0;
    try {
      status = require('./report.js').writeReport(ending);
    } catch (error) {
      // A fault of ours must not become the program's: neither its exit status nor its last words.
      process.stderr.write(`wasm-trace: the report could not be made: ${error instanceof Error ? error.message : error}\n`);
    }
    return /** @type {number} */ (status);
  };
  process.on('exit', (code) => {
    const own = write();
    if (code === 0 && own !== 0) process.exitCode = own;
  });
  watchReallyExit(write);
  holdSignals(write);
  shared.finish = write;
  if (ending.options) takeToggles(ending);
}

/** Recording stops at a signal, and begins again at the next. @param {Run} here */
function takeToggles({ hook }) {
  let early = 0;
  const hold = holdToggle(() => {
    if (early > 0) early--;
    else toggle();
  });
  // This thread was too busy to run the handler, and was interrupted: the handler will run all the same, if it has not since wasm-trace-node looked.
  shared.toggle = (marks) => {
    if (marks !== hold?.marks) return;
    early++;
    toggle();
  };
  const toggle = () => {
    const records = !hook.isRecording;
    if (records) hook.start();
    else hook.stop();
    run?.workers?.setRecording(records);
    hold?.mark();
    process.stderr.write(`wasm-trace: ${records ? 'recording' : 'not recording'}\n`);
  };
}
