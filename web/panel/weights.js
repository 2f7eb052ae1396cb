// What a chart can make frames wide by, where it was recorded, each with the words that say what it is.
import { WALL_LABEL, clockLabel } from '../../js/views/weights.js';

/** @import {TraceModel} from '../../js/model/trace-model.js' */
/** @import {Resolution} from '../../js/views/recorded.js' */
/** @import {ClockUnit} from '../../js/views/units.js' */

/** @typedef {'time' | 'wall' | 'calls'} WeightId */

/**
 * @typedef {object} Weight
 * @property {WeightId} id
 * @property {string} label with clock and unit
 * @property {ClockUnit | null} unit null: they are counted
 */

/** @type {Weight} */
const CALLS = Object.freeze({ id: 'calls', label: 'calls', unit: null });

/**
 * The best first.
 * @param {TraceModel} model
 * @param {Resolution} [resolution] of the clock, where it is known
 * @returns {Weight[]}
 */
export function weightsOf({ clock, paths }, resolution) {
  if (!clock) return [CALLS];
  /** @type {Weight} */
  const time = { id: 'time', label: clockLabel(clock, resolution), unit: clock.unit };
  /** @type {Weight} */
  const wall = { id: 'wall', label: WALL_LABEL, unit: 'ns' };
  return [time, ...(paths.wall?.some((ns) => ns > 0) ? [wall] : []), CALLS];
}
