// The tab of the profile: a row for each function, in a table that is sorted by any column. Rows are made as they are scrolled to;
// the table keeps the focus and names the row that it is on.
import { PERCENTS } from '../../js/model/profile.js';
import { compareNumbers } from '../../js/model/tree-rows.js';
import { grouped } from '../../js/views/text.js';
import { amount, percent } from '../../js/views/units.js';
import { WALL_LABEL, clockLabel } from '../../js/views/weights.js';
import { h, uniqueId } from './dom.js';
import { functionSearch } from './name-search.js';
import { callNotes, timeNotes, treeNotes } from './notes.js';
import { numberWidth } from './number-width.js';
import { emptyState, notesBar } from './view-parts.js';
import { VirtualRows } from './virtual-rows.js';

/** @import {FunctionProfile, Profile} from '../../js/model/profile.js' */
/** @import {ClockUnit} from '../../js/views/units.js' */
/** @import {Shown} from './shown.js' */

/**
 * @typedef {object} Column
 * @property {string} key
 * @property {string} title
 * @property {string} tip
 * @property {(row: FunctionProfile) => number} value NaN: not known
 * @property {(value: number) => string} text
 * @property {number} width in em
 */

const ROW_HEIGHT = 22;
/** Room for names, in em: where there is less for all columns, those of numbers pass below it. */
const LEAST_NAME = 14;
/** Columns of numbers that there is room for where the panel is narrow: narrow.css.js hides the others. */
const NARROWEST = new Set(['self', 'total', 'calls']);
const NARROW = new Set([...NARROWEST, 'wall']);

/** @param {Profile['rows']} rows @param {number} least */
function callsWidth(rows, least) {
  return numberWidth(rows.reduce((most, { calls }) => Math.max(most, calls), 0), least);
}

/** @param {Profile} profile @returns {Column[]} */
function callColumns({ rows }) {
  const whole = rows.reduce((sum, { calls }) => sum + calls, 0);
  const value = (/** @type {FunctionProfile} */ { calls }) => calls;
  return [
    { key: 'calls', title: 'Calls', tip: '', value, text: grouped, width: callsWidth(rows, 8) },
    { key: 'part', title: 'Calls %', tip: 'Part of all calls', value, text: (calls) => percent(calls, whole), width: 6 },
  ];
}

/** @param {Profile} profile @param {ClockUnit} unit @returns {Column[]} */
function timeColumns({ rows, whole, hasWall }, unit) {
  const text = (/** @type {number} */ value) => amount(value, unit);
  /** @param {string} title @param {'total' | 'self' | 'avg' | 'min' | 'max'} key @param {string} tip @returns {Column} */
  const column = (title, key, tip) => ({ key, title, tip, value: ({ time }) => time?.[key] ?? NaN, text, width: 6.5 });
  /** @type {Column} */
  const share = { ...column('Self %', 'self', 'Part of all the time in traced calls'), key: 'part', text: (self) => percent(self, whole), width: 5.5 };
  /** @type {Column} */
  const calls = { key: 'calls', title: 'Calls', tip: '', value: (row) => row.calls, text: grouped, width: callsWidth(rows, 6.5) };
  const percentiles = PERCENTS.map((name, i) => ({
    ...column(`p${name}`, 'max', `What ${name} of 100 calls did not exceed; at most 1/16 off`),
    key: `p${name}`,
    value: (/** @type {FunctionProfile} */ { time }) => time?.percentiles?.[i] ?? NaN,
  }));
  /** @type {Column} */
  const wall = { key: 'wall', title: 'Host', tip: WALL_LABEL, value: ({ time }) => time?.wall || NaN, text: (ns) => amount(ns, 'ns'), width: 6.5 };
  return [
    column('Self', 'self', 'What passed in the function itself'),
    share,
    column('Total', 'total', 'With all that it called; of recursive calls, the outermost ones'),
    calls,
    column('Avg', 'avg', 'What a call took on the average'),
    column('Min', 'min', 'What the shortest call took'),
    column('Max', 'max', 'What the longest call took'),
    ...(rows.some(({ time }) => time?.percentiles) ? percentiles : []),
    ...(hasWall ? [wall] : []),
  ];
}

export class ReportView {
  #onSelect;
  #id = uniqueId('report');
  #head = h('div', { class: 'tree-head', role: 'row', 'aria-rowindex': 1 });
  #grid;
  #list;
  #search = h('input', { type: 'search', placeholder: 'Search functions', 'aria-label': 'Search functions', oninput: () => this.#arrange() });
  #clock = h('span', { class: 'dim clock' });
  #tools = h('div', { class: 'tools' }, this.#search, h('span', { class: 'gap' }), this.#clock);
  #notes = notesBar();
  #empty = emptyState();
  /** @type {Column[]} */
  #columns = [];
  /** @type {{key: string, ascending: boolean}} */
  #order = { key: '', ascending: false };
  /** @type {Shown | null} */
  #shown = null;
  /** @type {FunctionProfile[]} */
  #rows = [];
  /** The function that the keyboard is on. @type {number | null} */
  #current = null;

  /** @param {(func: number) => void} onSelect */
  constructor(onSelect) {
    this.#onSelect = onSelect;
    this.#grid = h(
      'div',
      {
        class: 'tree report',
        role: 'grid',
        tabindex: 0,
        'aria-label': 'Functions',
        onkeydown: (event) => this.#key(event),
        onclick: (event) => this.#click(event),
      },
      h('div', { role: 'rowgroup', class: 'tree-head-group' }, this.#head),
    );
    this.#list = new VirtualRows(this.#grid, { height: ROW_HEIGHT, row: (i) => this.#row(i) });
    this.element = h('div', { class: 'view' }, this.#tools, this.#grid, this.#empty.element, this.#notes.element);
  }

  /** @param {Shown} shown */
  show(shown) {
    const { profile, model } = shown;
    const { clock } = model;
    const isEmpty = profile.rows.length === 0;
    this.#shown = shown;
    this.#setColumns(clock ? timeColumns(profile, clock.unit) : callColumns(profile));
    this.#clock.textContent = clock ? clockLabel(clock, shown.resolution) : 'calls; no clock ran';
    this.#grid.hidden = this.#tools.hidden = isEmpty;
    this.#empty.show(isEmpty && 'No calls recorded yet', 'Functions show up here as soon as the program calls a traced one.');
    this.#notes.show([...callNotes(shown), ...timeNotes(shown), ...treeNotes(shown)]);
    this.#arrange();
  }

  /** @param {Column[]} columns */
  #setColumns(columns) {
    const same = columns.length === this.#columns.length && columns.every(({ key }, i) => key === this.#columns[i].key);
    this.#columns = columns;
    this.#setWidths(columns);
    if (same) return;
    if (!columns.some(({ key }) => key === this.#order.key)) this.#order = { key: columns[0].key, ascending: false };
    this.#head.replaceChildren(...columns.map(({ key, title, tip }) => this.#headCell(key, title, tip)), this.#headCell('name', 'Function', ''));
  }

  /** @param {Column[]} columns */
  #setWidths(columns) {
    const { style } = this.#grid;
    const set = (/** @type {string} */ property, /** @type {Column[]} */ of, /** @type {string} */ least) =>
      style.setProperty(property, `${of.map(({ width }) => `${width}em`).join(' ')} minmax(${least}, 1fr)`);
    set('--columns', columns, `${LEAST_NAME}em`);
    set('--narrow-columns', columns.filter(({ key }) => NARROW.has(key)), '0');
    set('--narrowest-columns', columns.filter(({ key }) => NARROWEST.has(key)), '0');
    style.setProperty('--least', `${columns.reduce((sum, { width }) => sum + width, LEAST_NAME)}em`);
  }

  /** @param {string} key @param {string} title @param {string} tip */
  #headCell(key, title, tip) {
    const sort = h('button', { type: 'button', tabindex: -1, title: tip || null, onclick: () => this.#sortBy(key) }, title);
    return h('div', { class: `cell ${key}`, role: 'columnheader', 'data-key': key }, sort);
  }

  /** @param {string} key the other way round when it is the column already */
  #sortBy(key) {
    const { key: before, ascending } = this.#order;
    this.#order = { key, ascending: key === before ? !ascending : key === 'name' };
    this.#arrange();
  }

  /** Which functions are to be seen, in which order. */
  #arrange() {
    const shown = this.#shown;
    if (!shown) return;
    const { names, profile } = shown;
    const text = this.#search.value;
    const wanted = text === '' ? () => true : functionSearch(text, (func) => names.name(func));
    this.#rows = profile.rows.filter(({ func }) => wanted(func)).sort(this.#comparison(names));
    for (const head of /** @type {Iterable<HTMLElement>} */ (this.#head.children)) {
      const sorted = head.dataset.key === this.#order.key;
      head.ariaSort = sorted ? (this.#order.ascending ? 'ascending' : 'descending') : 'none';
    }
    this.#grid.setAttribute('aria-rowcount', String(this.#rows.length + 1));
    this.#refresh();
  }

  /** @param {Shown['names']} names @returns {(a: FunctionProfile, b: FunctionProfile) => number} */
  #comparison(names) {
    const { key, ascending } = this.#order;
    const sign = ascending ? 1 : -1;
    const column = this.#columns.find((one) => one.key === key);
    if (column) return (a, b) => compareNumbers(column.value(a), column.value(b), sign) || b.calls - a.calls || a.func - b.func;
    const collator = new Intl.Collator('en');
    return (a, b) => sign * collator.compare(names.name(a.func), names.name(b.func)) || a.func - b.func;
  }

  get #at() {
    return this.#rows.findIndex(({ func }) => func === this.#current);
  }

  #refresh() {
    this.#list.show(this.#rows.length);
    const at = this.#at;
    if (at < 0) this.#grid.removeAttribute('aria-activedescendant');
    else this.#grid.setAttribute('aria-activedescendant', `${this.#id}-${at}`);
  }

  /** @param {number} index */
  #row(index) {
    const row = this.#rows[index];
    const { names } = /** @type {Shown} */ (this.#shown);
    const name = names.name(row.func);
    return h(
      'div',
      {
        id: `${this.#id}-${index}`,
        class: 'tree-row',
        role: 'row',
        'data-index': index,
        'aria-rowindex': index + 2,
        'aria-selected': String(row.func === this.#current),
      },
      ...this.#columns.map((column) => numberCell(column, row)),
      h('div', { class: 'cell name', role: 'gridcell', title: name }, h('span', { class: 'function' }, name), row.host ? h('span', { class: 'mark quiet' }, 'host') : null),
    );
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const row = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('.tree-row'));
    if (row) this.#goTo(Number(row.dataset.index));
  }

  /** @param {number} index */
  #goTo(index) {
    if (this.#rows.length === 0) return;
    const at = Math.max(0, Math.min(this.#rows.length - 1, index));
    this.#current = this.#rows[at].func;
    this.#list.reveal(at);
    this.#refresh();
    this.#onSelect(this.#current);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.#at;
    const page = this.#list.pageSize;
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: this.#rows.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.#goTo(next);
  }
}

/** @param {Column} column @param {FunctionProfile} row */
function numberCell({ key, value, text }, row) {
  const number = value(row);
  const isNone = number === 0 || Number.isNaN(number);
  return h('div', { class: `cell number ${key}${isNone ? ' none' : ''}`, role: 'gridcell' }, Number.isNaN(number) ? '-' : text(number));
}
