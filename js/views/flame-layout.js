// A table of frames -> the rectangles of a flame graph: a frame is as wide as its total, its children stand at its left end,
// and what is left is its own. No drawing.
import { Levels } from './levels.js';

/** @import {FrameTable} from '../model/frame-table.js' */

/** @typedef {'weight' | 'call'} FrameOrder of siblings: the heaviest first, or the one called first */

/**
 * @typedef {object} FlameLayout
 * @property {Levels} levels items are frames; level 0 is the root
 * @property {Uint32Array} slots of each frame; NO_SLOT for those without weight
 * @property {number} whole width of the root
 * @property {number} least width of the narrowest frame
 */

export const NO_SLOT = 0xffffffff;

const DIGITS_OF_FLOAT64 = 4;
const DIGIT_VALUES = 2 ** 16;

/**
 * Indices by rising weight, of equals the last one first. A radix sort by the bits of the numbers, whose order is that of
 * the numbers as none is negative: comparing a million by function takes the better part of a second.
 * @param {Float64Array} weights
 */
function lightestFirst(weights) {
  const digits = new Uint16Array(weights.slice().buffer);
  let order = Uint32Array.from(weights, (_, i) => weights.length - 1 - i);
  let sorted = new Uint32Array(order.length);
  for (let digit = 0; digit < DIGITS_OF_FLOAT64; digit++) {
    const places = digitPlaces(digits, digit);
    if (!places) continue;
    for (const i of order) sorted[places[digits[i * DIGITS_OF_FLOAT64 + digit]]++] = i;
    [order, sorted] = [sorted, order];
  }
  return order;
}

/** Where the numbers with each value of a digit begin; null when all have the same. @param {Uint16Array} digits @param {number} digit */
function digitPlaces(digits, digit) {
  const places = new Uint32Array(DIGIT_VALUES);
  for (let i = digit; i < digits.length; i += DIGITS_OF_FLOAT64) places[digits[i]]++;
  if (places[digits[digit]] === digits.length / DIGITS_OF_FLOAT64) return null;
  let place = 0;
  for (let value = 0; value < DIGIT_VALUES; value++) {
    const count = places[value];
    places[value] = place;
    place += count;
  }
  return places;
}

/**
 * Children as lists: the first of each frame, and the next beside each; 0 ends a list.
 * @param {FrameTable} table
 * @param {FrameOrder} order
 */
function childLists({ length, parent, total }, order) {
  const first = new Uint32Array(length);
  const next = new Uint32Array(length);
  const backwards = order === 'weight' ? lightestFirst(total) : Uint32Array.from(total, (_, i) => length - 1 - i);
  let used = 1;
  for (const frame of backwards) {
    if (frame === 0 || total[frame] === 0) continue;
    next[frame] = first[parent[frame]];
    first[parent[frame]] = frame;
    used++;
  }
  return { first, next, used };
}

/**
 * @param {FrameTable} table
 * @param {FrameOrder} [order]
 * @returns {FlameLayout}
 */
export function flameLayout(table, order = 'weight') {
  const { first, next, used } = childLists(table, order);
  const columns = { starts: [0], x0: new Float64Array(used), x1: new Float64Array(used), items: new Uint32Array(used) };
  const { starts, x0, x1, items } = columns;
  const slots = new Uint32Array(table.length).fill(NO_SLOT);
  x1[0] = table.total[0];
  slots[0] = 0;
  let end = 1;
  let least = x1[0];
  for (let slot = 0; slot < end; slot++) {
    if (slot === starts[starts.length - 1]) starts.push(end);
    let x = x0[slot];
    for (let child = first[items[slot]]; child !== 0; child = next[child]) {
      const width = table.total[child];
      x0[end] = x;
      x1[end] = x += width;
      items[end] = child;
      slots[child] = end++;
      if (width < least) least = width;
    }
  }
  return { levels: new Levels(columns), slots, whole: x1[0], least };
}
