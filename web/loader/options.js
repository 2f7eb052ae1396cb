// The question, as a page can ask it: attributes of the script tag (data-trace), the query of the page's address
// (?wasm-trace=calls&wasm-trace-display=tree), or an object given to install(). One row for each option.

import { splitWords } from '../../js/loader/words.js';
import { PROFILE_ORDERS } from '../../js/model/profile.js';
import { PLAIN_KINDS, isKind } from '../../js/views/report-kinds.js';

/** @import {InstrumentOptions} from '../../js/loader/instrumenter.js' */

/**
 * Everything that install() takes.
 * @typedef {InstrumentOptions & OwnOptions} PageOptions
 *
 * @typedef {object} OwnOptions
 * @property {'right' | 'bottom' | 'hidden' | 'none'} [panel] show the panel, docked there
 * @property {boolean} [button] the button that saves the report, where there is no panel: true when left out
 * @property {string | OnTrap} [onTrap] called with the report of a trap; as text: the name of a global function, or an address to
 *   which the file is posted
 * @property {boolean} [values] reports of traps have arguments and results in them
 * @property {number} [limit] lines of a display
 * @property {boolean} [invert] trees show who called
 * @property {import('../../js/model/profile.js').ProfileOrder} [sort] what tables and trees begin with; without a display, that is the report
 * @property {boolean} [recursion] recursive calls are not folded
 * @property {boolean} [compensate] subtract from times what tracing itself cost
 * @property {boolean} [timeline] show loading and calls of the host in the Performance panel of the developer tools
 * @property {boolean} [watch] a worker watches the page, and tells what it does when it hangs; when left out: where `served` says whom to tell
 * @property {string} [served] address of the server that also takes care of worker scripts: of `wasm-trace serve`
 *
 * @typedef {(report: import('./trap-report.js').TrapReport, bytes: Uint8Array) => void} OnTrap
 */

/** @typedef {'words' | 'text' | 'number' | 'flag' | 'bytes'} Kind words: several, split as WASM_TRACE is; bytes: no text says what they are */

/** @type {readonly Readonly<{name: keyof PageOptions, kind: Kind, choices?: readonly string[], isChoice?: (text: string) => boolean}>[]} isChoice: where not all choices are words */
const ROWS = Object.freeze([
  { name: 'trace', kind: 'words' },
  { name: 'display', kind: 'words', choices: [...PLAIN_KINDS, 'callers(PATTERN)'], isChoice: isKind },
  { name: 'hide', kind: 'words' },
  { name: 'only', kind: 'words' },
  { name: 'during', kind: 'words' },
  { name: 'from', kind: 'words' },
  { name: 'until', kind: 'words' },
  { name: 'skip', kind: 'number' },
  { name: 'maxEvents', kind: 'number' },
  { name: 'clock', kind: 'text' },
  { name: 'weights', kind: 'bytes' },
  { name: 'symbols', kind: 'bytes' },
  { name: 'onFull', kind: 'text', choices: ['overwrite', 'stop', 'aggregate'] },
  { name: 'stopped', kind: 'flag' },
  { name: 'minSize', kind: 'number' },
  { name: 'stack', kind: 'flag' },
  { name: 'buffer', kind: 'text' },
  { name: 'link', kind: 'text', choices: ['auto', 'merged', 'split'] },
  { name: 'limit', kind: 'number' },
  { name: 'invert', kind: 'flag' },
  { name: 'sort', kind: 'text', choices: PROFILE_ORDERS },
  { name: 'recursion', kind: 'flag' },
  { name: 'compensate', kind: 'flag' },
  { name: 'panel', kind: 'text', choices: ['right', 'bottom', 'hidden', 'none'] },
  { name: 'button', kind: 'flag' },
  { name: 'onTrap', kind: 'text' },
  { name: 'values', kind: 'flag' },
  { name: 'timeline', kind: 'flag' },
  { name: 'watch', kind: 'flag' },
  { name: 'served', kind: 'text' },
]);

const QUERY_PREFIX = 'wasm-trace';

/** Where a `data-panel` without a value puts the panel. */
const DEFAULT_DOCK = 'right';

/** What is recorded when nothing is asked. */
export const OVERVIEW = Object.freeze({ trace: ['calls', 'imports'], display: ['tree'] });

/** @param {PageOptions} options */
export function isOverview({ trace, display, sort }) {
  return sort === undefined && String(trace) === String(OVERVIEW.trace) && String(display) === String(OVERVIEW.display);
}

/**
 * @param {{dataset: DOMStringMap, search: string}} page attributes of the script, query of the address; the query wins
 * @returns {{options: PageOptions, problems: string[]}} problems: what was not understood, a line each
 */
export function readPageOptions(page) {
  const { options, problems } = readAsked(page);
  return { options: withQuestion(options), problems };
}

/**
 * The same, but without anything that was not asked.
 * @param {{dataset: DOMStringMap, search: string}} page
 * @returns {{options: PageOptions, problems: string[]}}
 */
export function readAsked({ dataset, search }) {
  const query = new URLSearchParams(search);
  /** @type {Record<string, unknown>} */
  const options = {};
  const problems = unknownNames(dataset, query).map((where) => `${where}: there is no such option`);
  for (const row of ROWS) {
    const inQuery = query.getAll(queryName(row.name));
    const text = inQuery.length > 0 ? inQuery.join(' ') : dataset[row.name];
    if (text === undefined) continue;
    try {
      options[row.name] = readValue(row, text);
    } catch (error) {
      const where = inQuery.length > 0 ? `?${queryName(row.name)}` : `data-${dashed(row.name)}`;
      problems.push(`${where}: ${/** @type {Error} */ (error).message}`);
    }
  }
  return { options, problems };
}

/** Letters by which an attribute that there is none of is taken for a slip: others have attributes in all script tags, such as data-cfasync. */
const ALIKE = 3;

/** @param {string} key of an attribute @returns {boolean} it is meant for us, and means nothing */
function isSlip(key) {
  return ROWS.every(({ name }) => name !== key) && ROWS.some(({ name }) => name.slice(0, ALIKE) === key.slice(0, ALIKE));
}

/** What is meant for us and means nothing. @param {DOMStringMap} dataset @param {URLSearchParams} query @returns {string[]} */
function unknownNames(dataset, query) {
  const attributes = Object.keys(dataset).filter(isSlip);
  const asked = [...query.keys()].filter((key) => key.startsWith(`${QUERY_PREFIX}-`) && !ROWS.some(({ name }) => queryName(name) === key));
  return [...attributes.map((key) => `data-${dashed(key)}`), ...asked.map((key) => `?${key}`)];
}

/** @param {PageOptions} options @returns {PageOptions} that ask for an overview when they ask for nothing; an empty `trace` is an answer */
export function withQuestion(options) {
  /** @type {PageOptions} */
  const asked = options.sort === undefined ? options : { display: ['report'], ...options };
  return asked.trace === undefined ? { ...OVERVIEW, ...asked } : asked;
}

/**
 * What install() was given, without what cannot be meant.
 * @param {PageOptions} options
 * @returns {{options: PageOptions, problems: string[]}}
 */
export function checkOptions(options) {
  const problems = [];
  const checked = /** @type {Record<string, unknown>} */ ({ ...options });
  for (const row of ROWS) {
    const { name, choices } = row;
    if (!choices) continue;
    const wrong = [checked[name] ?? []].flat().find((one) => !isAmong(row, String(one)));
    if (wrong === undefined) continue;
    problems.push(`install(): ${name} is ${choices.join(', ')}, not "${wrong}"`);
    delete checked[name];
  }
  const { weights, clock = 'auto' } = options;
  if (weights !== undefined && clock !== 'auto' && clock !== 'instructions') {
    problems.push(`install(): weights are of instructions, and clock is "${clock}"`);
    delete checked.weights;
  }
  return { options: checked, problems };
}

/**
 * The address of this page with another question.
 * @param {string} href
 * @param {readonly string[]} trace
 */
export function withTrace(href, trace) {
  const url = new URL(href);
  url.searchParams.delete(QUERY_PREFIX);
  for (const probe of trace) url.searchParams.append(QUERY_PREFIX, probe);
  return url.href;
}

/** @param {readonly string[]} words of a command line: --trace X --display Y @returns {string} attributes of the script tag */
export function asAttributes(words) {
  return words.map((word) => (word.startsWith('--') ? ` data-${word.slice(2)}` : `="${word.replaceAll('"', '&quot;')}"`)).join('').trim();
}

/** @param {string} name */
function queryName(name) {
  return name === 'trace' ? QUERY_PREFIX : `${QUERY_PREFIX}-${dashed(name)}`;
}

/** @param {string} name */
function dashed(name) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** @param {(typeof ROWS)[number]} row @param {string} text */
function isAmong({ choices, isChoice = (one) => choices === undefined || choices.includes(one) }, text) {
  return isChoice(text);
}

/** @param {(typeof ROWS)[number]} row @param {string} text */
function readValue(row, text) {
  const { name, kind, choices } = row;
  if (kind === 'bytes') throw new RangeError(`it is bytes, which install({ ${name} }) takes`);
  const value = kind === 'words' ? splitWords(text) : text.trim();
  if (kind === 'flag') return !['false', '0', 'no'].includes(text);
  if (name === 'panel' && value === '') return DEFAULT_DOCK;
  if (kind === 'number' && !/^\d{1,9}$/.test(text)) throw new RangeError(`a number, not "${text}"`);
  for (const one of [value].flat()) if (!isAmong(row, one)) throw new RangeError(`${choices?.join(', ')}, not "${one}"`);
  return kind === 'number' ? Number(text) : value;
}
