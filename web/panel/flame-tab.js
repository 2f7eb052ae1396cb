// The tab of the flame graph: the chart, and what can be done with it.
import { HOST } from '../../js/model/inverted-tree.js';
import { counted } from '../../js/views/text.js';
import { h } from './dom.js';
import { FlameView } from './flame-view.js';
import { timeNotes, treeNotes, widthNotes } from './notes.js';
import { emptyState, legendOfFrames, notesBar, selectOf } from './view-parts.js';

/** @import {FrameTable} from '../../js/model/frame-table.js' */
/** @import {Shown} from './shown.js' */
/** @import {Weight, WeightId} from './weights.js' */

export class FlameTab {
  #chart;
  #container = h('div', { class: 'chart' });
  #tools;
  #inverted = false;
  #search = h('input', { type: 'search', placeholder: 'Search functions', 'aria-label': 'Search functions', oninput: () => this.#find() });
  #found = h('span', { class: 'dim', role: 'status' });
  #notes = notesBar();
  #legend = legendOfFrames();
  #empty = emptyState();
  /** What makes frames wide, as far as it was chosen. @type {WeightId | null} */
  #chosen = null;
  #weight = h('select', { 'aria-label': 'Width', title: 'What makes frames wide', onchange: () => this.#choose() });
  /** @type {Shown | null} */
  #shown = null;

  /** @param {(func: number | null) => void} onSelect */
  constructor(onSelect) {
    this.#tools = h('div', { class: 'tools' }, ...this.#makeTools());
    this.element = h('div', { class: 'view' }, this.#tools, this.#container, this.#legend, this.#empty.element, this.#notes.element);
    this.#chart = new FlameView(this.#container);
    this.#chart.onSelect = (frame) => onSelect(frame && frame.func !== HOST ? frame.func : null);
  }

  #makeTools() {
    const shape = selectOf('Shape', { flame: 'Flames', icicle: 'Icicles' }, (value) => {
      this.#chart.orientation = value;
    });
    const side = selectOf('Direction', { callees: 'Callees', callers: 'Callers' }, (value) => {
      this.#inverted = value === 'callers';
      this.#draw();
    });
    const order = selectOf('Order', { weight: 'Widest first', call: 'First called' }, (value) => {
      this.#chart.order = value;
    });
    const whole = h('button', { type: 'button', class: 'small', title: 'Show everything again (Escape)', onclick: () => this.#chart.focus() }, 'Whole');
    return [this.#search, this.#found, h('span', { class: 'gap' }), this.#weight, side, shape, order, whole];
  }

  /** @param {Shown} shown */
  show(shown) {
    this.#shown = shown;
    this.#draw();
  }

  #choose() {
    this.#chosen = /** @type {WeightId} */ (this.#weight.value);
    this.#draw();
  }

  /** The one that was chosen, where it was recorded. @param {readonly Weight[]} weights */
  #weightOf(weights) {
    const weight = weights.find(({ id }) => id === this.#chosen) ?? weights[0];
    this.#weight.hidden = weights.length < 2;
    this.#weight.replaceChildren(...weights.map(({ id, label }) => h('option', { value: id, selected: id === weight.id }, `Width: ${label}`)));
    return weight;
  }

  #draw() {
    const shown = this.#shown;
    if (!shown) return;
    const weight = this.#weightOf(shown.weights);
    const table = shown.frames(this.#inverted, weight.id);
    const isEmpty = table.total[0] === 0;
    this.#container.hidden = this.#legend.hidden = isEmpty;
    this.#tools.hidden = isEmpty && shown.weights.length < 2;
    this.#explain(isEmpty, weight);
    if (!isEmpty) {
      this.#show(shown, table, weight);
      this.#find();
    }
    this.#notes.show([...timeNotes(shown, weight.id), ...widthNotes(shown, weight.id), ...treeNotes(shown)]);
  }

  /** @param {Shown} shown @param {FrameTable} table @param {Weight} weight */
  #show({ names, metadata, choice, model, tree, inverted }, table, { id, label, unit }) {
    const { clock } = model;
    // Upside down, frames of other weights are other ones.
    const frames = !this.#inverted ? tree : id === 'time' ? inverted.tree : null;
    const timed = clock && frames && { tree: frames, unit: clock.unit };
    this.#chart.show({ table, names, title: choice.text, imports: metadata.importCount, weightLabel: label, unit, timed });
  }

  /** @param {boolean} isEmpty @param {Weight} weight */
  #explain(isEmpty, { id, label }) {
    if (id === 'calls') this.#empty.show(isEmpty && 'No calls recorded yet', 'They show up here as soon as the program calls a traced function.');
    else this.#empty.show(isEmpty && 'Nothing took any time yet', `Frames are as wide as their ${label}, and that is nothing so far.`);
  }

  #find() {
    const { matches, share } = this.#chart.search(this.#search.value);
    const text = matches > 0 ? `${counted(matches, 'frame')}, ${(share * 100).toFixed(1)} % of all` : 'no match';
    this.#found.textContent = this.#search.value === '' ? '' : text;
  }
}
