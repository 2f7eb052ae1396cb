// Parts that several views have: a message where there is nothing to show, and notes below.
import { h } from './dom.js';

export function emptyState() {
  const title = h('p', { class: 'empty-title' });
  const text = h('p', {});
  const element = h('div', { class: 'empty', hidden: true }, title, text);
  return {
    element,
    /** @param {string | false} heading false: there is something to show @param {string} [explanation] */
    show(heading, explanation = '') {
      element.hidden = heading === false;
      title.textContent = heading || '';
      text.textContent = explanation;
    },
  };
}

export function notesBar() {
  const element = h('div', { class: 'notes', hidden: true });
  return {
    element,
    /** @param {readonly string[]} notes */
    show(notes) {
      element.hidden = notes.length === 0;
      if (element.textContent !== notes.join('')) element.replaceChildren(...notes.map((note) => h('p', {}, note)));
    },
  };
}
