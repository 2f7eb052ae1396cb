// Where the levels of a chart stand: from the top down, or from the bottom up, as far scrolled as there is need.

export const ROW_HEIGHT = 18;

export class ChartRows {
  /** The root is at the bottom. */
  upward = false;
  /** Room above the levels, for a ruler. */
  header = 0;
  #height = 0;
  #depth = 0;
  #scroll = 0;

  /** @param {number} height of the chart @param {number} depth levels */
  resize(height, depth) {
    this.#height = height;
    this.#depth = depth;
    this.scroll(0);
  }

  get #room() {
    return Math.max(0, this.#height - this.header);
  }

  /** How far the levels reach out of the chart. */
  get overflow() {
    return Math.max(0, this.#depth * ROW_HEIGHT - this.#room);
  }

  /** What is on the screen, from its upper edge to its lower one, as parts of all levels from the uppermost. */
  get shown() {
    const all = this.#depth * ROW_HEIGHT;
    const from = (this.upward ? this.overflow - this.#scroll : this.#scroll) / all;
    return { from, to: from + Math.min(1, this.#room / all) };
  }

  /** @param {number} distance towards deeper levels @returns {boolean} whether it went anywhere */
  scroll(distance) {
    const before = this.#scroll;
    this.#scroll = Math.min(Math.max(0, before + distance), this.overflow);
    return this.#scroll !== before;
  }

  /** Moves the levels with the pointer. @param {number} distance down */
  drag(distance) {
    return this.scroll(this.upward ? distance : -distance);
  }

  /** Upper edge of a level. @param {number} level */
  y(level) {
    if (this.upward) return this.#height - (level + 1) * ROW_HEIGHT + this.#scroll;
    return this.header + level * ROW_HEIGHT - this.#scroll;
  }

  /** @param {number} y @returns {number} may be none */
  levelAt(y) {
    if (y < this.header) return -1;
    return Math.floor((this.upward ? this.#height - y + this.#scroll : y - this.header + this.#scroll) / ROW_HEIGHT);
  }

  /** Levels that can be seen: from `first` up to, without, `end`. */
  get visible() {
    const first = Math.floor(this.#scroll / ROW_HEIGHT);
    return { first, end: Math.min(this.#depth, Math.ceil((this.#scroll + this.#room) / ROW_HEIGHT)) };
  }

  /** Scrolls as little as shows the level. @param {number} level */
  reveal(level) {
    const least = (level + 1) * ROW_HEIGHT - this.#room;
    if (level * ROW_HEIGHT < this.#scroll) this.scroll(level * ROW_HEIGHT - this.#scroll);
    else if (this.#scroll < least) this.scroll(least - this.#scroll);
  }

  /** @param {number} pages */
  scrollPages(pages) {
    return this.scroll(pages * Math.max(ROW_HEIGHT, this.#room - ROW_HEIGHT));
  }
}
