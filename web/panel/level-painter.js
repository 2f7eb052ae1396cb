// One picture of rectangles in levels: fills, names on those that are wide enough, then the outlines of what is selected.
// Edges stand on device pixels; what is narrower than one gets one.
import { ROW_HEIGHT } from './chart-rows.js';
import { TextFitter } from './chart-text.js';
import { PixelRows } from './pixel-rows.js';

/** @import {Levels} from '../../js/views/levels.js' */
/** @import {Viewport} from '../../js/views/viewport.js' */
/** @import {ChartRows} from './chart-rows.js' */
/** @import {Theme} from './chart-theme.js' */

/** Where a rectangle stands, in CSS pixels. @typedef {{left: number, right: number, y: number, height: number}} Box */

/** @typedef {{levels: Levels, has: (item: number) => boolean}} Matches those of the levels' rectangles that were found */

/**
 * @typedef {object} Scene
 * @property {Viewport} viewport
 * @property {ChartRows} rows
 * @property {Theme} theme
 * @property {number} width   @property {number} height of the chart
 * @property {number} ratio device pixels to one
 * @property {Levels} levels
 * @property {(item: number) => number} fill index in the theme's
 * @property {(item: number) => string} label
 * @property {Matches | null} matches what to highlight; null: no search
 * @property {Levels | null} same those of the selected one's function
 * @property {number} selected slot, -1 for none
 * @property {number} hovered slot, -1 for none
 * @property {((context: CanvasRenderingContext2D, item: number, box: Box, theme: Theme) => void) | undefined} decorate
 */

/** A rectangle that is wide enough for a name or marks. @typedef {{item: number, left: number, right: number, level: number}} Label */

const GAP = 1;
const TEXT_PAD = 4;
// Names, and marks, on rectangles narrower than that would not be read.
const LABEL_FROM = 30;
const MARK_FROM = 5;
// What is narrower is filled where others get an outline.
const OUTLINE_FROM = 6;
const BASELINE = ROW_HEIGHT / 2;
// How far outside of the chart an edge is put that is not on it.
const OUTSIDE = 8;

export class LevelPainter {
  #context;
  #text;
  #fills = new PixelRows();
  /** What is being painted. @type {Scene} */
  #scene = /** @type {any} */ (null);
  /** Device pixels to a unit of the chart. */
  #scale = 1;

  /** @param {CanvasRenderingContext2D} context */
  constructor(context) {
    this.#context = context;
    this.#text = new TextFitter(context);
  }

  /** @param {Scene} scene */
  paint(scene) {
    const { ratio, theme, width, height, viewport, hovered, selected } = scene;
    this.#scene = scene;
    this.#scale = (width * ratio) / viewport.span;
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#context.fillStyle = theme.background;
    this.#context.fillRect(0, 0, width, height);
    this.#paintLabels(this.#paintFills());
    this.#outlineSame();
    this.#outline(hovered, theme.hover, 1);
    this.#outline(selected, theme.accent, 2);
  }

  /** @param {number} x in units of the chart @returns {number} a device pixel on the chart or just outside */
  #place(x) {
    const { viewport, width, ratio } = this.#scene;
    const place = (x - viewport.from) * this.#scale;
    return Math.round(Math.min(Math.max(place, -OUTSIDE), width * ratio + OUTSIDE));
  }

  /** Upper edge of a level, on a device pixel. @param {number} level */
  #top(level) {
    const { rows, ratio } = this.#scene;
    return Math.round(rows.y(level) * ratio) / ratio;
  }

  /**
   * Visits what can be seen; left and right are device pixels.
   * @param {Levels} levels
   * @param {(first: number, last: number, left: number, right: number, level: number) => void} visitor
   */
  #visit(levels, visitor) {
    const { rows, viewport, width, ratio } = this.#scene;
    const { first, end } = rows.visible;
    const last = Math.round(width * ratio);
    for (let level = first; level < Math.min(end, levels.depth); level++) {
      levels.visit(level, viewport.from, viewport.to, 1 / this.#scale, (slot, lastSlot, x0, x1) => {
        // What begins where the screen ends has no width, and its last pixel.
        const left = Math.min(this.#place(x0), last - 1);
        visitor(slot, lastSlot, left, Math.max(this.#place(x1), left + 1), level);
      });
    }
  }

  /** @returns {Label[]} */
  #paintFills() {
    const { theme, rows, width, ratio, matches, same } = this.#scene;
    const { first, end } = rows.visible;
    if (end <= first) return [];
    this.#fills.begin(Math.round(width * ratio), end - first, theme.pixels.background);
    const labels = this.#fillLevels();
    if (matches) this.#visit(matches.levels, (_, __, left, right, level) => this.#fill(left, right, level, theme.pixels.match));
    if (same) this.#fillSame(same);
    this.#drawFills(rows.upward ? end - 1 : first, end - first);
    return labels;
  }

  #fillLevels() {
    const { levels, theme, matches, fill, decorate, ratio } = this.#scene;
    const colours = matches ? theme.pixels.faded : theme.pixels.fills;
    const least = (decorate ? MARK_FROM : LABEL_FROM) * ratio;
    /** @type {Label[]} */
    const labels = [];
    this.#visit(levels, (slot, last, left, right, level) => {
      const item = levels.item(slot);
      this.#fill(left, right, level, slot === last ? colours[fill(item)] : theme.pixels.dense);
      if (slot === last && right - left >= least) labels.push({ item, left: left / ratio, right: right / ratio, level });
    });
    return labels;
  }

  /** @param {number} left @param {number} right @param {number} level @param {number} pixel */
  #fill(left, right, level, pixel) {
    const { rows, ratio } = this.#scene;
    const { first, end } = rows.visible;
    const gap = Math.round(GAP * ratio);
    const inside = right - left > 2 * gap ? right - gap : right;
    this.#fills.fill(rows.upward ? end - 1 - level : level - first, left, inside, pixel);
  }

  /** Those that are too narrow for an outline. @param {Levels} same */
  #fillSame(same) {
    const { theme, ratio } = this.#scene;
    this.#visit(same, (_, __, left, right, level) => {
      if (right - left < OUTLINE_FROM * ratio) this.#fill(left, right, level, theme.pixels.accent);
    });
  }

  /** @param {number} highest level on the screen @param {number} count */
  #drawFills(highest, count) {
    const { width, theme } = this.#scene;
    const top = this.#top(highest);
    this.#fills.draw(this.#context, top, width, count * ROW_HEIGHT);
    this.#context.fillStyle = theme.background;
    for (let row = 1; row <= count; row++) this.#context.fillRect(0, top + row * ROW_HEIGHT - GAP, width, GAP);
  }

  /** @param {Label[]} labels */
  #paintLabels(labels) {
    const { theme, width, label, decorate, matches } = this.#scene;
    const context = this.#context;
    this.#text.use(theme.font);
    context.textBaseline = 'middle';
    for (const { item, left, right, level } of labels) {
      const start = Math.max(0, left) + TEXT_PAD;
      const text = this.#text.fit(label(item), Math.min(width, right) - start - TEXT_PAD);
      if (!text) continue;
      context.fillStyle = !matches || matches.has(item) ? theme.frameText : theme.text;
      context.fillText(text, start, this.#top(level) + BASELINE);
    }
    if (!decorate) return;
    for (const { item, left, right, level } of labels) {
      decorate(context, item, { left, right: right - GAP, y: this.#top(level), height: ROW_HEIGHT - GAP }, theme);
    }
  }

  /** All frames of the selected one's function. */
  #outlineSame() {
    const { same, theme, ratio } = this.#scene;
    if (!same) return;
    this.#context.strokeStyle = theme.accent;
    this.#context.lineWidth = 1;
    this.#visit(same, (_, __, left, right, level) => {
      if (right - left >= OUTLINE_FROM * ratio) this.#stroke(left / ratio, right / ratio, level, 1);
    });
  }

  /** @param {number} left @param {number} right @param {number} level @param {number} line */
  #stroke(left, right, level, line) {
    const [width, height] = [right - left - GAP - line, ROW_HEIGHT - GAP - line];
    this.#context.strokeRect(left + line / 2, this.#top(level) + line / 2, width, height);
  }

  /** One rectangle, which is to be seen however narrow it is. @param {number} slot @param {string} color @param {number} line */
  #outline(slot, color, line) {
    const { levels, ratio } = this.#scene;
    if (slot < 0) return;
    const context = this.#context;
    const level = levels.levelOf(slot);
    const left = this.#place(levels.x0(slot)) / ratio;
    const right = Math.max(this.#place(levels.x1(slot)) / ratio, left + line);
    context.strokeStyle = context.fillStyle = color;
    context.lineWidth = line;
    if (right - left < OUTLINE_FROM) context.fillRect(left, this.#top(level), right - left, ROW_HEIGHT - GAP);
    else this.#stroke(left, right, level, line);
  }
}
