// Begins what this copy of the script is to do.

import { joinParent } from './frames.js';
import { launch } from './launch.js';
import { readPageOptions, withQuestion } from './options.js';
import { Tracer } from './tracer.js';
import { startWatcher } from './watcher.js';
import { startWorker } from './worker.js';

/** @typedef {import('./options.js').PageOptions} PageOptions */

/** @returns {Tracer | undefined} */
export function start() {
  if (launch.role === 'watcher') return void startWatcher();
  if (launch.role === 'worker') return void startWorker();
  const { wasmTrace } = /** @type {{wasmTrace?: Tracer}} */ (globalThis);
  const tracer = wasmTrace ?? new Tracer();
  if (!wasmTrace) Object.defineProperty(globalThis, 'wasmTrace', { value: tracer, writable: true, configurable: true });
  if (launch.role === 'page') startPage(tracer, wasmTrace !== undefined);
  if (launch.role === 'frame') startFrame(tracer);
  return tracer;
}

/** @param {Tracer} tracer @param {boolean} isAgain another copy has made it, which may be the one that came into a frame by itself */
function startPage(tracer, isAgain) {
  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript);
  launch.script = script?.src || undefined;
  const { options, problems } = readPageOptions({ dataset: script?.dataset ?? {}, search: location.search });
  tracer.install(options);
  for (const problem of problems) tracer.warn(problem);
  if (isAgain && !tracer.isFrame) tracer.warn('this script is there twice: what the second one asks counts');
  const late = lateness(script);
  if (late) tracer.warn(`${late}: modules that were loaded before are not traced. It is to be the first script of the page`);
  joinParent(tracer);
}

/** @param {Tracer} tracer */
function startFrame(tracer) {
  tracer.install(withQuestion(launch.options ?? {}));
  joinParent(tracer);
}

/** @param {HTMLScriptElement | null} script */
function lateness(script) {
  if (script?.async && !script.defer && script.src && script.hasAttribute('async')) return 'this script is async';
  if (script?.hasAttribute('defer') && script.src) return 'this script is deferred';
  return document.readyState === 'loading' ? '' : 'this script was added after the page was read';
}
