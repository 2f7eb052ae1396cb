// A scrolling list of very many rows of one height, of which only those to be seen are elements.
import { h } from './dom.js';

/** Rows beyond the edges, so that scrolling shows no gaps. */
const MARGIN = 12;
/** Browsers cannot scroll much further. */
const HIGHEST = 15_000_000;

export class VirtualRows {
  #row;
  #height;
  #length = 0;
  #space = h('div', { class: 'rows-space', role: 'presentation' });
  #shown = h('div', { class: 'rows-shown', role: 'presentation' });
  #from = -1;
  #to = -1;

  /**
   * @param {HTMLElement} element scrolls
   * @param {object} parts
   * @param {number} parts.height of a row in pixels
   * @param {(index: number) => HTMLElement} parts.row
   */
  constructor(element, { height, row }) {
    this.element = element;
    this.#height = height;
    this.#row = row;
    this.#space.append(this.#shown);
    element.append(this.#space);
    element.addEventListener('scroll', () => this.#draw(false), { passive: true });
    new ResizeObserver(() => this.#draw(false)).observe(element);
  }

  /** Rows that fit the screen. */
  get pageSize() {
    return Math.max(1, Math.floor(this.element.clientHeight / this.#height) - 1);
  }

  get isAtEnd() {
    const { scrollTop, clientHeight, scrollHeight } = this.element;
    return scrollTop + clientHeight >= scrollHeight - this.#height;
  }

  /** Every row is made anew. @param {number} length */
  show(length) {
    this.#length = Math.min(length, Math.floor(HIGHEST / this.#height));
    this.#space.style.height = `${this.#length * this.#height}px`;
    this.#draw(true);
  }

  scrollToEnd() {
    this.element.scrollTop = this.element.scrollHeight;
    this.#draw(false);
  }

  /** @param {number} index is to be seen */
  reveal(index) {
    const top = index * this.#height;
    const { scrollTop, clientHeight } = this.element;
    const covered = this.#space.offsetTop;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.#height + covered > scrollTop + clientHeight)
      this.element.scrollTop = top + this.#height + covered - clientHeight;
    this.#draw(false);
  }

  /** @param {boolean} again also where the same rows are to be seen */
  #draw(again) {
    const { scrollTop, clientHeight } = this.element;
    const from = Math.max(0, Math.floor(scrollTop / this.#height) - MARGIN);
    const to = Math.min(this.#length, Math.ceil((scrollTop + clientHeight) / this.#height) + MARGIN);
    if (!again && from === this.#from && to === this.#to) return;
    this.#from = from;
    this.#to = to;
    this.#shown.style.transform = `translateY(${from * this.#height}px)`;
    this.#shown.replaceChildren(...Array.from({ length: Math.max(0, to - from) }, (_, i) => this.#row(from + i)));
  }
}
