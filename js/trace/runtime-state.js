// The state block of a runtime that is at work, for the little that the host has to change in it: where execution stands,
// when the host moves it from one stack to another; whether anything is recorded; and what was recorded, to be forgotten. But for
// open() and close(), nothing of the module runs meanwhile.
import * as ABI from '../generated/abi.js';
import * as NODE from '../generated/node.js';
import * as RECORD from '../generated/record.js';
import * as SPAN from '../generated/span.js';
import * as STATE from '../generated/state.js';

const HEADER_POSITION = BigInt(ABI.POSITION_SHIFT);

/** A clock's word that a ticker stores is 2^52 and the nanoseconds, as a double. */
const TICKER_BASE = 2 ** 52;

/** Until another thread has come to the end of an event: it is stored so often what that puts back, */
const ROUNDS = 1000;
/** and in case the thread stood still meanwhile once more after so many milliseconds. */
const PAUSES = [1, 10, 100, 1000];

/** @typedef {{position: number, base: number}} Place position: a depth or a node; base: bits, see wtr_abi.h */

/** Whether it is a position. @param {number} position */
export const isSomewhere = (position) => position <= ABI.LAST_POSITION;

export class RuntimeState {
  #view;
  #count;

  /**
   * @param {ArrayBufferLike} buffer the runtime's memory; borrowed
   * @param {WebAssembly.Global} [count] of instructions, where these are the clock
   */
  constructor(buffer, count) {
    this.#view = new DataView(buffer);
    this.#count = count;
  }

  /** @returns {Place} */
  get place() {
    return { position: this.#get(STATE.position), base: this.#get(STATE.base) };
  }

  /** @param {Place} place */
  set place({ position, base }) {
    this.account();
    this.#goBack(position);
    this.#set(STATE.base, base);
  }

  /** As wtr_go_back does. @param {number} position or what stands in its place */
  #goBack(position) {
    const isOutside = position === ABI.OUTSIDE || position === ABI.OUTSIDE_UNSEEN;
    const inside = this.#get(STATE.closed) ? ABI.SHUT : isSomewhere(position) ? position : ABI.NODE_ROOT;
    this.#set(STATE.position, isOutside ? ABI.OUTSIDE : inside);
  }

  /** What has passed belongs to the position that is about to be left; where nothing is recorded, to nobody.
   * @param {bigint} [now] what the clock says, where that is not a ticker's time or instructions; 0: it is not known */
  account(now = this.#now) {
    const position = this.#get(STATE.position);
    if (now === 0n || !this.#isTimed) return;
    const at = this.#get(STATE.tree_base) + position * NODE.bytes + NODE.self;
    if (isSomewhere(position)) this.#view.setBigUint64(at, this.#view.getBigUint64(at, true) + now - this.#getLong(STATE.last), true);
    this.#setLong(STATE.last, now);
  }

  /** Whether events are recorded, as far as the host decides: a window or a full ring may say otherwise. */
  get isOpen() {
    return (this.#get(STATE.closed) & ABI.CLOSED_HOST) === 0;
  }

  /** Nothing is recorded from here on. */
  close() {
    this.#set(STATE.closed, this.#get(STATE.closed) | ABI.CLOSED_HOST);
    this.#goBack(this.#get(STATE.position));
  }

  /** The module may be running in another thread: an event that began before goes on there, whenever its thread does, and stores its
   * position once more. */
  closeElsewhere() {
    for (let round = 0; round < ROUNDS; round++) this.close();
    for (const pause of PAUSES) setTimeout(() => this.isOpen || this.close(), pause).unref?.();
  }

  /** Tells readers where execution stands, before close(). Only for the module's own thread. @param {boolean} inside of wasm */
  markClosed(inside) {
    const place = this.#get(STATE.position);
    if (!this.#isRecorded || this.ringWords === 0n || this.#isFull) return;
    this.#append(RECORD.CLOSED, ABI.CLOSED_HOST, inside && isSomewhere(place) ? place : ABI.NODE_ROOT);
  }

  /** Ends what close() began. Frames that were entered meanwhile are not known, and what has passed is nobody's.
   * @param {bigint} [now] as for account() */
  open(now = this.#now) {
    if (now !== 0n && !this.isOpen) this.#setLong(STATE.last, now);
    this.#reopen(ABI.CLOSED_HOST);
  }

  /** @param {number} why it is closed */
  #reopen(why) {
    this.#set(STATE.closed, this.#get(STATE.closed) & ~why);
    this.#goBack(this.#get(STATE.position));
  }

  /** Where a ticker begins to count. @param {number} nanoseconds */
  set ticker(nanoseconds) {
    this.#ticker[0] = TICKER_BASE + Math.floor(nanoseconds);
  }

  /** What the ticker, or the count of instructions, says; 0 where neither is the clock. */
  get #now() {
    return this.#count?.value ?? this.#view.getBigUint64(ABI.TICKER_ADDRESS, true);
  }

  /** What has been counted up to now is nobody's time. */
  skipTime() {
    this.#setLong(STATE.last, this.#now);
  }

  /** Where a clock of the host begins to count, unless the module has run before. @param {number} nanoseconds */
  skipHostTime(nanoseconds) {
    if (this.#getLong(STATE.last) === 0n) this.hostTime = nanoseconds;
  }

  /** What a clock of the host has counted up to now is nobody's time. @param {number} nanoseconds */
  set hostTime(nanoseconds) {
    this.#setLong(STATE.last, BigInt(Math.floor(nanoseconds)));
  }

  /** Nanoseconds, as the ticker last stored them. */
  get ticker() {
    return this.#ticker[0] - TICKER_BASE;
  }

  /** Words of all records ever closed. */
  get ringWords() {
    return this.#getLong(STATE.ring_words);
  }

  /**
   * What was recorded and not taken yet, oldest first; it counts as taken. A module that waits for this runs in this thread.
   * @returns {Uint8Array[]} one piece, or two where the ring begins anew; borrowed
   */
  takeRecords() {
    const capacity = this.#get(STATE.ring_mask) + 1;
    const written = this.ringWords;
    const taken = this.#getLong(STATE.ring_end) - BigInt(capacity);
    this.#setLong(STATE.ring_end, written + BigInt(capacity));
    const first = Number(taken % BigInt(capacity));
    const count = Number(written - taken);
    const ring = (/** @type {number} */ from, /** @type {number} */ words) =>
      new Uint8Array(this.#view.buffer, this.#get(STATE.ring_base) + from * 8, words * 8);
    const ahead = Math.min(count, capacity - first);
    return [ring(first, ahead), ring(0, count - ahead)].filter((piece) => piece.length > 0);
  }

  /**
   * Goes on at a place of another stack, and records that.
   * @param {Place} place
   */
  switchTo(place) {
    this.place = place;
    if (this.#isRecorded) this.#append(RECORD.STACK, place.base >>> ABI.BASE_STACK_SHIFT, this.place.position);
  }

  get #isRecorded() {
    return (this.#get(STATE.flags) & ABI.FLAG_RING) !== 0 && this.#get(STATE.closed) === 0;
  }

  /** The next event is to see to room first. */
  get #isFull() {
    return this.#get(STATE.full) !== ABI.FULL_OVERWRITE && this.ringWords + BigInt(2 ** ABI.WORDS_BITS) > this.#getLong(STATE.ring_end);
  }

  /** Forgets events, counts and times. The nodes of the tree stay: execution may stand in one. */
  clear() {
    for (const field of [STATE.ring_words, STATE.ring_payload, STATE.tree_dropped]) this.#setLong(field, 0n);
    this.#emptyRing();
    this.#set(STATE.ring_reach, 0);
    this.#clearTree();
    this.#fill(STATE.hist_base, this.#get(STATE.hist_count) * ABI.HISTOGRAM_BUCKETS);
    this.#fill(STATE.duration_base, this.#get(STATE.duration_count) * ABI.DURATION_BUCKETS);
  }

  /** What a full ring has begun ends: there is room again. */
  #emptyRing() {
    if (this.#getLong(STATE.kept_words) > 0n) {
      this.#set(STATE.ring_base, this.#get(STATE.kept_base));
      this.#set(STATE.ring_mask, this.#get(STATE.kept_mask));
      for (const field of [STATE.kept_words, STATE.kept_payload]) this.#setLong(field, 0n);
    }
    if (this.#get(STATE.full) !== ABI.FULL_OVERWRITE) this.#setLong(STATE.ring_end, BigInt(this.#get(STATE.ring_mask) + 1));
    this.#reopen(ABI.CLOSED_FULL);
  }

  #clearTree() {
    const nodes = this.#get(STATE.tree_capacity) === 0 ? 0 : this.#get(STATE.tree_count);
    for (let node = 0, at = this.#get(STATE.tree_base); node < nodes; node++, at += NODE.bytes) {
      this.#view.setBigUint64(at + NODE.count, 0n, true);
      this.#view.setBigUint64(at + NODE.self, 0n, true);
    }
    for (let node = 0, at = this.#get(STATE.span_base); this.#isTimed && node < nodes; node++, at += SPAN.bytes)
      for (const field of [SPAN.min_inverse, SPAN.max, SPAN.wall]) this.#view.setBigUint64(at + field, 0n, true);
  }

  get #isTimed() {
    return (this.#get(STATE.flags) & ABI.FLAG_TIMED) !== 0;
  }

  get #ticker() {
    return new Float64Array(this.#view.buffer, ABI.TICKER_ADDRESS, 1);
  }

  /** A record without values of its own; its payload is the time, where one is kept. @param {number} kind @param {number} id @param {number} place */
  #append(kind, id, place) {
    const payload = this.#isTimed ? 1 : 0;
    const position = BigInt(place) << HEADER_POSITION;
    const header = BigInt(kind) | (BigInt(id) << BigInt(ABI.ID_SHIFT)) | (BigInt(payload) << BigInt(ABI.WORDS_SHIFT)) | position;
    if (payload > 0) {
      this.#push(this.#getLong(STATE.last), 0n);
      this.#setLong(STATE.ring_payload, this.#getLong(STATE.ring_payload) + 1n);
    }
    this.#push(header, BigInt(payload));
    this.#setLong(STATE.ring_words, this.ringWords + BigInt(payload + 1));
  }

  /** @param {bigint} word @param {bigint} ahead of the newest record */
  #push(word, ahead) {
    const slot = Number((this.ringWords + ahead) & BigInt(this.#get(STATE.ring_mask)));
    this.#view.setBigUint64(this.#get(STATE.ring_base) + slot * 8, word, true);
  }

  /** With zeroes. @param {number} field with the address @param {number} words */
  #fill(field, words) {
    if (words > 0) new Uint8Array(this.#view.buffer, this.#get(field), words * 8).fill(0);
  }

  /** @param {number} field */
  #getLong(field) {
    return this.#view.getBigUint64(ABI.STATE_ADDRESS + field, true);
  }

  /** @param {number} field @param {bigint} value */
  #setLong(field, value) {
    this.#view.setBigUint64(ABI.STATE_ADDRESS + field, value, true);
  }

  /** @param {number} field */
  #get(field) {
    return this.#view.getUint32(ABI.STATE_ADDRESS + field, true);
  }

  /** @param {number} field @param {number} value */
  #set(field, value) {
    this.#view.setUint32(ABI.STATE_ADDRESS + field, value, true);
  }
}
