// The function that was selected in any view: who calls it, and whom it calls.
import { HOST } from '../../js/model/inverted-tree.js';
import { counted, grouped } from '../../js/views/text.js';
import { amount, amountWithUnit } from '../../js/views/units.js';
import { clockNoun } from '../../js/views/weights.js';
import { h, icon } from './dom.js';
import { ICONS } from './icons.js';

/** @import {Neighbour, Neighbours} from '../../js/model/neighbours.js' */
/** @import {Clock} from '../../js/trace/metadata.js' */
/** @import {Shown} from './shown.js' */

const MOST = 100;

/** What makes a row heavy. @param {Neighbour} row */
const weightOf = ({ time, count }) => time?.total ?? count;

/** @param {Neighbours} of @param {Clock | null} clock */
function summary({ calls, time }, clock) {
  const text = counted(calls, 'call');
  if (!time || !clock) return text;
  return `${text}, total ${amountWithUnit(time.total, clock.unit)}, self ${amountWithUnit(time.self, clock.unit)}`;
}

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
    const found = shown.neighbours(func);
    const { callers, callees } = found;
    const of = found.time && shown.model.clock ? `, by ${clockNoun(shown.model.clock)}` : '';
    this.#name.textContent = this.#name.title = shown.names.name(func);
    this.#calls.textContent = summary(found, shown.model.clock);
    this.#lists.replaceChildren(this.#list(`Called by${of}`, callers, shown), this.#list(`Calls${of}`, callees, shown));
  }

  /** @param {string} title @param {readonly Neighbour[]} rows @param {Shown} shown */
  #list(title, rows, shown) {
    const more = rows.length - MOST;
    const whole = rows.reduce((sum, row) => sum + weightOf(row), 0);
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
  #row(row, whole, { names, model }) {
    const { func, count, uncertain, time } = row;
    const unit = (time && model.clock?.unit) ?? null;
    const bar = h('span', { class: 'share' });
    bar.style.inlineSize = `${whole > 0 ? (weightOf(row) / whole) * 100 : 0}%`;
    const name = func === HOST ? 'the host' : names.name(func);
    const text =
      func === HOST
        ? h('span', { class: 'dim' }, name)
        : h('button', { type: 'button', class: 'link function', title: name, onclick: () => this.#onSelect(func) }, name);
    const mark = uncertain ? h('span', { class: 'mark' }, 'caller uncertain') : null;
    const weight = time && unit ? amount(time.total, unit) : grouped(count);
    const title = time && unit ? `total ${amountWithUnit(time.total, unit)}, self ${amountWithUnit(time.self, unit)}, ${counted(count, 'call')}` : null;
    const calls = time ? h('span', { class: 'dim calls' }, `${grouped(count)}×`) : null;
    return h('li', { title }, h('span', { class: 'count' }, bar, h('span', {}, weight)), text, mark, calls);
  }
}
