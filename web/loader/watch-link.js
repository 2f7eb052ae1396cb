// In the page: lets a worker (watcher.js) watch whether the page still lives, and gives it what it needs to tell what a page that
// hangs in wasm is doing: the shared memories in which the modules record, and a canvas that the worker can draw on by itself.

import { canShareMemory } from '../../js/loader/engine.js';
import { startParts } from './launch.js';

/** @import {PostedFacts} from '../../js/loader/module-facts.js' */
/** @import {Session} from '../../js/loader/session.js' */
/** @import {Tracer} from './tracer.js' */

/**
 * @typedef {{kind: 'begin', beat: Int32Array, canvas: OffscreenCanvas | null, scale: number, page: string, served?: string}
 *   | {kind: 'opened', id: number, name: string, facts: PostedFacts, buffer: SharedArrayBuffer}
 *   | {kind: 'closed', id: number}} ToWatcher
 */

const WIDTH = 440;
const HEIGHT = 320;

export class WatchLink {
  #tracer;
  /** @type {Worker | null} */
  #watcher = null;
  /** @type {WeakMap<Session, number>} */
  #ids = new WeakMap();
  #nextId = 0;
  /** Ends what start() began. @type {(() => void)[]} */
  #undo = [];

  /** @param {Tracer} tracer */
  constructor(tracer) {
    this.#tracer = tracer;
  }

  start() {
    if (this.#watcher || typeof document === 'undefined') return;
    if (!canShareMemory()) return this.#tracer.warn('the page is not watched for hanging: that needs cross-origin isolation (wasm-trace serve --isolate)');
    const { served } = this.#tracer.options;
    const server = served && new URL(served, document.baseURI).href;
    const watcher = this.#startWatcher(server);
    if (!watcher) return;
    const beat = new Int32Array(new SharedArrayBuffer(4));
    // When it asks: timers of a page in the background are held back, up to a minute.
    watcher.addEventListener('message', () => Atomics.add(beat, 0, 1));
    const element = makeCanvas();
    const canvas = element?.transferControlToOffscreen() ?? null;
    this.#watcher = watcher;
    this.#undo = [() => watcher.terminate(), () => element?.remove()];
    this.#post({ kind: 'begin', beat, canvas, scale: devicePixelRatio, page: location.href, served: server }, canvas ? [canvas] : []);
    for (const session of this.#tracer.sessions) this.opened(session);
  }

  stop() {
    this.#watcher = null;
    for (const undo of this.#undo.splice(0)) undo();
  }

  /** @param {string} [server] @returns {Worker | null} null: the page does not allow it, which shows at once or later */
  #startWatcher(server) {
    const refused = () => this.#tracer.warn('the page is not watched for hanging: it does not allow workers of ours');
    try {
      const watcher = this.#tracer.startOwnWorker(watcherUrl(server));
      watcher.addEventListener('error', (event) => {
        event.preventDefault();
        refused();
      });
      return watcher;
    } catch {
      refused();
      return null;
    }
  }

  /** @param {Session} session */
  opened(session) {
    const buffer = this.#watcher && session.sharedBuffer;
    if (!buffer) return;
    const id = this.#nextId++;
    this.#ids.set(session, id);
    this.#post({ kind: 'opened', id, name: session.name, facts: session.facts.posted, buffer });
  }

  /** @param {Session} session */
  closed(session) {
    const id = this.#ids.get(session);
    if (id !== undefined) this.#post({ kind: 'closed', id });
  }

  /** @param {ToWatcher} message @param {Transferable[]} [transfer] */
  #post(message, transfer = []) {
    this.#watcher?.postMessage(message, transfer);
  }
}

/** More policies allow a worker from the page's server than one from a blob. @param {string} [server] */
function watcherUrl(server) {
  if (server) return new URL('watcher.js', server).href;
  return URL.createObjectURL(new Blob(startParts({ role: 'watcher' }), { type: 'text/javascript' }));
}

/** Over the page, but not in the way of the pointer. @returns {HTMLCanvasElement | null} null: no worker can draw on one */
function makeCanvas() {
  const canvas = document.createElement('canvas');
  if (!canvas.transferControlToOffscreen) return null;
  canvas.width = WIDTH * devicePixelRatio;
  canvas.height = HEIGHT * devicePixelRatio;
  canvas.setAttribute('aria-hidden', 'true');
  Object.assign(canvas.style, { position: 'fixed', left: '12px', top: '12px', width: `${WIDTH}px`, height: `${HEIGHT}px`, zIndex: '2147483646', pointerEvents: 'none' });
  const show = () => document.body.append(canvas);
  if (document.body) show();
  else document.addEventListener('DOMContentLoaded', show, { once: true });
  return canvas;
}
