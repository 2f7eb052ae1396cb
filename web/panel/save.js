// The buttons that take what is shown out of the page: files of HTML and JSON, text for the clipboard.
import { htmlReport } from '../../js/views/html-report.js';
import { reportJson } from '../../js/views/json.js';
import { packRecording } from '../../js/views/recorded.js';
import { h } from './dom.js';
import { pack } from './pack.js';

/** @import {Recording, RecordedSession} from '../../js/views/recorded.js' */
/** @import {PanelSession, PanelSource} from './source.js' */

const REPORT_SCRIPT = 'wasm-trace-report.js';

/** Where this script came from: the script of reports stands beside it. Known only while it is first run. */
const here = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : '';

/** @param {string} name @param {string} type @param {string} text */
export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: url, download: name }).click();
  // The download has begun by then; the page would keep the text for ever.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** @returns {Promise<string>} */
async function reportScript() {
  const problem = `${REPORT_SCRIPT} could not be loaded from beside wasm-trace-panel.js, so there is no HTML to save; JSON can be saved.`;
  if (here === '') throw new Error(problem);
  const response = await fetch(new URL(REPORT_SCRIPT, here)).catch(() => null);
  if (!response?.ok) throw new Error(problem);
  return response.text();
}

/** @param {PanelSource} source @param {readonly PanelSession[]} sessions @returns {Recording} */
function recordingOf(source, sessions) {
  const whole = sessions.filter(({ section }) => section !== undefined);
  return {
    sessions: /** @type {RecordedSession[]} */ (whole),
    modules: source.modules(),
    warnings: source.warnings(),
    trace: source.trace(),
    traps: source.traps?.() ?? [],
    compensates: source.compensates?.() ?? false,
  };
}

/**
 * @param {PanelSource} source
 * @param {readonly PanelSession[]} sessions as they are to be kept
 * @returns {Promise<string>} the document
 * @throws {Error} with a message for people: there is no script of reports
 */
export async function reportDocument(source, sessions) {
  const script = await reportScript();
  const { head, bytes } = packRecording(recordingOf(source, sessions));
  const recordings = [{ program: location.href, head, data: await pack(bytes) }];
  return htmlReport({ script, recordings, title: `${document.title || location.host} - wasm-trace` });
}

/** @param {readonly PanelSession[]} sessions @returns {string} */
export function jsonText(sessions) {
  const inputs = sessions.map((session) => {
    const { name, metadata, names, clock, memory, cost } = session;
    return { name, metadata, names, clock, memory, cost, snapshot: session.snapshot() };
  });
  return `${JSON.stringify(reportJson({ sessions: inputs }), null, 2)}\n`;
}
