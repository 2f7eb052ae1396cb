// Tests of pages are written once and run in each browser. A visit serves a small page with the page script, or without it,
// runs a function in it, and brings back what that returned, what the page said, and a report of what was traced.
import { after, before, describe } from 'node:test';
import path from 'node:path';
import { browserNames, findBrowser } from '../../cmake/find-browser.mjs';
import { root } from '../command.mjs';
import { launch } from './browsers.js';
import { serve } from './server.js';

const WEB = path.join(root, 'build/web');

/** Longer than anything takes, to end a visit whose page waits for ever. */
const PATIENCE = 60_000;

/** What Firefox has to say of a page comes as errors do. */
const NOTICE = /^Error: (Content-Security-Policy|Cross-Origin Request Blocked|Security Error|Loading )/;

/**
 * @typedef {object} Visit
 * @property {string | null} [script] attributes of the page script's tag; null: the page is without it
 * @property {string} [head] HTML after that tag
 * @property {string} [html] the whole page, in place of the two; it has to load `/run.js`
 * @property {(arg: any) => any} [run] runs in the page, by a script at the end of its head
 * @property {unknown} [arg] for it, as JSON
 * @property {string} [query] of the page's address
 * @property {import('./server.js').Site['files']} [files]
 * @property {import('./server.js').Site['folders']} [folders]
 * @property {Record<string, string>} [headers] of all answers
 * @property {string} [report] kind of the report wanted at the end
 * @property {(page: any) => Promise<void>} [inspect] looks at the page after `run`
 *
 * @typedef {object} Seen
 * @property {any} value what `run` returned, as JSON has it
 * @property {string[]} messages of the console, with their type in front, without those of the browser itself
 * @property {string[]} errors that nobody caught
 * @property {string} [report]
 */

/**
 * Runs `body` for each browser, or the one that WASM_TRACE_BROWSER names, in a suite of its own.
 * @param {(visit: (what: Visit) => Promise<Seen>, name: string) => void} body
 */
export function inBrowsers(body) {
  const only = process.env.WASM_TRACE_BROWSER;
  for (const name of browserNames.filter((one) => !only || one === only)) {
    describe(name, { skip: findBrowser(name) ? false : `no ${name}` }, () => {
      /** @type {import('./browsers.js').Browser} */
      let browser;
      before(async () => {
        browser = await launch(name);
      });
      after(() => browser?.close());
      body((what) => visit(browser, what), name);
    });
  }
}

/**
 * In Firefox 1 in 100 workers that start a worker never come back from `new Worker` on a machine that is busy, without the page script as well,
 * and a page that waits for one does not end. That is told, and it is tried once more.
 * @param {import('./browsers.js').Browser} browser @param {Visit} what @returns {Promise<Seen>}
 */
export async function visit(browser, what) {
  try {
    return await visitOnce(browser, what);
  } catch (error) {
    if (browser.name !== 'firefox' || !(error instanceof Endless)) throw error;
    console.log(`visited again: ${error.message}`);
    return visitOnce(browser, what);
  }
}

/** A page that does not end. */
class Endless extends Error {}

/** @param {import('./browsers.js').Browser} browser @param {Visit} what @returns {Promise<Seen>} */
async function visitOnce(browser, what) {
  const server = await serve(siteOf(what));
  const page = await browser.newPage();
  try {
    const seen = listen(page);
    await page.goto(`${server.origin}/${what.query ?? ''}`);
    const { value, report } = await withPatience(page.evaluate(finish, what.report ?? null), seen);
    await what.inspect?.(page);
    return { value, report, ...seen };
  } finally {
    await page.close();
    await server.close();
  }
}

/** @param {Visit} what */
function siteOf({ script = '', head = '', html, run = () => null, arg = null, files, folders, headers }) {
  const tag = script === null ? '' : `<script src="/web/wasm-trace.js" ${script}></script>`;
  return {
    files: {
      '/': {
        body: html ?? `<!doctype html><meta charset="utf-8"><title>test</title>${tag}${head}<script src="/run.js"></script>`,
        headers: { 'Content-Type': html === undefined ? 'text/html; charset=utf-8' : 'text/html' },
      },
      '/run.js': `globalThis.outcome = (async () => (${run})(${JSON.stringify(arg)}))();`,
      '/favicon.ico': '',
      ...files,
    },
    folders: { '/web/': WEB, ...folders },
    headers,
  };
}

/** Runs in the page. @param {string | null} kind of the report */
async function finish(kind) {
  const page = /** @type {any} */ (globalThis);
  const value = await page.outcome;
  if (kind === null) return { value };
  const { wasmTrace } = page;
  await wasmTrace.refresh();
  return { value, report: wasmTrace.report(kind) };
}

/** What the page says from now on. @param {any} page */
function listen(page) {
  const seen = { messages: /** @type {string[]} */ ([]), errors: /** @type {string[]} */ ([]) };
  page.on('console', (/** @type {any} */ message) => {
    // The browser's own, of a file that is missing, say, differ from one to the other; those of programs have arguments.
    if (message.args().length > 0) seen.messages.push(`${message.type().replace('warning', 'warn')}: ${message.text()}`);
  });
  page.on('pageerror', ({ name, message }) => {
    const text = message.startsWith(name) ? message : `${name}: ${message}`;
    if (!NOTICE.test(text)) seen.errors.push(text);
  });
  return seen;
}

/** @param {Promise<any>} promise @param {{messages: string[], errors: string[]}} seen */
async function withPatience(promise, { messages, errors }) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Endless(['the page does not end', ...messages, ...errors].join('\n'))), PATIENCE);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
