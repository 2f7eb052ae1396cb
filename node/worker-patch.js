// Makes worker_threads.Worker carry the tracing into workers that are given flags, an environment or code as text, and ask
// a worker for its trace before it is terminated.

import { createRequire, syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';

import { OWN_WORKER } from '../js/loader/ticker-node.js';

const threads = createRequire(import.meta.url)('node:worker_threads');

const REGISTER = fileURLToPath(new URL('register.cjs', import.meta.url));

/** What the preload reads. */
const VARIABLES = ['WASM_TRACE', 'WASM_TRACE_OUTPUT', 'WASM_TRACE_FIRST'];

/** @param {import('./worker-link.js').WorkerCollector | null} workers null in a worker: only the main thread collects */
export function patchWorkers(workers) {
  const { Worker } = threads;
  threads.Worker = new Proxy(Worker, {
    construct: (target, [file, options, ...rest], newTarget) =>
      Reflect.construct(target, [file, tracedOptions(options), ...rest], newTarget),
  });
  Worker.prototype.constructor = threads.Worker;
  if (workers) askBeforeTerminate(Worker.prototype, workers);
  syncBuiltinESMExports();
}

/** An --import does not reach code given as text. @param {import('node:worker_threads').WorkerOptions} [options] the caller's; not changed */
function tracedOptions(options) {
  if (/** @type {any} */ (options)?.[OWN_WORKER]) return options;
  if (!options?.execArgv && !options?.eval && !isOwnEnvironment(options?.env)) return options;
  const traced = { ...options, execArgv: ['-r', REGISTER, ...(options?.execArgv ?? process.execArgv)] };
  if (isOwnEnvironment(options?.env)) traced.env = { ...tracedVariables(), .../** @type {object} */ (options?.env) };
  return traced;
}

/** Neither a copy of ours, which is the default, nor SHARE_ENV. @param {unknown} env */
function isOwnEnvironment(env) {
  return typeof env === 'object' && env !== null;
}

function tracedVariables() {
  return Object.fromEntries(VARIABLES.filter((name) => name in process.env).map((name) => [name, process.env[name]]));
}

/** @param {import('node:worker_threads').Worker} prototype @param {import('./worker-link.js').WorkerCollector} workers */
function askBeforeTerminate(prototype, workers) {
  const { terminate } = prototype;
  /** @this {import('node:worker_threads').Worker} */
  prototype.terminate = function () {
    const { threadId } = this;
    workers.collect(threadId);
    workers.forget(threadId);
    return terminate.call(this);
  };
}
