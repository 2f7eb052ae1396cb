// The runtime's histogram of how long single calls took -> percentiles, and rows as dtrace has them. The buckets are
// log-linear (guest-runtime/include/wtr_abi.h): below 16 each value has its own, above each power of two has eight.

/** @import {Histogram, HistogramRow} from './histogram.js' */

/** Each value below has a bucket of its own. */
const EXACT = 16;
const EXACT_BITS = 4;
const PARTS = 8;
const PARTS_BITS = 3;

/**
 * @param {number} bucket
 * @returns {{least: number, width: number}} values from `least` on, as many as `width` (exact up to 2^53)
 */
export function bucketRange(bucket) {
  if (bucket < EXACT) return { least: bucket, width: 1 };
  const place = bucket - EXACT;
  const width = 2 ** (Math.floor(place / PARTS) + EXACT_BITS - PARTS_BITS);
  return { least: (PARTS + (place % PARTS)) * width, width };
}

/** What stands for a bucket: its middle, which is at most 1/16 off. @param {number} bucket */
function middleOf(bucket) {
  const { least, width } = bucketRange(bucket);
  return least + (width - 1) / 2;
}

/** @param {BigUint64Array} buckets */
export function sum(buckets) {
  return buckets.reduce((all, count) => all + count, 0n);
}

/**
 * By the nearest rank: the value that as many percent of the calls did not exceed, as exactly as the buckets tell.
 * @param {BigUint64Array} buckets
 * @param {readonly number[]} percents ascending
 * @returns {number[]} NaN without calls
 */
export function percentiles(buckets, percents) {
  const total = sum(buckets);
  if (total === 0n) return percents.map(() => NaN);
  let bucket = 0;
  let seen = buckets[0];
  return percents.map((percent) => {
    const rank = (total * BigInt(percent) + 99n) / 100n;
    while (seen < rank) seen += buckets[++bucket];
    return middleOf(bucket);
  });
}

/** The exponent of the values in a bucket; -1 for zero. @param {number} bucket */
function exponentOf(bucket) {
  return bucket < EXACT ? 31 - Math.clz32(bucket) : EXACT_BITS + Math.floor((bucket - EXACT) / PARTS);
}

/**
 * A row for each power of two, as histograms of values have them.
 * @param {BigUint64Array} buckets
 * @returns {Histogram}
 */
export function durationHistogram(buckets) {
  /** @type {HistogramRow[]} */
  const rows = [{ sign: 0, exponent: 0, count: buckets[0] }];
  for (let bucket = 1; bucket < buckets.length; bucket++) {
    const exponent = exponentOf(bucket);
    if (rows.length <= exponent + 1) rows.push({ sign: 1, exponent, count: 0n });
    rows[rows.length - 1].count += buckets[bucket];
  }
  const first = rows.findIndex(({ count }) => count > 0n);
  const last = rows.findLastIndex(({ count }) => count > 0n);
  return { total: sum(buckets), nan: 0n, rows: first < 0 ? [] : rows.slice(Math.max(0, first - 1), last + 2) };
}
