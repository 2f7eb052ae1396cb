// The flame graph: a table of frames (js/model/frame-table.js) on a canvas, from the top down or from the bottom up. Frames are as
// wide as what they weigh, and what that is always stands on the chart.
import { HOST } from '../../js/model/inverted-tree.js';
import { frameAt, matchFrames, pathTo } from '../../js/model/frame-table.js';
import { NO_SLOT, flameLayout } from '../../js/views/flame-layout.js';
import { UNCERTAIN } from '../../js/views/log.js';
import { counted, grouped } from '../../js/views/text.js';
import { toneOf } from '../../js/views/tones.js';
import { amount, amountWithUnit } from '../../js/views/units.js';
import { ROW_HEIGHT } from './chart-rows.js';
import { KIND } from './chart-theme.js';
import { LevelChart } from './level-chart.js';
import { functionSearch } from './name-search.js';

/** @import {FrameTable, PathStep} from '../../js/model/frame-table.js' */
/** @import {FlameLayout, FrameOrder} from '../../js/views/flame-layout.js' */
/** @import {CallTree} from '../../js/model/call-tree.js' */
/** @import {ClockUnit} from '../../js/views/units.js' */
/** @import {ChartSource, Picture} from './level-chart.js' */

/**
 * @typedef {object} FlameData
 * @property {FrameTable} table
 * @property {{name(func: number): string}} names
 * @property {string} [weightLabel] what the width means; the table's own when left out
 * @property {ClockUnit | null} [unit] of what makes frames wide; null, or left out: they are counted
 * @property {{tree: CallTree, unit: ClockUnit} | null} [timed] the tree whose frames the table has, and its clock's unit: what single
 *   calls took
 * @property {string} [title] of what the frames are: a module, a session
 * @property {number} [imports] imported functions: those with an index below it are the host's
 *
 * @typedef {object} Frame a frame as plain data
 * @property {number} frame index in the table
 * @property {number} func HOST for the root and the host
 * @property {string} name
 * @property {number} total   @property {number} self   @property {number} share of the whole, 0 to 1
 * @property {readonly PathStep[]} path from the root: finds the frame in another table (frameAt)
 *
 * @typedef {{path: readonly PathStep[], from: number, to: number}} Anchor from, to: parts of the frame's width
 *
 * @typedef {'flame' | 'icicle'} Orientation the root is at the bottom, or at the top
 */

const CAPTION_PAD = 6;

/** @param {number} share */
function percent(share) {
  return `${(share * 100).toFixed(share < 0.0995 ? 2 : 1)} %`;
}

/** What a table looks like as a chart. */
class FlameSource {
  #data;
  #names = new Map();
  #tones = new Map();
  /** @type {FlameLayout} */
  layout;

  /** @param {FlameData} data @param {FrameOrder} order */
  constructor(data, order) {
    this.#data = data;
    this.layout = flameLayout(data.table, order);
  }

  get weight() {
    return this.#data.weightLabel ?? this.#data.table.weight;
  }

  /** @returns {ChartSource} */
  get chart() {
    const { levels, whole, least, slots } = this.layout;
    const { table } = this.#data;
    return {
      levels,
      whole,
      least,
      empty: `No ${this.weight} recorded`,
      label: (frame) => this.label(frame),
      fill: (frame) => this.#fill(table.func[frame]),
      lines: (frame) => this.#lines(frame),
      slotOf: (frame) => slots[frame],
      group: (frame) => table.func[frame],
      front: (context, picture) => this.#front(context, picture),
    };
  }

  /** @param {number} func */
  name(func) {
    let name = this.#names.get(func);
    if (name === undefined) this.#names.set(func, (name = func === HOST ? '(host)' : this.#data.names.name(func)));
    return name;
  }

  /** @param {number} frame */
  label(frame) {
    const { func, chain, uncertain } = this.#data.table;
    if (frame === 0) return this.#whole;
    const name = this.name(func[frame]);
    const marked = uncertain[frame] ? name + UNCERTAIN : name;
    return chain[frame] > 1 ? `${marked} x ${chain[frame]}` : marked;
  }

  get #whole() {
    const { table, title } = this.#data;
    const left = table.left > 0 ? `, ${counted(table.left, 'lighter frame')} left out` : '';
    const amountOfAll = this.#data.unit ? `${amount(table.total[0], this.#data.unit)}, width: ` : `${grouped(table.total[0])} `;
    return `${title ? `${title}: ` : ''}${amountOfAll}${this.weight}${left}`;
  }

  /** @param {number} weight */
  #amount(weight) {
    return this.#data.unit ? amountWithUnit(weight, this.#data.unit) : grouped(weight);
  }

  /** @param {number} func */
  #fill(func) {
    let tone = this.#tones.get(func);
    if (tone !== undefined) return tone;
    const kind = func < (this.#data.imports ?? 0) ? KIND.IMPORT : KIND.OWN;
    tone = func === HOST ? KIND.HOST : kind + toneOf(this.name(func));
    this.#tones.set(func, tone);
    return tone;
  }

  /** What the width means also stands there when the root, which says so, is scrolled away. @param {CanvasRenderingContext2D} context
   * @param {Picture} picture */
  #front(context, { rows, width, height, theme }) {
    if (rows.visible.first === 0) return;
    const text = `width: ${this.weight}`;
    const room = context.measureText(text).width + 2 * CAPTION_PAD;
    const top = rows.upward ? height - ROW_HEIGHT : 0;
    context.fillStyle = theme.background;
    context.fillRect(width - room, top, room, ROW_HEIGHT);
    context.fillStyle = theme.text;
    context.fillText(text, width - room + CAPTION_PAD, top + ROW_HEIGHT / 2);
  }

  /** @param {number} frame */
  #lines(frame) {
    const { table, imports = 0, unit } = this.#data;
    const { total, self, chain, inverted, func } = table;
    const whole = total[0];
    if (frame === 0) return [this.#whole];
    const all = unit ? `${inverted ? 'self' : 'total'} ${this.#amount(total[frame])}` : `${this.#amount(total[frame])} ${this.weight}`;
    return [
      this.label(frame),
      `${all}, ${percent(total[frame] / whole)} of the whole`,
      ...(inverted ? [] : [`self ${this.#amount(self[frame])}, ${percent(self[frame] / whole)}`]),
      ...this.#callLines(frame),
      ...(chain[frame] > 1 ? [`recursive, ${grouped(chain[frame])} deep`] : []),
      ...(func[frame] < imports ? ['function of the host'] : []),
    ];
  }

  /** What single calls took, and where calls make it wide, their time; nothing without a clock. @param {number} frame */
  #callLines(frame) {
    const { timed, table, unit: ofWidth } = this.#data;
    if (!timed?.tree.time) return [];
    const { tree, unit } = timed;
    const { total, self, min, max } = timed.tree.time;
    const time = `total ${amountWithUnit(total[frame], unit)}, self ${amountWithUnit(self[frame], unit)}`;
    const calls = counted((table.inverted ? tree.total : tree.self)[frame], 'call');
    // Of a chain of recursive calls, the total is that of the outermost ones.
    const average = tree.chain[frame] > 1 ? [] : [`avg ${amount(total[frame] / tree.self[frame], unit)}`];
    const range = Number.isNaN(min[frame]) ? [] : [`min ${amount(min[frame], unit)}`, `max ${amount(max[frame], unit)}`];
    const single = table.inverted || tree.self[frame] === 0 ? [] : [...average, ...range];
    return ofWidth ? [[calls, ...single].join(', ')] : [time, ...(single.length > 0 ? [`a call: ${single.join(', ')}`] : [])];
  }

  /** @param {number} frame @returns {Frame} */
  frame(frame) {
    const { table } = this.#data;
    const { func, total, self } = table;
    const share = total[frame] / total[0];
    const name = this.name(func[frame]);
    return { frame, func: func[frame], name, total: total[frame], self: self[frame], share, path: pathTo(table, frame) };
  }
}

export class FlameView {
  #chart;
  /** @type {FlameData | null} */
  #data = null;
  /** @type {FlameSource | null} */
  #source = null;
  #text = '';
  /** @type {FrameOrder} */
  #order = 'weight';
  /** Called when the user selects a frame; null: none any more. @type {(frame: Frame | null) => void} */
  onSelect = () => {};

  /** @param {Element} container with a size of its own; it is filled */
  constructor(container) {
    const spoken = { role: 'flame graph', label: 'Flame graph' };
    this.#chart = new LevelChart(container, spoken, (frame) => this.onSelect(this.#frame(frame)));
    this.orientation = 'flame';
  }

  /** What is zoomed to, selected and searched for stays so as far as the frames are still there. @param {FlameData} data */
  show(data) {
    this.#build(data);
  }

  /** @returns {Orientation} */
  get orientation() {
    return this.#chart.rows.upward ? 'flame' : 'icicle';
  }

  set orientation(orientation) {
    this.#chart.rows.upward = orientation === 'flame';
    this.#chart.invalidate();
  }

  /** Siblings: the heaviest first, or in the order of first calls. */
  get order() {
    return this.#order;
  }

  set order(order) {
    if (order === this.#order) return;
    this.#order = order;
    if (this.#data) this.#build(this.#data);
  }

  /**
   * Highlights the frames of all functions whose name has the text in it, or matches the /expression/. '' ends it.
   * @param {string} text
   * @returns {{matches: number, share: number}} frames, and their part of the whole
   */
  search(text) {
    this.#text = text;
    if (!this.#data || !this.#source || text === '') {
      this.#chart.highlight(null);
      return { matches: 0, share: 0 };
    }
    const source = this.#source;
    const found = matchFrames(this.#data.table, functionSearch(text, (func) => source.name(func)));
    this.#chart.highlight((frame) => found.frames[frame] === 1);
    return { matches: found.matches, share: found.share };
  }

  /** The selected frame. */
  get selected() {
    return this.#frame(this.#chart.selected);
  }

  /** Selects a frame without telling onSelect. @param {{frame: number} | null} frame */
  select(frame) {
    this.#chart.select(this.#shown(frame?.frame ?? -1));
  }

  /** Zooms to a frame; without one to the whole. @param {{frame: number} | null} [frame] */
  focus(frame) {
    const shown = this.#shown(frame?.frame ?? 0);
    if (shown > 0) this.#chart.focus(shown);
    else this.#chart.reset();
  }

  /** Draws anew: custom properties have changed. */
  restyle() {
    this.#chart.invalidate();
  }

  destroy() {
    this.#chart.destroy();
  }

  /** @param {FlameData} data */
  #build(data) {
    const anchor = this.#anchor();
    const selected = this.selected?.path;
    this.#data = data;
    this.#source = new FlameSource(data, this.#order);
    const kept = selected ? frameAt(data.table, selected) : null;
    const view = anchor && this.#placeOf(anchor);
    this.#chart.show(this.#source.chart, { view, selected: this.#shown(kept?.whole ? kept.frame : -1) });
    this.#chart.label = `Flame graph of ${this.#source.label(0)}`;
    if (this.#text) this.search(this.#text);
  }

  /** Where the viewport is, in terms of the innermost frame that it is inside of. @returns {Anchor | null} null: at the whole */
  #anchor() {
    const { isWhole, from, to } = this.#chart.settled;
    if (!this.#data || !this.#source || isWhole) return null;
    const { levels } = this.#source.layout;
    let slot = 0;
    for (let level = 1, inner = 0; inner >= 0; level++) {
      slot = inner;
      inner = levels.find(level, from);
      if (inner >= 0 && levels.x1(inner) < to) inner = -1;
    }
    const [x0, width] = [levels.x0(slot), levels.x1(slot) - levels.x0(slot)];
    return { path: pathTo(this.#data.table, levels.item(slot)), from: (from - x0) / width, to: (to - x0) / width };
  }

  /** The same part of the same frame in what is shown now. @param {Anchor} anchor @returns {[number, number] | null} */
  #placeOf({ path, from, to }) {
    const { table } = /** @type {FlameData} */ (this.#data);
    const { layout } = /** @type {FlameSource} */ (this.#source);
    const { frame, whole } = frameAt(table, path);
    const slot = layout.slots[frame];
    if (slot === NO_SLOT) return null;
    const [x0, x1] = [layout.levels.x0(slot), layout.levels.x1(slot)];
    return whole ? [x0 + from * (x1 - x0), x0 + to * (x1 - x0)] : [x0, x1];
  }

  /** @param {number} frame @returns {Frame | null} */
  #frame(frame) {
    return frame < 0 || !this.#source ? null : this.#source.frame(frame);
  }

  /** @param {number} frame @returns {number} -1 for one that has no weight */
  #shown(frame) {
    return frame < 0 || !this.#source || this.#source.layout.slots[frame] === NO_SLOT ? -1 : frame;
  }
}
