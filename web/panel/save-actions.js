// What the buttons for saving and copying do; each returns what to say.
import { renderReport } from '../../js/views/report.js';
import { download, jsonText, reportDocument } from './save.js';

/** @import {Shown} from './shown.js' */
/** @import {PanelSession, PanelSource} from './source.js' */
/** @import {TabRow} from './tab-list.js' */

/** @param {PanelSource} source @param {readonly PanelSession[]} sessions */
export async function saveHtml(source, sessions) {
  download('wasm-trace.html', 'text/html', await reportDocument(source, sessions));
  return 'Saved as wasm-trace.html.';
}

/** @param {readonly PanelSession[]} sessions */
export function saveJson(sessions) {
  download('wasm-trace.json', 'application/json', jsonText(sessions));
  return 'Saved as wasm-trace.json.';
}

/** Text of the tabs that are not about one session. @param {PanelSource} source */
function sourceText(source) {
  const modules = source.modules().map(({ name, functions, traced }) => `${name}: ${functions} functions, ${traced} traced`);
  return [...modules, ...source.warnings(), ...(source.traps?.() ?? [])].join('\n');
}

/**
 * @param {PanelSource} source
 * @param {Shown | null} shown
 * @param {TabRow} [tab]
 */
export async function copyText(source, shown, tab) {
  const text = shown && tab ? displayText(shown, tab) : sourceText(source);
  if (!navigator.clipboard) throw new Error('The browser lets only pages from https or localhost copy.');
  await navigator.clipboard.writeText(text);
  return 'Copied.';
}

/** @param {Shown} shown @param {TabRow} tab */
function displayText({ snapshot, metadata, names, choice, ending, resolution, cost, compensated }, { kind }) {
  const options = { ending, resolution, cost, compensate: compensated, compensateBy: 'data-compensate' };
  return renderReport(kind, { snapshot, metadata, names, title: choice.text }, options);
}
