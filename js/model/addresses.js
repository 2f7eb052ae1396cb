// Which integers are plainly addresses, and so shown as 0x...: wasm has no pointer types, so each argument and each
// result is judged by all of its values. In doubt it is a number.
//
// Zero, the null pointer, says nothing. Every other value, read as unsigned, must stand at 1024 or above (linkers
// leave the first kilobyte free; counts, flags, small sizes and descriptors are below) and not within 16 MiB of the
// top (negative numbers). Then, any one of these:
//   - i32 only: all of them have the top bit set, and none is round, as -2147483648 is: no count, size, time or error
//     code looks so;
//   - four or more different ones, all above 64 KiB, all multiples of 4, and some of them not round;
//   - all of them above 16 MiB, all multiples of 4, none of them round (i32 only);
//   - all of them above 64 KiB and in the pages between the lowest and the highest value that is an address by the rules
//     above: pointers into text are not aligned, and some arguments are seen only once.
// A round number is a multiple of 1000 or of 4096, as sizes and times are.
import * as ABI from '../generated/abi.js';
import * as RECORD from '../generated/record.js';

/** @import {ValueType} from '../trace/types.js' */
/** @import {Events} from './events.js' */
/** @import {Value} from './values.js' */

const LOWEST = 0x400;
const HEAP = 0x10000;
const FAR = 0x1000000;
const ENOUGH = 4;
const PAGE = 4096;

// Bounds the time that the largest rings take.
const MOST_EVENTS = 2 ** 18;
const KINDS = 2 ** ABI.KIND_BITS;

/** All that is remembered of one argument's or result's values. */
class Slot {
  #wide;
  #least = Infinity;
  #most = 0;
  #aligned = true;
  #round = 0;
  #notRound = 0;
  /** @type {Set<number>} */
  #different = new Set();

  /** @param {boolean} wide i64 */
  constructor(wide) {
    this.#wide = wide;
  }

  /** @param {number} value as unsigned; i64 beyond 2^53 may be rounded, no address is there */
  add(value) {
    if (value === 0) return;
    this.#least = Math.min(this.#least, value);
    this.#most = Math.max(this.#most, value);
    this.#aligned &&= value % 4 === 0;
    if (value % 1000 === 0 || value % 4096 === 0) this.#round++;
    else this.#notRound++;
    if (this.#different.size < ENOUGH) this.#different.add(value);
  }

  isAddress() {
    const top = this.#wide ? 2 ** 48 : 2 ** 32;
    if (this.#most === 0 || this.#least < LOWEST || this.#most >= top - FAR) return false;
    if (!this.#wide && this.#least >= 2 ** 31) return this.#round === 0;
    if (!this.#aligned) return false;
    if (this.#different.size >= ENOUGH) return this.#least >= HEAP && this.#notRound > 0;
    return !this.#wide && this.#least >= FAR && this.#round === 0;
  }

  /** @param {Span} span */
  isWithin(span) {
    return this.#least >= Math.max(HEAP, span.least) && this.#most < span.most && this.#most !== 0;
  }

  /** @param {Span} span @returns {Span} the span with this slot's values in it, in whole pages */
  widen(span) {
    return {
      least: Math.min(span.least, Math.floor(this.#least / PAGE) * PAGE),
      most: Math.max(span.most, Math.ceil((this.#most + 1) / PAGE) * PAGE),
    };
  }
}

/** @typedef {{least: number, most: number}} Span addresses from `least` up to, without, `most` */

/** @param {Value} value */
function unsigned(value) {
  return typeof value === 'bigint' ? Number(BigInt.asUintN(64, value)) : Number(value) >>> 0;
}

/** @param {ValueType} type */
function isInteger(type) {
  return type === 'i32' || type === 'i64';
}

/** Answers which recorded arguments and results are addresses, from the newest events. */
export class Addresses {
  #events;
  /** @type {Map<number, Map<number, Slot>> | null} by function and side, by place among the recorded values */
  #slots = null;
  /** @type {Set<Slot>} */
  #addresses = new Set();

  /** @param {Events} events looked at when the first question comes */
  constructor(events) {
    this.#events = events;
  }

  #learnAll() {
    const events = this.#events;
    /** @type {Map<number, Map<number, Slot>>} */
    const slots = new Map();
    for (let i = Math.max(0, events.length - MOST_EVENTS); i < events.length; i++) {
      const kind = events.kind(i);
      const types = events.types(i);
      if ((kind !== RECORD.ENTER && kind !== RECORD.LEAVE) || !types.some(isInteger)) continue;
      const places = placesOf(slots, events.func(i) * KINDS + kind);
      events
        .values(i)
        .forEach((value, place) => isInteger(types[place]) && slotAt(places, place, types[place]).add(unsigned(value)));
    }
    this.#judge([...slots.values()].flatMap((places) => [...places.values()]));
    return slots;
  }

  /** @param {Slot[]} slots */
  #judge(slots) {
    const proven = slots.filter((slot) => slot.isAddress());
    const span = proven.reduce((all, slot) => slot.widen(all), { least: Infinity, most: 0 });
    this.#addresses = new Set(slots.filter((slot) => slot.isWithin(span)).concat(proven));
  }

  /**
   * @param {number} kind RECORD.ENTER for an argument, RECORD.LEAVE for a result
   * @param {number} func
   * @param {number} place index among the recorded values
   */
  has(kind, func, place) {
    this.#slots ??= this.#learnAll();
    const slot = this.#slots.get(func * KINDS + kind)?.get(place);
    return slot !== undefined && this.#addresses.has(slot);
  }
}

/** @param {Map<number, Map<number, Slot>>} slots @param {number} key @returns {Map<number, Slot>} */
function placesOf(slots, key) {
  const places = slots.get(key) ?? new Map();
  slots.set(key, places);
  return places;
}

/** @param {Map<number, Slot>} places @param {number} place @param {ValueType} type */
function slotAt(places, place, type) {
  const slot = places.get(place) ?? new Slot(type === 'i64');
  places.set(place, slot);
  return slot;
}
