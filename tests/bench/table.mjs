// Plain aligned tables and the numbers in them.

/**
 * @param {string} title
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows as wide as the head; the first column is text, the others are numbers
 */
export function printTable(title, head, rows) {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column].length)));
  const align = (cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]));
  console.log(`\n${title}\n`);
  for (const cells of lines) console.log(`  ${cells.map(align).join('  ').trimEnd()}`);
}

/** @param {number} milliseconds */
export const ms = (milliseconds) => `${milliseconds.toFixed(milliseconds < 100 ? 1 : 0)} ms`;
/** @param {number} nanoseconds */
export const ns = (nanoseconds) => `${nanoseconds.toFixed(2)} ns`;
/** @param {number} bytes */
export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
/** @param {number} ratio */
export const times = (ratio) => `${ratio.toFixed(ratio < 20 ? 2 : 0)}x`;
/** @param {number} fraction */
export const percent = (fraction) => `${(fraction * 100).toFixed(1)} %`;
