// How wide a column of numbers has to be: they differ by the number of calls, which has no bound.
import { grouped } from '../../js/views/text.js';

/** Of a digit, and of what is around a number, in em. */
const DIGIT = 0.6;
const AROUND = 1.6;

/** In em. @param {number} most the largest number in it @param {number} least */
export function numberWidth(most, least) {
  return Math.max(least, grouped(most).length * DIGIT + AROUND);
}
