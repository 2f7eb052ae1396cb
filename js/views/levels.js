// Rectangles in rows, as flame graphs and sequence charts have them: in each level they stand side by side from left to
// right. Millions of them, of which a screen shows thousands: what is too narrow to be seen is skipped by search, so a picture
// costs what its pixels cost, and not what there is. Positions are float64 in units of the chart's weight (calls, events):
// sums of counts are exact at any zoom.

/**
 * What `visit` hands over: one rectangle, or a run of narrow ones with nothing visible between them.
 * @callback Visitor
 * @param {number} first slot
 * @param {number} last slot; `first` for a single rectangle
 * @param {number} x0
 * @param {number} x1
 * @returns {void}
 */

/** A counting sort. @param {ArrayLike<number>} level */
export function byLevel(level) {
  const starts = [0];
  for (let i = 0; i < level.length; i++) {
    while (starts.length < level[i] + 2) starts.push(0);
    starts[level[i] + 1]++;
  }
  for (let i = 1; i < starts.length; i++) starts[i] += starts[i - 1];
  const places = starts.slice();
  const order = new Uint32Array(level.length);
  for (let i = 0; i < level.length; i++) order[places[level[i]]++] = i;
  return { starts, order };
}

export class Levels {
  #starts;
  #x0;
  #x1;
  #items;

  /**
   * Rectangles by level, then from left to right; none overlaps another of its level.
   * @param {object} columns
   * @param {ArrayLike<number>} columns.starts first rectangle of each level, and behind the last one their number
   * @param {Float64Array} columns.x0
   * @param {Float64Array} columns.x1
   * @param {Uint32Array} columns.items what they stand for
   */
  constructor({ starts, x0, x1, items }) {
    this.#starts = starts;
    this.#x0 = x0;
    this.#x1 = x1;
    this.#items = items;
  }

  /**
   * Rectangles in any order of levels, from left to right in each of them. Items are their indices.
   * @param {ArrayLike<number>} level of each
   * @param {ArrayLike<number>} x0
   * @param {ArrayLike<number>} x1
   */
  static of(level, x0, x1) {
    const { starts, order } = byLevel(level);
    const column = (/** @type {ArrayLike<number>} */ values) => Float64Array.from(order, (index) => values[index]);
    return new Levels({ starts, x0: column(x0), x1: column(x1), items: order });
  }

  /** Number of rectangles; a slot is an index below it. */
  get length() {
    return this.#items.length;
  }

  /** Number of levels. */
  get depth() {
    return this.#starts.length - 1;
  }

  /** @param {number} slot */
  x0(slot) {
    return this.#x0[slot];
  }

  /** @param {number} slot */
  x1(slot) {
    return this.#x1[slot];
  }

  /** @param {number} slot */
  item(slot) {
    return this.#items[slot];
  }

  /** @param {number} slot */
  levelOf(slot) {
    let low = 0;
    let high = this.depth;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#starts[middle] <= slot) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Slots of a level, from `first` up to, without, `end`. @param {number} level */
  range(level) {
    return { first: this.#starts[level], end: this.#starts[level + 1] };
  }

  /**
   * First slot from `from` on whose rectangle ends beyond `x`. The steps grow before the search narrows down: what is
   * looked for is often near.
   * @param {number} from @param {number} end @param {number} x
   */
  #endingBeyond(from, end, x) {
    const ends = this.#x1;
    let low = from;
    let step = 1;
    while (low + step < end && ends[low + step - 1] <= x) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step, end);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ends[middle] <= x) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * First slot whose rectangle ends beyond `x`, or has no width and stands right there.
   * @param {number} first @param {number} end @param {number} x
   */
  #endingAt(first, end, x) {
    const slot = this.#endingBeyond(first, end, x - Math.max(Number.MIN_VALUE, Math.abs(x) * Number.EPSILON));
    return slot < end && this.#x0[slot] < x && this.#x1[slot] <= x ? slot + 1 : slot;
  }

  /**
   * The rectangle at `x`, or the nearest one that is not further away than `reach`.
   * @param {number} level
   * @param {number} x
   * @param {number} [reach]
   * @returns {number} slot; -1 when there is none
   */
  find(level, x, reach = 0) {
    if (level < 0 || level >= this.depth) return -1;
    const { first, end } = this.range(level);
    const slot = this.#endingBeyond(first, end, x);
    if (slot < end && this.#x0[slot] <= x) return slot;
    const before = slot > first ? x - this.#x1[slot - 1] : Infinity;
    const after = slot < end ? this.#x0[slot] - x : Infinity;
    if (reach === 0 || Math.min(before, after) > reach) return -1;
    return before <= after ? slot - 1 : slot;
  }

  /** The rectangle one level nearer to the root at the same place. @param {number} slot @returns {number} -1 for none */
  above(slot) {
    return this.find(this.levelOf(slot) - 1, this.#x0[slot]);
  }

  /** The first rectangle one level deeper, between the ends of this one. @param {number} slot @returns {number} -1 for none */
  below(slot) {
    const level = this.levelOf(slot) + 1;
    if (level >= this.depth) return -1;
    const { first, end } = this.range(level);
    const found = this.#endingBeyond(first, end, this.#x0[slot]);
    return found < end && this.#x0[found] < this.#x1[slot] ? found : -1;
  }

  /** What the rectangles one level deeper take of this one's width. @param {number} slot */
  widthInside(slot) {
    const level = this.levelOf(slot) + 1;
    if (level >= this.depth) return 0;
    const { first, end } = this.#between(level, this.#x0[slot], this.#x1[slot]);
    let width = 0;
    for (let at = first; at < end; at++) width += this.#x1[at] - this.#x0[at];
    return width;
  }

  /** How many rectangles of a level there are between two places, also in part. @param {number} level @param {number} from @param {number} to */
  countBetween(level, from, to) {
    if (level < 0 || level >= this.depth) return 0;
    const { first, end } = this.#between(level, from, to);
    return end - first;
  }

  /** Slots of those that end behind `from` and begin before `to`. @param {number} level @param {number} from @param {number} to */
  #between(level, from, to) {
    const range = this.range(level);
    const first = this.#endingBeyond(range.first, range.end, from);
    const end = this.#endingBeyond(first, range.end, to);
    return { first, end: end < range.end && this.#x0[end] < to ? end + 1 : end };
  }

  /** The rectangle beside this one. @param {number} slot @param {1 | -1} step @returns {number} -1 for none */
  beside(slot, step) {
    const { first, end } = this.range(this.levelOf(slot));
    return slot + step >= first && slot + step < end ? slot + step : -1;
  }

  /**
   * What is to be seen of a level between `from` and `to`, from left to right.
   * @param {number} level
   * @param {number} from
   * @param {number} to
   * @param {number} grain width of what can just be seen: a pixel
   * @param {Visitor} visitor
   */
  visit(level, from, to, grain, visitor) {
    const { first, end } = this.range(level);
    const [starts, ends] = [this.#x0, this.#x1];
    let slot = this.#endingAt(first, end, from);
    while (slot < end && (starts[slot] < to || ends[slot] === to)) {
      const next = ends[slot] - starts[slot] < grain ? this.#runEnd(slot, end, grain) : slot + 1;
      visitor(slot, next - 1, starts[slot], ends[next - 1]);
      slot = next;
    }
  }

  /** Where the run of narrow rectangles that begins at a slot is over. @param {number} slot @param {number} end @param {number} grain */
  #runEnd(slot, end, grain) {
    const [starts, ends] = [this.#x0, this.#x1];
    let next = slot;
    do next = this.#endingBeyond(next, end, starts[next] + grain);
    while (next < end && ends[next] - starts[next] < grain && starts[next] - ends[next - 1] < grain);
    return next;
  }

  /** The same rectangles with other items. @param {(item: number) => number} name @returns {Levels} */
  named(name) {
    return new Levels({ starts: this.#starts, x0: this.#x0, x1: this.#x1, items: this.#items.map(name) });
  }

  /** Some of the rectangles, in their places. @param {(item: number) => boolean} keep @returns {Levels} */
  filter(keep) {
    const slots = new Uint32Array(this.length);
    let length = 0;
    const starts = [0];
    for (let level = 0; level < this.depth; level++) {
      const { first, end } = this.range(level);
      for (let slot = first; slot < end; slot++) if (keep(this.#items[slot])) slots[length++] = slot;
      starts.push(length);
    }
    const [x0, x1, items] = [new Float64Array(length), new Float64Array(length), new Uint32Array(length)];
    for (let i = 0; i < length; i++) {
      x0[i] = this.#x0[slots[i]];
      x1[i] = this.#x1[slots[i]];
      items[i] = this.#items[slots[i]];
    }
    return new Levels({ starts, x0, x1, items });
  }
}
