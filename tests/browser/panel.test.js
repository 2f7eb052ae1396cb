// The panel in a page that runs: live, stopped, asked for other probes, moved, hidden, saved.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MODULE } from '../e2e/loader-support.js';
import { click, cutOff, openTab, texts, until, violations } from './panel-page.js';
import { inBrowsers } from './visit.js';

const SCRIPT = 'data-trace="calls(*)" data-display="tree log" data-panel="right"';
const FILES = { '/add.wasm': MODULE };

/** Runs in the page: a module that is called for ever. */
const runForEver = async () => {
  const { instance } = await WebAssembly.instantiateStreaming(fetch('/add.wasm'));
  globalThis.turns = 0;
  setInterval(() => {
    instance.exports.twice(21);
    globalThis.turns++;
  }, 10);
};

/** Runs in the page: so many calls that their number is a long one. */
const runOften = async () => {
  const { instance } = await WebAssembly.instantiateStreaming(fetch('/add.wasm'));
  for (let turns = 0; turns < 12_000_000; turns++) instance.exports.twice(21);
};

/** Runs in the page: the panel is there, and shows the module. */
const hasStarted = () => document.querySelector('wasm-trace-panel')?.source.sessions().length > 0;

/** Runs in the page: total calls in the first row of the tree are above this. @param {number} least */
const countsMore = (least) => {
  const cell = document.querySelector('wasm-trace-panel').shadowRoot.querySelector('.tree-row .total');
  return Number(cell?.textContent.replaceAll(',', '')) > least;
};

/** Runs in the page: calls that the module itself has counted up to now. */
const recordedCalls = () => globalThis.wasmTrace.source.sessions()[0].snapshot().nodes.count.reduce((sum, count) => sum + count, 0);

const turnsAbove = (least) => globalThis.turns > least;

const turns = (page) => page.evaluate(() => globalThis.turns);

const total = async (page) => Number((await texts(page, '.tree-row .total'))[0].replaceAll(',', ''));

/** Runs in the page: text that is saved goes here. */
const catchDownload = () => {
  URL.createObjectURL = (blob) => {
    globalThis.saved = blob.text();
    return 'data:,';
  };
};

const isChosen = (tab) => document.querySelector('wasm-trace-panel').shadowRoot.querySelector('[role=tab][aria-selected=true]')?.textContent === tab;

/** Types into the input for probes. */
async function type(page, text) {
  await click(page, '[role=combobox]');
  await page.keyboard.type(text);
}

inBrowsers((visit) => {
  const look = (inspect, what = {}) =>
    visit({
      script: SCRIPT,
      files: FILES,
      run: runForEver,
      ...what,
      inspect: async (page) => {
        await until(page, hasStarted);
        await inspect(page);
      },
    });

  test('follows the program, keeps what is there when it is stopped, and begins anew', async () => {
    const { errors } = await look(async (page) => {
      await openTab(page, 'Tree');
      await until(page, countsMore, 0);
      await until(page, countsMore, (await total(page)) + 10);
      await click(page, '.button.stop');
      const stopped = await total(page);
      assert.deepEqual(await texts(page, '.state'), ['probes are off']);
      assert.deepEqual(await violations(page), []);
      const recorded = await page.evaluate(recordedCalls);
      await until(page, turnsAbove, (await turns(page)) + 40);
      assert.equal(await total(page), stopped);
      assert.equal(await page.evaluate(recordedCalls), recorded);
      const before = await turns(page);
      await click(page, '.button.record');
      await until(page, countsMore, 0);
      const calls = await total(page);
      assert.ok(calls <= 2 * ((await turns(page)) - before), 'a turn has two calls');
      assert.deepEqual(await texts(page, '.state'), ['live']);
    });
    assert.deepEqual(errors, []);
  });

  for (const [display, tab] of [['report', 'Report'], ['inverted', 'Callers'], ['callers(add)', 'Callers'], ['nested tree', 'Nested']])
    test(`begins with the view of ${display}`, async () => {
      const { errors } = await look(
        async (page) => {
          await until(page, isChosen, tab); // once there is something to show
        },
        { script: `data-trace="calls(*)" data-display="${display}" data-clock="none" data-panel="right"` },
      );
      assert.deepEqual(errors, []);
    });

  for (const [trace, tab, text] of [['calls(*)', 'Nested', /call twice/], ['duration(*)', 'Histograms', /duration\(twice\)/], ['ret(*)', 'Log', /twice -> 42/]])
    test(`begins with what fits ${trace}, as the text does`, async () => {
      const { errors } = await look(
        async (page) => {
          await until(page, isChosen, tab);
          assert.match(await page.evaluate(() => wasmTrace.report()), text);
        },
        { script: `data-trace="${trace}" data-clock="instructions" data-panel="right"` },
      );
      assert.deepEqual(errors, []);
    });

  test('shows what frames do, too', async () => {
    const { errors } = await look(
      async (page) => {
        await openTab(page, 'Tree');
        await until(page, countsMore, 0);
      },
      { head: '<iframe srcdoc="<p>a frame</p>"></iframe>' },
    );
    assert.deepEqual(errors, []);
  });

  test('completes probes, counts what they match, and says what is wrong with one', async () => {
    await look(async (page) => {
      await type(page, 'args(tw');
      assert.deepEqual(await texts(page, '[role=option]'), ['twice']);
      assert.deepEqual(await texts(page, '.matches'), ['matches 1 function in add.wasm']);
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      assert.deepEqual(await texts(page, '.chip code'), ['calls(*)', 'args(twice)']);
      await type(page, 'arg(x, twice)');
      assert.match((await texts(page, '.matches.bad'))[0], /number/);
      assert.deepEqual(await violations(page), []);
    });
  });

  test('reloads the page with other probes', async () => {
    await look(async (page) => {
      await click(page, '.chip button');
      await type(page, 'ret(add)');
      await click(page, '.probe-controls button:last-of-type');
      await until(page, () => location.search.includes('ret'));
      await until(page, () => globalThis.wasmTrace?.source.trace().join() === 'ret(add)');
    });
  });

  test('stands where it was put, as large as it was made, also after a reload', async () => {
    await look(async (page) => {
      const box = () => page.evaluate(() => {
        const { width, height } = document.querySelector('wasm-trace-panel').getBoundingClientRect();
        return [Math.round(width), Math.round(height)];
      });
      const [width] = await box();
      await click(page, '[role=separator]');
      await page.keyboard.press('ArrowLeft');
      assert.equal((await box())[0], width + 24);
      await click(page, '.icon-button[aria-label="Dock at the bottom"]');
      const [across, height] = await box();
      assert.equal(across, await page.evaluate(() => document.documentElement.clientWidth));
      await openTab(page, 'Log');
      assert.deepEqual(await violations(page), []);
      await page.reload();
      await until(page, hasStarted);
      assert.deepEqual(await box(), [across, height]);
      assert.deepEqual(await texts(page, '[role=tab][aria-selected=true]'), ['Log']);
    });
  });

  test('hides and comes back by its buttons and by keyboard', async () => {
    await look(async (page) => {
      await click(page, '.icon-button[aria-label^=Hide]');
      assert.deepEqual([await texts(page, '.panel'), await texts(page, '.show')], [[], ['wasm-trace']]);
      assert.deepEqual(await violations(page), []);
      await click(page, '.show');
      assert.deepEqual(await texts(page, '.show'), []);
      for (const shown of [[], ['live']]) {
        for (const key of ['Alt', 'Shift']) await page.keyboard.down(key);
        await page.keyboard.press('KeyW');
        for (const key of ['Shift', 'Alt']) await page.keyboard.up(key);
        assert.deepEqual(await texts(page, '.state'), shown);
      }
    });
  });

  test('saves a page that shows the same', async () => {
    let html = '';
    await look(async (page) => {
      await openTab(page, 'Tree');
      await until(page, countsMore, 0);
      await click(page, '.button.stop');
      const row = (await texts(page, '.tree-row'))[0];
      await page.evaluate(catchDownload);
      await click(page, '.button.save');
      await until(page, () => globalThis.saved !== undefined);
      html = await page.evaluate(() => globalThis.saved);
      assert.deepEqual(await texts(page, '.message'), ['Saved as wasm-trace.html.']);
      const { errors } = await visit({ html, inspect: (report) => showsRow(report, row) });
      assert.deepEqual(errors, []);
    });
    assert.match(html, /^<!doctype html>/);
  });

  test('says what clock its figures are of, also where it is narrow', async () => {
    await look(
      async (page) => {
        for (const tab of ['Report', 'Tree', 'Callers']) {
          await openTab(page, tab);
          await until(page, () => document.querySelector('wasm-trace-panel').shadowRoot.querySelector('.view:not([hidden]) .tree-row') !== null);
          assert.deepEqual(await texts(page, '.view:not([hidden]) .clock'), ['instructions executed'], tab);
          assert.deepEqual(await violations(page), []);
        }
      },
      { script: 'data-trace="calls(*)" data-clock="instructions" data-panel="right"' },
    );
  });

  test('cuts off no number, however many calls there are', async () => {
    await look(
      async (page) => {
        for (const tab of ['Report', 'Tree', 'Callers']) {
          await openTab(page, tab);
          await until(page, () => document.querySelector('wasm-trace-panel').shadowRoot.querySelector('.view:not([hidden]) .tree-row') !== null);
          assert.deepEqual(await texts(page, '.view:not([hidden]) .tree-row:first-child .calls'), ['12,000,000'], tab);
          assert.deepEqual(await cutOff(page, '.view:not([hidden]) .cell.number'), [], tab);
        }
      },
      { script: 'data-trace="calls(twice)" data-clock="instructions" data-panel="right"', run: runOften },
    );
  });

  test('shows times in front of logs when they are wanted', async () => {
    await look(
      async (page) => {
        for (const tab of ['Log', 'Nested']) {
          await openTab(page, tab);
          await until(page, () => document.querySelector('wasm-trace-panel').shadowRoot.querySelector('.view:not([hidden]) .log .line') !== null);
          assert.deepEqual(await texts(page, '.view:not([hidden]) label'), [' Times']);
          assert.deepEqual(await texts(page, '.view:not([hidden]) > .line'), []);
          await click(page, '.view:not([hidden]) input[type=checkbox]');
          assert.match((await texts(page, '.view:not([hidden]) > .line'))[0], /^ *instructions \| +took \| instructions executed$/);
          assert.match((await texts(page, '.view:not([hidden]) .log .line'))[0], /^ *[\d,]+ \| .*twice|^ *[\d,]+ \| .*add/);
          assert.deepEqual(await violations(page), []);
        }
      },
      { script: 'data-trace="calls(*)" data-clock="instructions" data-panel="right"' },
    );
  });

  for (const when of ['live', 'stopped']) {
    test(`saves data that is ${when}`, async () => {
      await look(async (page) => {
        await openTab(page, 'Tree');
        await until(page, countsMore, 0);
        if (when === 'stopped') await click(page, '.button.stop');
        await page.evaluate(catchDownload);
        await click(page, '.button.save[title="Save the data"]');
        await until(page, () => globalThis.saved !== undefined);
        assert.deepEqual(await texts(page, '.message'), ['Saved as wasm-trace.json.']);
        const { sessions } = JSON.parse(await page.evaluate(() => globalThis.saved));
        assert.ok(sessions[0].functions.items.length > 0);
      });
    });
  }

  async function showsRow(page, row) {
    await until(page, hasStarted);
    await openTab(page, 'Tree');
    assert.equal((await texts(page, '.tree-row'))[0], row);
  }

  test('says that the report script is missing, where it is', async () => {
    await look(
      async (page) => {
        await click(page, '.button.save');
        await until(page, () => document.querySelector('wasm-trace-panel').shadowRoot.querySelector('.message').textContent !== '');
        assert.match((await texts(page, '.message'))[0], /^wasm-trace-report\.js could not be loaded from beside/);
      },
      { files: { ...FILES, '/web/wasm-trace-report.js': { body: '', status: 404 } } },
    );
  });

  test('works in a page that forbids inline styles and scripts', async () => {
    const { messages, errors } = await look(async (page) => {
      await openTab(page, 'Tree');
      await until(page, countsMore, 0);
      const width = await page.evaluate(() => document.querySelector('wasm-trace-panel').getBoundingClientRect().width);
      assert.ok(width > 200);
    }, { headers: { 'Content-Security-Policy': "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'" } });
    assert.deepEqual([messages, errors], [[], []]);
  });

  test('says that nothing is recorded yet', async () => {
    await visit({
      script: SCRIPT,
      inspect: async (page) => {
        await until(page, () => document.querySelector('wasm-trace-panel') !== null);
        assert.match((await texts(page, '.empty')).join(), /^Nothing recorded yet/);
        await openTab(page, 'Modules');
        assert.match((await texts(page, '.empty')).join(), /^No module loaded yet/);
        assert.deepEqual(await violations(page), []);
      },
    });
  });
});
