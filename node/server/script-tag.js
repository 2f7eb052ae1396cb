// The question of the command line as the script tag that asks it in a page, and as the options that the script gets in a worker.

import { quoteWords } from '../../js/loader/words.js';

/** @typedef {import('../options.js').Options} Options */

/** Where everything of ours is. */
export const PREFIX = '/__wasm-trace/';

/** Options that the page script knows by the same name. */
const ASKED = /** @type {const} */ ([
  'trace', 'display', 'hide', 'only', 'during', 'from', 'until', 'skip', 'maxEvents', 'onFull', 'clock', 'minSize', 'stack', 'buffer', 'link',
  'limit', 'invert', 'sort', 'recursion', 'compensate', 'panel',
]);

/** @typedef {Record<string, string | number | boolean | readonly string[]>} PageOptions */

/**
 * What the page script is told: what was asked, and what this server does for it, which is to take care of worker scripts, to
 * print reports of traps, and to show what a page does that hangs.
 * @param {Options} options
 * @returns {PageOptions}
 */
function pageOptions(options) {
  const asked = ASKED.map((name) => [name, options[name]]).filter(([, value]) => isGiven(value));
  return { ...Object.fromEntries(asked), served: PREFIX, onTrap: `${PREFIX}trap` };
}

/**
 * What it is told in a worker: what concerns the page alone is left out, and traps are the page's to report.
 * @param {Options} options
 * @returns {PageOptions}
 */
export function workerOptions(options) {
  const { panel, ...rest } = pageOptions(options);
  return { ...rest, onTrap: 'wasm-trace' };
}

/** @param {unknown} value */
function isGiven(value) {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

/** In ASCII and on one line, so that it suits a page in any encoding and moves none of its lines. @param {Options} options */
export function scriptTag(options) {
  const attributes = Object.entries(pageOptions(options)).map(([name, value]) => ` ${attributeName(name)}${attributeValue(value)}`);
  return `<script src="${PREFIX}wasm-trace.js"${attributes.join('')}></script>`;
}

/** @param {string} name */
function attributeName(name) {
  return `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** @param {PageOptions[string]} value */
function attributeValue(value) {
  if (value === true) return '';
  const text = typeof value === 'object' ? quoteWords(value) : String(value);
  return `="${text.replace(/[&<>"']|[^ -~]/gu, (char) => `&#${char.codePointAt(0)};`)}"`;
}
