// wasm-trace report --block BLOCK FILE.wasm: what a module recorded that ran elsewhere, in a block of its own heap (docs/CANISTERS.md).

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { traceSection } from '../../js/loader/hidden.js';
import { ModuleFacts } from '../../js/loader/module-facts.js';
import { natives } from '../../js/loader/engine.js';
import { countEvents, tracingCost, withoutCost } from '../../js/model/compensation.js';
import { blockSnapshot } from '../../js/trace/block.js';
import { TraceError } from '../../js/trace/errors.js';
import { exportParts } from '../../js/views/exports.js';
import { reportJson } from '../../js/views/json.js';
import { moduleInfos } from '../../js/views/module-info.js';
import { amountWithUnit } from '../../js/views/units.js';
import { FileError, readModule } from '../files.js';
import { storeRecording } from '../html-file.js';
import { tell } from '../messages.js';
import { isExport, reportForm, writeReportFile } from '../report-file.js';
import { renderRecorded } from './report-text.js';

/** @import {CallCost} from '../../js/trace/block.js' */
/** @import {RecordedSession} from '../../js/views/recorded.js' */
/** @import {Snapshot} from '../../js/trace/snapshot.js' */
/** @import {Options} from '../options.js' */

/**
 * @typedef {RecordedSession & {cost: CallCost | null, raw: Snapshot}} BlockSession its snapshot is the one to show; raw: as it was measured
 */

/**
 * @param {Options} options
 * @param {string} path of the module, as it was installed
 * @throws {FileError}
 */
export function showBlock(options, path) {
  const session = readBlock(path, String(options.block), options.compensate);
  tellCost(session, options, path);
  const { report } = options;
  const form = reportForm(report);
  const text = form === 'text' ? renderRecorded({ ...session, cost: undefined }, { ...options, compensate: false }) : ''; // its snapshot is what is to be shown
  if (report === undefined) process.stdout.write(text);
  else writeReportFile(report, [{ program: basename(path), text, data: makeData(form, session, options), baseline: null }]);
}

/** @param {string} path @param {string} blockPath @param {boolean} compensated @returns {BlockSession} */
function readBlock(path, blockPath, compensated) {
  const { bytes } = readModule(path);
  const facts = factsOf(path, bytes);
  const { metadata, names, raw } = facts;
  const { snapshot, cost } = readSnapshot(blockPath, metadata);
  const shown = withoutCost(snapshot, cost, compensated);
  const name = basename(path);
  return { name, label: name, section: raw.section, metadata, names, ending: 'ended', cost, raw: snapshot, snapshot: () => shown };
}

/** @param {string} path @param {Uint8Array} bytes */
function factsOf(path, bytes) {
  const module = compile(path, bytes);
  if (traceSection(module) === null) throw new FileError(path, 'is not instrumented');
  return ModuleFacts.ofModule(module, basename(path));
}

/** @param {string} path @param {Uint8Array} bytes */
function compile(path, bytes) {
  try {
    return new natives.Module(/** @type {Uint8Array<ArrayBuffer>} */ (bytes));
  } catch (error) {
    throw new FileError(path, `cannot be compiled here: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {string} path @param {import('../../js/trace/metadata.js').Metadata} metadata */
function readSnapshot(path, metadata) {
  try {
    return blockSnapshot(readFileSync(path), metadata);
  } catch (error) {
    if (error instanceof TraceError) throw new FileError(path, error.message);
    throw FileError.fromSystem(path, error);
  }
}

/** @param {BlockSession} session @param {Options} options @param {string} path */
function tellCost({ cost, raw, metadata }, { compensate: subtracted }, path) {
  if (!metadata.clock || countEvents(raw.nodes) === 0) return;
  if (!cost) {
    if (metadata.clock.kind === 'import') tell(path, 'what tracing itself cost is not known');
    return;
  }
  const { unit } = metadata.clock;
  const { total, share } = tracingCost(raw.nodes, cost);
  const each = amountWithUnit(cost.inner + cost.outer, unit);
  const how = subtracted ? 'subtracted from total, self and avg' : '--compensate subtracts it';
  tell(path, `tracing cost ${each} a call, measured where it ran: ${amountWithUnit(total, unit)}, ${(share * 100).toFixed(1)} % of what was traced; ${how}`);
}

/** @param {import('../report-file.js').ReportForm} form @param {BlockSession} session @param {Options} options @returns {object | null} */
function makeData(form, session, { limit, compensate: compensates }) {
  if (form === 'text') return null;
  const { name, metadata, names, raw, cost } = session;
  if (form === 'html') {
    const recorded = { ...session, snapshot: () => raw };
    return storeRecording({ sessions: [recorded], modules: moduleInfos([session]), warnings: [], trace: metadata.trace, traps: [], compensates }, name);
  }
  if (isExport(form)) return { parts: exportParts(form, [{ name, metadata, names, snapshot: raw, cost: compensates ? cost : null }]) };
  return reportJson({ sessions: [{ name, metadata, names, snapshot: raw, cost }] }, { limit });
}
