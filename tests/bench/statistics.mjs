// The few statistics that the benchmarks use.

/** @param {readonly number[]} values at least one @returns {number} */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param {readonly number[]} values at least one @param {number} part 0 to 1: how many of them are not above it */
export function percentile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)];
}

/**
 * Median of the ratios of measurements that were taken one right after the other, which a busy machine slows alike.
 * @param {readonly number[]} values
 * @param {readonly number[]} bases as many
 */
export function medianRatio(values, bases) {
  return median(values.map((value, i) => value / bases[i]));
}
