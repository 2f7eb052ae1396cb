// The HTML report: made by wasm-trace-node, opened from a file, by eye of a screen reader and by keyboard.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { browserNames, findBrowser } from '../../cmake/find-browser.mjs';
import { root } from '../command.mjs';
import { launch } from './browsers.js';
import { click, cutOff, openTab, tabTitles, texts, until, violations } from './panel-page.js';

const folder = mkdtempSync(path.join(tmpdir(), 'wasm-trace-'));
after(() => rmSync(folder, { recursive: true }));

/** @param {string} name @param {...string} args */
function makeReport(name, ...args) {
  const file = path.join(folder, name);
  const command = [path.join(root, 'node/wasm-trace-node'), ...args, '--report', file, path.join(root, 'build/programs/json.wasm')];
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } });
  assert.deepEqual([status, stderr], [0, `wasm-trace: report in ${file}\n`]);
  return pathToFileURL(file).href;
}

const callsReport = makeReport('calls.html', '--trace', 'calls');
const timedReport = makeReport('timed.html', '--clock', 'instructions', '--trace', 'calls', '--trace', 'duration(parse_value)');
const compensatedReport = makeReport('compensated.html', '--clock', 'host', '--trace', 'calls', '--compensate');
const tableReport = makeReport('table.html', '--clock', 'instructions', '--trace', 'calls', '--display', 'report', '--display', 'tree', '--display', 'nested');
const valuesReport = makeReport('values.html', '--trace', 'args(malloc)', '--trace', 'ret(malloc)');

const ALL_TABS = ['Flame', 'Sequence', 'Report', 'Tree', 'Callers', 'Log', 'Nested', 'Histograms', 'Modules'];

/** @param {any} page @param {number} width @param {number} height */
const resize = (page, width, height) => (page.setViewportSize ?? page.setViewport).call(page, { width, height });

/** Runs in the page: names of functions of which there is not a good part inside of their table. */
const namesThatAreNotSeen = () => {
  const { shadowRoot } = document.querySelector('wasm-trace-panel');
  const names = [...shadowRoot.querySelectorAll('.tree-row .function')].filter((element) => element.checkVisibility());
  if (names.length === 0) return ['there is no name'];
  const hidden = names.slice(0, 5).filter((name) => {
    const table = name.closest('.tree').getBoundingClientRect();
    const { left, width } = name.getBoundingClientRect();
    return left < table.left || left + Math.min(width, 60) > table.right;
  });
  return hidden.map(({ textContent }) => textContent);
};

/** Runs in the page: lines of the log that nobody can scroll to the end of. */
const linesOutOfReach = () => {
  const { shadowRoot } = document.querySelector('wasm-trace-panel');
  const log = [...shadowRoot.querySelectorAll('.log')].find((element) => element.checkVisibility());
  log.scrollLeft = log.scrollWidth;
  const { right } = log.getBoundingClientRect();
  const range = document.createRange();
  const endOf = (line) => (range.selectNodeContents(line), range.getBoundingClientRect().right);
  return [...log.querySelectorAll('.line')].filter((line) => endOf(line) > right).map(({ textContent }) => textContent);
};

/** The row that the keyboard is on, in the grid that is to be seen. */
const currentRow = async (page) => (await texts(page, '.tree-row[aria-selected=true] .function'))[0];

for (const name of browserNames.filter((one) => !process.env.WASM_TRACE_BROWSER || one === process.env.WASM_TRACE_BROWSER)) {
  describe(name, { skip: findBrowser(name) ? false : `no ${name}` }, () => {
    let browser;
    let page;
    const errors = [];
    const requests = [];
    const ours = [callsReport, timedReport, compensatedReport, tableReport, valuesReport];
    const visit = async (url) => {
      await page?.close();
      page = await browser.newPage();
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(url);
      await until(page, () => document.querySelector('wasm-trace-panel')?.source.sessions().length > 0);
    };
    before(async () => {
      browser = await launch(name);
    });
    after(() => browser?.close());

    test('says what of the times has been subtracted', async () => {
      await visit(compensatedReport);
      await openTab(page, 'Report');
      assert.match((await texts(page, '.notes')).join(), /Tracing cost about .* an event, .* of the time in traced functions; subtracted from total, self and avg\./);
    });

    test('shows every tab, without an error, a request or a violation of accessibility', async () => {
      for (const url of [callsReport, timedReport, valuesReport]) {
        await visit(url);
        assert.deepEqual(await tabTitles(page), ALL_TABS);
        for (const tab of ALL_TABS) {
          await openTab(page, tab);
          assert.deepEqual(await violations(page), [], `${tab} of ${url}`);
        }
      }
      assert.deepEqual(errors, []);
      // Firefox does not tell of files.
      assert.deepEqual(requests.filter((url) => !ours.includes(url)), []);
    });

    test('is as good in the dark', { skip: name !== 'chromium' && 'only Chromium is told to be dark' }, async () => {
      for (const url of [callsReport, timedReport]) {
        await visit(url);
        await page.emulateMedia({ colorScheme: 'dark' });
        for (const tab of ALL_TABS) {
          await openTab(page, tab);
          assert.deepEqual(await violations(page), [], `${tab} of ${url}`);
        }
      }
    });

    test('has what the text displays have', async () => {
      await visit(valuesReport);
      await openTab(page, 'Log');
      assert.match((await texts(page, '.line'))[0], /^malloc\(\d+\) -> 0x[0-9a-f]+/);
      await openTab(page, 'Histograms');
      assert.match((await texts(page, 'caption'))[0], /^arg\(0, malloc\) 74 values$/);
      assert.ok((await texts(page, '.figure tbody tr')).some((text) => /^8\D*17$/.test(text)));
      await openTab(page, 'Modules');
      assert.match((await texts(page, '.card')).join(), /^json\.wasm.*86 functions/);
    });

    for (const width of [360, 520, 640, 720, 1000])
      test(`has names beside all numbers in a window of ${width} pixels`, async () => {
        await visit(tableReport);
        await resize(page, width, 600);
        for (const tab of ['Report', 'Tree', 'Callers']) {
          await openTab(page, tab);
          assert.deepEqual(await page.evaluate(namesThatAreNotSeen), [], tab);
          assert.deepEqual(await cutOff(page, '.view:not([hidden]) .cell.number'), [], tab);
          await click(page, '.view:not([hidden]) .tree-row'); // opens the list of callers beside it
          assert.deepEqual(await page.evaluate(namesThatAreNotSeen), [], `${tab}, with callers`);
          await click(page, '.neighbours .icon-button');
        }
      });

    test('has logs that can be scrolled to the end of each line', async () => {
      await visit(tableReport);
      await resize(page, 240, 600);
      await openTab(page, 'Nested');
      assert.deepEqual(await page.evaluate(linesOutOfReach), []);
    });

    test('goes from tab to tab and through the tree by keyboard', async () => {
      await visit(callsReport);
      await click(page, '[role=tab]');
      for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
      assert.deepEqual(await texts(page, '[role=tab][aria-selected=true]'), ['Tree']);
      await click(page, '[role=treegrid]');
      const rows = await texts(page, '.tree-row .function');
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
      assert.equal(await currentRow(page), rows[2]);
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      assert.equal(await currentRow(page), rows[1]);
      await page.keyboard.press('ArrowLeft');
      assert.deepEqual(await texts(page, '.tree-row .function'), rows.slice(0, 2).concat(await tail(page, 2)));
      assert.deepEqual(await texts(page, '.neighbours h2'), [rows[1]]);
      assert.match((await texts(page, '.neighbours section')).join(), /Called by.*_start.*Calls.*main/);
    });

    test('sorts, and follows callers and callees', async () => {
      await visit(callsReport);
      await openTab(page, 'Callers');
      await click(page, '.view:not([hidden]) [data-key=name] button');
      const names = await texts(page, '.tree-row[aria-level="1"] .function');
      assert.deepEqual(names, [...names].sort());
      await click(page, '.view:not([hidden]) .tree-row');
      await click(page, '.neighbours button.link');
      assert.notDeepEqual(await texts(page, '.neighbours h2'), [names[0]]);
    });

    test('says what widths and axes are, and shows a chart of each', async () => {
      await visit(timedReport);
      await openTab(page, 'Flame');
      assert.deepEqual(await optionsOf(page, 'select[aria-label=Width]'), ['Width: instructions executed', 'Width: calls']);
      assert.match(await chartLabel(page), /^Flame graph of json\.wasm: [\d.]+k, width: instructions executed$/);
      await choose(page, 'select[aria-label=Width]', 'calls');
      assert.match(await chartLabel(page), /^Flame graph of json\.wasm: 1,\d\d\d calls$/);
      await openTab(page, 'Sequence');
      assert.match(await chartLabel(page), /^Sequence of 1,\d\d\d calls of json\.wasm by instructions$/);
      await choose(page, 'select[aria-label=Axis]', 'event');
      assert.match(await chartLabel(page), / by event number$/);
      await visit(callsReport);
      assert.deepEqual(await texts(page, 'select[aria-label=Width]'), []);
      await openTab(page, 'Sequence');
      assert.deepEqual(await texts(page, 'select[aria-label=Axis]'), []);
    });

    test('has a report of functions that each column sorts, and follows the keyboard', async () => {
      await visit(timedReport);
      await openTab(page, 'Report');
      assert.deepEqual(await texts(page, '.report [role=columnheader]'), [
        ...['Self', 'Self %', 'Total', 'Calls', 'Avg', 'Min', 'Max', 'p50', 'p90', 'p99', 'Function'],
      ]);
      assert.deepEqual(await texts(page, '.view:not([hidden]) .clock'), ['instructions executed']);
      assert.deepEqual((await texts(page, '.report .tree-row .function')).slice(0, 2), ['__floatscan', 'dlfree']);
      await click(page, '.report [data-key=calls] button');
      const calls = (await texts(page, '.report .cell.calls.number')).map((text) => Number(text.replaceAll(',', '')));
      assert.deepEqual(calls, calls.toSorted((a, b) => b - a));
      await click(page, '.report [data-key=p50] button');
      assert.deepEqual((await texts(page, '.report .tree-row .function'))[0], 'parse_value');
      await click(page, '.report');
      for (const key of ['Home', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
      assert.equal(await currentRow(page), 'parse_value');
      assert.deepEqual(await texts(page, '.neighbours h2'), ['parse_value']);
      assert.match((await texts(page, '.neighbours section')).join(), /Called by, by instructions.*report.*Calls, by instructions.*parse_object/);
      assert.deepEqual(await violations(page), []);
    });

    test('has columns of time in trees, and how long calls took', async () => {
      await visit(timedReport);
      await openTab(page, 'Tree');
      assert.deepEqual(await texts(page, '.tree.timed [role=columnheader]'), ['Total', 'Self', 'Calls', 'Avg', 'Min', 'Max', 'Function']);
      await click(page, '.tree.timed [data-key=max] button');
      assert.equal((await texts(page, '.tree.timed .tree-row .function'))[0], '_start');
      await openTab(page, 'Callers');
      assert.deepEqual(await texts(page, '.timed-callers [role=columnheader]'), ['Self', 'Calls', 'Function']);
      await openTab(page, 'Histograms');
      assert.match((await texts(page, 'caption'))[0], /^duration\(parse_value\) in instructions 44 callsp50 /);
    });

    test('filters lines', async () => {
      await visit(callsReport);
      await openTab(page, 'Nested');
      const all = await texts(page, '.line');
      await click(page, '.view:not([hidden]) input[type=search]');
      await page.keyboard.type('CALL parse_array');
      const kept = await texts(page, '.line');
      assert.ok(all.length > kept.length && kept.length > 0);
      assert.ok(kept.every((line) => /^ *call parse_array/.test(line)));
      assert.match((await texts(page, '.tools .dim')).join(), /^5 of \d/);
    });

    const chartLabel = (of) =>
      of.evaluate(() => {
        const { shadowRoot } = document.querySelector('wasm-trace-panel');
        return [...shadowRoot.querySelectorAll('canvas')].find((canvas) => canvas.checkVisibility()).getAttribute('aria-label');
      });

    const optionsOf = (of, selector) =>
      of.evaluate((wanted) => {
        const { options } = document.querySelector('wasm-trace-panel').shadowRoot.querySelector(wanted);
        return [...options].map(({ textContent }) => textContent);
      }, selector);

    const choose = (of, selector, value) =>
      of.evaluate(
        ([wanted, to]) => {
          const select = document.querySelector('wasm-trace-panel').shadowRoot.querySelector(wanted);
          select.value = to;
          select.dispatchEvent(new Event('change'));
        },
        [selector, value],
      );

    /** Rows of the tree from an index on, as they are now. */
    const tail = async (of, from) => (await texts(of, '.tree-row .function')).slice(from);
  });
}
