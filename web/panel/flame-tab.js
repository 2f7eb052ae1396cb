// The tab of the flame graph: the chart, and what can be done with it.
import { HOST } from '../../js/model/inverted-tree.js';
import { counted } from '../../js/views/text.js';
import { h } from './dom.js';
import { FlameView } from './flame-view.js';
import { treeNotes } from './notes.js';
import { emptyState, notesBar, selectOf } from './view-parts.js';

/** @import {Shown} from './shown.js' */

export class FlameTab {
  #chart;
  #container = h('div', { class: 'chart' });
  #tools;
  #inverted = false;
  #search = h('input', { type: 'search', placeholder: 'Search functions', 'aria-label': 'Search functions', oninput: () => this.#find() });
  #found = h('span', { class: 'dim', role: 'status' });
  #notes = notesBar();
  #empty = emptyState();
  /** @type {Shown | null} */
  #shown = null;

  /** @param {(func: number | null) => void} onSelect */
  constructor(onSelect) {
    this.#tools = h('div', { class: 'tools' }, ...this.#makeTools());
    this.element = h('div', { class: 'view' }, this.#tools, this.#container, this.#empty.element, this.#notes.element);
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
    const order = selectOf('Order', { weight: 'Most calls', call: 'First called' }, (value) => {
      this.#chart.order = value;
    });
    const whole = h('button', { type: 'button', class: 'small', title: 'Show everything again (Escape)', onclick: () => this.#chart.focus() }, 'Whole');
    return [this.#search, this.#found, h('span', { class: 'gap' }), side, shape, order, whole];
  }

  /** @param {Shown} shown */
  show(shown) {
    this.#shown = shown;
    this.#draw();
  }

  #draw() {
    const shown = this.#shown;
    if (!shown) return;
    const table = shown.frames(this.#inverted);
    const isEmpty = table.total[0] === 0;
    this.#container.hidden = this.#tools.hidden = isEmpty;
    this.#empty.show(isEmpty && 'No calls recorded yet', 'They show up here as soon as the program calls a traced function.');
    if (!isEmpty) {
      const { names, metadata, choice } = shown;
      this.#chart.show({ table, names, title: choice.text, imports: metadata.importCount });
      this.#find();
    }
    this.#notes.show(treeNotes(shown));
  }

  #find() {
    const { matches, share } = this.#chart.search(this.#search.value);
    const text = matches > 0 ? `${counted(matches, 'frame')}, ${(share * 100).toFixed(1)} % of all` : 'no match';
    this.#found.textContent = this.#search.value === '' ? '' : text;
  }
}
