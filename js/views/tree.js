// The call tree as a table, the heaviest frames first; with `invert` callers stand below the called.
//     Total Count | Self Count | Stack Frame
//     ------------+------------+------------------------
//             123 |          0 | do_tick
//              67 |          0 | ├── physics
import { heaviestNodes } from '../model/call-tree.js';
import { HOST, invertedTree } from '../model/inverted-tree.js';
import { styles } from './ansi.js';
import { UNCERTAIN } from './log.js';
import { counted, grouped, joinLines, lossNotes, tinyNotes } from './text.js';

/** @import {FunctionNames} from '../trace/names.js' */
/** @import {CallTree} from '../model/call-tree.js' */
/** @import {TraceModel} from '../model/trace-model.js' */
/** @import {Styles} from './ansi.js' */
/** @import {ViewOptions} from './log.js' */

export const TREE_LIMIT = 200;

const HEADINGS = /** @type {const} */ (['Total Count', 'Self Count', 'Stack Frame']);
const FRAME_WIDTH = 24;
// Deeper levels are told by their number: stacks may have any depth, lines may not.
const MAX_LEVELS = 60;
const LEVEL_WIDTH = 4;

/** @typedef {{node: number, lead: string, level: number, last: boolean}} Row lead: what stands left of the connector */

/** Children of each shown node, the heaviest first. @param {CallTree} tree @param {number[]} nodes */
function childrenOf({ parent, total }, nodes) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const node of nodes) {
    const siblings = children.get(parent[node]);
    if (siblings) siblings.push(node);
    else children.set(parent[node], [node]);
  }
  for (const siblings of children.values()) siblings.sort((a, b) => total[b] - total[a] || a - b);
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
 */
function rowsOf(tree, nodes) {
  const children = childrenOf(tree, nodes);
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

/** @param {CallTree} tree @param {number[]} nodes @param {Pick<FunctionNames, 'name'>} names @param {Styles} style */
function tableLines(tree, nodes, names, style) {
  const columns = [tree.total, tree.self].map((counts, i) =>
    nodes.reduce((width, node) => Math.max(width, String(counts[node]).length), HEADINGS[i].length),
  );
  const head = [HEADINGS[0].padStart(columns[0]), HEADINGS[1].padStart(columns[1]), HEADINGS[2]].join(' | ');
  const rule = `${'-'.repeat(columns[0] + 1)}+${'-'.repeat(columns[1] + 2)}+${'-'.repeat(FRAME_WIDTH)}`;
  const lines = rowsOf(tree, nodes).map((row) => {
    const [total, self] = [tree.total, tree.self].map((counts, i) => String(counts[row.node]).padStart(columns[i]));
    return `${total} | ${self} | ${connector(row)}${frameName(tree, row.node, names, style)}`;
  });
  return [style.heading(head), rule, ...lines];
}

/** @param {TraceModel} model @param {number} limit @param {boolean} invert */
function shownTree(model, limit, invert) {
  if (invert) {
    const { tree, left } = invertedTree(model.paths, limit, model.counted);
    return { tree, nodes: Array.from({ length: tree.length - 1 }, (_, i) => i + 1), left };
  }
  const { tree } = model;
  return { tree, ...heaviestNodes(tree, limit) };
}

/**
 * @param {TraceModel} model
 * @param {Pick<FunctionNames, 'name'>} names
 * @param {ViewOptions} [options] limit: rows of frames, the heaviest
 * @returns {string}
 */
export function renderTree(model, names, { limit = TREE_LIMIT, color, invert = false } = {}) {
  const style = styles(color);
  const { tree, nodes, left } = shownTree(model, limit, invert);
  const notes = lossNotes({ lost: model.treeIsWhole ? 0 : model.lost, dropped: model.snapshot.nodesDropped });
  notes.push(...tinyNotes(model.metadata));
  if (left > 0) notes.unshift(`${counted(left, 'lighter frame')} left out; a larger --limit shows more`);
  const lines = nodes.length > 0 ? tableLines(tree, nodes, names, style) : ['no calls'];
  return joinLines([...lines, ...notes.map((note) => style.dim(`(${note})`))]);
}
