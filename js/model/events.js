// The retained words of the ring -> events, oldest first. Records end with their header, so the walk goes back from the
// newest word and stops at the record that was partly overwritten. Events stay in the words they came in, an index of
// headers beside them: a ring of 64 MiB has millions, a view shows a thousand.
import * as ABI from '../generated/abi.js';
import * as RECORD from '../generated/record.js';
import { timeOf } from '../trace/snapshot.js';
import { readValues } from './values.js';

/** @import {Metadata} from '../trace/metadata.js' */
/** @import {Snapshot} from '../trace/snapshot.js' */
/** @import {ValueType} from '../trace/types.js' */
/** @import {Value} from './values.js' */

/**
 * One event as plain data.
 * @typedef {object} Event
 * @property {number} kind one of RECORD
 * @property {number} func function index
 * @property {number} position depth or node, as the snapshot says
 * @property {Value[]} values recorded arguments (ENTER) or results (LEAVE); GROW: memory, delta, previous size in pages;
 *   TRAP: byte offset in the original file
 * @property {number} time by the clock that is read; NaN without one
 */

const POSITION_SHIFT = ABI.POSITION_SHIFT - 32;
const ID_MASK = 2 ** ABI.ID_BITS - 1;
const KIND_MASK = 2 ** ABI.KIND_BITS - 1;
const LOW_WORDS_BITS = 32 - ABI.WORDS_SHIFT;
const HIGH_WORDS_MASK = 2 ** (ABI.WORDS_BITS - LOW_WORDS_BITS) - 1;

/** @type {readonly ValueType[]} */
const GROW_TYPES = ['i64', 'i64', 'i64'];
/** @type {readonly ValueType[]} */
const TRAP_TYPES = ['i64'];

/** @type {ReadonlySet<number>} */
const KINDS = new Set(Object.values(RECORD));

/** @type {readonly ValueType[]} */
const NO_TYPES = [];

/** Types of the values in a function's ENTER and LEAVE records. @param {Pick<Metadata, 'probes'>} metadata */
function recordedTypes({ probes }) {
  /** @type {Map<number, {enter: readonly ValueType[], leave: readonly ValueType[]}>} */
  const types = new Map();
  for (const [func, { args, results }] of probes) {
    types.set(func, { enter: args?.map(({ type }) => type) ?? NO_TYPES, leave: results ?? NO_TYPES });
  }
  return types;
}

/** Payload words of the record whose header stands at word `at`. @param {Uint32Array} halves @param {number} at */
function payloadWords(halves, at) {
  return (halves[at * 2] >>> ABI.WORDS_SHIFT) | ((halves[at * 2 + 1] & HIGH_WORDS_MASK) << LOW_WORDS_BITS);
}

/** A read-only list of events, oldest first. */
export class Events {
  #halves;
  #headers;
  #types;
  #timeWords;

  /**
   * @param {Uint32Array} halves words as pairs of 32-bit halves
   * @param {Uint32Array} headers word index of each event's header
   * @param {Pick<Metadata, 'probes'>} metadata
   * @param {boolean} timed each record ends with its time
   */
  constructor(halves, headers, metadata, timed) {
    this.#halves = halves;
    this.#headers = headers;
    this.#timeWords = timed ? 1 : 0;
    this.#types = recordedTypes(metadata);
  }

  get length() {
    return this.#headers.length;
  }

  /** @param {number} index */
  kind(index) {
    return this.#halves[this.#headers[index] * 2] & KIND_MASK;
  }

  /** @param {number} index */
  func(index) {
    return (this.#halves[this.#headers[index] * 2] >>> ABI.ID_SHIFT) & ID_MASK;
  }

  /** @param {number} index */
  position(index) {
    return this.#halves[this.#headers[index] * 2 + 1] >>> POSITION_SHIFT;
  }

  /** Types of the values of an event. @param {number} index @returns {readonly ValueType[]} */
  types(index) {
    switch (this.kind(index)) {
      case RECORD.ENTER:
        return this.#types.get(this.func(index))?.enter ?? NO_TYPES;
      case RECORD.LEAVE:
        return this.#types.get(this.func(index))?.leave ?? NO_TYPES;
      case RECORD.GROW:
        return GROW_TYPES;
      case RECORD.TRAP:
        return TRAP_TYPES;
      default:
        return NO_TYPES;
    }
  }

  /** @param {number} index @returns {Value[]} */
  values(index) {
    const header = this.#headers[index];
    const payload = payloadWords(this.#halves, header);
    const words = payload - this.#timeWords;
    return words <= 0 ? [] : readValues(this.types(index), this.#halves, (header - payload) * 2, words);
  }

  /** Whether events have times. */
  get timed() {
    return this.#timeWords > 0;
  }

  /** By the clock that is read; NaN without one. @param {number} index */
  time(index) {
    if (!this.timed) return NaN;
    const at = (this.#headers[index] - 1) * 2;
    return timeOf(this.#halves[at], this.#halves[at + 1]);
  }

  /** @param {number} index @returns {Event} */
  at(index) {
    return {
      kind: this.kind(index),
      func: this.func(index),
      position: this.position(index),
      values: this.values(index),
      time: this.time(index),
    };
  }

  *[Symbol.iterator]() {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }
}

/**
 * Word index of every header that is still whole with its payload, oldest first.
 * @param {Uint32Array} halves
 */
function findHeaders(halves) {
  const headers = new Uint32Array(halves.length / 2);
  let first = headers.length;
  for (let at = headers.length - 1; at >= 0;) {
    const words = payloadWords(halves, at);
    if (words > at || !KINDS.has(halves[at * 2] & KIND_MASK)) break;
    headers[--first] = at;
    at -= words + 1;
  }
  return headers.subarray(first);
}

/**
 * @param {Pick<Snapshot, 'records' | 'ringEvents' | 'clock'>} snapshot
 * @param {Pick<Metadata, 'probes'>} metadata
 * @returns {{events: Events, lost: number}} lost: events that were overwritten, the partly overwritten one included
 */
export function decodeEvents({ records, ringEvents, clock }, metadata) {
  const halves = new Uint32Array(records.buffer, records.byteOffset, records.length * 2);
  const headers = findHeaders(halves);
  return { events: new Events(halves, headers, metadata, Boolean(clock)), lost: Math.max(0, Number(ringEvents) - headers.length) };
}
