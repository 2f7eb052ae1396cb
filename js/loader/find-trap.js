// From an error that nobody caught to the trap in a traced module: which session, which function, which byte of the
// original file. Engines give function indices and offsets only in the text of Error.stack.

import * as ABI from '../generated/abi.js';
import { originalOffset } from '../trace/metadata.js';
import { isSomewhere } from '../trace/runtime-state.js';
import { isOurName, readFrame } from '../trace/stack-frames.js';

/** @import {Session} from './session.js' */

/**
 * @typedef {import('../views/trap.js').Trap} Trap
 * @typedef {{func: number, offset: number}} Frame byte offset in the file that the engine compiled
 * @typedef {{name: string, message: string, stack: string}} UncaughtError an error as plain data
 */

/** @param {unknown} error @returns {UncaughtError} */
export function plainError(error) {
  if (!(error instanceof Error)) return { name: '', message: textOf(error), stack: '' };
  return { name: textOf(error.name), message: textOf(error.message), stack: textOf(error.stack) };
}

/** @param {unknown} value that was thrown; not all that can be is text, or becomes text */
function textOf(value) {
  try {
    return String(value);
  } catch {
    return '';
  }
}

/**
 * @param {UncaughtError} error
 * @param {readonly Session[]} sessions
 * @returns {{session: Session, trap: Trap} | null} null when the error is no trap or its module is not traced
 */
export function findTrap({ name, message, stack }, sessions) {
  const frames = stack.split('\n').flatMap(wasmFrame);
  const isTrap = name === 'RuntimeError' || (name === 'RangeError' && frames.length > 0);
  const session = isTrap ? trappedSession(frames, sessions) : null;
  return session && { session, trap: describeTrap(message, frames, session) };
}

/** @param {string} line @returns {Frame[]} one or none */
function wasmFrame(line) {
  const frame = readFrame(line);
  if (frame === null || frame.func === null || frame.offset === null || isOurName(frame.name)) return [];
  return [{ func: frame.func, offset: frame.offset }];
}

/**
 * The engine's names of modules tell nothing. A trap leaves the position where it was, so a session that stands inside a
 * call is the likely one; the newest of them is.
 * @param {Frame[]} frames
 * @param {readonly Session[]} sessions
 * @returns {Session | null}
 */
function trappedSession(frames, sessions) {
  const highest = Math.max(0, ...frames.map(({ func }) => func));
  const possible = sessions.filter(({ metadata }) => highest < metadata.functionCount + addedFunctions(metadata)).reverse();
  return possible.find((session) => standsInside(session.snapshot())) ?? possible[0] ?? null;
}

/** @param {import('./session.js').Snapshot} snapshot */
function standsInside({ position }) {
  return position !== ABI.NODE_ROOT && isSomewhere(position);
}

/**
 * At most: the runtime's own, a thunk for each import, shims.
 * @param {import('../trace/metadata.js').Metadata} metadata
 */
function addedFunctions({ importCount, shims }) {
  return importCount + shims.size + 64;
}

/** @param {string} kind @param {Frame[]} frames @param {Session} session @returns {Trap} */
function describeTrap(kind, frames, { metadata }) {
  const stack = frames
    .filter(({ func }) => func < metadata.functionCount)
    .map(({ func, offset }) => ({ func, offset: originalOffset(metadata, offset) }));
  return { kind, func: stack[0]?.func, offset: stack[0]?.offset, stack: stack.length > 0 ? stack : null };
}
