// The self-contained HTML report: recordings and the script that shows them, in one document that asks the network for
// nothing. What comes from a program (names, warnings) stands in JSON, in which no `<` is left.

/** @import {RecordedHead} from './recorded.js' */

/** Element that holds the data, a list of StoredRecording. */
export const DATA_ELEMENT = 'wasm-trace-recordings';

/**
 * @typedef {object} StoredRecording
 * @property {string} program what was traced: a command line, an address
 * @property {RecordedHead} head
 * @property {string} data the bytes of the recording, deflated (raw), in base64
 */

// All is inside; nothing may be loaded from elsewhere.
const POLICY = "default-src 'none'; script-src 'unsafe-inline'";

/** @param {string} text */
function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** A script's text must not end its element, nor begin a comment that hides the end. @param {string} script */
function escapeScript(script) {
  return script.replace(/<(?=\/script|!--|script)/gi, '\\x3c');
}

/** @param {unknown} value */
function embeddedJson(value) {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/**
 * @param {object} parts
 * @param {string} parts.script text of wasm-trace-report.js
 * @param {readonly StoredRecording[]} parts.recordings one for each process
 * @param {string} parts.title
 * @returns {string}
 */
export function htmlReport({ script, recordings, title }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escapeHtml(title)}</title>
</head>
<body>
<noscript>This report needs JavaScript; it loads nothing from elsewhere.</noscript>
<script type="application/json" id="${DATA_ELEMENT}">${embeddedJson(recordings)}</script>
<script>${escapeScript(script)}</script>
</body>
</html>
`;
}
