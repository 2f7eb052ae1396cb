// Recorded values: the words of a record -> JS values. docs/ARCHITECTURE.md tells how each type is written.
import { wordsOf } from '../trace/types.js';

/** @import {ValueType} from '../trace/types.js' */

/**
 * i32: number, signed · i64: bigint, signed · f32, f64: number · v128: bigint of 128 bits, unsigned, lane 0 lowest ·
 * references: true when null.
 * @typedef {number | bigint | boolean} Value
 */

const scratch = new DataView(new ArrayBuffer(8));

/** @param {Uint32Array} halves @param {number} at */
function word(halves, at) {
  return (BigInt(halves[at + 1]) << 32n) | BigInt(halves[at]);
}

/** @param {Uint32Array} halves @param {number} at */
function float32(halves, at) {
  scratch.setUint32(0, halves[at]);
  return scratch.getFloat32(0);
}

/** @param {Uint32Array} halves @param {number} at */
function float64(halves, at) {
  scratch.setUint32(0, halves[at + 1]);
  scratch.setUint32(4, halves[at]);
  return scratch.getFloat64(0);
}

/** @param {ValueType} type @param {Uint32Array} halves @param {number} at @returns {Value} */
function readValue(type, halves, at) {
  switch (type) {
    case 'i32':
      return halves[at] | 0;
    case 'i64':
      return BigInt.asIntN(64, word(halves, at));
    case 'f32':
      return float32(halves, at);
    case 'f64':
      return float64(halves, at);
    case 'v128':
      return (word(halves, at + 2) << 64n) | word(halves, at);
    default:
      return halves[at] !== 0;
  }
}

/**
 * @param {readonly ValueType[]} types
 * @param {Uint32Array} halves words as pairs of 32-bit halves, the low one first
 * @param {number} at index of the first half
 * @param {number} words how many words there are; values beyond them are left out
 * @returns {Value[]}
 */
export function readValues(types, halves, at, words) {
  const values = [];
  let used = 0;
  for (const type of types) {
    if (used + wordsOf(type) > words) break;
    values.push(readValue(type, halves, at + used * 2));
    used += wordsOf(type);
  }
  return values;
}
