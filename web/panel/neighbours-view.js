// The function that was selected in any view: who calls it, and whom it calls.
import { HOST } from '../../js/model/inverted-tree.js';
import { counted, grouped } from '../../js/views/text.js';
import { h, icon } from './dom.js';
import { ICONS } from './icons.js';

/** @import {Neighbour} from '../../js/model/neighbours.js' */
/** @import {Shown} from './shown.js' */

const MOST = 100;

export class NeighboursView {
  #onSelect;
  #name = h('h2', { class: 'function' });
  #calls = h('p', { class: 'dim' });
  #lists = h('div', { class: 'neighbour-lists' });
  /** @type {Shown | null} */
  #shown = null;
  /** @type {number | null} */
  #func = null;

  /** @param {(func: number | null) => void} onSelect null: no longer */
  constructor(onSelect) {
    this.#onSelect = onSelect;
    const close = h(
      'button',
      { type: 'button', class: 'icon-button', 'aria-label': 'Close callers and callees', title: 'Close', onclick: () => onSelect(null) },
      icon(ICONS.hide),
    );
    this.element = h(
      'aside',
      { class: 'neighbours', hidden: true, 'aria-label': 'Callers and callees', tabindex: 0 },
      h('div', { class: 'neighbours-head' }, this.#name, close),
      this.#calls,
      this.#lists,
    );
  }

  /** @param {Shown | null} shown @param {number | null} func */
  show(shown, func) {
    this.element.hidden = func === null || shown === null;
    if (this.#shown === shown && this.#func === func) return;
    this.#shown = shown;
    this.#func = func;
    if (func === null || shown === null) return;
    const { calls, callers, callees } = shown.neighbours(func);
    this.#name.textContent = this.#name.title = shown.names.name(func);
    this.#calls.textContent = counted(calls, 'call');
    this.#lists.replaceChildren(this.#list('Called by', callers, shown), this.#list('Calls', callees, shown));
  }

  /** @param {string} title @param {readonly Neighbour[]} rows @param {Shown} shown */
  #list(title, rows, shown) {
    const more = rows.length - MOST;
    const whole = rows.reduce((sum, { count }) => sum + count, 0);
    return h(
      'section',
      {},
      h('h3', {}, title),
      rows.length === 0 ? h('p', { class: 'dim' }, 'none recorded') : null,
      h('ul', {}, ...rows.slice(0, MOST).map((row) => this.#row(row, whole, shown))),
      more > 0 ? h('p', { class: 'dim' }, `and ${grouped(more)} more`) : null,
    );
  }

  /** @param {Neighbour} row @param {number} whole @param {Shown} shown */
  #row({ func, count, uncertain }, whole, { names }) {
    const bar = h('span', { class: 'share' });
    bar.style.inlineSize = `${(count / whole) * 100}%`;
    const name = func === HOST ? 'the host' : names.name(func);
    const text =
      func === HOST
        ? h('span', { class: 'dim' }, name)
        : h('button', { type: 'button', class: 'link function', title: name, onclick: () => this.#onSelect(func) }, name);
    const mark = uncertain ? h('span', { class: 'mark' }, 'caller uncertain') : null;
    return h('li', {}, h('span', { class: 'count' }, bar, h('span', {}, grouped(count))), text, mark);
  }
}
