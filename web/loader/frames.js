// Frames of the same origin: each has a WebAssembly of its own. The script is run in a frame before the frame's first one, and its
// tracer joins that of the page around it. Frames of other origins are out of reach.

import { takeNonce } from './browser.js';
import { VERSION, startText } from './launch.js';
import { replace } from './replace.js';

/** @typedef {import('./tracer.js').Tracer} Tracer */

/** Ticks of the event loop that a frame is given between the end of one document and the next. */
const TICKS_MAX = 1000;

/** The tracer of the page around this frame, if it is of the same origin. @param {Tracer} tracer */
export function joinParent(tracer) {
  if (globalThis.parent === globalThis.self) return;
  try {
    const { wasmTrace } = /** @type {{wasmTrace?: Tracer}} */ (/** @type {unknown} */ (globalThis.parent));
    if (wasmTrace?.version !== VERSION) return;
    tracer.isFrame = true;
    wasmTrace.frames.add(tracer);
  } catch {
    // The page around it is of another origin: this one is for itself.
  }
}

export class Frames {
  /** @type {Tracer[]} */
  tracers = [];

  #tracer;
  /** @type {WeakSet<HTMLIFrameElement>} */
  #watched = new WeakSet();
  #active = false;
  /** @type {Document | null} */
  #document = null;
  /** @type {MutationObserver | null} */
  #observer = null;

  /** @param {Tracer} tracer of the page */
  constructor(tracer) {
    this.#tracer = tracer;
  }

  /** Those whose pages are still there. */
  get alive() {
    return this.tracers.filter((tracer) => tracer.isAlive);
  }

  /** @param {Tracer} tracer of a frame */
  add(tracer) {
    if (!this.tracers.includes(tracer)) this.tracers.push(tracer);
  }

  /** @returns {() => void} ends it */
  watch() {
    this.#active = true;
    const undo = [this.#watchGetter('contentWindow'), this.#watchGetter('contentDocument')];
    this.observe();
    return () => {
      this.#active = false;
      this.#observer?.disconnect();
      for (const one of undo) one();
    };
  }

  /** Looks for frames in the document of now: the first real one of a frame takes the place of an empty one in the same window. */
  observe() {
    if (!this.#active || this.#document === document) return;
    this.#document = document;
    this.#observer?.disconnect();
    this.#observer = new MutationObserver(() => this.#look());
    this.#observer.observe(document, { childList: true, subtree: true });
    this.#look();
  }

  /** A program that makes a frame may use it at once. @param {'contentWindow' | 'contentDocument'} name @returns {() => void} */
  #watchGetter(name) {
    return replace(HTMLIFrameElement.prototype, name, (native) => new Proxy(native, {
      apply: (target, frame, args) => {
        const inner = Reflect.apply(target, frame, args);
        if (inner && this.#active) this.#watchFrame(frame);
        return inner;
      },
    }));
  }

  #look() {
    for (const frame of document.getElementsByTagName('iframe')) this.#watchFrame(frame);
  }

  /** @param {HTMLIFrameElement} frame */
  #watchFrame(frame) {
    if (this.#watched.has(frame)) return;
    this.#watched.add(frame);
    frame.addEventListener('load', () => this.#enter(frame));
    this.#enter(frame);
  }

  /** Of the document that is in the frame now, and of those that follow. @param {HTMLIFrameElement} frame */
  #enter(frame) {
    const inner = this.#active ? windowOf(frame) : null;
    if (!inner) return;
    this.#startIn(inner);
    inner.addEventListener('pagehide', () => this.#awaitNext(frame, inner.document, 0), { once: true });
  }

  /** No event tells of a new document before its scripts run. @param {HTMLIFrameElement} frame @param {Document} last @param {number} ticks */
  #awaitNext(frame, last, ticks) {
    const inner = windowOf(frame);
    if (!this.#active || ticks > TICKS_MAX) return;
    if (inner && inner.document !== last) this.#enter(frame);
    else nextTick(() => this.#awaitNext(frame, last, ticks + 1));
  }

  /** @param {Window & typeof globalThis} inner */
  #startIn(inner) {
    const { document: inside } = inner;
    const { wasmTrace } = /** @type {{wasmTrace?: Tracer}} */ (/** @type {unknown} */ (inner));
    if (wasmTrace) return wasmTrace.frames?.observe();
    if (inside.documentElement) this.#insert(inside);
    else new inner.MutationObserver((_, observer) => this.#insertOnce(inside, observer)).observe(inside, { childList: true });
  }

  /** @param {Document} inside @param {MutationObserver} observer */
  #insertOnce(inside, observer) {
    if (!inside.documentElement) return;
    observer.disconnect();
    this.#insert(inside);
  }

  /** @param {Document} inside */
  #insert(inside) {
    const inner = inside.defaultView;
    if (!inner || 'wasmTrace' in inner) return;
    const script = inside.createElement('script');
    takeNonce(script);
    try {
      script.textContent = startText({ role: 'frame', options: { ...this.#tracer.workerOptions } });
      inside.documentElement.prepend(script);
      script.remove();
    } catch {
      // Trusted Types, for one. Who asks for the window of the frame is to get it.
    }
    if (!('wasmTrace' in inner)) this.#tracer.warn('a frame runs untraced: its page does not allow scripts of ours');
  }
}

/** @param {HTMLIFrameElement} frame @returns {(Window & typeof globalThis) | null} null where it is of another origin */
function windowOf(frame) {
  try {
    const inner = /** @type {(Window & typeof globalThis) | null} */ (frame.contentWindow);
    return inner?.document ? inner : null;
  } catch {
    return null;
  }
}

/** Sooner than a timer, which pages in the background get once a second. @param {() => void} work */
function nextTick(work) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    work();
  };
  port2.postMessage(null);
}
