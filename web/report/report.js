// The script inside of HTML reports: reads the recordings that stand in the document and shows them in a panel that fills
// the page. The form of the document: js/views/html-report.js.
import { DATA_ELEMENT } from '../../js/views/html-report.js';
import { unpackRecording } from '../../js/views/recorded.js';
import { unpack } from '../panel/pack.js';
import { WasmTracePanel } from '../panel/panel.js';

/** @import {StoredRecording} from '../../js/views/html-report.js' */
/** @import {Recording} from '../../js/views/recorded.js' */
/** @import {PanelSource} from '../panel/source.js' */

/** @param {StoredRecording} stored @param {boolean} several processes @returns {Promise<Recording>} */
async function readRecording({ program, head, data }, several) {
  const recording = unpackRecording(head, await unpack(data));
  const named = (/** @type {string} */ name) => (several ? `${name} (${program})` : name);
  const sessions = recording.sessions.map((session) => ({ ...session, name: named(session.name), label: named(session.label) }));
  return { ...recording, sessions };
}

/** @returns {Promise<Recording[]>} */
async function readRecordings() {
  const stored = JSON.parse(document.getElementById(DATA_ELEMENT)?.textContent ?? '[]');
  return Promise.all(stored.map((/** @type {StoredRecording} */ one) => readRecording(one, stored.length > 1)));
}

/** @param {Recording[]} recordings @returns {PanelSource} */
function sourceOf(recordings) {
  const sessions = recordings.flatMap((recording) => recording.sessions);
  const modules = recordings.flatMap((recording) => recording.modules);
  const warnings = recordings.flatMap((recording) => recording.warnings);
  const trace = [...new Set(recordings.flatMap((recording) => recording.trace))];
  const traps = recordings.flatMap((recording) => recording.traps);
  return {
    sessions: () => sessions,
    modules: () => modules,
    warnings: () => warnings,
    trace: () => trace,
    traps: () => traps,
    compensates: () => recordings.some(({ compensates }) => compensates),
    control: null,
  };
}

async function show() {
  const panel = new WasmTracePanel();
  panel.setAttribute('dock', 'page');
  document.body.append(panel);
  try {
    panel.source = sourceOf(await readRecordings());
  } catch (error) {
    panel.remove();
    document.body.append(`This report cannot be shown: ${error instanceof Error ? error.message : error}`);
  }
}

show();
