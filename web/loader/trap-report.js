// Traps of traced modules that nobody caught: kept for the report, and handed to the page as a file that it can send home. The file
// is the JSON report of the module that trapped, with the text of the trap; without arguments and results, unless they are asked for.

import { findTrap, plainError } from '../../js/loader/find-trap.js';
import { overviewInput } from '../../js/loader/threads.js';
import { reportJson } from '../../js/views/json.js';
import { renderTrap } from '../../js/views/trap.js';
import { VERSION } from './launch.js';

/** @import {UncaughtError} from '../../js/loader/find-trap.js' */
/** @import {Metadata} from '../../js/trace/metadata.js' */
/** @import {Tracer} from './tracer.js' */

/**
 * @typedef {import('../../js/views/json.js').JsonReport & {text: string, tool: string, page: string, time: string}} TrapReport text: what a person
 *   reads; page: address without its query; time: ISO 8601
 */

/** Bytes that the file is below. */
const SIZE_MAX = 256 * 1024;
/** What browsers let a page send that is being left. */
const KEEPALIVE_MAX = 60_000;
const ITEMS = 2000;

export class TrapReporter {
  /** @type {UncaughtError[]} */
  seen = [];

  #tracer;
  /** A page may have a <base> later. */
  #base = document.baseURI;

  /** @param {Tracer} tracer */
  constructor(tracer) {
    this.#tracer = tracer;
  }

  /** @returns {() => void} ends it */
  watch() {
    const onError = (/** @type {ErrorEvent} */ { error }) => this.note(plainError(error));
    const onRejection = (/** @type {PromiseRejectionEvent} */ { reason }) => this.note(plainError(reason));
    globalThis.addEventListener('error', onError);
    globalThis.addEventListener('unhandledrejection', onRejection);
    return () => {
      globalThis.removeEventListener('error', onError);
      globalThis.removeEventListener('unhandledrejection', onRejection);
    };
  }

  /** @param {UncaughtError} error @returns {boolean} whether it is a trap in a traced module */
  note(error) {
    try {
      return this.#take(error);
    } catch (fault) {
      this.#tracer.warn(`a trap could not be reported: ${/** @type {Error} */ (fault).message}`);
      return false;
    }
  }

  /** @param {UncaughtError} error */
  #take(error) {
    const found = findTrap(error, this.#tracer.sessions);
    if (!found) return false;
    this.seen.push(error);
    found.session.trapped(found.trap);
    const { onTrap } = this.#tracer.options;
    if (!onTrap) return true;
    const { report, bytes } = makeReport(found, this.#tracer.options.values === true);
    if (typeof onTrap === 'function') onTrap(report, bytes);
    else this.#deliver(onTrap, report, bytes);
    return true;
  }

  /** @param {string} target the name of a global function, or an address @param {TrapReport} report @param {Uint8Array<ArrayBuffer>} bytes */
  #deliver(target, report, bytes) {
    const named = target.split('.').reduce((value, key) => value?.[key], /** @type {any} */ (globalThis));
    if (typeof named === 'function') return void named(report, bytes);
    const request = { method: 'POST', body: bytes, keepalive: bytes.length < KEEPALIVE_MAX, headers: { 'Content-Type': 'application/json' } };
    fetch(new URL(target, this.#base), request).catch(() => this.#tracer.warn(`the report of a trap could not be sent to ${target}`));
  }
}

/**
 * @param {NonNullable<ReturnType<typeof findTrap>>} found
 * @param {boolean} values whether it may have arguments and results in it
 * @returns {{report: TrapReport, bytes: Uint8Array<ArrayBuffer>}} bytes: the report as JSON, below SIZE_MAX
 */
export function makeReport({ session, trap }, values) {
  const known = overviewInput(session, [{ session, trap }]);
  const input = values ? known : { ...known, metadata: withoutValues(known.metadata) };
  const text = renderTrap(trap, { ...input, title: session.name });
  const facts = { text, tool: `wasm-trace ${VERSION}`, page: location.origin + location.pathname, time: new Date().toISOString() };
  for (let limit = ITEMS; ; limit = Math.floor(limit / 2)) {
    const report = { ...reportJson({ sessions: [input] }, { limit }), ...facts };
    const bytes = new TextEncoder().encode(JSON.stringify(report));
    if (bytes.length < SIZE_MAX || limit === 0) return { report, bytes };
  }
}

/** @param {Metadata} metadata @returns {Metadata} by which records are read as if they had no values */
function withoutValues(metadata) {
  const probes = new Map([...metadata.probes].map(([func, probe]) => [func, { ...probe, args: null, results: null }]));
  return { ...metadata, probes, histograms: [] };
}
