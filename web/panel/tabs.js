// A list of tabs: arrow keys go from one to the next, as the ARIA pattern has it.
import { h, uniqueId } from './dom.js';

/** @typedef {{id: string, title: string}} Tab */

export class Tabs {
  #onSelect;
  #panel;
  /** @type {{tab: Tab, button: HTMLButtonElement, badge: HTMLSpanElement}[]} */
  #items;
  #selected = '';

  /**
   * @param {readonly Tab[]} tabs
   * @param {HTMLElement} panel what the tabs change
   * @param {(id: string) => void} onSelect
   */
  constructor(tabs, panel, onSelect) {
    this.#onSelect = onSelect;
    panel.id = uniqueId('panel');
    panel.setAttribute('role', 'tabpanel');
    this.#items = tabs.map((tab) => this.#item(tab, panel));
    this.#panel = panel;
    this.element = h(
      'div',
      { class: 'tabs', role: 'tablist', 'aria-label': 'Views', onkeydown: (event) => this.#key(event) },
      ...this.#items.map(({ button }) => button),
    );
  }

  /** @param {Tab} tab @param {HTMLElement} panel */
  #item(tab, panel) {
    const badge = h('span', { class: 'badge', hidden: true });
    const button = h(
      'button',
      { id: uniqueId('tab'), type: 'button', role: 'tab', 'aria-controls': panel.id, onclick: () => this.#choose(tab.id) },
      tab.title,
      badge,
    );
    return { tab, button, badge };
  }

  get selected() {
    return this.#selected;
  }

  /** @param {string} id */
  select(id) {
    this.#selected = id;
    for (const { tab, button } of this.#items) {
      const selected = tab.id === id;
      button.setAttribute('aria-selected', String(selected));
      button.tabIndex = selected ? 0 : -1;
      if (!selected) continue;
      this.#panel.setAttribute('aria-labelledby', button.id);
      button.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
    }
  }

  /** @param {string} id @param {number} count beside the title; 0 for none */
  count(id, count) {
    const badge = this.#items.find(({ tab }) => tab.id === id)?.badge;
    if (!badge) return;
    badge.hidden = count === 0;
    badge.textContent = count === 0 ? '' : String(count);
  }

  /** @param {string} id @param {boolean} shown */
  show(id, shown) {
    const item = this.#items.find(({ tab }) => tab.id === id);
    if (item) item.button.hidden = !shown;
  }

  /** @param {string} id */
  #choose(id) {
    this.select(id);
    this.#onSelect(id);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const items = this.#items.filter(({ button }) => !button.hidden);
    const at = items.findIndex(({ tab }) => tab.id === this.#selected);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (next === undefined) return;
    const { tab, button } = items[(next + items.length) % items.length];
    event.preventDefault();
    button.focus();
    this.#choose(tab.id);
  }
}
