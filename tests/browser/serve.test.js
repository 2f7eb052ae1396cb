// wasm-trace serve with real browsers: the script is the first one of any page and changes nothing else of it; pages and all kinds of
// workers are traced; the terminal and a second tab tell of traps and of pages that hang.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { browserNames, findBrowser } from '../../cmake/find-browser.mjs';
import { parseCommand } from '../../node/options.js';
import { injectIntoPage } from '../../node/server/page.js';
import { SCRIPTS, readStartTexts } from '../../node/server/page-script.js';
import { workerOptions } from '../../node/server/script-tag.js';
import { assemble } from '../core/assemble.js';
import { Printed, makeSiteFolder, startSite } from '../e2e/serve-support.js';
import { Random } from '../fuzz/random.js';
import { launch } from './browsers.js';

/** spin() calls the host until that says 1, trap() divides by zero, twice(x) calls $add. */
const MODULE = await assemble(`(module $app
  (import "env" "done" (func $done (result i32)))
  (func $add (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))
  (func $wait (loop (br_if 0 (i32.eqz (call $done)))))
  (func (export "twice") (param i32) (result i32) (call $add (local.get 0) (local.get 0)))
  (func $divide (param i32) (result i32) (i32.div_s (i32.const 1) (local.get 0)))
  (func (export "trap") (result i32) (call $divide (i32.const 0)))
  (func (export "spin") (call $wait)))`);

/** Longer than anything takes, to end a test that waits for ever. */
const PATIENCE = 60_000;

/** For pages and workers. */
const LOAD = `const load = async (done = () => 1) =>
  (await WebAssembly.instantiateStreaming(fetch('app.wasm'), { env: { done } })).instance.exports;`;
const POST_TWICE = `${LOAD} load().then(({ twice }) => postMessage([twice(21), location.pathname, typeof extra]));`;

const WORKERS = {
  'classic.js': `importScripts('deep/extra.js'); ${POST_TWICE}`,
  'strict.js': `'use strict'; ${POST_TWICE}`,
  'module.js': `import './deep/more.mjs'; ${POST_TWICE}`,
  'bundled.js': POST_TWICE,
};

/** Address and kind of each worker, and what it says. */
const STARTED = [
  ['classic.js', 'classic', [42, '/classic.js', 'number']],
  ['classic.js#100%', 'classic', [42, '/classic.js', 'number']],
  ['strict.js', 'classic', [42, '/strict.js', 'undefined']],
  ['module.js', 'module', [42, '/module.js', 'undefined']],
  ['bundled.js', 'module', [42, '/bundled.js', 'undefined']],
];

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";

const FILES = {
  'index.html': `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>app</title><script src="main.js"></script>`,
  'main.js': `${LOAD}
    const ask = (url, type) => new Promise((resolve, reject) => {
      const worker = new Worker(url, { type });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => reject(new Error(event.message));
    });
    const untilTold = () => {
      const request = new XMLHttpRequest();
      request.open('GET', 'told.txt', false);
      request.send();
      return request.status === 200 ? 1 : 0;
    };`,
  ...WORKERS,
  'deep/extra.js': 'var extra = 1;',
  'deep/more.mjs': 'export {};',
  'favicon.ico': '',
  'app.wasm': MODULE,
};

/** Pieces of which the beginning of a page is made, sound or not. */
const PIECES = [
  '<!doctype html>', '<!DOCTYPE html SYSTEM "a>b">', '<?xml version="1.0"?>', '<!-- comment -->', '<!-->', '<!-- <head> --!>', '<!x>', '\n', ' ', '\ufeff',
  '<html>', '<html lang=en>', '<html a="x>y" b=\'<head>\'>', '<html ="">', '<html a= >', '<html a=b"c>', '<html/>', '<html\n/a/ b>', '<HTML>',
  '<head>', '<head profile="a>b">', '<head/>', '<header>', '<htmlx>', '<body>', '<meta charset=utf-8>', '<title>x</title>', '<script>1</script>',
  '<p>text</p>', 'text', '</head>', '<style>/*<head>*/</style>', '<template><head></template>', '<base href="x/">', '<frameset>',
];

/** Runs in the page. What of a page is not as it was: positions in the list. @param {[string, string][]} pages before and after */
function compareDocuments(pages) {
  const parse = (/** @type {string} */ text) => new DOMParser().parseFromString(text, 'text/html');
  const show = (/** @type {any} */ node) => node.outerHTML ?? node.nodeValue ?? node.name ?? node;
  const serialize = (/** @type {Document} */ document) => [document.compatMode, ...document.childNodes].map(show);
  return pages.flatMap(([plain, injected], i) => {
    const [before, now] = [parse(plain), parse(injected)];
    const script = now.querySelector('script');
    const isOurs = script?.id === 'ours';
    script?.remove();
    return isOurs && JSON.stringify(serialize(before)) === JSON.stringify(serialize(now)) ? [] : [i];
  });
}

const only = process.env.WASM_TRACE_BROWSER;
for (const name of browserNames.filter((one) => !only || one === only)) {
  const missing = findBrowser(name) ? existsSync(path.join(SCRIPTS, 'wasm-trace.js')) ? false : 'no page script' : `no ${name}`;
  describe(`serve to ${name}`, { skip: missing }, () => {
    /** @type {import('./browsers.js').Browser} */
    let browser;
    before(async () => {
      browser = await launch(name);
    });
    after(() => browser?.close());

    /** A served folder, and a page that shows it. */
    async function open(t, args, { files = FILES, query = '' } = {}) {
      const { options } = parseCommand(args, 'wasm-trace serve');
      const folder = makeSiteFolder(t, files);
      const site = await startSite(t, folder, { args, printed: new LivePrinted(), texts: await readStartTexts(workerOptions(options)) });
      const page = await newPage(t);
      await page.goto(`${site.url}/${query}`);
      return { ...site, folder, page };
    }

    async function newPage(t) {
      const page = await browser.newPage();
      t.after(() => page.close());
      return page;
    }

    test('the script is the first one of any page, which is otherwise as it was', async (t) => {
      const random = new Random(6);
      const pages = Array.from({ length: 4000 }, () => {
        const plain = Array.from({ length: random.below(8) }, () => random.pick(PIECES)).join('');
        // An element of ours that no rule of HTML moves.
        const { body } = injectIntoPage(Buffer.from(plain), '<script id=ours></script>');
        return [plain, body.toString()].map((text) => text.replace(/^\ufeff/, ''));
      });
      const page = await newPage(t);
      const different = await page.evaluate(compareDocuments, pages);
      assert.deepEqual(different.slice(0, 5).map((i) => pages[i]), []);
    });

    test('pages and workers are traced under a strict policy', async (t) => {
      const { page } = await open(t, ['--trace', 'args(*)']);
      const said = await page.evaluate((started) => Promise.all(started.map(([url, type]) => ask(url, type))), STARTED);
      assert.deepEqual(said, STARTED.map(([, , expected]) => expected));
      const report = await page.evaluate(async () => {
        (await load()).twice(4);
        await wasmTrace.refresh();
        return wasmTrace.report('log');
      });
      assert.equal(report.match(/^twice\(21\)/gm)?.length, STARTED.length, report);
      assert.match(report, /^twice\(4\)/m);
    });

    test('the question in the address of a page is that of its workers, too', async (t) => {
      const { page } = await open(t, [], { query: '?wasm-trace=arg0:twice' });
      await page.evaluate(() => ask('classic.js', 'classic'));
      const report = await page.evaluate(() => wasmTrace.refresh().then(() => wasmTrace.report()));
      assert.match(report, /^arg0:twice|^arg\(0, twice\)|^twice\(21\)/m);
    });

    test('a trap is told in the terminal', async (t) => {
      const { page, printed } = await open(t, ['--trace', 'traps']);
      await page.evaluate(async () => void setTimeout((await load()).trap));
      await printed.until(/^trap: /m);
      assert.match(printed.text, /^http:\/\/127\.0\.0\.1:\d+\/\ntrap: (?:integer )?divide by zero in divide at byte \d+ \(app\.wasm\)/m);
    });

    test('a page that hangs is shown in the terminal and in a second tab', async (t) => {
      const { page, printed, folder, port } = await open(t, ['--trace', 'calls(*)', '--isolate']);
      const tab = await newPage(t);
      await tab.goto(`http://localhost:${port}/__wasm-trace/hang`);
      await page.evaluate(async () => void setTimeout((await load(untilTold)).spin));
      await printed.until(/^ {4}spin$/m);
      assert.match(printed.text, /^http:\/\/127\.0\.0\.1:\d+\/ hangs for \d+\.\d s in app\.wasm\n {4}(?:env\.done\n {4})?wait\n {4}spin\n/m);
      await tab.waitForSelector('section li');
      assert.match(await tab.evaluate(() => document.body.innerText), /A page hangs\.[^]* in app\.wasm[^]*wait\s+spin/);
      writeFileSync(path.join(folder, 'told.txt'), '');
      await printed.until(/lives again after \d+\.\d s$/m);
      await tab.waitForSelector('section.over');
    });
  });
}

/** What is printed, as it comes. */
class LivePrinted extends Printed {
  #waiting = new EventTarget();

  write(text) {
    super.write(text);
    this.#waiting.dispatchEvent(new Event('text'));
  }

  /** @param {RegExp} pattern */
  async until(pattern) {
    const signal = AbortSignal.timeout(PATIENCE);
    while (!pattern.test(this.text)) await once(this.#waiting, 'text', { signal }).catch(() => assert.fail(`${pattern} is not in ${this.text}`));
  }
}
