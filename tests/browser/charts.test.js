// The charts under the hands of a user, in Chromium: pointer, wheel, keys, search, and what stays when new data comes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chartsSkipped, openChartPage } from './chart-page.js';

const WIDTH = 1000;
const ROW = 18;

/** @type {Awaited<ReturnType<typeof openChartPage>>} */
let chart;

/** Runs in the page: a flame graph of main calling parse (60) and free (40), parse calling itself in `text` (50). */
async function showFlame(extra = 0) {
  const { FlameView } = await import('/web/panel/flame-view.js');
  globalThis.view?.destroy();
  const view = new FlameView(document.querySelector('#chart'));
  view.orientation = 'icicle';
  globalThis.selections = [];
  view.onSelect = (frame) => globalThis.selections.push(frame?.name ?? null);
  globalThis.view = view;
  globalThis.rows = [[0, 1, 1], [1, 2, 10], [1, 3, 40], [2, 4, 50]];
  view.show(globalThis.dataOf(extra));
}

/** Runs in the page once: what makes tables there. */
async function prepare() {
  const names = ['', 'main', 'parse', 'free', 'text', 'env.clock'];
  globalThis.dataOf = (more) => {
    const rows = [[0, 0xffffffff, 0], ...globalThis.rows, ...(more ? [[0, 5, more]] : [])];
    const column = (type, at) => type.from(rows, (row) => row[at]);
    const table = {
      length: rows.length,
      parent: column(Uint32Array, 0),
      func: column(Uint32Array, 1),
      self: column(Float64Array, 2),
      total: column(Float64Array, 2),
      uncertain: new Uint8Array(rows.length),
      chain: new Uint32Array(rows.length).fill(1),
      ...{ weight: 'calls', inverted: false, left: 0 },
    };
    for (let frame = rows.length - 1; frame > 0; frame--) table.total[table.parent[frame]] += table.total[frame];
    return { table, names: { name: (func) => names[func] }, title: 'app' };
  };
}

const options = { skip: chartsSkipped };

before(async () => {
  if (chartsSkipped) return;
  chart = await openChartPage({ width: WIDTH, height: 400 });
  await chart.page.emulateMedia({ reducedMotion: 'reduce' });
  await chart.page.evaluate(prepare);
});

after(async () => {
  await chart?.close();
  assert.deepEqual(chart?.errors ?? [], []);
});

const selections = () => chart.page.evaluate(() => globalThis.selections);
const spoken = () => chart.page.locator('[aria-live]').textContent();
const tip = () => chart.page.locator('[aria-hidden=true]');

/** Two frames later everything is drawn. */
function drawn() {
  return chart.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Middle of a level at a part of the width. */
const place = (level, part) => [part * WIDTH, level * ROW + ROW / 2];

/** Name of what is at a place, as the tooltip tells it. */
async function nameAt(level, part) {
  await chart.page.mouse.move(...place(level, 0.999));
  await chart.page.mouse.move(...place(level, part));
  await drawn();
  return (await tip().isVisible()) ? tip().locator('strong').textContent() : null;
}

/** The browser does not wait until the page has heard of it. */
async function wheel(times, right, down) {
  for (let i = 0; i < times; i++) {
    await chart.page.mouse.wheel(right, down);
    await drawn();
  }
}

async function open(extra) {
  await chart.page.evaluate(showFlame, extra);
  await drawn();
}

test('the chart says what it is and what its width means', options, async () => {
  await open();
  const canvas = chart.page.locator('canvas');
  assert.equal(await canvas.getAttribute('aria-label'), 'Flame graph of app: 101 calls');
  assert.equal(await canvas.getAttribute('aria-roledescription'), 'flame graph');
});

test('the tooltip tells of the frame under the pointer', options, async () => {
  await open();
  assert.equal(await nameAt(2, 0.3), 'parse');
  assert.deepEqual(await tip().locator('div').allTextContents(), ['60 calls, 59.4 % of the whole', 'self 10, 9.90 %']);
  assert.equal(await nameAt(2, 0.8), 'free');
  assert.equal(await nameAt(3, 0.8), null);
});

test('a click selects, and is heard of; a drag does not', options, async () => {
  await open();
  await chart.page.mouse.click(...place(3, 0.2));
  assert.deepEqual(await selections(), ['text']);
  assert.match(await spoken(), /^text, 50 calls, 49\.5 % of the whole/);
  await chart.page.mouse.move(...place(2, 0.8));
  await chart.page.mouse.down();
  await chart.page.mouse.move(...place(2, 0.7));
  await chart.page.mouse.up();
  assert.deepEqual(await selections(), ['text']);
  await chart.page.mouse.click(...place(9, 0.5));
  assert.deepEqual(await selections(), ['text', null]);
});

test('a double click fills the chart with a frame, Escape shows all again', options, async () => {
  await open();
  await chart.page.mouse.dblclick(...place(2, 0.8));
  assert.equal(await nameAt(2, 0.1), 'free');
  await chart.page.keyboard.press('Escape');
  assert.equal(await nameAt(2, 0.1), 'parse');
});

test('the wheel zooms around the pointer, and the zoomed chart is dragged', options, async () => {
  await open();
  await chart.page.mouse.move(...place(1, 0.9));
  await wheel(8, 0, -200);
  assert.equal(await nameAt(2, 0.3), 'free');
  await chart.page.mouse.move(...place(1, 0.1));
  await chart.page.mouse.down();
  await chart.page.mouse.move(...place(1, 0.5), { steps: 3 });
  await chart.page.mouse.move(...place(1, 0.98), { steps: 3 });
  await chart.page.mouse.up();
  await wheel(12, -400, 0);
  assert.equal(await nameAt(2, 0.3), 'parse');
});

test('arrows go to the called, the caller and what is beside; Enter zooms', options, async () => {
  await open();
  await chart.page.locator('canvas').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp', 'ArrowUp']) {
    await chart.page.keyboard.press(key);
  }
  assert.deepEqual(await selections(), ['(host)', 'main', 'parse', 'free', 'parse', 'text', 'parse', 'main']);
  for (const key of ['ArrowDown', 'ArrowRight', 'Enter']) await chart.page.keyboard.press(key);
  assert.equal(await nameAt(2, 0.1), 'free');
  await chart.page.keyboard.press('Home');
  assert.equal(await nameAt(2, 0.1), 'parse');
});

test('with the root at the bottom, up is to the called', options, async () => {
  await open();
  await chart.page.evaluate(() => (globalThis.view.orientation = 'flame'));
  await chart.page.locator('canvas').focus();
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown']) await chart.page.keyboard.press(key);
  assert.deepEqual(await selections(), ['(host)', 'main', 'parse', 'main']);
});

test('search tells the share without counting nested matches twice', options, async () => {
  await open();
  const search = (text) => chart.page.evaluate((of) => globalThis.view.search(of), text);
  assert.deepEqual(await search('text'), { matches: 1, share: 50 / 101 });
  assert.deepEqual(await search('/parse|text/'), { matches: 2, share: 60 / 101 });
  assert.deepEqual(await search(''), { matches: 0, share: 0 });
});

test('new data: zoom and selection stay at their frames', options, async () => {
  await open();
  await chart.page.mouse.click(...place(2, 0.8));
  await chart.page.mouse.dblclick(...place(2, 0.8));
  await chart.page.evaluate(() => globalThis.view.show(globalThis.dataOf(500)));
  await drawn();
  assert.equal(await nameAt(2, 0.02), 'free');
  assert.equal(await nameAt(2, 0.98), 'free');
  const selected = await chart.page.evaluate(() => globalThis.view.selected);
  assert.deepEqual([selected.name, selected.total, selected.path.length], ['free', 40, 2]);
});

test('nothing is drawn when nothing has changed', options, async () => {
  await open();
  const pictures = await chart.page.evaluate(async () => {
    const context = document.querySelector('canvas').getContext('2d');
    const original = context.fillRect;
    let count = 0;
    context.fillRect = (...args) => {
      count++;
      return original.apply(context, args);
    };
    await new Promise((resolve) => setTimeout(resolve, 200));
    return count;
  });
  assert.equal(pictures, 0);
});

/** The colour of the chart at a place. */
function colourAt(level, part) {
  return chart.page.evaluate(
    ([x, y]) => [...document.querySelector('canvas').getContext('2d').getImageData(x * devicePixelRatio, y * devicePixelRatio, 1, 1).data],
    place(level, part),
  );
}

test('dark text around makes it light, light text dark; custom properties change it', options, async () => {
  await open();
  const bright = (colour) => colour[0] + colour[1] + colour[2] > 3 * 128;
  assert.equal(bright(await colourAt(9, 0.5)), true);
  await chart.page.evaluate(() => {
    document.body.className = 'dark';
    globalThis.view.restyle();
  });
  await drawn();
  assert.equal(bright(await colourAt(9, 0.5)), false);
  await chart.page.evaluate(() => {
    document.body.className = '';
    document.body.style.setProperty('--wt-chart-background', 'rgb(1, 2, 3)');
    globalThis.view.restyle();
  });
  await drawn();
  assert.deepEqual((await colourAt(9, 0.5)).slice(0, 3), [1, 2, 3]);
  await chart.page.evaluate(() => document.body.style.removeProperty('--wt-chart-background'));
});

test('two fingers zoom', options, async () => {
  await open();
  const client = await chart.page.context().newCDPSession(chart.page);
  const touch = (type, ...points) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await touch('touchStart', place(1, 0.85), place(1, 0.95));
  await touch('touchMove', place(1, 0.6), place(1, 0.95));
  await touch('touchMove', place(1, 0.1), place(1, 0.95));
  await touch('touchEnd');
  await drawn();
  assert.equal(await nameAt(2, 0.1), 'free');
});

/** Runs in the page: main calling parse twice, the second one still running; `more` calls of free come before. */
async function showSequence(more = 0, times = null) {
  const { SequenceView } = await import('/web/panel/sequence-view.js');
  const { pairCalls } = await import('/js/model/calls.js');
  const RECORD = await import('/js/generated/record.js');
  const names = ['env.clock', 'main', 'parse', 'free'];
  const before = Array.from({ length: more }, () => [[RECORD.ENTER, 3, 1], [RECORD.LEAVE, 3, 1]]).flat();
  const rows = [
    ...before,
    ...[[RECORD.ENTER, 1, 1], [RECORD.ENTER, 2, 2], [RECORD.ENTER, 0, 3], [RECORD.LEAVE, 0, 3], [RECORD.LEAVE, 2, 2]],
    ...[[RECORD.ENTER, 3, 2], [RECORD.LEAVE, 3, 2], [RECORD.ENTER, 2, 2]],
  ];
  const events = {
    length: rows.length,
    timed: times !== null,
    time: (event) => times[event],
    kind: (event) => rows[event][0],
    func: (event) => rows[event][1],
    position: (event) => rows[event][2],
    types: () => [],
    values: () => [],
  };
  const nodes = { parent: new Uint32Array(0), func: new Uint32Array(0) };
  const calls = pairCalls(events, { treePositions: false, nodes, position: 2, idle: false });
  const clock = times && { kind: 'ticker', name: '', unit: 'ns', weights: '', wall: false };
  const model = { events, calls, lost: 0, metadata: { importCount: 1, probes: new Map(), clock }, snapshot: { clock: times && { now: 11_000 } } };
  if (more === 0) {
    globalThis.view?.destroy();
    globalThis.view = new SequenceView(document.querySelector('#chart'));
    globalThis.selections = [];
    globalThis.view.onSelect = (call) => globalThis.selections.push(call && [call.name, call.begin, call.end]);
  }
  globalThis.view.show({ model, names: { name: (func) => names[func] }, title: 'app' });
}

/** The levels of a sequence stand below its ruler. */
const RULER_ROWS = 22 / ROW;

test('sequence: calls stand at their events, and tell how they ended', options, async () => {
  await chart.page.evaluate(showSequence);
  await drawn();
  assert.equal(await chart.page.locator('canvas').getAttribute('aria-label'), 'Sequence of 5 calls of app by event number');
  assert.equal(await nameAt(RULER_ROWS, 0.5), 'main');
  assert.deepEqual(await tip().locator('div').allTextContents(), ['from event 0', 'still running']);
  assert.equal(await nameAt(RULER_ROWS + 1, 0.3), 'parse');
  assert.deepEqual(await tip().locator('div').allTextContents(), ['from event 1 to event 4']);
  assert.equal(await nameAt(RULER_ROWS + 2, 0.3), 'env.clock');
  assert.ok((await tip().locator('div').allTextContents()).includes('function of the host'));
  assert.equal(await nameAt(RULER_ROWS + 1, 0.55), null);
});

test('sequence: keys and search', options, async () => {
  await chart.page.evaluate(showSequence);
  await chart.page.locator('canvas').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowUp']) await chart.page.keyboard.press(key);
  assert.deepEqual(await selections(), [['main', 0, 8], ['parse', 1, 4], ['free', 5, 6], ['parse', 7, 8], ['main', 0, 8]]);
  assert.deepEqual(await chart.page.evaluate(() => globalThis.view.search('PARSE')), { matches: 2 });
});

/** Runs in the page: the same calls by time: main takes all of 10 us, what it calls 2 us at their beginning, and one no time. */
const showTimeline = () => globalThis.showSequence(0, [1000, 1000, 1500, 2500, 3000, 5000, 5000, 9000]);

test('timeline: calls stand at their times, and tell what they took', options, async () => {
  await chart.page.evaluate(`globalThis.showSequence = ${showSequence}`);
  await chart.page.evaluate(showTimeline);
  await drawn();
  assert.equal(await chart.page.locator('canvas').getAttribute('aria-label'), 'Sequence of 5 calls of app by time');
  assert.equal(await nameAt(RULER_ROWS + 1, 0.15), 'parse');
  const facts = await tip().locator('div').allTextContents();
  assert.deepEqual(facts, ['total 2.00 us, 1.00 us in no call below', '0 ns after the first event', 'from event 1 to event 4']);
  assert.equal(await nameAt(RULER_ROWS + 2, 0.1), 'env.clock');
  assert.equal(await nameAt(RULER_ROWS + 1, 0.6), null);
  assert.equal(await nameAt(RULER_ROWS, 0.6), 'main');
  assert.equal((await tip().locator('div').allTextContents())[0], '10.0 us of it can be seen, 6.00 us in no call below');
});

test('timeline: what took no time is there, under the pointer and for keys', options, async () => {
  await chart.page.evaluate(`globalThis.showSequence = ${showSequence}`);
  await chart.page.evaluate(showTimeline);
  assert.equal(await nameAt(RULER_ROWS + 1, 0.4), 'free');
  await chart.page.locator('canvas').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowUp']) await chart.page.keyboard.press(key);
  assert.deepEqual(await selections(), [['main', 1000, 11_000], ['parse', 1000, 3000], ['free', 5000, 5000], ['main', 1000, 11_000]]);
});

test('timeline: the axis can be that of events', options, async () => {
  await chart.page.evaluate(`globalThis.showSequence = ${showSequence}`);
  await chart.page.evaluate(showTimeline);
  await chart.page.evaluate(() => (globalThis.view.axis = 'event'));
  await drawn();
  assert.equal(await nameAt(RULER_ROWS + 1, 0.3), 'parse');
  assert.deepEqual(await tip().locator('div').allTextContents(), ['from event 1 to event 4']);
  assert.equal(await chart.page.locator('canvas').getAttribute('aria-label'), 'Sequence of 5 calls of app by event number');
});

test('sequence: a chart of other calls shows none as selected', options, async () => {
  await chart.page.evaluate(showSequence);
  await chart.page.locator('canvas').focus();
  for (const key of ['ArrowDown', 'ArrowDown']) await chart.page.keyboard.press(key);
  const { name, begin } = await chart.page.evaluate(() => globalThis.view.selected);
  assert.deepEqual([name, begin], ['parse', 1]);
  await chart.page.evaluate(showSequence, 3);
  assert.equal(await chart.page.evaluate(() => globalThis.view.selected), null);
});
