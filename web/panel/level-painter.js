// One picture of rectangles in levels: fills, names on those that are wide enough, then the outlines of what is selected.
// Edges stand on device pixels; what is narrower than one gets one.
import { ROW_HEIGHT } from './chart-rows.js';
import { TextFitter } from './chart-text.js';

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

const GAP = 1;
const GAP_FROM = 3;
const TEXT_PAD = 4;
// Names, and marks, on rectangles narrower than that would not be read.
const LABEL_FROM = 30;
const MARK_FROM = 5;
const LEAST_OUTLINE = 3;
const BASELINE = ROW_HEIGHT / 2;

export class LevelPainter {
  #context;
  #text;
  /** What is being painted. @type {Scene} */
  #scene = /** @type {any} */ (null);
  #scale = 1;
  #style = '';

  /** @param {CanvasRenderingContext2D} context */
  constructor(context) {
    this.#context = context;
    this.#text = new TextFitter(context);
  }

  /** @param {Scene} scene */
  paint(scene) {
    const { ratio, theme, width, height, viewport } = scene;
    this.#scene = scene;
    this.#scale = width / viewport.span;
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#style = '';
    this.#use(theme.background);
    this.#context.fillRect(0, 0, width, height);
    this.#text.use(theme.font);
    const labels = this.#paintLevels();
    if (scene.matches) this.#paintMatches(scene.matches.levels);
    this.#paintLabels(labels);
    if (scene.same) this.#outlineSame(scene.same);
    this.#outline(scene.hovered, theme.hover, 1);
    this.#outline(scene.selected, theme.accent, 2);
  }

  /** @param {string} style */
  #use(style) {
    if (style !== this.#style) this.#context.fillStyle = this.#style = style;
  }

  /** @param {number} x in units of the chart @returns {number} in pixels, a whole device pixel on the chart or just outside */
  #place(x) {
    const { viewport, width, ratio } = this.#scene;
    const place = Math.min(Math.max((x - viewport.from) * this.#scale, -LEAST_OUTLINE), width + LEAST_OUTLINE);
    return Math.round(place * ratio) / ratio;
  }

  /**
   * Visits what can be seen.
   * @param {Levels} levels
   * @param {(first: number, last: number, left: number, right: number, y: number) => void} visitor
   */
  #visit(levels, visitor) {
    const { rows, viewport, ratio } = this.#scene;
    const { first, end } = rows.visible;
    const pixel = 1 / ratio;
    const grain = pixel / this.#scale;
    for (let level = first; level < Math.min(end, levels.depth); level++) {
      const y = Math.round(rows.y(level) * ratio) * pixel;
      levels.visit(level, viewport.from, viewport.to, grain, (slot, last, x0, x1) => {
        const left = this.#place(x0);
        visitor(slot, last, left, Math.max(this.#place(x1), left + pixel), y);
      });
    }
  }

  #paintLevels() {
    const { levels, theme, matches, fill, decorate } = this.#scene;
    const least = decorate ? MARK_FROM : LABEL_FROM;
    const fills = matches ? theme.faded : theme.fills;
    /** @type {{item: number, box: Box}[]} */
    const labels = [];
    this.#visit(levels, (slot, last, left, right, y) => {
      const item = levels.item(slot);
      this.#use(slot === last ? fills[fill(item)] : theme.dense);
      this.#fill(left, right, y);
      if (slot === last && right - left >= least) labels.push({ item, box: { left, right, y, height: ROW_HEIGHT - GAP } });
    });
    return labels;
  }

  /** @param {number} left @param {number} right @param {number} y */
  #fill(left, right, y) {
    const width = right - left;
    this.#context.fillRect(left, y, width >= GAP_FROM ? width - GAP : width, ROW_HEIGHT - GAP);
  }

  /** @param {Levels} matches */
  #paintMatches(matches) {
    this.#use(this.#scene.theme.match);
    this.#visit(matches, (_, __, left, right, y) => this.#fill(left, right, y));
  }

  /** @param {{item: number, box: Box}[]} labels */
  #paintLabels(labels) {
    const { theme, width, label, decorate, matches } = this.#scene;
    const context = this.#context;
    context.textBaseline = 'middle';
    for (const { item, box } of labels) {
      const left = Math.max(0, box.left) + TEXT_PAD;
      const text = this.#text.fit(label(item), Math.min(width, box.right) - left - TEXT_PAD);
      if (!text) continue;
      this.#use(!matches || matches.has(item) ? theme.frameText : theme.text);
      context.fillText(text, left, box.y + BASELINE);
    }
    if (!decorate) return;
    for (const { item, box } of labels) decorate(context, item, box, theme);
  }

  /** @param {Levels} same */
  #outlineSame(same) {
    const context = this.#context;
    context.strokeStyle = context.fillStyle = this.#scene.theme.accent;
    context.lineWidth = 1;
    this.#visit(same, (_, __, left, right, y) => this.#frame(left, right, y, 1));
  }

  /** @param {number} left @param {number} right @param {number} y @param {number} line */
  #frame(left, right, y, line) {
    const width = right - left;
    if (width < LEAST_OUTLINE) this.#context.fillRect(left, y, width, ROW_HEIGHT - GAP);
    else this.#context.strokeRect(left + line / 2, y + line / 2, width - GAP - line, ROW_HEIGHT - GAP - line);
  }

  /** @param {number} slot @param {string} color @param {number} line */
  #outline(slot, color, line) {
    const { levels, rows } = this.#scene;
    if (slot < 0) return;
    const context = this.#context;
    const left = this.#place(levels.x0(slot));
    context.strokeStyle = context.fillStyle = color;
    context.lineWidth = line;
    this.#frame(left, Math.max(this.#place(levels.x1(slot)), left + line), rows.y(levels.levelOf(slot)), line);
  }
}
