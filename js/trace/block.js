// Link mode heap: what the runtime recorded stands in a block of the debuggee's own memory. The bytes of that block, fetched from
// wherever the module ran (docs/CANISTERS.md) -> the snapshot that a memory of the runtime's would have given.
import * as ABI from '../generated/abi.js';
import { TraceError } from './errors.js';
import { takeSnapshot } from './snapshot.js';

/** @import {Metadata} from './metadata.js' */
/** @import {Snapshot} from './snapshot.js' */

const WASM_PAGE = 65_536;

/**
 * What recording a call and its return adds to the clock, as it was measured where the module ran.
 * @typedef {object} CallCost
 * @property {number} inner counted in the function that is called
 * @property {number} outer counted in the one that calls it
 * @property {number} first what the first call on a path costs beside that, in the function that is called
 */

/** @param {Pick<Metadata, 'pages'>} metadata @returns {number} bytes of the block */
export function blockSize({ pages }) {
  return pages * WASM_PAGE;
}

/**
 * @param {Uint8Array} bytes the block; not kept
 * @param {Metadata} metadata of the module that recorded it
 * @returns {{snapshot: Snapshot, cost: CallCost | null}} cost: null where it was not measured
 * @throws {TraceError} code 'snapshot': it is no such block, or not all of it
 */
export function blockSnapshot(bytes, metadata) {
  const size = blockSize(metadata);
  if (!metadata.heap) throw new TraceError('snapshot', 'the module keeps what it records in a memory of its own', null);
  if (bytes.length === 0) throw new TraceError('snapshot', 'there was no block yet: none of the functions of --from had been called', null);
  if (bytes.length !== size) throw new TraceError('snapshot', `the block has ${size} bytes, and these are ${bytes.length}`, null);
  const { buffer } = new Uint8Array(bytes); // a copy, at the beginning of its buffer
  return { snapshot: forward(takeSnapshot(buffer, { idle: true })), cost: readCost(new DataView(buffer)) };
}

/** A counter that begins anew with each message goes back between two windows: that is in the root's time, and no time. @param {Snapshot} snapshot @returns {Snapshot} */
function forward(snapshot) {
  const { self } = snapshot.nodes;
  if (self && self[ABI.NODE_ROOT] < 0) self[ABI.NODE_ROOT] = 0;
  return snapshot;
}

/** @param {DataView} view @returns {CallCost | null} */
function readCost(view) {
  const [inner, outer, first] = [ABI.CALIBRATION_INNER, ABI.CALIBRATION_OUTER, ABI.CALIBRATION_FIRST].map((at) => view.getInt32(at, true));
  if (inner === 0 && outer === 0) return null;
  return { inner: inner / ABI.CALIBRATION_CALLS, outer: outer / ABI.CALIBRATION_CALLS, first };
}
