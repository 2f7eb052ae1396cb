// What the tests of the plugin share: bundlers from npm, a copy of an example to work in, and a browser to look at what
// they made.
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { findBrowser } from '../../cmake/find-browser.mjs';
import { launch } from '../browser/browsers.js';
import { serve } from '../browser/server.js';
import { root } from '../command.mjs';
import { bundlers } from '../packages.mjs';

/** Why the tests of pages are skipped, or false. */
export const skip = findBrowser('chromium') ? false : 'there is no Chromium: set WASM_TRACE_CHROMIUM';

/** Longer than any page takes. */
const PATIENCE = 60_000;

/** @param {string} name @returns {Promise<any>} a bundler's module */
export async function bundler(name) {
  const require = createRequire(path.join(bundlers(), 'package.json'));
  return import(pathToFileURL(require.resolve(name)).href);
}

/** @param {string} name of an example @returns {{folder: string, remove: () => void}} a copy of it, with the bundlers at hand */
export function copyExample(name) {
  const folder = mkdtempSync(path.join(bundlers(), `${name}-`));
  cpSync(path.join(root, 'examples', name), folder, { recursive: true, filter: (file) => path.basename(file) !== 'node_modules' });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Runs something under a WASM_TRACE of its own.
 * @template T
 * @param {string | undefined} value
 * @param {() => Promise<T>} work
 */
export async function withVariable(value, work) {
  const before = process.env.WASM_TRACE;
  setVariable(value);
  try {
    return await work();
  } finally {
    setVariable(before);
  }
}

/** @param {string | undefined} value */
function setVariable(value) {
  if (value === undefined) delete process.env.WASM_TRACE;
  else process.env.WASM_TRACE = value;
}

/** @param {string} folder @returns {Record<string, Buffer>} contents by path */
export function readTree(folder) {
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map((entry) => path.join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(files.map((file) => [path.relative(folder, file), readFileSync(file)]));
}

/** @param {Record<string, Buffer>} tree @returns {Buffer[]} its modules */
export function modulesOf(tree) {
  return Object.keys(tree).filter((name) => name.endsWith('.wasm')).map((name) => tree[name]);
}

/** @param {Uint8Array} bytes @returns {boolean} whether a module is valid here and was instrumented */
export function isInstrumented(bytes) {
  const source = /** @type {Uint8Array<ArrayBuffer>} */ (bytes);
  return WebAssembly.Module.customSections(new WebAssembly.Module(source), 'wasm-trace').length === 1;
}

/**
 * @typedef {object} Seen
 * @property {Record<string, number>} results by way, as the page shows them
 * @property {boolean} traced whether the page script is there
 * @property {number} calls of is_prime that were recorded
 * @property {string[]} names of the traced modules, each once
 * @property {boolean} panel whether the panel is there
 * @property {string} firstScript address of the page's first script
 * @property {string[]} problems errors and warnings
 */

/** One for all tests of a file. @type {Promise<import('../browser/browsers.js').Browser> | undefined} */
let browser;

after(async () => (await browser)?.close());

/** @param {string} address @returns {Promise<Seen>} what a page shows when it is done */
export async function look(address) {
  browser ??= launch('chromium');
  const page = await (await browser).newPage();
  try {
    /** @type {string[]} */
    const problems = [];
    page.on('pageerror', (/** @type {Error} */ error) => problems.push(String(error.stack)));
    page.on('console', (/** @type {any} */ message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    const failed = new Promise((resolve) => page.once('pageerror', resolve));
    await page.goto(address);
    const complete = page.waitForSelector('[data-complete]', { timeout: PATIENCE });
    await Promise.race([complete, failed]).catch((/** @type {Error} */ error) => problems.push(error.message));
    complete.catch(() => {}); // the page has failed
    return { ...(await page.evaluate(readPage)), problems };
  } finally {
    await page.close();
  }
}

/** @param {string} folder with index.html @returns {Promise<Seen>} */
export async function lookAtFolder(folder) {
  const server = await serve({ files: {}, folders: { '/': `${folder}/` } });
  try {
    return await look(`${server.origin}/index.html`);
  } finally {
    await server.close();
  }
}

/** Runs in the page. */
async function readPage() {
  const { wasmTrace } = /** @type {any} */ (globalThis);
  await wasmTrace?.refresh();
  const report = wasmTrace?.report('tree') ?? '';
  const counts = Array.from(report.matchAll(/\| +(\d+) \| .*\bis_prime$/gm), ([, count]) => Number(count));
  const items = Array.from(document.querySelectorAll('#results li'), ({ textContent }) => (textContent ?? '').split(': '));
  return {
    results: Object.fromEntries(items.map(([way, count]) => [way, Number(count)])),
    traced: wasmTrace !== undefined,
    calls: counts.reduce((sum, count) => sum + count, 0),
    names: [...new Set(wasmTrace?.source.sessions().map((/** @type {{label: string}} */ { label }) => label.replace(/ \(.*/, '')) ?? [])],
    panel: document.querySelector('wasm-trace-panel') !== null,
    firstScript: document.scripts[0].getAttribute('src') ?? '',
  };
}

/** Calls of is_prime that counting up to each limit takes. @param {number[]} limits */
export function callsFor(limits) {
  return limits.reduce((sum, limit) => sum + limit - 1, 0);
}
