// Which part of a chart is on the screen: an interval of its width, in the chart's units, that zooms and pans and never leaves
// the chart.

// What is left of float64's 52 bits at the deepest zoom tells 2^12 places of the screen apart.
const DEEPEST = 2 ** -40;

export class Viewport {
  #whole = 1;
  #least = 1;
  #from = 0;
  #to = 1;

  get from() {
    return this.#from;
  }

  get to() {
    return this.#to;
  }

  get span() {
    return this.#to - this.#from;
  }

  get whole() {
    return this.#whole;
  }

  /** Nothing of the chart is off the screen. */
  get isWhole() {
    return this.#from === 0 && this.#to === this.#whole;
  }

  /**
   * Another chart, shown whole.
   * @param {number} whole its width
   * @param {number} least width of what fills the screen at the deepest zoom
   */
  reset(whole, least) {
    this.#whole = whole > 0 ? whole : 1;
    this.#least = Math.min(this.#whole, Math.max(least, this.#whole * DEEPEST));
    this.fit();
  }

  fit() {
    this.#from = 0;
    this.#to = this.#whole;
  }

  /** @param {number} from @param {number} to as near to it as can be */
  show(from, to) {
    const span = Math.min(this.#whole, Math.max(this.#least, to - from));
    const begin = (from + to - span) / 2;
    this.#from = Math.min(Math.max(0, begin), this.#whole - span);
    this.#to = span === this.#whole ? span : this.#from + span;
  }

  /** @param {number} factor above 1: nearer @param {number} at what stays in its place */
  zoom(factor, at) {
    const span = Math.min(this.#whole, Math.max(this.#least, this.span / factor));
    const from = at - ((at - this.#from) / this.span) * span;
    this.show(from, from + span);
  }

  /** @param {number} distance to the right */
  pan(distance) {
    this.show(this.#from + distance, this.#to + distance);
  }
}
