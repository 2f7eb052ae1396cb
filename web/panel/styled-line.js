// A line of the text displays, coloured for terminals, as elements: their escape sequences become classes.
import { h } from './dom.js';

/** The codes of js/views/ansi.js. @type {ReadonlyMap<string, string>} */
const CLASSES = new Map([
  ['36', 'name'],
  ['33', 'value'],
  ['31', 'bad'],
  ['1', 'heading'],
  ['2', 'dim'],
]);

const ESCAPES = /\x1b\[(\d+)m/;

/** @param {string} line @returns {string} */
export function plainText(line) {
  return line.split(ESCAPES).filter((_, i) => i % 2 === 0).join('');
}

/** @param {string} line @returns {(string | HTMLElement)[]} */
export function styledParts(line) {
  const pieces = line.split(ESCAPES);
  return pieces.flatMap((text, i) => {
    if (i % 2 === 1 || text === '') return [];
    const className = CLASSES.get(pieces[i - 1]);
    return [className ? h('span', { class: className }, text) : text];
  });
}
