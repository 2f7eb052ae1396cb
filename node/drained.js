// The file of --on-full drain. It is a sequence of pieces: a line of JSON, and as many bytes behind it as its `bytes` says. They come as
// things happen, so what is there of a process that was killed can be read.
//
//   {"kind": "session", "format", "version", "session", "name", "label", "thread", "section", "names"}   once for each, before its others
//   {"kind": "records", "session"}   and words of the ring, oldest first
//   {"kind": "end", "session", "head"}   and the rest: a recording (js/views/recorded.js) of the session without records
//
// `session` is a text that is the session's own; `section` is the custom section "wasm-trace", in base64.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

import * as ABI from '../js/generated/abi.js';
import { parseMetadata } from '../js/trace/metadata.js';
import { unpackRecording } from '../js/views/recorded.js';
import { FileError } from './files.js';

/** @import {RecordedSession} from '../js/views/recorded.js' */
/** @import {Snapshot} from '../js/trace/snapshot.js' */

export const DRAINED_FORMAT = 'wasm-trace-drained';
export const DRAINED_VERSION = 1;

const LINE_END = 10;

/** Bytes in which a line is looked for at first; one with the names of a large module is far longer. */
const SHORT_LINE = 4096;

/**
 * @typedef {{kind: 'session' | 'records' | 'end', session: string, bytes: number, [property: string]: any}} Piece
 * @typedef {Piece & {start: number}} Place where the bytes of a piece are
 */

/** A file of pieces, read where it is asked for. */
class DrainedFile {
  #path;
  #file;
  #size;

  /** @param {string} path @throws {FileError} */
  constructor(path) {
    this.#path = path;
    try {
      this.#file = openSync(path, 'r');
      this.#size = fstatSync(this.#file).size;
    } catch (error) {
      throw FileError.fromSystem(path, error);
    }
  }

  close() {
    closeSync(this.#file);
  }

  /** What is there: a last piece that is cut short is left out. @returns {Generator<Place>} @throws {FileError} for a file of another kind */
  *pieces() {
    for (let at = 0; at < this.#size; ) {
      const line = this.#line(at);
      if (line === null) return;
      const piece = this.#parse(line);
      const start = at + line.length + 1;
      at = start + piece.bytes;
      if (at <= this.#size) yield { ...piece, start };
    }
  }

  /** @param {Pick<Place, 'start' | 'bytes'>} place @param {Uint8Array} target as long as the piece */
  readInto({ start, bytes }, target) {
    for (let done = 0; done < bytes; ) {
      const read = readSync(this.#file, target, done, bytes - done, start + done);
      if (read === 0) throw new FileError(this.#path, 'became shorter while it was read');
      done += read;
    }
  }

  /** @param {number} at @returns {Buffer | null} without its end; null: it has none */
  #line(at) {
    for (let size = SHORT_LINE; ; size *= 2) {
      const bytes = Buffer.alloc(Math.min(size, this.#size - at));
      this.readInto({ start: at, bytes: bytes.length }, bytes);
      const end = bytes.indexOf(LINE_END);
      if (end >= 0) return bytes.subarray(0, end);
      if (bytes.length < size) return null;
    }
  }

  /** @param {Buffer} line @returns {Piece} */
  #parse(line) {
    try {
      const piece = JSON.parse(line.toString());
      const isKnown = piece.kind !== 'session' || (piece.format === DRAINED_FORMAT && piece.version === DRAINED_VERSION);
      if (isKnown && typeof piece.session === 'string' && piece.bytes >= 0) return piece;
    } catch {
      // It is told below.
    }
    throw new FileError(this.#path, 'is no trace that --on-full drain has written');
  }
}

/**
 * @typedef {object} Drained
 * @property {Place} session
 * @property {Place[]} records
 * @property {Place | null} end
 */

/**
 * @param {string} path
 * @returns {RecordedSession[]} with all their records; one that has no end has neither trees nor histograms
 * @throws {FileError}
 */
export function readDrained(path) {
  const file = new DrainedFile(path);
  try {
    return [...group(file).values()].map((drained) => readSession(file, drained));
  } finally {
    file.close();
  }
}

/** @param {DrainedFile} file */
function group(file) {
  /** @type {Map<string, Drained>} */
  const sessions = new Map();
  for (const place of file.pieces()) {
    const { kind, session } = place;
    if (kind === 'session') sessions.set(session, { session: place, records: [], end: null });
    const drained = sessions.get(session);
    if (kind === 'records') drained?.records.push(place);
    if (kind === 'end' && drained) drained.end = place;
  }
  return sessions;
}

/** @param {DrainedFile} file @param {Drained} drained @returns {RecordedSession} */
function readSession(file, { session: { name, label, thread, section: base64, names }, records, end }) {
  const section = new Uint8Array(Buffer.from(base64, 'base64'));
  const metadata = parseMetadata(section);
  const known = new Map(Object.entries(names).map(([func, text]) => [Number(func), String(text)]));
  const rest = end && readEnd(file, end);
  const all = readRecords(file, records);
  const snapshot = { ...(rest?.snapshot() ?? unended(metadata)), records: all, ringWords: BigInt(all.length), capacityWords: all.length };
  return {
    ...{ name, label, thread, section, metadata, ending: rest?.ending, clock: rest?.clock, cost: rest?.cost },
    names: { name: (func) => known.get(func) ?? `wasm-function[${func}]`, has: (func) => known.has(func) },
    snapshot: () => snapshot,
  };
}

/** @param {DrainedFile} file @param {Place} place @returns {RecordedSession} */
function readEnd(file, place) {
  const bytes = new Uint8Array(place.bytes);
  file.readInto(place, bytes);
  return unpackRecording(place.head, bytes).sessions[0];
}

/** @param {DrainedFile} file @param {Place[]} places */
function readRecords(file, places) {
  const bytes = new Uint8Array(places.reduce((sum, place) => sum + place.bytes, 0));
  let at = 0;
  for (const place of places) {
    file.readInto(place, bytes.subarray(at, at + place.bytes));
    at += place.bytes;
  }
  return new BigUint64Array(bytes.buffer);
}

/** What is known of a session that was not ended. @param {import('../js/trace/metadata.js').Metadata} metadata @returns {Omit<Snapshot, 'records' | 'ringWords' | 'capacityWords'>} */
function unended({ tree, clock }) {
  const words = () => new Uint32Array(ABI.NODE_FIRST); // the root is always there
  const numbers = () => new Float64Array(ABI.NODE_FIRST);
  const times = () => (clock ? numbers() : null);
  const nodes = { parent: words(), func: words(), depth: words(), count: numbers(), self: times(), min: times(), max: times(), wall: clock?.wall ? numbers() : null };
  const rest = { ringEvents: 0n, missedEvents: 0n, nodesDropped: 0n, histograms: [], durations: [] };
  return { position: 0, idle: true, treePositions: tree, nodes, ...rest, clock: clock && { now: 0 }, closed: ABI.CLOSED_HOST };
}
