// Reports on traps, as the text that they are.
import { h } from './dom.js';

export class TextView {
  #text = h('pre', { class: 'text', tabindex: 0, role: 'region', 'aria-label': 'Traps' });

  constructor() {
    this.element = h('div', { class: 'view' }, this.#text);
  }

  /** @param {readonly string[]} texts */
  show(texts) {
    this.#text.textContent = texts.join('\n');
  }
}
