// What a sequence chart draws besides its spans: the ruler, of event numbers or of time, how calls begin and end that do not simply
// do so, memory.grow and traps.
import { ROW_HEIGHT } from './chart-rows.js';

/** @import {Levels} from '../../js/views/levels.js' */
/** @import {Theme} from './chart-theme.js' */
/** @import {Picture} from './level-chart.js' */
/** @import {Box} from './level-painter.js' */

export const RULER_HEIGHT = 22;
const TICK_ROOM = 90;
const CAPTION_GAP = 8;
const TEETH = 4;
const TOOTH_WIDTH = 4;
const BAR_WIDTH = 3;
const MARK_SIZE = 4;

/** 1, 2 or 5 times a power of ten, and not less. @param {number} least */
export function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}

/**
 * The call goes on beyond this end of the span: it is torn off there.
 * @param {CanvasRenderingContext2D} context @param {Box} box @param {'left' | 'right'} end @param {Theme} theme
 */
export function drawTornEnd(context, box, end, theme) {
  const { y, height, left, right } = box;
  const inwards = end === 'left' ? 1 : -1;
  const depth = Math.min(TOOTH_WIDTH, (right - left) / 2) * inwards;
  context.fillStyle = theme.background;
  context.beginPath();
  context.moveTo(box[end] - inwards, y);
  for (let i = 0; i <= TEETH; i++) context.lineTo(box[end] + (i % 2 === 0 ? 0 : depth), y + (height * i) / TEETH);
  context.lineTo(box[end] - inwards, y + height);
  context.fill();
}

/** @param {CanvasRenderingContext2D} context @param {Box} box @param {'left' | 'right'} end @param {string} color */
export function drawBar(context, { y, height, left, right }, end, color) {
  context.fillStyle = color;
  context.fillRect(end === 'left' ? left : right - BAR_WIDTH, y, BAR_WIDTH, height);
}

/**
 * A diamond for a memory.grow, and for a trap one in the colour of failures.
 * @param {CanvasRenderingContext2D} context @param {Levels} marks @param {(item: number) => boolean} isTrap @param {Picture} picture
 */
export function drawMarks(context, marks, isTrap, { viewport: { from, to, span }, rows, width, theme }) {
  const scale = width / span;
  const { first, end } = rows.visible;
  for (let level = first; level < Math.min(end, marks.depth); level++) {
    const y = rows.y(level) + ROW_HEIGHT / 2;
    marks.visit(level, from, to, MARK_SIZE / scale, (slot, _, x0) => {
      context.fillStyle = isTrap(marks.item(slot)) ? theme.failure : theme.accent;
      drawDiamond(context, (x0 - from) * scale, y);
    });
  }
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y */
function drawDiamond(context, x, y) {
  context.beginPath();
  context.moveTo(x, y - MARK_SIZE);
  context.lineTo(x + MARK_SIZE, y);
  context.lineTo(x, y + MARK_SIZE);
  context.lineTo(x - MARK_SIZE, y);
  context.fill();
}

/**
 * What the places of a chart mean.
 * @typedef {object} Ruler
 * @property {string} caption
 * @property {number} origin what the left end of the chart is
 * @property {(value: number, step: number, most: number) => string} text of a place; step: to the next one; most: on the screen
 */

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Ruler} ruler
 * @param {Picture} picture
 */
export function drawRuler(context, { caption, origin, text }, { viewport: { from, to, span }, width, theme }) {
  const scale = width / span;
  const step = roundStep(TICK_ROOM / scale);
  context.fillStyle = theme.background;
  context.fillRect(0, 0, width, RULER_HEIGHT);
  context.fillStyle = theme.text;
  const room = width - context.measureText(caption).width - 8;
  for (let value = Math.ceil((from + origin) / step) * step; value <= to + origin; value += step) {
    drawTick(context, Math.round((value - origin - from) * scale), room, text(value, step, to + origin), theme);
  }
  context.fillStyle = theme.background;
  context.fillRect(room - CAPTION_GAP, 0, width, RULER_HEIGHT);
  context.fillStyle = theme.text;
  context.fillText(caption, room, RULER_HEIGHT / 2);
  context.fillStyle = theme.grid;
  context.fillRect(0, RULER_HEIGHT - 1, width, 1);
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} room its right end @param {string} text @param {Theme} theme */
function drawTick(context, x, room, text, theme) {
  context.fillStyle = theme.grid;
  context.fillRect(x, 0, 1, RULER_HEIGHT);
  context.fillStyle = theme.text;
  if (x + context.measureText(text).width + 12 < room) context.fillText(text, x + 4, RULER_HEIGHT / 2);
}
