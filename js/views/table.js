// Tables of figures, with a name at the end of each row.
//     Total Count | Self Count | Stack Frame
//     ------------+------------+------------------------
//             123 |          0 | do_tick

/** @import {Styles} from './ansi.js' */

/** @typedef {{heading: string, cells: readonly string[]}} Column */

const LAST_WIDTH = 24;

/**
 * @param {readonly Column[]} columns figures, to the right of their column
 * @param {Column} last names, which may have styles
 * @param {Styles} style
 * @returns {string[]} lines
 */
export function tableLines(columns, last, style) {
  const widths = columns.map(({ heading, cells }) => cells.reduce((width, cell) => Math.max(width, cell.length), heading.length));
  const line = (/** @type {(column: Column) => string} */ cellOf) =>
    [...columns.map((column, i) => cellOf(column).padStart(widths[i])), cellOf(last)].join(' | ');
  const rule = [...widths.map((width) => '-'.repeat(width)), '-'.repeat(LAST_WIDTH - 1)].join('-+-');
  return [style.heading(line(({ heading }) => heading)), rule, ...last.cells.map((_, row) => line(({ cells }) => cells[row]))];
}
