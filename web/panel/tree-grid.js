// The call tree as a table that opens and closes: an ARIA treegrid, rows made as they are scrolled to. The grid keeps the
// focus and names the row that it is on, so that rows can come and go.
import { HOST } from '../../js/model/inverted-tree.js';
import { TreeRows } from '../../js/model/tree-rows.js';
import { grouped } from '../../js/views/text.js';
import { amount, amountWithUnit } from '../../js/views/units.js';
import { h, uniqueId } from './dom.js';
import { numberWidth } from './number-width.js';
import { VirtualRows } from './virtual-rows.js';

/** @import {CallTree} from '../../js/model/call-tree.js' */
/** @import {NumberKey, SortKey} from '../../js/model/tree-rows.js' */
/** @import {ClockUnit} from '../../js/views/units.js' */
/** @import {FunctionNames} from '../../js/trace/names.js' */

const ROW_HEIGHT = 22;
const LEAST_CALLS = 5; // em
const INDENT = 14;
const MAX_INDENT = 40;
const ROWS_AT_FIRST = 40;
const MOST_OPENED = 20_000;

/** @typedef {{key: SortKey, title: string, tip: string}} Column */

/** @type {Column} */
const NAME = { key: 'name', title: 'Function', tip: '' };

/** Without a clock. @type {readonly Column[]} */
const COUNTED = [
  { key: 'total', title: 'Total calls', tip: 'Calls of this frame and of all that are below it' },
  { key: 'self', title: 'Own calls', tip: 'Calls of this very frame' },
  NAME,
];

/** With one; those that a tree does not have are left out. @type {readonly Column[]} */
const TIMED = [
  { key: 'total', title: 'Total', tip: 'What passed in this frame and in all that are below it' },
  { key: 'self', title: 'Self', tip: 'What passed in this very frame' },
  { key: 'calls', title: 'Calls', tip: 'Calls of this very frame' },
  { key: 'avg', title: 'Avg', tip: 'What a call took on the average' },
  { key: 'min', title: 'Min', tip: 'What the shortest call took' },
  { key: 'max', title: 'Max', tip: 'What the longest call took' },
  NAME,
];

/** Upside down. @type {readonly Column[]} */
const TIMED_CALLERS = [
  { key: 'total', title: 'Self', tip: 'What passed in the function at the top itself, as far as it was called this way' },
  { key: 'calls', title: 'Calls', tip: 'Calls of the function at the top, as far as they came this way' },
  NAME,
];

/** @param {number} part @param {number} whole */
function share(part, whole) {
  return whole > 0 ? (part / whole) * 100 : 0;
}

export class TreeGrid {
  #onSelect;
  #inverted;
  #id = uniqueId('tree');
  #head = h('div', { class: 'tree-head', role: 'row', 'aria-rowindex': 1 });
  /** @type {readonly Column[]} */
  #columns = [];
  /** Of the clock; null: calls are counted only. @type {ClockUnit | null} */
  #unit = null;
  #list;
  /** @type {TreeRows | null} */
  #rows = null;
  /** @type {CallTree | null} */
  #tree = null;
  /** @type {Pick<FunctionNames, 'name'>} */
  #names = { name: String };
  #at = -1;
  #whole = 0;

  /** @param {string} label @param {boolean} inverted callers below the called @param {(func: number) => void} onSelect */
  constructor(label, inverted, onSelect) {
    this.#onSelect = onSelect;
    this.#inverted = inverted;
    this.element = h(
      'div',
      {
        class: 'tree',
        role: 'treegrid',
        tabindex: 0,
        'aria-label': label,
        onkeydown: (event) => this.#key(event),
        onclick: (event) => this.#click(event),
      },
      h('div', { role: 'rowgroup', class: 'tree-head-group' }, this.#head),
    );
    this.#list = new VirtualRows(this.element, { height: ROW_HEIGHT, row: (i) => this.#row(i) });
  }

  /** @param {readonly Column[]} columns */
  #setColumns(columns) {
    if (columns === this.#columns) return;
    this.#columns = columns;
    this.#head.replaceChildren(...columns.map((column) => this.#headCell(column)));
    this.element.classList.toggle('timed', columns === TIMED);
    this.element.classList.toggle('timed-callers', columns === TIMED_CALLERS);
  }

  /** @param {Column} column */
  #headCell({ key, title, tip }) {
    const sort = h('button', { type: 'button', tabindex: -1, title: tip || null, onclick: () => this.sortBy(key) }, title);
    return h('div', { class: `cell ${key}`, role: 'columnheader', 'data-key': key }, sort);
  }

  /**
   * @param {CallTree} tree
   * @param {Pick<FunctionNames, 'name'>} names
   * @param {{unit: ClockUnit | null, fresh: boolean}} facts unit: of the clock, null without one; fresh: another program than before
   */
  show(tree, names, { unit, fresh }) {
    this.#unit = unit;
    this.#setColumns(unit === null ? COUNTED : this.#inverted ? TIMED_CALLERS : TIMED);
    const older = fresh ? null : this.#rows;
    const was = this.#current;
    this.#names = names;
    this.#tree = tree;
    const rows = new TreeRows(tree, (func) => this.#nameOf(func), this.#inverted);
    this.#rows = rows;
    const most = rows.columns.calls?.reduce((one, other) => Math.max(one, other), 0) ?? 0;
    this.element.style.setProperty('--calls', `${numberWidth(most, LEAST_CALLS)}em`);
    const places = older && older.rows.length > 0 ? rows.adopt(older) : null;
    if (!places) rows.openHeaviest(ROWS_AT_FIRST);
    const now = was === null ? undefined : places?.get(was);
    this.#at = now === undefined ? -1 : rows.rows.findIndex(({ node }) => node === now);
    this.#whole = rows.childrenOf(0).reduce((sum, node) => sum + rows.columns.total[node], 0);
    this.#refresh();
  }

  /** @param {SortKey} key the other way round when it is the column already */
  sortBy(key) {
    if (!this.#rows) return;
    const { order } = this.#rows;
    const ascending = order.key === key ? !order.ascending : key === 'name';
    this.#keepRow(() => this.#rows?.sortBy(key, ascending));
  }

  openHottest() {
    const rows = this.#rows;
    if (!rows) return;
    const last = rows.openHottest(this.#current ?? 0);
    this.#refresh();
    this.#goTo(rows.rows.findIndex(({ node }) => node === last));
  }

  openAll() {
    this.#keepRow(() => this.#rows?.openAll(MOST_OPENED));
  }

  closeAll() {
    this.#keepRow(() => this.#rows?.closeAll());
  }

  /** The node that the keyboard is on. */
  get #current() {
    return this.#rows?.rows[this.#at]?.node ?? null;
  }

  /** @param {() => void} change of the rows */
  #keepRow(change) {
    const node = this.#current;
    change();
    this.#at = this.#rows?.rows.findIndex((row) => row.node === node) ?? -1;
    this.#refresh();
  }

  #refresh() {
    const rows = this.#rows;
    if (!rows) return;
    const { key, ascending } = rows.order;
    for (const head of /** @type {Iterable<HTMLElement>} */ (this.#head.children)) {
      const sorted = head.dataset.key === key;
      head.ariaSort = sorted ? (ascending ? 'ascending' : 'descending') : 'none';
    }
    this.element.setAttribute('aria-rowcount', String(rows.rows.length + 1));
    this.#list.show(rows.rows.length);
    this.#pointToRow();
  }

  #pointToRow() {
    if (this.#at < 0) this.element.removeAttribute('aria-activedescendant');
    else this.element.setAttribute('aria-activedescendant', this.#rowId(this.#at));
  }

  /** @param {number} index */
  #rowId(index) {
    return `${this.#id}-${index}`;
  }

  /** @param {number} func */
  #nameOf(func) {
    return func === HOST ? '(host)' : this.#names.name(func);
  }

  /** @param {number} index */
  #row(index) {
    const rows = /** @type {TreeRows} */ (this.#rows);
    const { node, level } = rows.rows[index];
    const expanded = rows.hasChildren(node) ? rows.isOpen(node) : null;
    return h(
      'div',
      {
        id: this.#rowId(index),
        class: 'tree-row',
        role: 'row',
        'data-index': index,
        'aria-rowindex': index + 2,
        'aria-level': level,
        'aria-expanded': expanded === null ? null : String(expanded),
        'aria-selected': String(index === this.#at),
      },
      ...this.#numberCells(rows, node),
      this.#nameCell(node, level),
    );
  }

  /** @param {TreeRows} rows @param {number} node */
  #numberCells({ columns }, node) {
    const [total, ...others] = this.#columns.slice(0, -1).map(({ key }) => /** @type {NumberKey} */ (key));
    const part = share(columns.total[node], this.#whole);
    const bar = h('span', { class: 'share', role: 'presentation' });
    bar.style.inlineSize = `${Math.min(100, part)}%`;
    const text = h('span', {}, this.#text(total, columns.total[node]));
    return [
      h('div', { class: `cell number ${total}`, role: 'gridcell', title: `${part.toFixed(1)} % of all, ${this.#exact(total, columns.total[node])}` }, bar, text),
      ...others.map((key) => this.#numberCell(key, columns[key]?.[node] ?? NaN)),
    ];
  }

  /** @param {NumberKey} key @param {number} value */
  #numberCell(key, value) {
    const isNone = value === 0 || Number.isNaN(value);
    return h('div', { class: `cell number ${key}${isNone ? ' none' : ''}`, role: 'gridcell', title: this.#exact(key, value) }, this.#text(key, value));
  }

  /** @param {NumberKey} key @param {number} value */
  #text(key, value) {
    return this.#unit === null || key === 'calls' ? grouped(value) : amount(value, this.#unit);
  }

  /** @param {NumberKey} key @param {number} value */
  #exact(key, value) {
    if (this.#unit === null || key === 'calls') return `${grouped(value)} calls`;
    if (Number.isNaN(value)) return 'not known: no call returned';
    return this.#unit === 'ns' ? amountWithUnit(value, 'ns') : `${grouped(Math.round(value))} ${this.#unit}`;
  }

  /** @param {number} node @param {number} level */
  #nameCell(node, level) {
    const { func, chain, uncertain } = /** @type {CallTree} */ (this.#tree);
    const name = this.#nameOf(func[node]);
    const cell = h(
      'div',
      { class: 'cell name', role: 'gridcell', title: name },
      level - 1 > MAX_INDENT ? h('span', { class: 'dim' }, `+${level - 1 - MAX_INDENT} `) : null,
      h('span', { class: 'twisty', role: 'presentation' }),
      h('span', { class: func[node] === HOST ? 'dim' : 'function' }, name),
      uncertain[node] ? h('span', { class: 'mark' }, 'caller uncertain') : null,
      chain[node] > 1 ? h('span', { class: 'mark quiet' }, `recursive, ${grouped(chain[node])} deep`) : null,
    );
    cell.style.paddingInlineStart = `${Math.min(level - 1, MAX_INDENT) * INDENT}px`;
    return cell;
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const target = /** @type {Element} */ (event.target);
    const row = /** @type {HTMLElement | null} */ (target.closest('.tree-row'));
    if (!row) return;
    const index = Number(row.dataset.index);
    this.#goTo(index);
    if (target.closest('.twisty') || event.detail === 2) this.#toggle(index);
  }

  /** @param {number} index @param {boolean} [open] */
  #toggle(index, open) {
    const node = this.#rows?.rows[index]?.node;
    if (node !== undefined) this.#keepRow(() => this.#rows?.toggle(node, open));
  }

  /** @param {number} index */
  #goTo(index) {
    const { rows } = /** @type {TreeRows} */ (this.#rows);
    const tree = /** @type {CallTree} */ (this.#tree);
    if (rows.length === 0) return;
    this.#at = Math.max(0, Math.min(rows.length - 1, index));
    this.#list.reveal(this.#at);
    this.#list.show(rows.length);
    this.#pointToRow();
    const func = tree.func[rows[this.#at].node];
    if (func !== HOST) this.#onSelect(func);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.#rows || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = this.#moves(this.#rows)[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  }

  /** What each key does. @param {TreeRows} rows @returns {Record<string, () => void>} */
  #moves(rows) {
    const at = this.#at;
    return {
      ArrowDown: () => this.#goTo(at + 1),
      ArrowUp: () => this.#goTo(at - 1),
      PageDown: () => this.#goTo(at + this.#list.pageSize),
      PageUp: () => this.#goTo(at - this.#list.pageSize),
      Home: () => this.#goTo(0),
      End: () => this.#goTo(rows.rows.length - 1),
      ArrowRight: () => this.#inward(rows),
      ArrowLeft: () => this.#outward(rows),
      Enter: () => this.#toggle(at),
      ' ': () => this.#toggle(at),
      '*': () => this.openHottest(),
    };
  }

  /** Opens the row, or goes to its first child. @param {TreeRows} rows */
  #inward(rows) {
    const row = rows.rows[this.#at];
    if (!row || !rows.hasChildren(row.node)) return;
    if (rows.isOpen(row.node)) this.#goTo(this.#at + 1);
    else this.#toggle(this.#at, true);
  }

  /** Closes the row, or goes to the one around it. @param {TreeRows} rows */
  #outward(rows) {
    const row = rows.rows[this.#at];
    if (!row) return;
    if (rows.hasChildren(row.node) && rows.isOpen(row.node)) this.#toggle(this.#at, false);
    else if (row.level > 1) this.#goTo(rows.rows.findLastIndex(({ level }, i) => i < this.#at && level < row.level));
  }
}
