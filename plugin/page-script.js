// The page script, which the build of the package makes, as bundlers need it: its files, its script tag, and a module that
// starts it.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./settings.js').Question} Question */

export const PAGE_SCRIPT = 'wasm-trace.js';

const PANEL_SCRIPT = 'wasm-trace-panel.js';

/** What the panel puts into HTML that it saves. */
export const REPORT_SCRIPT = 'wasm-trace-report.js';

/** Those that stand beside each other in the page's server. */
export const PAGE_FILES = Object.freeze([PAGE_SCRIPT, PANEL_SCRIPT, REPORT_SCRIPT]);

/** The folder that they are in. */
export const PAGE_FOLDER = 'wasm-trace';

/** What entries import. */
export const VIRTUAL_MODULE = 'virtual:wasm-trace';

/** Path of the page script as a module. */
export const PAGE_MODULE = pathOf('wasm-trace.mjs');

/** @param {string} file @returns {string} */
function pathOf(file) {
  return fileURLToPath(new URL(`../build/web/${file}`, import.meta.url));
}

/** @param {string} file one of PAGE_FILES */
export function readPageFile(file) {
  return readFileSync(pathOf(file));
}

/** @param {Question} question @returns {Record<string, string>} attributes of the script tag */
export function tagAttributes(question) {
  const attributes = Object.entries(question).map(([name, value]) => [`data-${dashed(name)}`, attributeText(value)]);
  return Object.fromEntries(attributes);
}

/** @param {Question} question */
export function hasPanel({ panel }) {
  return panel !== undefined && panel !== 'none';
}

/** A module that starts the page script before the rest of its bundle. @param {Question} question */
export function startModule(question) {
  const panel = hasPanel(question) ? `import ${JSON.stringify(pathOf(PANEL_SCRIPT))};\n` : '';
  return `${panel}import wasmTrace from ${JSON.stringify(PAGE_MODULE)};\nwasmTrace.install(${JSON.stringify(question)});\n`;
}

/**
 * The page script as a module, as a part of bundles: where the bundle will stand is not known.
 * @param {boolean} [carriesText] the bundler rewrites code for older engines, with helpers outside of the function. Workers are given
 *   the text of the function alone, so it brings along the one that it has here
 */
export function pageModule(carriesText = false) {
  const code = readFileSync(PAGE_MODULE, 'utf8').replace('import.meta.url', 'undefined');
  if (!carriesText) return code;
  const end = code.indexOf('\nconst wasmTrace = ');
  const text = code.slice(code.indexOf('function wasmTraceStart'), end);
  return `${code.slice(0, end)}\nwasmTraceStart.toString = () => ${JSON.stringify(text)};${code.slice(end)}`;
}

/** @param {string} name */
function dashed(name) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** @param {unknown} value */
function attributeText(value) {
  return Array.isArray(value) ? value.map(quoted).join(' ') : value === true ? '' : String(value);
}

/** A probe as one word: see splitWords. @param {string} word */
function quoted(word) {
  return /[\s"'()\\]/.test(word) ? `"${word.replace(/["\\]/g, '\\$&')}"` : word;
}
