// What else charts stand on: the viewport, rows, colours, the queue, names in little room.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Heap } from '../../../js/model/heap.js';
import { TONES, oklch, toneColours, toneOf } from '../../../js/views/tones.js';
import { Viewport } from '../../../js/views/viewport.js';
import { ChartRows, ROW_HEIGHT } from '../../../web/panel/chart-rows.js';
import { TextFitter, shortName } from '../../../web/panel/chart-text.js';
import { functionSearch } from '../../../web/panel/name-search.js';
import { roundStep } from '../../../web/panel/sequence-marks.js';

test('a viewport zooms around a place and stays inside of the chart', () => {
  const view = new Viewport();
  view.reset(1000, 1);
  assert.ok(view.isWhole);
  view.zoom(2, 250);
  assert.deepEqual([view.from, view.to], [125, 625]);
  view.pan(-200);
  assert.deepEqual([view.from, view.to], [0, 500]);
  view.pan(9999);
  assert.deepEqual([view.from, view.to], [500, 1000]);
  view.zoom(1e-9, 600);
  assert.ok(view.isWhole);
  view.show(400, 400.25);
  assert.deepEqual([view.from, view.to], [399.625, 400.625]);
  view.reset(0, 0);
  assert.ok(view.span > 0);
});

test('at the deepest zoom neighbouring pixels are different places', () => {
  const view = new Viewport();
  view.reset(2 ** 50, 0);
  view.show(2 ** 50 - 1, 2 ** 50 - 1);
  const pixel = view.span / 4096;
  assert.notEqual(view.to - pixel, view.to);
});

test('rows from the bottom up and from the top down', () => {
  for (const upward of [false, true]) {
    const rows = new ChartRows();
    rows.upward = upward;
    rows.resize(10 * ROW_HEIGHT, 30);
    assert.equal(rows.levelAt(upward ? 10 * ROW_HEIGHT - 1 : 1), 0);
    for (const level of [0, 5, 29, 12]) {
      rows.reveal(level);
      const { first, end } = rows.visible;
      assert.ok(first <= level && level < end);
      assert.equal(rows.levelAt(rows.y(level) + ROW_HEIGHT / 2), level);
      assert.ok(rows.y(level) >= 0 && rows.y(level) <= 9 * ROW_HEIGHT);
    }
    rows.reveal(0);
    assert.equal(rows.drag(upward ? -50 : 50), false, 'not beyond the root');
    assert.equal(rows.drag(upward ? 50 : -50), true, 'deeper levels come when the content is drawn towards the root');
  }
});

test('rows tell which part of them is on the screen', () => {
  const rows = new ChartRows();
  rows.resize(10 * ROW_HEIGHT, 40);
  assert.deepEqual(rows.shown, { from: 0, to: 0.25 });
  rows.upward = true;
  assert.deepEqual(rows.shown, { from: 0.75, to: 1 });
  rows.scroll(30 * ROW_HEIGHT);
  assert.deepEqual(rows.shown, { from: 0, to: 0.25 });
});

function luminance([red, green, blue]) {
  const linear = (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

test('OKLCH: known colours', () => {
  assert.deepEqual(oklch(1, 0, 0), [255, 255, 255]);
  assert.deepEqual(oklch(0, 0, 0), [0, 0, 0]);
  const [red, green, blue] = oklch(0.628, 0.2577, 29.23);
  assert.ok(red >= 253 && green <= 4 && blue <= 4);
});

test('all tones carry dark text well', () => {
  for (const lightness of [0.68, 0.83]) {
    for (const hue of [58, 235]) {
      for (const colour of toneColours(hue, 84, { lightness, step: 0.035, chroma: 0.11 })) {
        const contrast = (luminance(colour) + 0.05) / (luminance([23, 24, 26]) + 0.05);
        assert.ok(contrast >= 4.5, `${colour}: ${contrast}`);
      }
    }
  }
});

test('tones: stable, and neighbours in one namespace are alike', () => {
  assert.equal(toneOf('malloc'), toneOf('malloc'));
  const hue = (name) => Math.floor(toneOf(name) / 3);
  assert.equal(hue('core::fmt::write'), hue('core::fmt::pad'));
  const names = Array.from({ length: 500 }, (_, i) => `function_${i}`);
  assert.equal(new Set(names.map(toneOf)).size, TONES);
});

test('the queue gives items back in order', () => {
  const heap = new Heap((a, b) => a < b);
  const numbers = Array.from({ length: 300 }, (_, i) => (i * 7919) % 1009);
  for (const number of numbers) heap.push(number);
  const sorted = numbers.map(() => heap.pop());
  assert.deepEqual(sorted, numbers.slice().sort((a, b) => a - b));
  assert.equal(heap.pop(), undefined);
  assert.equal(heap.length, 0);
});

test('names in little room', () => {
  assert.equal(shortName('wasm-function[736]'), '#736');
  assert.equal(shortName('a::b<c::d>::f'), '…f');
  assert.equal(shortName('<a::B as c::D>::f::h<e::g>'), '…h<e::g>');
  assert.equal(shortName('malloc'), 'malloc');
  const fitter = new TextFitter({ font: '', measureText: (text) => ({ width: text.length * 6 }) });
  fitter.use('11px monospace');
  assert.equal(fitter.fit('parse_value', 66), 'parse_value');
  assert.equal(fitter.fit('parse_value', 40), 'parse…');
  assert.equal(fitter.fit('parse_value', 14), '');
  assert.equal(fitter.fit('core::fmt::write', 40), '…write');
  assert.deepEqual([40, 23].map((room) => fitter.fit('wasm-function[736]', room)), ['#736', '']);
});

test('search: part of a name, or an expression', () => {
  const names = ['Parse_value', 'free_value', 'malloc'];
  const found = (text) => names.filter((_, func) => functionSearch(text, (index) => names[index])(func));
  assert.deepEqual(found('VALUE'), ['Parse_value', 'free_value']);
  assert.deepEqual(found('/^free|malloc$/'), ['free_value', 'malloc']);
  assert.deepEqual(found('/parse/'), []);
  assert.deepEqual(found('/parse/i'), ['Parse_value']);
  assert.deepEqual(found('/(/'), []);
});

test('ticks of the ruler stand at round numbers', () => {
  assert.deepEqual([0.3, 1, 1.2, 3, 7, 10, 42, 501].map(roundStep), [1, 1, 2, 5, 10, 10, 50, 1000]);
});
