// Folding of repetition: entries that repeat, alone or as blocks, are shown once with "x 312"; and the cut to a limit.
// An entry is a line, or a line with others below it that belong to it (a stack).

const MAX_BLOCK = 8;
const FIRST_LOOK = 2 ** 12;
// Bounds the time that the largest rings take.
const MOST_LOOKED_AT = 2 ** 18;

/**
 * @typedef {object} Fold
 * @property {number} start first entry
 * @property {number} size entries of the block
 * @property {number} times
 */

/** Small numbers for entries, equal for equal texts: comparing those is cheap. @param {readonly string[]} entries */
function numbered(entries) {
  const known = new Map();
  return Uint32Array.from(entries, (entry) => {
    if (!known.has(entry)) known.set(entry, known.size);
    return known.get(entry);
  });
}

/** How often the block of `size` at `start` stands there, one after the other.
 * @param {Uint32Array} ids @param {number} start @param {number} size */
function repetitions(ids, start, size) {
  let end = start + size;
  while (end < ids.length && ids[end] === ids[end - size]) end++;
  return Math.floor((end - start) / size);
}

/**
 * The block at `start` that covers most; the smaller one among equals.
 * @param {Uint32Array} ids
 * @param {number} start
 * @returns {Fold}
 */
function bestBlock(ids, start) {
  let best = { start, size: 1, times: 1 };
  for (let size = 1; size <= MAX_BLOCK; size++) {
    const times = repetitions(ids, start, size);
    if (times > 1 && times * size > best.times * best.size) best = { start, size, times };
  }
  return best;
}

/** @param {readonly string[]} entries @returns {Fold[]} */
function findFolds(entries) {
  const ids = numbered(entries);
  const folds = [];
  for (let at = 0; at < ids.length;) {
    const fold = bestBlock(ids, at);
    folds.push(fold);
    at += fold.size * fold.times;
  }
  return folds;
}

/** @param {readonly string[]} entries @param {Fold} fold @returns {string[]} lines */
function foldLines(entries, { start, size, times }) {
  if (size === 1 && times > 1) {
    const [first, ...below] = entries[start].split('\n');
    return [`${first} x ${times}`, ...below];
  }
  const lines = entries.slice(start, start + size).flatMap((entry) => entry.split('\n'));
  if (times === 1) return lines;
  const indent = /^ */.exec(lines[0])?.[0] ?? '';
  return [...lines, `${indent}(these ${lines.length} lines) x ${times}`];
}

/**
 * Entries by number, made when they are asked for.
 * @typedef {object} Entries
 * @property {number} length
 * @property {(index: number) => boolean} has false: nothing to show there
 * @property {(index: number) => string} text
 */

/** Texts of the entries from..to. @param {Entries} entries @param {number} from @param {number} to */
function textsOf(entries, from, to) {
  const texts = [];
  for (let i = from; i < to; i++) if (entries.has(i)) texts.push(entries.text(i));
  return texts;
}

/** @param {Entries} entries @param {number} to */
function countBefore(entries, to) {
  let count = 0;
  for (let i = 0; i < to; i++) if (entries.has(i)) count++;
  return count;
}

/** The first of the newest entries that fit. @param {readonly string[]} texts @param {number} end @param {number} room lines */
function firstFitting(texts, end, room) {
  let from = end;
  let left = room;
  while (from > 0 && (left -= texts[from - 1].split('\n').length) >= 0) from--;
  return from;
}

/**
 * The newest folds that fit into the limit; of the one that does not, its newest entries. One entry at least.
 * @param {readonly string[]} texts
 * @param {number} limit lines
 * @returns {{lines: string[], first: number}} first: the oldest text that is in them
 */
function newestFolds(texts, limit) {
  const folds = findFolds(texts);
  /** @type {string[][]} */
  const blocks = [];
  let room = limit;
  let first = texts.length;
  for (const fold of folds.reverse()) {
    const lines = foldLines(texts, fold);
    if (lines.length > room) {
      const from = Math.min(firstFitting(texts, first, room), texts.length - 1);
      blocks.push(texts.slice(from, first).flatMap((text) => text.split('\n')));
      first = from;
      break;
    }
    blocks.push(lines);
    room -= lines.length;
    first = fold.start;
  }
  return { lines: blocks.reverse().flat(), first };
}

/**
 * Lines of the newest entries, folded. Looks at more entries only as long as they fold into too few lines.
 * @param {Entries} entries
 * @param {number} limit lines
 * @returns {{lines: string[], left: number}} left: older entries that are not shown
 */
export function foldNewest(entries, limit) {
  /** @type {string[]} */
  let texts = [];
  let from = entries.length;
  for (let size = FIRST_LOOK; ; size *= 4) {
    const start = Math.max(0, entries.length - Math.min(size, MOST_LOOKED_AT));
    texts = [...textsOf(entries, start, from), ...texts];
    from = start;
    const { lines, first } = newestFolds(texts, limit);
    // The oldest fold may go on before what was looked at: only one that is left out is known to be complete.
    if (first > 0 || start === 0 || size >= MOST_LOOKED_AT) return { lines, left: countBefore(entries, from) + first };
  }
}
