// Runs in the page: shows tables and takes the time of pictures. A picture's time is from before it is drawn until its pixels are
// there: reading one of them waits for the rest.
import { flameLayout } from '../../js/views/flame-layout.js';
import { FlameView } from '../../web/panel/flame-view.js';
import { syntheticTable } from './canvas-tables.js';

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

/**
 * @param {string} shape @param {number} length frames
 * @param {number} repeat
 * @returns {Promise<{layout: number[], whole: number[], moving: number[], search: number[]}>} milliseconds
 */
export async function measure(shape, length, repeat) {
  const table = syntheticTable(shape, length);
  const layout = Array.from({ length: repeat }, () => {
    const start = performance.now();
    flameLayout(table);
    return performance.now() - start;
  });
  const view = new FlameView(container);
  view.show({ table, names: NAMES });
  await timePicture(() => view.restyle());
  const whole = [];
  for (let i = 0; i < 6 * repeat; i++) whole.push(await timePicture(() => view.restyle()));
  const moving = [];
  for (const step of flight(12 * repeat)) moving.push(await timePicture(step));
  view.focus();
  view.search('function_1');
  const search = [];
  for (let i = 0; i < 6 * repeat; i++) search.push(await timePicture(() => view.restyle()));
  view.destroy();
  return { layout, whole, moving, search };
}
