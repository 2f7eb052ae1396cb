// What a flame graph and a sequence chart have in common: rectangles in levels that are looked at through a viewport, one of
// which can be selected. A source says what they are; this draws them, moves the viewport, and finds what the pointer is on.
//
// Keys: arrows go to the caller, the called and what is beside; Enter zooms to what is selected, + and - zoom, Escape and Home
// show all again, Page Up and Page Down scroll.
import { counted } from '../../js/views/text.js';
import { Viewport } from '../../js/views/viewport.js';
import { ChartCanvas } from './chart-canvas.js';
import { ChartInput } from './chart-input.js';
import { ChartRows } from './chart-rows.js';
import { ThemeReader } from './chart-theme.js';
import { LevelPainter } from './level-painter.js';
import { drawPositionBars } from './position-bars.js';

/** @import {Levels} from '../../js/views/levels.js' */
/** @import {Theme} from './chart-theme.js' */
/** @import {Box, Matches} from './level-painter.js' */

/**
 * What a chart shows. Items are what the levels' items are.
 * @typedef {object} ChartSource
 * @property {Levels} levels
 * @property {number} whole width of the chart
 * @property {number} least width of what fills the screen at the deepest zoom
 * @property {string} empty said where there is nothing to draw
 * @property {(item: number) => string} label on the rectangle
 * @property {(item: number) => number} fill index in the theme's fills
 * @property {(item: number) => readonly string[]} lines of the tooltip: the name, then facts
 * @property {(item: number) => number} slotOf
 * @property {(item: number) => number} [above] the caller, -1 for none; by place when left out: what has no width covers none
 * @property {(item: number) => number} [below] the first that it calls
 * @property {(item: number) => number} group function: all of the selected one's are outlined
 * @property {(context: CanvasRenderingContext2D, item: number, box: Box, theme: Theme) => void} [decorate]
 * @property {(context: CanvasRenderingContext2D, picture: Picture) => void} [front] draws in front of all
 *
 * @typedef {{viewport: Viewport, rows: ChartRows, width: number, height: number, theme: Theme}} Picture
 */

const GLIDE_MS = 180;
const KEY_ZOOM = 1.6;
const POINTER_REACH = 2;
/** As many as can be told apart between the pixels beside the pointer's. */
const CROWD = 3;

/** Slow, fast, slow. @param {number} part 0 to 1 */
const ease = (part) => part * part * (3 - 2 * part);

export class LevelChart {
  #canvas;
  #input;
  #theme;
  #painter;
  #viewport = new Viewport();
  /** @type {ChartSource | null} */
  #source = null;
  /** @type {Matches | null} */
  #matches = null;
  /** @type {{group: number, levels: Levels} | null} */
  #same = null;
  #selected = -1;
  #hovered = -1;
  /** Where the pointer is on the chart. @type {{x: number, y: number} | null} */
  #pointer = null;
  /** What is below the pointer may be another item by now. */
  #moved = false;
  /** @type {{from: [number, number], to: [number, number], start: number} | null} */
  #glide = null;
  #light = matchMedia('(prefers-color-scheme: light)');
  #still = matchMedia('(prefers-reduced-motion: reduce)');
  #restyle = () => this.invalidate();
  rows = new ChartRows();

  /**
   * @param {Element} container with a size of its own
   * @param {{role: string, label: string}} spoken
   * @param {(item: number) => void} onSelect by the user; -1: none any more
   */
  constructor(container, spoken, onSelect) {
    this.onSelect = onSelect;
    this.#canvas = new ChartCanvas(container, spoken, (time) => this.#draw(time));
    this.#theme = new ThemeReader(this.#canvas.canvas);
    this.#painter = new LevelPainter(this.#canvas.context);
    this.#input = new ChartInput(this.#canvas.canvas, this.#target());
    this.#canvas.canvas.addEventListener('keydown', (event) => this.#keyDown(event));
    this.#light.addEventListener('change', this.#restyle);
  }

  destroy() {
    this.#input.destroy();
    this.#light.removeEventListener('change', this.#restyle);
    this.#canvas.destroy();
  }

  /** The viewport, at the place to which it may still be gliding. */
  get settled() {
    if (this.#glide) this.#viewport.show(...this.#glide.to);
    this.#glide = null;
    return this.#viewport;
  }

  /** Item; -1 for none. */
  get selected() {
    return this.#selected;
  }

  /** @param {string} label */
  set label(label) {
    this.#canvas.label = label;
  }

  /**
   * @param {ChartSource} source
   * @param {{view?: readonly [number, number] | null, selected?: number}} [keep] what was there before, in terms of this source
   */
  show(source, { view = null, selected = -1 } = {}) {
    this.#source = source;
    this.#glide = this.#same = this.#matches = null;
    this.#hovered = -1;
    this.#moved = true;
    this.#viewport.reset(source.whole, source.least);
    if (view) this.#viewport.show(...view);
    this.#selected = selected;
    this.invalidate();
  }

  /** What a search has found; null: there is none. @param {((item: number) => boolean) | null} wanted */
  highlight(wanted) {
    this.#matches = wanted && this.#source ? { levels: this.#source.levels.filter(wanted), has: wanted } : null;
    this.invalidate();
  }

  /** Selects without telling of it. @param {number} item -1 for none */
  select(item) {
    if (!this.#source || item === this.#selected) return;
    this.#selected = item;
    if (item >= 0) this.#reveal(this.#source, this.#source.slotOf(item));
    this.#canvas.say(item < 0 ? '' : this.#source.lines(item).join(', '));
    this.invalidate();
  }

  /** Zooms to an item. @param {number} item */
  focus(item) {
    if (!this.#source || item < 0) return;
    const { levels, slotOf } = this.#source;
    const slot = slotOf(item);
    this.rows.reveal(levels.levelOf(slot));
    this.glideTo(levels.x0(slot), levels.x1(slot));
  }

  /** Shows all of it. */
  reset() {
    this.glideTo(0, this.#viewport.whole);
  }

  /** @param {number} from @param {number} to */
  glideTo(from, to) {
    if (this.#still.matches) this.#viewport.show(from, to);
    else this.#glide = { from: [this.#viewport.from, this.#viewport.to], to: [from, to], start: performance.now() };
    this.invalidate();
  }

  /** Draws anew: something has changed that this cannot know of. */
  invalidate() {
    this.#canvas.invalidate();
  }

  /** @returns {import('./chart-input.js').ChartTarget} */
  #target() {
    return {
      zoom: (factor, x) => this.#zoom(factor, this.#unit(x)),
      drag: (right, down) => this.#drag(right, down),
      scroll: (down) => this.#scroll(down),
      hover: (x, y) => this.#hover(x, y),
      leave: () => {
        this.#pointer = null;
        this.#leave();
      },
      click: (x, y) => this.#choose(this.#itemAt(x, y)),
      focusAt: (x, y) => this.focus(this.#itemAt(x, y)),
    };
  }

  /** @param {number} x in pixels */
  #unit(x) {
    return this.#viewport.from + (x / this.#canvas.width) * this.#viewport.span;
  }

  /** @param {number} x @param {number} y @returns {number} item; -1 for none */
  #itemAt(x, y) {
    if (!this.#source) return -1;
    const reach = (POINTER_REACH * this.#viewport.span) / this.#canvas.width;
    const slot = this.#source.levels.find(this.rows.levelAt(y), this.#unit(x), reach);
    return slot < 0 ? -1 : this.#source.levels.item(slot);
  }

  /** @param {number} factor @param {number} at */
  #zoom(factor, at) {
    this.#glide = null;
    this.#viewport.zoom(factor, at);
    this.#leave();
    this.invalidate();
  }

  /** @param {number} right @param {number} down */
  #drag(right, down) {
    this.#glide = null;
    this.#viewport.pan((-right * this.#viewport.span) / this.#canvas.width);
    this.rows.drag(down);
    this.invalidate();
  }

  /** @param {number} down */
  #scroll(down) {
    this.rows.drag(-down);
    this.#leave();
    this.invalidate();
    return this.rows.overflow > 0;
  }

  /** @param {number} x @param {number} y */
  #hover(x, y) {
    this.#pointer = { x, y };
    this.#moved = false;
    const item = this.#itemAt(x, y);
    if (item !== this.#hovered) this.invalidate();
    this.#hovered = item;
    if (item >= 0 && this.#source) this.#canvas.showTip([...this.#source.lines(item), ...this.#crowd(x, y)], { x, y }, this.#theme.read());
    else this.#canvas.hideTip();
  }

  /** What is narrower than a pixel is not the only one there. @param {number} x @param {number} y */
  #crowd(x, y) {
    const levels = /** @type {ChartSource} */ (this.#source).levels;
    const pixel = this.#viewport.span / this.#canvas.width;
    const count = levels.countBetween(this.rows.levelAt(y), this.#unit(x) - pixel, this.#unit(x) + pixel);
    return count > CROWD ? [`one of ${counted(count, 'frame')} too narrow to be told apart here`] : [];
  }

  #leave() {
    this.#canvas.hideTip();
    if (this.#hovered < 0) return;
    this.#hovered = -1;
    this.invalidate();
  }

  /** What the user selects. @param {number} item */
  #choose(item) {
    if (item === this.#selected) return;
    this.select(item);
    this.onSelect(item);
  }

  /** Brings what was selected by key or from outside onto the screen. @param {ChartSource} source @param {number} slot */
  #reveal({ levels }, slot) {
    const [x0, x1] = [levels.x0(slot), levels.x1(slot)];
    const { from, to, span } = this.#viewport;
    this.rows.reveal(levels.levelOf(slot));
    if (x1 > from && x0 < to) return;
    const middle = (x0 + x1) / 2;
    this.glideTo(middle - span / 2, middle + span / 2);
  }

  /** @param {KeyboardEvent} event */
  #keyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#press(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} key @returns {boolean} whether it means anything */
  #press(key) {
    const { upward } = this.rows;
    switch (key) {
      case 'ArrowUp':
        return this.#move(upward ? 'below' : 'above');
      case 'ArrowDown':
        return this.#move(upward ? 'above' : 'below');
      case 'ArrowLeft':
        return this.#move('before');
      case 'ArrowRight':
        return this.#move('after');
      case 'Enter':
        return this.#act(() => this.focus(this.#selected));
      case '+':
      case '=':
        return this.#act(() => this.#zoom(KEY_ZOOM, this.#centre));
      case '-':
        return this.#act(() => this.#zoom(1 / KEY_ZOOM, this.#centre));
      case 'Home':
        return this.#act(() => this.reset());
      case 'Escape':
        return this.#escape();
      case 'PageUp':
      case 'PageDown':
        return this.#act(() => this.#page((key === 'PageUp') === upward ? 1 : -1));
      default:
        return false;
    }
  }

  /** @param {() => void} action */
  #act(action) {
    action();
    return true;
  }

  /** Shows all; then selects nothing; then leaves the key to whom it may concern. */
  #escape() {
    if (!this.#viewport.isWhole) return this.#act(() => this.reset());
    if (this.#selected >= 0) return this.#act(() => this.#choose(-1));
    return false;
  }

  /** @param {number} pages */
  #page(pages) {
    this.rows.scrollPages(pages);
    this.invalidate();
  }

  /** What keys zoom around: the middle of what is selected where it can be seen. */
  get #centre() {
    const { from, to } = this.#viewport;
    if (!this.#source || this.#selected < 0) return (from + to) / 2;
    const slot = this.#source.slotOf(this.#selected);
    const [left, right] = [Math.max(from, this.#source.levels.x0(slot)), Math.min(to, this.#source.levels.x1(slot))];
    return left < right ? (left + right) / 2 : (from + to) / 2;
  }

  /** @param {'above' | 'below' | 'before' | 'after'} where */
  #move(where) {
    if (!this.#source || this.#source.levels.length === 0) return false;
    const { levels } = this.#source;
    const slot = this.#selected < 0 ? this.#first(levels) : beside(this.#source, this.#selected, where);
    if (slot >= 0) this.#choose(levels.item(slot));
    return true;
  }

  /** The first rectangle on the screen. @param {Levels} levels */
  #first(levels) {
    const { from, span } = this.#viewport;
    for (let level = 0; level < levels.depth; level++) {
      const slot = levels.find(level, from, span);
      if (slot >= 0) return slot;
    }
    return -1;
  }

  /** @param {number} time */
  #step(time) {
    if (!this.#glide) return;
    const { from, to, start } = this.#glide;
    const part = Math.min(1, Math.max(0, (time - start) / GLIDE_MS));
    const between = (/** @type {0 | 1} */ end) => from[end] + (to[end] - from[end]) * ease(part);
    this.#viewport.show(part < 1 ? between(0) : to[0], part < 1 ? between(1) : to[1]);
    if (part < 1) this.invalidate();
    else this.#glide = null;
  }

  /** Outlines are looked up again only when another function is selected. @param {ChartSource} source */
  #sameAsSelected({ levels, group }) {
    if (this.#selected < 0) return null;
    const wanted = group(this.#selected);
    if (this.#same?.group !== wanted) this.#same = { group: wanted, levels: levels.filter((item) => group(item) === wanted) };
    return this.#same.levels;
  }

  /** @param {number} time */
  #draw(time) {
    const source = this.#source;
    const { width, height, ratio, context } = this.#canvas;
    const theme = this.#theme.read();
    if (!source) return;
    this.rows.resize(height, source.levels.depth);
    this.#step(time);
    const slotOf = (/** @type {number} */ item) => (item < 0 ? -1 : source.slotOf(item));
    this.#painter.paint({
      ...{ viewport: this.#viewport, rows: this.rows, theme, width, height, ratio },
      ...{ levels: source.levels, fill: source.fill, label: source.label, decorate: source.decorate },
      matches: this.#matches,
      same: this.#sameAsSelected(source),
      selected: slotOf(this.#selected),
      hovered: slotOf(this.#hovered),
    });
    const picture = { viewport: this.#viewport, rows: this.rows, width, height, theme };
    source.front?.(context, picture);
    drawPositionBars(context, picture);
    if (source.levels.length === 0) this.#drawEmpty(source.empty, theme);
    if (this.#moved && this.#pointer) this.#hover(this.#pointer.x, this.#pointer.y);
  }

  /** @param {string} text @param {Theme} theme */
  #drawEmpty(text, theme) {
    const { context, width, height } = this.#canvas;
    context.font = '13px system-ui, sans-serif';
    context.fillStyle = theme.text;
    context.textAlign = 'center';
    context.fillText(text, width / 2, height / 2);
    context.textAlign = 'start';
  }
}

/** @param {ChartSource} source @param {number} item @param {'above' | 'below' | 'before' | 'after'} where @returns {number} slot; -1 for none */
function beside({ levels, slotOf, ...source }, item, where) {
  const slot = slotOf(item);
  if (where === 'before' || where === 'after') return levels.beside(slot, where === 'after' ? 1 : -1);
  const next = source[where];
  if (!next) return levels[where](slot);
  const found = next(item);
  return found < 0 ? -1 : slotOf(found);
}
