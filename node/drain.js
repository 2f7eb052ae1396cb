// --on-full drain: takes the records out of a ring that is full and appends them to a file, so that the trace is complete while the
// ring stays as small as it is. The module waits meanwhile. Threads of a process append to one file.

import { packRecording } from '../js/views/recorded.js';
import { DRAINED_FORMAT, DRAINED_VERSION } from './drained.js';

/** @import {Session} from '../js/loader/session.js' */
/** @import {Ending} from '../js/views/log.js' */

const { constants, fstatSync, ftruncateSync, openSync, writevSync } = process.getBuiltinModule('node:fs');

/** Threads write in turn when each write goes to the end of the file. */
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;

/** How often the line of progress changes: milliseconds. */
const PROGRESS = 100;

const MEGABYTE = 1e6;

export class Drain {
  #path;
  #warn;
  /** @type {number | null} null: there is none, or no more */
  #file = null;
  /** Of sessions of this thread, without keeping them. @type {WeakMap<Session, string>} */
  #keys = new WeakMap();
  /** Those whose facts are in the file, by their keys. @type {Set<string>} */
  #told = new Set();
  #words = 0;
  #shown = 0;

  /**
   * @param {string} path
   * @param {(message: string) => void} warn
   */
  constructor(path, warn) {
    this.#path = path;
    this.#warn = warn;
    this.#attempt(() => void (this.#file = openNew(path)));
  }

  /** Of the file; undefined where it could not be written. */
  get path() {
    return this.#file === null ? undefined : this.#path;
  }

  /** @param {Session} session @param {string} key its own in this process */
  opened(session, key) {
    this.#keys.set(session, key);
  }

  /** What is new in the ring of a session. @param {Session} session */
  take(session) {
    const pieces = session.takeRecords();
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (bytes === 0) return;
    this.#tell(session);
    this.#write({ kind: 'records', session: this.#keyOf(session) }, pieces);
    this.#words += bytes / 8;
    this.#showProgress();
  }

  /**
   * The rest of all sessions of the process, once it is known which of them a trap has ended.
   * @param {readonly Session[]} sessions
   * @param {(session: Session) => Ending} endingOf
   * @returns {string} what to say of it
   */
  finish(sessions, endingOf) {
    for (const session of sessions) this.take(session);
    for (const session of sessions) if (this.#told.has(this.#keyOf(session))) this.#end(session, endingOf(session));
    this.#hideProgress();
    if (this.path === undefined) return '';
    if (this.#told.size === 0) return `no events were recorded: ${this.path} is empty`;
    return `the complete trace is in ${this.path}: wasm-trace report ${this.path}`;
  }

  /** @param {Session} session @returns {string} */
  #keyOf(session) {
    return session.key ?? this.#keys.get(session) ?? session.name;
  }

  /** Its facts come before its records. @param {Session} session */
  #tell(session) {
    const key = this.#keyOf(session);
    if (this.#told.has(key)) return;
    this.#told.add(key);
    const { name, label, thread, metadata, names } = session;
    const known = [];
    for (let func = 0; func < metadata.functionCount; func++) if (names.has(func)) known.push([func, names.name(func)]);
    const section = Buffer.from(session.section).toString('base64');
    const facts = { name, label, thread, section, names: Object.fromEntries(known) };
    this.#write({ kind: 'session', format: DRAINED_FORMAT, version: DRAINED_VERSION, session: key, ...facts }, []);
  }

  /** @param {Session} session @param {Ending} ending */
  #end(session, ending) {
    const { name, label, thread, section, metadata, names, clock, cost } = session;
    const snapshot = { ...session.snapshot(), records: new BigUint64Array(0) };
    const recorded = { name, label, thread, section, metadata, names, clock, cost, ending, snapshot: () => snapshot };
    const { head, bytes } = packRecording({ sessions: [recorded], modules: [], warnings: [], trace: [], traps: [] });
    this.#write({ kind: 'end', session: this.#keyOf(session), head }, [bytes]);
  }

  /** @param {{kind: string, session: string, [property: string]: unknown}} piece @param {Uint8Array[]} content */
  #write(piece, content) {
    const bytes = content.reduce((sum, part) => sum + part.length, 0);
    const line = Buffer.from(`${JSON.stringify({ ...piece, bytes })}\n`);
    this.#attempt(() => {
      if (this.#file !== null) writeAll(this.#file, [line, ...content]);
    });
  }

  /** A disk that is full ends the file, and not the program. @param {() => void} work */
  #attempt(work) {
    try {
      work();
    } catch (error) {
      this.#file = null;
      this.#warn(`the trace in ${this.#path} is not complete: ${error instanceof Error ? error.message : error}`);
    }
  }

  #showProgress() {
    const now = performance.now();
    if (!process.stderr.isTTY || now - this.#shown < PROGRESS) return;
    this.#shown = now;
    process.stderr.write(`\r\x1b[Kwasm-trace: ${((this.#words * 8) / MEGABYTE).toFixed(0)} MB in ${this.#path}`);
  }

  #hideProgress() {
    if (this.#shown > 0) process.stderr.write('\r\x1b[K');
  }
}

/**
 * Empty, unless another thread of this process has begun the file: a worker may write before its parent knows that there is one.
 * @param {string} path @returns {number}
 */
function openNew(path) {
  const file = openSync(path, APPEND);
  const began = Date.now() - process.uptime() * 1000;
  const state = fstatSync(file);
  if (state.isFile() && state.size > 0 && state.mtimeMs < began) ftruncateSync(file);
  return file;
}

/** @param {number} file @param {Uint8Array[]} parts */
function writeAll(file, parts) {
  let left = parts.filter((part) => part.length > 0);
  while (left.length > 0) {
    let written = writevSync(file, left);
    while (left.length > 0 && written >= left[0].length) written -= /** @type {Uint8Array} */ (left.shift()).length;
    if (left.length > 0) left = [left[0].subarray(written), ...left.slice(1)];
  }
}
