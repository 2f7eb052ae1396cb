// How long the charts take to lay out, and to draw, in Chromium.
import { chartsSkipped, openChartPage } from '../browser/chart-page.js';
import { SHAPE_NAMES } from './canvas-tables.js';
import { median, percentile } from './statistics.mjs';
import { ms, printTable } from './table.mjs';

const SIZES = [10_000, 100_000, 1_000_000];
const VIEWPORT = { width: 1600, height: 900 };

/** Median and 95th percentile. @param {readonly number[]} times */
function spread(times) {
  return [ms(median(times)), ms(percentile(times, 0.95))];
}

/** @param {number} repeat */
export async function benchmarkCanvas(repeat) {
  if (chartsSkipped) return console.log(`\ncanvas: skipped: ${chartsSkipped}`);
  const { page, errors, close } = await openChartPage(VIEWPORT);
  const rows = [];
  for (const shape of [...SHAPE_NAMES, 'sequence', 'timeline']) {
    for (const size of SIZES) {
      const times = await page.evaluate(
        async (args) => (await import('/tests/bench/canvas-page.js')).measure(...args),
        /** @type {const} */ ([shape, size, repeat]),
      );
      const { layout, whole, moving, search } = times;
      rows.push([`${shape}, ${size}`, ms(median(layout)), ...spread(whole), ...spread(moving), ...spread(search)]);
    }
  }
  await close();
  if (errors.length > 0) throw new Error(errors.join('\n'));
  printTable(
    `Charts of ${VIEWPORT.width} x ${VIEWPORT.height} pixels, Chromium; a picture until its pixels are there (target at a million frames: below 16 ms)`,
    ['frames or events', 'layout', 'whole', '95 %', 'moving', '95 %', 'search', '95 %'],
    rows,
  );
}
