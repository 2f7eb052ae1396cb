// A worker that watches the page. When the page's heart has stopped for a while it reads where the modules stand, out of the
// memories in which they record, draws that on a canvas over the page, and tells `wasm-trace serve`.

import { ModuleFacts } from '../../js/loader/module-facts.js';
import { takeSnapshot } from '../../js/trace/snapshot.js';
import { TraceModel } from '../../js/model/trace-model.js';
import { standingStack } from '../../js/views/trap.js';

/** @import {ToWatcher} from './watch-link.js' */

/** Milliseconds. */
const LOOK = 250;
const HANGS_AFTER = 1000;

const LINES_MAX = 14;
const LINE_HEIGHT = 20;

/** @typedef {{session: string, milliseconds: number, stack: string[]}} Standing stack: innermost first */

export function startWatcher() {
  const watcher = new Watcher();
  globalThis.onmessage = ({ data }) => watcher.receive(data);
}

class Watcher {
  /** @type {Map<number, {name: string, facts: ModuleFacts, buffer: SharedArrayBuffer}>} */
  #sessions = new Map();
  /** Asked for once: Firefox has an error for those who ask again. @type {OffscreenCanvasRenderingContext2D | null} */
  #context = null;
  #lastBeat = -1;
  #since = performance.now();
  #hangs = false;

  /** @param {ToWatcher} message */
  receive(message) {
    if (message.kind === 'begin') this.#begin(message);
    if (message.kind === 'opened') this.#sessions.set(message.id, { name: message.name, facts: ModuleFacts.fromPosted(message.facts), buffer: message.buffer });
    if (message.kind === 'closed') this.#sessions.delete(message.id);
  }

  /** @param {Extract<ToWatcher, {kind: 'begin'}>} page */
  #begin(page) {
    this.#context = page.canvas?.getContext('2d') ?? null;
    // Chromium sets up a worker's canvas with the help of the page's thread: now, while that thread answers.
    if (this.#context) draw(this.#context, page.scale, { session: '', milliseconds: 0, stack: [''] });
    if (this.#context) draw(this.#context, page.scale, null);
    setInterval(() => this.#look(page), LOOK);
  }

  /** @param {Extract<ToWatcher, {kind: 'begin'}>} page */
  #look(page) {
    const beat = Atomics.load(page.beat, 0);
    const now = performance.now();
    if (beat !== this.#lastBeat) {
      this.#lastBeat = beat;
      this.#since = now;
      if (this.#hangs) this.#tell(page, null);
      this.#hangs = false;
    } else if (now - this.#since >= HANGS_AFTER) {
      this.#hangs = true;
      this.#tell(page, this.#standing(now - this.#since));
    }
    /** @type {any} */ (globalThis).postMessage(null); // the page's heart beats once
  }

  /** @param {Extract<ToWatcher, {kind: 'begin'}>} page @param {Standing | null} standing null: the page lives again */
  #tell({ scale, page, served }, standing) {
    if (this.#context) draw(this.#context, scale, standing);
    if (!served) return;
    const body = JSON.stringify({ page, ...(standing ?? { session: '', milliseconds: 0, stack: [] }) });
    fetch(new URL('hang', served), { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }).catch(() => {});
  }

  /** @param {number} milliseconds @returns {Standing} */
  #standing(milliseconds) {
    for (const { name, facts, buffer } of this.#sessions.values()) {
      const stack = stackOf(facts, buffer);
      if (stack.length > 0) return { session: name, milliseconds: Math.round(milliseconds), stack };
    }
    return { session: '', milliseconds: Math.round(milliseconds), stack: [] };
  }
}

/** @param {ModuleFacts} facts @param {SharedArrayBuffer} buffer @returns {string[]} innermost first; none where nothing runs */
function stackOf({ metadata, names }, buffer) {
  const model = new TraceModel(takeSnapshot(buffer), metadata);
  return standingStack(model).map((func) => names.name(func));
}

/** @param {OffscreenCanvasRenderingContext2D} context @param {number} scale @param {Standing | null} standing */
function draw(context, scale, standing) {
  const { canvas } = context;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  if (!standing) return;
  const lines = linesOf(standing);
  context.fillStyle = '#111827f0';
  context.fillRect(0, 0, canvas.width / scale, LINE_HEIGHT * (lines.length + 1));
  lines.forEach((line, i) => {
    context.font = i === 0 ? '600 13px system-ui, sans-serif' : '12px ui-monospace, monospace';
    context.fillStyle = i === 0 ? '#fbbf24' : '#e5e7eb';
    context.fillText(line, 12, LINE_HEIGHT * (i + 1), canvas.width / scale - 24);
  });
}

/** @param {Standing} standing */
function linesOf({ session, milliseconds, stack }) {
  const where = stack.length > 0 ? `in ${session}` : 'outside of traced wasm';
  const left = stack.length - LINES_MAX;
  const shown = left > 0 ? [...stack.slice(0, LINES_MAX - 1), `... and ${left + 1} more frames`] : stack;
  return [`This page has not answered for ${(milliseconds / 1000).toFixed(1)} s, ${where}`, ...shown];
}
