// What charts make wide, and what their axes mean, in words: no width stands without its unit and the clock that measured it.
import { resolutionText } from './units.js';
import { grouped } from './text.js';

/** @import {Clock} from '../trace/metadata.js' */
/** @import {Resolution} from './recorded.js' */
/** @import {ClockUnit} from './units.js' */

/** @type {Record<Clock['kind'], (clock: Clock) => string>} */
const NAMES = {
  ticker: () => 'ticker',
  host: () => 'performance.now()',
  import: ({ name }) => name,
  instructions: ({ weights }) => weights,
};

/**
 * What a clock measures: "time (ns, ticker, resolution 1.40 us)", "instructions executed", "units of ic0.performance_counter".
 * @param {Clock} clock
 * @param {Resolution} [resolution] how finely it goes; left out where it is not known
 */
export function clockLabel(clock, resolution) {
  const { kind, unit } = clock;
  const name = NAMES[kind](clock);
  if (kind === 'instructions') return name === '' ? 'instructions executed' : `instructions executed, in cost units of ${name}`;
  if (unit !== 'ns') return `${unit} of ${name}`;
  return `time (ns, ${name}${resolution ? `, ${resolutionText(resolution, unit)}` : ''})`;
}

/** The host's own time, which is measured where calls of the host begin and end, beside a clock of another kind. */
export const WALL_LABEL = 'host wall time (ns, performance.now(), calls to the host only)';

/** What a clock counts, in a word. @param {Clock} clock */
export function clockNoun({ unit }) {
  return unit === 'ns' ? 'time' : unit;
}

/** Nanoseconds that a unit of time has, the largest first. */
const TIMES = /** @type {const} */ ([['s', 1e9], ['ms', 1e6], ['us', 1e3], ['ns', 1]]);

/**
 * A place on an axis, as exact as the distance to the next one wants it, all in the unit of the furthest: "1.2340 ms".
 * @param {number} value @param {ClockUnit} unit
 * @param {number} step from one place to the next
 * @param {number} furthest
 */
export function placeText(value, unit, step, furthest) {
  if (unit !== 'ns') return grouped(Math.round(value));
  const [name, size] = TIMES.find(([, least]) => furthest >= least) ?? TIMES[TIMES.length - 1];
  // Steps are round: what the logarithm misses of a whole number is not a digit.
  const digits = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
  return `${(value / size).toFixed(digits)} ${name}`;
}
