// The runtime's 258 buckets of a histogram -> rows from the smallest value to the largest, with one empty row on each
// side and zero in its place, as dtrace's quantize() has them. wtr_abi.h numbers the buckets.
import * as ABI from '../generated/abi.js';

/** @import {ValueType} from '../trace/types.js' */

const ZERO = 0;
const NAN = 1;
const BIAS = 64;
const EXPONENTS = 128;
const POSITIVE = 2;
const NEGATIVE = POSITIVE + EXPONENTS;

/**
 * @typedef {object} HistogramRow
 * @property {-1 | 0 | 1} sign
 * @property {number} exponent e: values with 2^e <= |value| < 2^(e+1); for floats the lowest and the highest row (-64, 63)
 *   hold what lies beyond, too. 0 when sign is 0
 * @property {bigint} count
 *
 * @typedef {object} Histogram
 * @property {bigint} total values, NaN included
 * @property {bigint} nan
 * @property {HistogramRow[]} rows in ascending order; empty without values
 */

/** @param {ValueType} type */
export function isFloat(type) {
  return type === 'f32' || type === 'f64';
}

/** Every row that a type may have, in ascending order. @param {BigUint64Array} buckets @param {ValueType} type */
function allRows(buckets, type) {
  /** @type {HistogramRow[]} */
  const rows = [];
  const lowest = isFloat(type) ? 0 : BIAS;
  for (let e = EXPONENTS - 1; e >= lowest; e--)
    rows.push({ sign: -1, exponent: e - BIAS, count: buckets[NEGATIVE + e] });
  rows.push({ sign: 0, exponent: 0, count: buckets[ZERO] });
  for (let e = lowest; e < EXPONENTS; e++) rows.push({ sign: 1, exponent: e - BIAS, count: buckets[POSITIVE + e] });
  return rows;
}

/**
 * @param {BigUint64Array} buckets ABI.HISTOGRAM_BUCKETS counts
 * @param {ValueType} type of the values
 * @returns {Histogram}
 */
export function buildHistogram(buckets, type) {
  const rows = allRows(buckets, type);
  const first = rows.findIndex((row) => row.count > 0n);
  let end = rows.length;
  while (end > 0 && rows[end - 1].count === 0n) end--;
  /** Beside zero stand the smallest magnitudes there are: for floats that says nothing. @param {number} row */
  const margin = (row) => (isFloat(type) && rows[row].sign === 0 ? 0 : 1);
  const total = buckets.subarray(0, ABI.HISTOGRAM_BUCKETS).reduce((sum, count) => sum + count, 0n);
  const shown = first < 0 ? [] : rows.slice(Math.max(0, first - margin(first)), end + margin(end - 1));
  return { total, nan: buckets[NAN], rows: shown };
}
