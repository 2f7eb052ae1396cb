// Figures of clocks as people read them: times with units, counts with the letters of thousands, three digits of each; and what
// each display says of the clock. No weight stands without its unit.
import { printable } from '../trace/names.js';
import { grouped } from './text.js';

/** @import {TracingCost} from '../model/compensation.js' */
/** @import {Clock} from '../trace/metadata.js' */
/** @import {Resolution} from './recorded.js' */

/** @typedef {Clock['unit']} ClockUnit */

const THOUSAND = 1000;
const TIMES = ['ns', 'us', 'ms', 's'];
const COUNTS = ['', 'k', 'M', 'G', 'T', 'P'];

/**
 * Three digits; whole numbers below a thousand as they are.
 * @param {number} value
 * @param {readonly string[]} names of the thousands
 * @returns {{digits: string, name: string}}
 */
function scaled(value, names) {
  let size = Math.abs(value);
  let power = 0;
  while (size >= 999.5 && power < names.length - 1) {
    size /= THOUSAND;
    power++;
  }
  const isWhole = power === 0 && Number.isInteger(size);
  const digits = isWhole || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  const text = size >= THOUSAND ? grouped(Math.round(size)) : size.toFixed(digits);
  return { digits: value < 0 ? `-${text}` : text, name: names[power] };
}

/** What stands for a figure that is not known. */
const UNKNOWN = '-';

/** "1.40 us", "12.3k". @param {number} value NaN: not known @param {ClockUnit} unit */
export function amount(value, unit) {
  if (Number.isNaN(value)) return UNKNOWN;
  const { digits, name } = scaled(value, unit === 'ns' ? TIMES : COUNTS);
  return unit === 'ns' ? `${digits} ${name}` : digits + name;
}

/** For columns, in which the units stand below each other: "1.02  s". @param {number} value @param {ClockUnit} unit */
export function amountCell(value, unit) {
  return amount(value, unit).replace(/ s$/, '  s');
}

/** "12.3k instructions", "1.40 us". @param {number} value @param {ClockUnit} unit */
export function amountWithUnit(value, unit) {
  const text = amount(value, unit);
  return unit === 'ns' ? text : `${text} ${text === '1' ? unit.slice(0, -1) : unit}`;
}

/** "12.3". @param {number} part @param {number} whole */
export function percent(part, whole) {
  return whole > 0 ? ((100 * part) / whole).toFixed(1) : UNKNOWN;
}

/**
 * What tracing itself took: "tracing cost about 1.90 ns an event, 12 % of the time in traced functions".
 * @param {TracingCost} cost
 * @param {ClockUnit} unit
 */
export function costText({ each, total, share }, unit) {
  const part = Math.round(100 * share);
  const parts = total > 0 ? `, ${part > 0 ? part : 'less than 1'} % of the time in traced functions` : '';
  return `tracing cost about ${amountWithUnit(each, unit)} an event${parts}`;
}

/** @param {Clock} clock */
function clockName({ kind, name, weights }) {
  if (kind === 'import') return `import ${printable(name)}`;
  return weights ? `${kind} weighed by ${printable(weights)}` : kind;
}

/** A step that much longer than most is one in which the clock stood still. */
const STILL = 100;

/**
 * "resolution 1.40 us", and of a clock that stood still meanwhile: "resolution 1.40 us, longest step 24.0 ms".
 * @param {{median: number, longest?: number}} resolution @param {ClockUnit} unit
 */
export function resolutionText({ median, longest = 0 }, unit) {
  const still = longest > median * STILL ? `, longest step ${amountWithUnit(longest, unit)}` : '';
  return `resolution ${amountWithUnit(median, unit)}${still}`;
}

/** @param {Clock} clock @param {Resolution} [resolution] */
function exactness({ kind, unit }, resolution) {
  if (kind === 'instructions') return ', exact';
  return resolution ? `, ${resolutionText(resolution, unit)}` : '';
}

/**
 * The line that tells what figures are of: "clock: ticker (ns), resolution 1.40 us".
 * @param {Clock} clock
 * @param {Resolution} [resolution] how finely it goes, in its unit; left out where it is not known
 */
export function clockLine(clock, resolution) {
  const unit = clock.kind === clock.unit ? '' : ` (${clock.unit})`;
  return `clock: ${clockName(clock)}${unit}${exactness(clock, resolution)}${clock.wall ? '; host times in ns of the wall clock' : ''}`;
}
