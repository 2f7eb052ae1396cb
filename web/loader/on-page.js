// What the page script shows on the page: the panel where one is asked for, otherwise a small button that saves the report.

import { takeNonce } from './browser.js';
import { launch } from './launch.js';

/** @typedef {import('./tracer.js').Tracer} Tracer */

const PANEL_FILE = 'wasm-trace-panel.js';

/** @type {WeakSet<Tracer>} */
const shown = new WeakSet();

/** @param {Tracer} tracer */
export function showOnPage(tracer) {
  if (typeof document === 'undefined') return;
  whenReady(() => {
    if (tracer.isFrame || shown.has(tracer)) return;
    const { panel, button = panel !== 'none' } = tracer.options;
    if (tracer.hasPanel) void showPanel(tracer, String(panel));
    else if (button) document.body.append(makeButton(tracer));
    else return;
    shown.add(tracer);
  });
}

/** @param {() => void} work */
function whenReady(work) {
  if (document.body && document.readyState !== 'loading') work();
  else document.addEventListener('DOMContentLoaded', work, { once: true });
}

/** @param {Tracer} tracer @param {string} dock */
async function showPanel(tracer, dock) {
  try {
    await loadPanel();
    const panel = /** @type {HTMLElement & {source: unknown}} */ (document.createElement('wasm-trace-panel'));
    panel.setAttribute('dock', dock);
    panel.source = tracer.source;
    document.body.append(panel);
  } catch (error) {
    tracer.warn(`there is no panel: ${/** @type {Error} */ (error).message}`);
    document.body.append(makeButton(tracer));
  }
}

/** @returns {Promise<void>} */
function loadPanel() {
  if (customElements.get('wasm-trace-panel')) return Promise.resolve();
  if (!launch.script) return Promise.reject(new Error(`the address of ${PANEL_FILE} is not known`));
  const script = document.createElement('script');
  script.src = new URL(PANEL_FILE, launch.script).href;
  takeNonce(script);
  return new Promise((resolve, reject) => {
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${script.src} could not be loaded`));
    document.head.append(script);
  });
}

/** By properties, which no Content-Security-Policy forbids. */
const BUTTON_STYLE = Object.freeze({
  position: 'fixed',
  right: '12px',
  bottom: '12px',
  zIndex: '2147483647',
  padding: '6px 12px',
  border: '1px solid #0003',
  borderRadius: '6px',
  background: '#1f2937',
  color: '#fff',
  font: '13px/1.4 system-ui, sans-serif',
  cursor: 'pointer',
  boxShadow: '0 1px 4px #0004',
});

/** @param {Tracer} tracer @returns {HTMLElement} in a shadow root, out of the reach of the page's styles */
function makeButton(tracer) {
  const host = document.createElement('wasm-trace-button');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Save trace';
  button.title = 'Save what wasm-trace has recorded up to now as a text file';
  Object.assign(button.style, BUTTON_STYLE);
  button.addEventListener('click', () => void saveReport(tracer));
  host.attachShadow({ mode: 'open' }).append(button);
  return host;
}

/** @param {Tracer} tracer */
async function saveReport(tracer) {
  await tracer.refresh();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([tracer.report()], { type: 'text/plain' }));
  link.download = 'wasm-trace.txt';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
