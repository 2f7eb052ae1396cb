// The tab of the call tree, or of the tree of callers: a grid, what can be done with it, and what is not in it.
import { counted } from '../../js/views/text.js';
import { clockLabel } from '../../js/views/weights.js';
import { h } from './dom.js';
import { timeNotes, treeNotes } from './notes.js';
import { TreeGrid } from './tree-grid.js';
import { emptyState, notesBar } from './view-parts.js';

/** @import {Shown} from './shown.js' */

export class TreeView {
  #inverted;
  #grid;
  #tools;
  #notes = notesBar();
  #empty = emptyState();
  #choice = '';
  /** What the columns are measured by. */
  #clock = h('span', { class: 'dim clock' });

  /** @param {boolean} inverted callers below the called @param {(func: number) => void} onSelect */
  constructor(inverted, onSelect) {
    this.#inverted = inverted;
    this.#grid = new TreeGrid(inverted ? 'Callers of each function' : 'Call tree', inverted, onSelect);
    const button = (/** @type {string} */ text, /** @type {() => void} */ onclick, /** @type {string} */ title) =>
      h('button', { type: 'button', class: 'small', onclick, title }, text);
    this.#tools = h(
      'div',
      { class: 'tools' },
      button('Hottest path', () => this.#grid.openHottest(), 'Open the way along the heaviest frames (*)'),
      button('Open all', () => this.#grid.openAll(), 'Open all frames, up to 20,000 rows'),
      button('Close all', () => this.#grid.closeAll(), 'Close all frames'),
      h('span', { class: 'gap' }),
      this.#clock,
    );
    this.element = h('div', { class: 'view' }, this.#tools, this.#grid.element, this.#empty.element, this.#notes.element);
  }

  /** @param {Shown} shown */
  show(shown) {
    const { tree, left } = this.#inverted ? shown.inverted : { tree: shown.tree, left: 0 };
    const isEmpty = tree.length <= 1;
    const fresh = this.#choice !== shown.choice.id;
    this.#choice = isEmpty ? '' : shown.choice.id;
    this.#grid.element.hidden = this.#tools.hidden = isEmpty;
    this.#empty.show(isEmpty && 'No calls recorded yet', 'They show up here as soon as the program calls a traced function.');
    const { clock } = shown.model;
    this.#clock.textContent = clock ? clockLabel(clock, shown.resolution) : '';
    if (!isEmpty) this.#grid.show(tree, shown.names, { unit: clock && tree.time ? clock.unit : null, fresh });
    const lighter = left > 0 ? [`${counted(left, 'lighter branch', 'lighter branches')} left out.`] : [];
    this.#notes.show([...lighter, ...timeNotes(shown), ...treeNotes(shown)]);
  }
}
