// The HTML report of --report FILE.html: the recording of each process, and the script of the build that shows them.

import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';

import { htmlReport } from '../js/views/html-report.js';
import { packRecording } from '../js/views/recorded.js';
import { FileError } from './files.js';

/** @import {StoredRecording} from '../js/views/html-report.js' */
/** @import {Recording} from '../js/views/recorded.js' */
/** @import {ReportPiece} from './report-file.js' */

const SCRIPT = new URL('../build/web/wasm-trace-report.js', import.meta.url);

/** @param {Recording} recording @param {string} program @returns {StoredRecording} */
export function storeRecording(recording, program) {
  const { head, bytes } = packRecording(recording);
  return { program, head, data: deflateRawSync(bytes).toString('base64') };
}

/** @returns {string} @throws {FileError} */
function reportScript() {
  try {
    return readFileSync(SCRIPT, 'utf8');
  } catch (error) {
    throw FileError.fromSystem('wasm-trace-report.js', error, 'cannot make the HTML report');
  }
}

/** @param {readonly ReportPiece[]} pieces the main process's first @returns {string} */
export function htmlText(pieces) {
  const recordings = pieces.map(({ data }) => /** @type {StoredRecording} */ (data));
  return htmlReport({ script: reportScript(), recordings, title: `${pieces[0].program} - wasm-trace` });
}
