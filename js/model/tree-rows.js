// A call tree as rows that can be opened and closed: which are to be seen, in which order. Children are put in order when
// they are first seen: a tree has half a million nodes, a screen shows fifty.

/** @import {CallTree} from './call-tree.js' */

/** Columns of numbers: where a clock ran, total and self are its time. @typedef {'total' | 'self' | 'calls' | 'avg' | 'min' | 'max'} NumberKey */
/** @typedef {NumberKey | 'name'} SortKey */

/** Nodes with events, by parent: those of one stand from `first[parent]` up to `first[parent + 1]`. @param {CallTree} tree */
function groupByParent({ length, parent, total, time }) {
  const isUsed = (/** @type {number} */ node) => total[node] > 0 || (time !== null && time !== undefined && time.total[node] > 0);
  const first = new Uint32Array(length + 1);
  for (let node = 1; node < length; node++) if (isUsed(node)) first[parent[node] + 1]++;
  for (let node = 0; node < length; node++) first[node + 1] += first[node];
  const nodes = new Uint32Array(first[length]);
  const next = first.slice();
  for (let node = 1; node < length; node++) if (isUsed(node)) nodes[next[parent[node]]++] = node;
  return { first, nodes };
}

/**
 * What there is of each node; NaN where that is not known. Upside down there are no single calls: a caller's are those at the top.
 * @param {CallTree} tree @param {boolean} inverted
 * @returns {Partial<Record<NumberKey, Float64Array>> & {total: Float64Array, self: Float64Array}}
 */
function columnsOf({ total, self, time, chain }, inverted) {
  if (!time) return { total, self };
  if (inverted) return { total: time.total, self: time.self, calls: total };
  // Of a chain of recursive calls the total is that of the outermost ones: no average of it would be one of calls.
  const avg = time.total.map((all, node) => (self[node] > 0 && chain[node] <= 1 ? all / self[node] : NaN));
  const max = time.max.map((most, node) => (Number.isNaN(time.min[node]) ? NaN : most));
  return { total: time.total, self: time.self, calls: self, avg, min: time.min, max };
}

export class TreeRows {
  #tree;
  #nameOf;
  #groups;
  /** @type {Set<number>} parents whose children are in order */
  #sorted = new Set();
  /** @type {Set<number>} */
  #open = new Set([0]);
  #key = /** @type {SortKey} */ ('total');
  #ascending = false;
  /** @type {{node: number, level: number}[] | null} */
  #rows = null;

  /** @param {CallTree} tree @param {(func: number) => string} nameOf for sorting @param {boolean} [inverted] callers below the called */
  constructor(tree, nameOf, inverted = false) {
    this.#tree = tree;
    this.columns = columnsOf(tree, inverted);
    this.#nameOf = nameOf;
    this.#groups = groupByParent(tree);
  }

  get order() {
    return { key: this.#key, ascending: this.#ascending };
  }

  get rows() {
    return (this.#rows ??= this.#visibleRows());
  }

  /** @param {number} node */
  hasChildren(node) {
    return this.#groups.first[node + 1] > this.#groups.first[node];
  }

  /** @param {number} node */
  isOpen(node) {
    return this.#open.has(node);
  }

  /** In the order asked for. @param {number} node */
  childrenOf(node) {
    const { first, nodes } = this.#groups;
    const children = nodes.subarray(first[node], first[node + 1]);
    if (!this.#sorted.has(node)) {
      children.sort(this.#comparison());
      this.#sorted.add(node);
    }
    return children;
  }

  /** @param {SortKey} key @param {boolean} ascending */
  sortBy(key, ascending) {
    this.#key = key;
    this.#ascending = ascending;
    this.#sorted.clear();
    this.#rows = null;
  }

  /** @param {number} node @param {boolean} [open] the other way round when left out */
  toggle(node, open = !this.isOpen(node)) {
    if (open) this.#open.add(node);
    else this.#open.delete(node);
    this.#rows = null;
  }

  closeAll() {
    this.#open = new Set([0]);
    this.#rows = null;
  }

  /** Opens everything as long as there are not too many rows. @param {number} most rows */
  openAll(most) {
    this.#openWhile(most, (waiting) => waiting.shift());
  }

  /** Opens the heaviest nodes until about as many rows are to be seen. @param {number} most rows */
  openHeaviest(most) {
    const { total } = this.columns;
    this.#openWhile(most, (waiting) => {
      const best = waiting.reduce((heaviest, node, i) => (total[node] > total[waiting[heaviest]] ? i : heaviest), 0);
      return waiting.splice(best, 1)[0];
    });
  }

  /** @param {number} most @param {(waiting: number[]) => number | undefined} take the next to open */
  #openWhile(most, take) {
    const waiting = [0];
    let shown = 0;
    for (let node = take(waiting); node !== undefined && shown < most; node = take(waiting)) {
      this.#open.add(node);
      const below = [...this.childrenOf(node)];
      shown += below.length;
      waiting.push(...below.filter((child) => this.hasChildren(child)));
      if (waiting.length === 0) break;
    }
    this.#rows = null;
  }

  /** Opens the way along the heaviest calls. @param {number} [from] node @returns {number} the last one */
  openHottest(from = 0) {
    const { total } = this.columns;
    let node = from;
    for (;;) {
      const children = this.childrenOf(node);
      if (children.length === 0) break;
      this.#open.add(node);
      node = children.reduce((best, child) => (total[child] > total[best] ? child : best));
    }
    this.#rows = null;
    return node;
  }

  /**
   * Takes over order and what is open from the rows of an older tree of the same program.
   * @param {TreeRows} older
   * @returns {Map<number, number>} nodes of this tree by those of the older one, as far as they are open or children of such
   */
  adopt(older) {
    if (older.#key === 'name' || this.columns[older.#key]) this.sortBy(older.#key, older.#ascending);
    const places = new Map([[0, 0]]);
    for (const [was, is] of places) {
      if (!older.#open.has(was)) continue;
      this.#open.add(is);
      older.#matchChildren(was, this, is, places);
    }
    return places;
  }

  /** @param {number} node @param {TreeRows} newer @param {number} place @param {Map<number, number>} places filled */
  #matchChildren(node, newer, place, places) {
    const byFunction = new Map(newer.#unordered(place).map((child) => [newer.#identity(child), child]));
    for (const child of this.#unordered(node)) {
      const is = byFunction.get(this.#identity(child));
      if (is !== undefined) places.set(child, is);
    }
  }

  /** @param {number} node */
  #unordered(node) {
    const { first, nodes } = this.#groups;
    return [...nodes.subarray(first[node], first[node + 1])];
  }

  /** What tells a node from its siblings. @param {number} node */
  #identity(node) {
    return this.#tree.func[node] * 2 + this.#tree.uncertain[node];
  }

  #comparison() {
    const { func } = this.#tree;
    const sign = this.#ascending ? 1 : -1;
    if (this.#key === 'name') {
      const name = (/** @type {number} */ node) => this.#nameOf(func[node]);
      return (/** @type {number} */ a, /** @type {number} */ b) => sign * compareTexts(name(a), name(b)) || a - b;
    }
    const column = this.columns[this.#key] ?? this.columns.total;
    return (/** @type {number} */ a, /** @type {number} */ b) => compareNumbers(column[a], column[b], sign) || a - b;
  }

  /** By a stack of our own: trees are as deep as the debuggee's. */
  #visibleRows() {
    const rows = [];
    const waiting = this.#rowsBelow(0, 1);
    for (let row = waiting.pop(); row; row = waiting.pop()) {
      rows.push(row);
      if (!this.#open.has(row.node)) continue;
      for (const below of this.#rowsBelow(row.node, row.level + 1)) waiting.push(below);
    }
    return rows;
  }

  /** The last child first. @param {number} node @param {number} level */
  #rowsBelow(node, level) {
    return Array.from(this.childrenOf(node), (child) => ({ node: child, level })).reverse();
  }
}

/** @param {string} a @param {string} b */
function compareTexts(a, b) {
  return a < b ? -1 : Number(a > b);
}

/** What is not known comes last, whichever way. @param {number} a @param {number} b @param {number} sign */
export function compareNumbers(a, b, sign) {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return sign * (a - b);
}
