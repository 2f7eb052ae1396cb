// Runs in the page: shows charts and takes the time of pictures. A picture's time is from before it is drawn until its pixels are
// there: reading one of them waits for the rest.
import { flameLayout } from '../../js/views/flame-layout.js';
import { sequenceLayout } from '../../js/views/sequence-layout.js';
import { FlameView } from '../../web/panel/flame-view.js';
import { SequenceView } from '../../web/panel/sequence-view.js';
import { syntheticModel, syntheticTable } from './canvas-tables.js';

const NAMES = { name: (/** @type {number} */ func) => `crate_${func % 40}::module::function_${func}` };

const container = /** @type {HTMLElement} */ (document.querySelector('#chart'));

/** @param {() => void} change of something that is drawn with the next frame @returns {Promise<number>} milliseconds */
function timePicture(change) {
  const canvas = /** @type {HTMLCanvasElement} */ (container.querySelector('canvas'));
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  return new Promise((resolve) => {
    let start = 0;
    requestAnimationFrame(() => (start = performance.now()));
    change();
    requestAnimationFrame(() => {
      context.getImageData(0, 0, 1, 1);
      resolve(performance.now() - start);
    });
  });
}

/** @param {Iterable<() => void>} changes */
async function timePictures(changes) {
  const times = [];
  for (const change of changes) times.push(await timePicture(change));
  return times;
}

/** @param {number} deltaX @param {number} deltaY @param {number} part of the width, where the pointer is */
function wheel(deltaX, deltaY, part) {
  const { left, width, bottom } = container.getBoundingClientRect();
  const place = { clientX: left + part * width, clientY: bottom - 5 };
  const init = { deltaX, deltaY, ctrlKey: deltaX === 0, ...place, bubbles: true, cancelable: true };
  container.querySelector('canvas')?.dispatchEvent(new WheelEvent('wheel', init));
}

/** Nearer and nearer to a place, along there, and out again. @param {number} frames */
function* flight(frames) {
  for (let i = 0; i < frames; i++) yield () => wheel(0, -12, 0.3 + 0.4 * (i / frames));
  for (let i = 0; i < frames; i++) yield () => wheel(25, 0, 0.5);
  for (let i = 0; i < frames; i++) yield () => wheel(0, 12, 0.6);
}

/** Of the shapes that are sequences. */
const AXES = /** @type {const} */ ({ sequence: 'event', timeline: 'time' });

/** Shows a chart of a shape and a size. @param {string} shape @param {number} length */
function makeChart(shape, length) {
  if (shape in AXES) {
    const axis = AXES[/** @type {keyof typeof AXES} */ (shape)];
    const model = syntheticModel(length);
    const view = new SequenceView(container);
    view.axis = axis;
    view.show({ model, names: NAMES });
    return { view, layout: () => sequenceLayout(model, axis) };
  }
  const table = syntheticTable(shape, length);
  const view = new FlameView(container);
  view.show({ table, names: NAMES });
  return { view, layout: () => flameLayout(table) };
}

/** @param {() => void} work @param {number} repeat */
function timeWork(work, repeat) {
  return Array.from({ length: repeat }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
}

/**
 * @param {string} shape @param {number} length frames or events
 * @param {number} repeat
 * @returns {Promise<{layout: number[], whole: number[], moving: number[], search: number[]}>} milliseconds
 */
export async function measure(shape, length, repeat) {
  const { view, layout } = makeChart(shape, length);
  const again = Array.from({ length: 6 * repeat }, () => () => view.restyle());
  await timePictures(again.slice(0, 3));
  const times = {
    layout: timeWork(layout, repeat),
    whole: await timePictures(again),
    moving: await timePictures(flight(12 * repeat)),
  };
  view.focus();
  view.search('function_1');
  const search = await timePictures(again);
  view.destroy();
  return { ...times, search };
}
