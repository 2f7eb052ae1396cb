// Parts that several views have: a message where there is nothing to show, notes below, choices.
import { h } from './dom.js';

/** @import {Shown} from './shown.js' */

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

/** What the colours of frames mean. */
export function legendOfFrames() {
  const entry = (/** @type {string} */ kind, /** @type {string} */ text) => h('span', { class: 'legend-entry' }, h('span', { class: `swatch ${kind}`, role: 'presentation' }), text);
  return h('div', { class: 'legend' }, entry('own', 'functions of the module'), entry('import', 'calls to the host'), entry('dense', 'several too narrow to be told apart'));
}

/**
 * Why views of events in their order have nothing to show.
 * @param {ReturnType<typeof emptyState>} empty
 * @param {Shown} shown
 * @param {boolean} isEmpty
 */
export function explainNoEvents(empty, { isSum, metadata }, isEmpty) {
  if (isSum) empty.show('One instance at a time', 'Nothing tells in which order two instances ran. Choose one of them above.');
  else if (!metadata.ring)
    empty.show('No log was kept', 'The displays that were asked for do without; counts are in the tree and the histograms.');
  else empty.show(isEmpty && 'Nothing recorded yet', 'Calls show up here as soon as the program calls a traced function.');
}

/**
 * @template {string} Value
 * @param {string} label
 * @param {Record<Value, string>} options texts by value, the first one chosen
 * @param {(value: Value) => void} onChange
 */
export function selectOf(label, options, onChange) {
  const items = Object.entries(options).map(([value, text]) => h('option', { value }, String(text)));
  const select = h('select', { 'aria-label': label, title: label, onchange: () => onChange(/** @type {Value} */ (select.value)) }, ...items);
  return select;
}
