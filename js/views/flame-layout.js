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

// Up to here sorting by insertion is the fastest.
const FEW = 24;

/**
 * Frames with weight by parent: those of frame i stand from starts[i] up to, without, starts[i + 1], in order.
 * @param {FrameTable} table
 */
function childrenOf({ length, parent, total }) {
  const starts = new Uint32Array(length + 2);
  for (let frame = 1; frame < length; frame++) if (total[frame] > 0) starts[parent[frame] + 2]++;
  for (let frame = 2; frame < starts.length; frame++) starts[frame] += starts[frame - 1];
  const children = new Uint32Array(starts[length + 1]);
  // Each start moves to the end of its children while they are put down, which is where the next one's begin.
  for (let frame = 1; frame < length; frame++) if (total[frame] > 0) children[starts[parent[frame] + 1]++] = frame;
  return { starts, children };
}

/** The heaviest first, equals as they are. @param {Uint32Array} frames @param {number} start @param {number} end @param {Float64Array} total */
function sortByWeight(frames, start, end, total) {
  if (end - start > FEW) {
    frames.subarray(start, end).sort((a, b) => total[b] - total[a] || a - b);
    return;
  }
  for (let i = start + 1; i < end; i++) {
    const frame = frames[i];
    let place = i;
    for (; place > start && total[frames[place - 1]] < total[frame]; place--) frames[place] = frames[place - 1];
    frames[place] = frame;
  }
}

/**
 * @param {FrameTable} table
 * @param {FrameOrder} [order]
 * @returns {FlameLayout}
 */
export function flameLayout(table, order = 'weight') {
  const { total } = table;
  const { starts: from, children } = childrenOf(table);
  const used = children.length + 1;
  const columns = { starts: [0], x0: new Float64Array(used), x1: new Float64Array(used), items: new Uint32Array(used) };
  const { starts, x0, x1, items } = columns;
  const slots = new Uint32Array(table.length).fill(NO_SLOT);
  x1[0] = total[0];
  slots[0] = 0;
  let end = 1;
  let least = x1[0];
  for (let slot = 0; slot < end; slot++) {
    if (slot === starts[starts.length - 1]) starts.push(end);
    const first = from[items[slot]];
    const last = from[items[slot] + 1];
    if (order === 'weight') sortByWeight(children, first, last, total);
    let x = x0[slot];
    for (let i = first; i < last; i++) {
      const child = children[i];
      x0[end] = x;
      x1[end] = x += total[child];
      items[end] = child;
      slots[child] = end++;
      if (total[child] < least) least = total[child];
    }
  }
  return { levels: new Levels(columns), slots, whole: x1[0], least };
}
