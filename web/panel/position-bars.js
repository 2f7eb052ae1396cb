// Which part of a chart is on the screen, as thin bars at its edges; none where all of it is.

/** @import {Picture} from './level-chart.js' */

const THICKNESS = 4;
const LEAST_LENGTH = 14;

/** Start and length of a thumb. @param {{from: number, to: number}} part of 0 to 1 @param {number} room */
function thumbOf({ from, to }, room) {
  const length = Math.min(room, Math.max(LEAST_LENGTH, (to - from) * room));
  const start = Math.min(from * room, room - length);
  return { start, length };
}

/** @param {CanvasRenderingContext2D} context @param {Picture} picture */
function drawAcross(context, { viewport: { from, to, whole }, rows, width, height, theme }) {
  const { start, length } = thumbOf({ from: from / whole, to: to / whole }, width);
  const y = rows.upward ? 0 : height - THICKNESS;
  context.fillStyle = theme.grid;
  context.fillRect(0, y, width, THICKNESS);
  context.fillStyle = theme.accent;
  context.fillRect(start, y, length, THICKNESS);
}

/** @param {CanvasRenderingContext2D} context @param {Picture} picture */
function drawDown(context, { rows, width, height, theme }) {
  const { start, length } = thumbOf(rows.shown, height - rows.header);
  const x = width - THICKNESS;
  context.fillStyle = theme.grid;
  context.fillRect(x, rows.header, THICKNESS, height);
  context.fillStyle = theme.accent;
  context.fillRect(x, rows.header + start, THICKNESS, length);
}

/** @param {CanvasRenderingContext2D} context @param {Picture} picture */
export function drawPositionBars(context, picture) {
  if (picture.rows.overflow > 0) drawDown(context, picture);
  if (!picture.viewport.isWhole) drawAcross(context, picture);
}
