// The call tree as a table, the heaviest frames first; with `invert` callers stand below the called. By time where a clock ran.
//     Total Count | Self Count | Stack Frame
//     ------------+------------+------------------------
//             123 |          0 | do_tick
//              67 |          0 | ├── physics
import { heaviestNodes } from '../model/call-tree.js';
import { HOST, invertedTree } from '../model/inverted-tree.js';
import { tracedTime } from '../model/profile.js';
import { styles } from './ansi.js';
import { UNCERTAIN } from './log.js';
import { tableLines } from './table.js';
import { counted, grouped, joinLines, lossNotes, tinyNotes } from './text.js';
import { amountCell, clockLine, percent } from './units.js';

/** @import {FunctionNames} from '../trace/names.js' */
/** @import {CallTree} from '../model/call-tree.js' */
/** @import {TraceModel} from '../model/trace-model.js' */
/** @import {Styles} from './ansi.js' */
/** @import {ProfileOrder} from '../model/profile.js' */
/** @import {ViewOptions} from './log.js' */
/** @import {Column} from './table.js' */

const TREE_LIMIT = 200;

// Deeper levels are told by their number: stacks may have any depth, lines may not.
const MAX_LEVELS = 60;
const LEVEL_WIDTH = 4;

/** @typedef {{node: number, lead: string, level: number, last: boolean}} Row lead: what stands left of the connector */

/**
 * What siblings are sorted by, the largest first. Single calls of an inverted tree are not known: then by total.
 * @param {CallTree} tree
 * @param {ProfileOrder} order
 * @param {Pick<FunctionNames, 'name'>} names
 * @returns {(a: number, b: number) => number}
 */
function comparison(tree, order, names) {
  const { func, self, total, time } = tree;
  if (order === 'name') return (a, b) => compareTexts(names.name(func[a]), names.name(func[b])) || a - b;
  const columns = { total: time?.total ?? total, self: time?.self ?? self, calls: time ? self : total, min: time?.min ?? total, max: time?.max ?? total };
  const column = order === 'avg' ? total.map((_, node) => (time ? time.total[node] / self[node] : total[node])) : columns[order];
  return (a, b) => known(column[b]) - known(column[a]) || columns.total[b] - columns.total[a] || a - b;
}

/** @param {number} value */
function known(value) {
  return Number.isFinite(value) ? value : -1;
}

/** @param {string} a @param {string} b */
function compareTexts(a, b) {
  return a < b ? -1 : Number(a > b);
}

/** Children of each shown node, in order. @param {CallTree} tree @param {number[]} nodes @param {(a: number, b: number) => number} compare */
function childrenOf({ parent }, nodes, compare) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const node of nodes) {
    const siblings = children.get(parent[node]);
    if (siblings) siblings.push(node);
    else children.set(parent[node], [node]);
  }
  for (const siblings of children.values()) siblings.sort(compare);
  return children;
}

/**
 * @param {Map<number, number[]>} children
 * @param {Row} above
 * @returns {Row[]} last child first: a stack gives them back in order
 */
function rowsBelow(children, { node, lead, level, last }) {
  const space = level < 1 ? '' : (lead + (last ? '    ' : '│   ')).slice(-MAX_LEVELS * LEVEL_WIDTH);
  const below = children.get(node) ?? [];
  return below
    .map((child, i) => ({ node: child, lead: space, level: level + 1, last: i === below.length - 1 }))
    .reverse();
}

/**
 * Rows in the order of display, by a stack of our own: trees are as deep as the debuggee's.
 * @param {CallTree} tree
 * @param {number[]} nodes
 * @param {(a: number, b: number) => number} compare siblings
 */
function rowsOf(tree, nodes, compare) {
  const children = childrenOf(tree, nodes, compare);
  const rows = [];
  const waiting = rowsBelow(children, { node: 0, lead: '', level: -1, last: true });
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    rows.push(row);
    waiting.push(...rowsBelow(children, row));
  }
  return rows;
}

/** @param {Row} row */
function connector({ lead, level, last }) {
  if (level === 0) return '';
  const branch = last ? '└── ' : '├── ';
  const hidden = level - 1 - MAX_LEVELS;
  return hidden > 0 ? `(+${hidden} levels) ${lead}${branch}` : lead + branch;
}

/** @param {CallTree} tree @param {number} node @param {Pick<FunctionNames, 'name'>} names @param {Styles} style */
function frameName({ func, chain, uncertain }, node, names, style) {
  const name = func[node] === HOST ? style.dim('(host)') : style.name(names.name(func[node]));
  const marked = uncertain[node] ? name + UNCERTAIN : name;
  return chain[node] > 1 ? `${marked} (recursive, ${grouped(chain[node])} deep)` : marked;
}

/**
 * @param {CallTree} tree
 * @param {readonly number[]} nodes
 * @param {TraceModel} model
 * @param {boolean} invert
 * @returns {Column[]}
 */
function columnsOf(tree, nodes, { clock, paths }, invert) {
  const counts = (/** @type {Float64Array} */ values) => nodes.map((node) => String(values[node]));
  const { time } = tree;
  if (!time || !clock) return [{ heading: 'Total Count', cells: counts(tree.total) }, { heading: 'Self Count', cells: counts(tree.self) }];
  const amounts = (/** @type {Float64Array} */ values) => nodes.map((node) => amountCell(values[node], clock.unit));
  const whole = tracedTime(paths);
  const share = { heading: 'Total %', cells: nodes.map((node) => percent(time.total[node], whole)) };
  const calls = { heading: 'Calls', cells: nodes.map((node) => grouped(invert ? tree.total[node] : tree.self[node])) };
  if (invert) return [{ heading: 'Self', cells: amounts(time.total) }, { ...share, heading: 'Self %' }, calls];
  const host = { heading: 'Host Time', cells: nodes.map((node) => (time.wall[node] > 0 ? amountCell(time.wall[node], 'ns') : '')) };
  const columns = [{ heading: 'Total', cells: amounts(time.total) }, share, { heading: 'Self', cells: amounts(time.self) }, calls];
  return time.wall.some((wall) => wall > 0) ? [...columns, host] : columns;
}

/** @param {TraceModel} model @param {number} limit @param {{invert: boolean, folded: boolean}} how */
function shownTree(model, limit, { invert, folded }) {
  if (invert) {
    const { tree, left } = invertedTree(model.paths, limit, model.counted, { folded });
    return { tree, nodes: Array.from({ length: tree.length - 1 }, (_, i) => i + 1), left };
  }
  const tree = folded ? model.tree : model.unfoldedTree;
  return { tree, ...heaviestNodes(tree, limit) };
}

/**
 * @param {TraceModel} model
 * @param {Pick<FunctionNames, 'name'>} names
 * @param {ViewOptions} [options] limit: rows of frames, the heaviest
 * @returns {string}
 */
export function renderTree(model, names, { limit = TREE_LIMIT, color, invert = false, sort = 'total', recursion = false, resolution } = {}) {
  const style = styles(color);
  const { tree, nodes, left } = shownTree(model, limit, { invert, folded: !recursion });
  const notes = lossNotes(model.treeLosses);
  notes.push(...tinyNotes(model.metadata));
  if (left > 0) notes.unshift(`${counted(left, 'lighter frame')} left out; a larger --limit shows more`);
  const rows = rowsOf(tree, nodes, comparison(tree, sort, names));
  const columns = columnsOf(tree, rows.map(({ node }) => node), model, invert);
  const frames = rows.map((row) => connector(row) + frameName(tree, row.node, names, style));
  const lines = nodes.length > 0 ? tableLines(columns, { heading: 'Stack Frame', cells: frames }, style) : ['no calls'];
  const clock = model.clock ? [clockLine(model.clock, resolution)] : [];
  return joinLines([...lines, ...[...notes.map((note) => `(${note})`), ...clock].map(style.dim)]);
}

/** The tree upside down. @type {typeof renderTree} */
export function renderInverted(model, names, options = {}) {
  return renderTree(model, names, { ...options, invert: true });
}
