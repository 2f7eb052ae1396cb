// Workers that the page starts: the script is run in each before the worker's own program. A server that prepends it to worker scripts
// (`wasm-trace serve`) leaves nothing to do here but to listen. Otherwise the worker is started from a blob, which runs this script and then
// the program by its address; worker-base.js makes the rest of the worker see that address. Where that cannot be, because the page's policy
// forbids such workers for one, the worker is started as the page wrote it.

import { startParts } from './launch.js';
import { PendingWorker } from './pending-worker.js';
import { replace } from './replace.js';

/** @import {PageOptions} from './options.js' */

/**
 * The property by which messages of ours, and none of the page, are known. It says how far a worker is: 'begun', its program comes next, or
 * runs; 'waiting' for its program, which is imported; 'running', it has come. With the first of them comes a port.
 */
export const LINK = 'wasm-trace link';

/** How long a worker has to hand over what only it can read, once it is to be terminated: milliseconds. */
const PATIENCE = 200;

/**
 * @typedef {object} Surroundings
 * @property {() => PageOptions} options for workers
 * @property {(port: MessagePort) => WorkerEnd | null} adopt a worker offers a link
 * @property {(text: string) => void} warn
 * @property {string} [base] address of this worker's program, in a worker
 *
 * @typedef {object} WorkerEnd what to do before a worker is terminated
 * @property {boolean} isReadable everything that it recorded can be read from here
 * @property {() => Promise<void>} finish waits for what it recorded
 * @property {() => void} close it will say no more
 */

export class WorkerPatch {
  #here;
  /** Whether workers may be started from blobs; null while that is not known. @type {boolean | null} */
  #allowed = null;
  /** @type {WeakMap<Worker, WorkerEnd>} */
  #ends = new WeakMap();
  /** @type {WeakSet<Worker>} */
  #terminated = new WeakSet();
  /** The engine's own way. @type {(worker: Worker) => void} */
  #terminateNow = () => {};
  /** The script for module workers, by what it is told. @type {Map<string, string>} */
  #moduleUrls = new Map();

  /** @param {Surroundings} here */
  constructor(here) {
    this.#here = here;
  }

  /** @returns {() => void} undoes it */
  patch() {
    if (typeof Worker !== 'function') return () => {};
    const { prototype } = Worker;
    const { terminate } = prototype;
    this.#terminateNow = (worker) => Reflect.apply(terminate, worker, []);
    const undo = [
      replace(globalThis, 'Worker', (native) => new Proxy(native, { construct: (target, args, newTarget) => this.#construct(target, args, newTarget) })),
      replace(prototype, 'terminate', (native) => new Proxy(native, { apply: (_, worker) => this.#terminate(worker) })),
      replace(prototype, 'constructor', () => globalThis.Worker),
    ];
    return () => undo.forEach((one) => one());
  }

  /** @param {typeof Worker} native @param {any[]} args @param {Function} newTarget @returns {Worker} */
  #construct(native, args, newTarget) {
    const wrapped = args.length > 0 ? this.#wrap(args) : null;
    if (!wrapped) return this.#listen(Reflect.construct(native, args, newTarget), null);
    const construct = (/** @type {unknown} */ url) => Reflect.construct(native, [url, ...args.slice(1)], newTarget);
    // In a worker that was itself started from a blob, only the whole address will do.
    const program = decodeURIComponent(new URL(wrapped).hash.slice(1));
    const constructPlain = () => construct(program || args[0]);
    const worker = constructed(() => construct(wrapped));
    if (!worker) {
      const plain = this.#listen(constructPlain(), null);
      this.#forbid();
      return plain;
    }
    const pending = this.#allowed === null ? new PendingWorker(worker, constructPlain) : null;
    worker.addEventListener('error', (/** @type {Event} */ event) => {
      const isReplaced = pending && !pending.hasBegun && this.#replaced(worker, event, pending, program);
      if (!isReplaced) tellAsNative(worker, event, program);
    });
    return this.#listen(worker, pending, wrapped);
  }

  /** @param {Worker} worker @param {PendingWorker | null} pending @param {string} [blob] that the worker was started from */
  #listen(worker, pending, blob) {
    worker.addEventListener('message', (/** @type {MessageEvent} */ event) => {
      const hasBegun = this.#receive(worker, event, pending);
      if (hasBegun && blob) URL.revokeObjectURL(blob.split('#', 1)[0]);
    });
    return worker;
  }

  /** @param {Worker} worker @param {MessageEvent} event @param {PendingWorker | null} pending @returns {boolean} it says that the program is there */
  #receive(worker, event, pending) {
    const state = event.data?.[LINK];
    if (state !== undefined || this.#terminated.has(worker)) event.stopImmediatePropagation();
    if (state === undefined) return false;
    if (event.ports.length > 0) this.#adopt(worker, event.ports[0]);
    if (state === 'waiting') return false;
    this.#begin(pending);
    return true;
  }

  /** @param {PendingWorker | null} pending */
  #begin(pending) {
    this.#allowed = true;
    pending?.begin();
  }

  /** @param {Worker} worker @param {MessagePort} port */
  #adopt(worker, port) {
    const end = this.#here.adopt(port);
    if (end) this.#ends.set(worker, end);
  }

  /**
   * An error before it was known that the worker's program has begun.
   * @param {Worker} worker @param {Event} event @param {PendingWorker} pending @param {string} program
   * @returns {boolean} it had not, and the worker has another one in its place; false: the error is the program's
   */
  #replaced(worker, event, pending, program) {
    const isThrown = event instanceof ErrorEvent;
    if (isThrown && !isNotImported(event, program)) {
      this.#begin(pending);
      return false;
    }
    event.stopImmediatePropagation();
    event.preventDefault();
    this.#terminateNow(worker);
    const other = pending.replace();
    if (!isThrown) this.#forbid();
    else other.addEventListener('message', () => this.#here.warn('a worker runs untraced: its program cannot be imported into a blob'), { once: true });
    return true;
  }

  #forbid() {
    this.#allowed = false;
    this.#here.warn('workers run untraced: the page does not allow workers from blobs; wasm-trace serve, or a script at their beginning, reaches them');
  }

  /** A worker may have recorded what only it can read. @param {Worker} worker */
  #terminate(worker) {
    const end = this.#ends.get(worker);
    if (this.#terminated.has(worker)) return;
    if (!end || end.isReadable) {
      end?.close();
      return this.#terminateNow(worker);
    }
    this.#terminated.add(worker);
    const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE));
    void Promise.race([end.finish(), patience]).then(() => {
      end.close();
      this.#terminateNow(worker);
    });
  }

  /** Browsers tell servers what a script is for in secure contexts only. */
  get #isServed() {
    return globalThis.isSecureContext && Boolean(this.#here.options().served);
  }

  /** @param {any[]} args of the constructor @returns {string | null} another address for the worker; null: it is to have its own */
  #wrap([url, options]) {
    const address = this.#resolve(url);
    const isBlob = address?.protocol === 'blob:';
    const isHere = address !== null && address.origin === globalThis.origin && (isBlob || /^https?:$/.test(address.protocol));
    if (!isHere || this.#allowed === false || (!isBlob && this.#isServed)) return null;
    const program = isBlob ? readText(address.href) : null;
    // What a blob's address has behind "#" would be gone.
    if (isBlob && (program === null || address.hash)) return null;
    const parts = options?.type === 'module' ? this.#moduleParts(address, program) : this.#classicParts(address, program);
    const blob = URL.createObjectURL(new Blob(parts, { type: 'text/javascript' }));
    return isBlob ? blob : `${blob}#${encodeURIComponent(address.href)}`;
  }

  /** @param {URL} address @param {string | null} program @returns {BlobPart[]} */
  #classicParts({ href }, program) {
    const strict = program !== null && /^\s*(["'])use strict\1/.test(program) ? '"use strict";' : '';
    const start = guarded(startParts({ role: 'worker', options: this.#here.options(), imports: program === null }));
    return [strict, ...start, program ?? importText(href)];
  }

  /** @param {URL} address @param {string | null} program @returns {BlobPart[]} */
  #moduleParts({ href }, program) {
    const options = this.#here.options();
    const key = JSON.stringify(options);
    const url = this.#moduleUrls.get(key) ?? URL.createObjectURL(new Blob(guarded(startParts({ role: 'worker', options })), { type: 'text/javascript' }));
    this.#moduleUrls.set(key, url);
    return [`import ${JSON.stringify(url)};`, program ?? `import ${JSON.stringify(href)};`];
  }

  /** @param {unknown} url @returns {URL | null} null: the engine is to complain, or a policy of the page is at work */
  #resolve(url) {
    const isTrusted = typeof url === 'object' && url !== null && !(url instanceof URL) && 'TrustedScriptURL' in globalThis;
    try {
      return isTrusted ? null : new URL(String(url), this.#here.base ?? globalThis.document?.baseURI ?? location.href);
    } catch {
      return null;
    }
  }
}

/** @param {() => Worker} construct @returns {Worker | null} null: an engine, or a policy of the page for addresses, refuses at once */
function constructed(construct) {
  try {
    return construct();
  } catch {
    return null;
  }
}

/** The worker's program is to run whatever happens to ours. @param {BlobPart[]} start */
function guarded(start) {
  return ['try{', ...start, `}catch(error){console.warn("wasm-trace: a worker runs untraced: "+error);postMessage({"${LINK}":"begun"})}`];
}

/** @param {string} href of a worker's program @returns {string} imports it, and tells that it has come */
function importText(href) {
  return `importScripts(${JSON.stringify(href)});postMessage({"${LINK}":"running"});`;
}

/**
 * Chromium names the address that did not load, Firefox says where it was to be loaded; both speak of a policy for addresses.
 * @param {ErrorEvent} event @param {string} program
 */
function isNotImported({ message, filename }, program) {
  if (program === '') return false;
  return message.includes(program) || message.includes('TrustedScriptURL') || (message.startsWith('NetworkError') && filename.startsWith('blob:'));
}

const IMPORT = "Failed to execute 'importScripts' on 'WorkerGlobalScope': ";

/**
 * The program of a worker was imported; when that fails, the page is to get what it would have got.
 * @param {Worker} worker @param {Event} event @param {string} program its address
 */
function tellAsNative(worker, event, program) {
  if (!(event instanceof ErrorEvent) || !event.message.includes(IMPORT)) return;
  const { message, filename, lineno, colno, error } = event;
  const isMissing = message.endsWith(`${IMPORT}The script at '${program}' failed to load.`);
  if (!isMissing && filename !== program) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  const facts = { message: message.replace(IMPORT, ''), filename, lineno, colno, error, cancelable: true };
  worker.dispatchEvent(isMissing ? new Event('error', { cancelable: true }) : new ErrorEvent('error', facts));
}

/** The page may take a blob's address back as soon as it has made the worker. @param {string} href @returns {string | null} */
function readText(href) {
  try {
    const request = new XMLHttpRequest();
    request.open('GET', href, false);
    request.send();
    return request.responseText;
  } catch {
    return null;
  }
}
