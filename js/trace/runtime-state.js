// The state block of a runtime that is at work, for the little that the host has to change in it: where execution stands,
// when the host moves it from one stack to another; and what was recorded, to be forgotten. Nothing of the module runs meanwhile.
import { ABI, NODE, RECORD, STATE } from '../generated/records.js';

const HEADER_POSITION = BigInt(ABI.POSITION_SHIFT);

/** @typedef {{position: number, base: number}} Place position: a depth or a node; base: bits, see wtr_abi.h */

export class RuntimeState {
  #view;

  /** @param {ArrayBufferLike} buffer the runtime's memory; borrowed */
  constructor(buffer) {
    this.#view = new DataView(buffer);
  }

  /** @returns {Place} */
  get place() {
    return { position: this.#get(STATE.position), base: this.#get(STATE.base) };
  }

  /** @param {Place} place */
  set place({ position, base }) {
    this.#set(STATE.position, position);
    this.#set(STATE.base, base);
  }

  /**
   * Goes on at a place of another stack, and records that.
   * @param {Place} place
   */
  switchTo(place) {
    this.place = place;
    if ((this.#get(STATE.flags) & ABI.FLAG_RING) !== 0) this.#append(RECORD.STACK, place.base >>> ABI.BASE_STACK_SHIFT);
  }

  /** Forgets events and counts. The nodes of the tree stay: execution may stand in one. */
  clear() {
    for (const field of [STATE.ring_words, STATE.ring_payload, STATE.tree_dropped]) this.#view.setBigUint64(ABI.STATE_ADDRESS + field, 0n, true);
    this.#set(STATE.ring_reach, 0);
    const nodes = this.#get(STATE.tree_capacity) === 0 ? 0 : this.#get(STATE.tree_count);
    for (let node = 0, at = this.#get(STATE.tree_base); node < nodes; node++, at += NODE.bytes) this.#view.setBigUint64(at + NODE.count, 0n, true);
    const size = this.#get(STATE.hist_count) * ABI.HISTOGRAM_BUCKETS * 8;
    new Uint8Array(this.#view.buffer, this.#get(STATE.hist_base), size).fill(0);
  }

  /** A record without payload. @param {number} kind @param {number} id */
  #append(kind, id) {
    const at = this.#view.getBigUint64(ABI.STATE_ADDRESS + STATE.ring_words, true);
    const slot = Number(at & BigInt(this.#get(STATE.ring_mask)));
    const position = BigInt(this.#get(STATE.position)) << HEADER_POSITION;
    const header = BigInt(kind) | (BigInt(id) << BigInt(ABI.ID_SHIFT)) | position;
    this.#view.setBigUint64(this.#get(STATE.ring_base) + slot * 8, header, true);
    this.#view.setBigUint64(ABI.STATE_ADDRESS + STATE.ring_words, at + 1n, true);
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
