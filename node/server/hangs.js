// Pages that hang: what their watchers tell, for as long as they tell it. A watcher reports several times a second while its page hangs,
// and once with no time when the page lives again.

import { EventEmitter } from 'node:events';

import { RequestError } from './body.js';

/**
 * @typedef {object} Hang
 * @property {string} page address
 * @property {string} session the module it stands in
 * @property {number} milliseconds since when
 * @property {string[]} stack names of functions, innermost first; none: it hangs outside of traced modules
 */

/** A page of which nothing is heard for so long has gone: milliseconds. */
const SILENCE = 5000;
const PAGES_MAX = 16;
const TEXT_MAX = 2000;
const STACK_MAX = 1000;

/** Emits 'change' with the hang that has changed, and whether it is over. */
export class Hangs extends EventEmitter {
  /** @type {Map<string, {hang: Hang, heard: number}>} */
  #pages = new Map();

  /** Those that hang now. @returns {Hang[]} */
  get current() {
    return [...this.#pages.values()].map(({ hang }) => hang);
  }

  /** @param {Record<string, unknown>} message @throws {RequestError} */
  receive(message) {
    const hang = readHang(message);
    const now = performance.now();
    for (const [page, { heard }] of this.#pages) if (now - heard > SILENCE) this.#pages.delete(page);
    const before = this.#pages.get(hang.page)?.hang;
    const isOver = hang.milliseconds === 0;
    if (!isOver) this.#add(hang, now);
    else if (!this.#pages.delete(hang.page)) return;
    this.emit('change', isOver ? before : hang, isOver);
  }

  /** @param {Hang} hang @param {number} now */
  #add(hang, now) {
    if (this.#pages.size >= PAGES_MAX && !this.#pages.has(hang.page)) throw new RequestError(503, 'too many pages hang');
    this.#pages.set(hang.page, { hang, heard: now });
  }
}

/** @param {Record<string, unknown>} message @returns {Hang} @throws {RequestError} */
function readHang({ page, session, milliseconds, stack }) {
  if (!isText(page) || !isText(session) || !Number.isFinite(milliseconds) || !Array.isArray(stack) || !stack.every(isText))
    throw new RequestError(400, 'not a report of a page that hangs');
  return { page, session, milliseconds: Math.max(0, Number(milliseconds)), stack: stack.slice(0, STACK_MAX) };
}

/** @param {unknown} value @returns {value is string} */
function isText(value) {
  return typeof value === 'string' && value.length <= TEXT_MAX;
}
