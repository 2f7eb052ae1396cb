// Recorded values as text, each as its type wants.

/** @import {Value} from '../model/values.js' */
/** @import {ValueType} from '../trace/types.js' */

// Nine significant digits tell every f32 apart; the first count of digits that reads back is the shortest.
const FLOAT32_DIGITS = 9;

/** Shortest decimal that reads back as the same number. @param {number} value */
function float64Text(value) {
  if (value === Infinity) return 'inf';
  if (value === -Infinity) return '-inf';
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Shortest decimal that reads back as the same f32. @param {number} value */
function float32Text(value) {
  if (!Number.isFinite(value) || value === 0) return float64Text(value);
  for (let digits = 1; digits < FLOAT32_DIGITS; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return float64Text(short);
  }
  return float64Text(Number(value.toPrecision(FLOAT32_DIGITS)));
}

/** @param {number | bigint} value @param {32 | 64 | 128} bits */
function hex(value, bits) {
  return `0x${BigInt.asUintN(bits, BigInt(value)).toString(16)}`;
}

/** @param {bigint} value */
function vectorText(value) {
  return `0x${BigInt.asUintN(128, value).toString(16).padStart(32, '0')}`;
}

/**
 * @param {ValueType} type
 * @param {Value} value as decoded: js/model/values.js
 * @param {boolean} [address] an integer that is an address: unsigned, 0x...
 */
export function valueText(type, value, address = false) {
  switch (type) {
    case 'i32':
      return address ? hex(Number(value), 32) : String(value);
    case 'i64':
      return address ? hex(BigInt(value), 64) : String(value);
    case 'f32':
      return float32Text(Number(value));
    case 'f64':
      return float64Text(Number(value));
    case 'v128':
      return vectorText(BigInt(value));
    default:
      return value ? `null ${type}` : type;
  }
}
