// Which calls may have been made from elsewhere than they seem. Nobody tells the runtime that a trap has ended frames, so a
// call from the host may come when they are gone. Where the runtime can know that it does not know, it puts a frame of doubt
// below them (guest-runtime/src/position.c). Later events may settle it: who returned afterwards was there, and the call is
// an ordinary one. The other way round, a caller that was never heard of again may not have been there. The frames of doubt
// themselves go.
import * as ABI from '../generated/abi.js';
import * as END from './end.js';
import * as STEP from './step.js';

/** @import {Calls} from './calls.js' */

/** Ends that only a call which is on the stack can have. @type {ReadonlySet<number>} */
const ALIVE = new Set([END.RETURNED, END.TAIL, END.THROWN]);

/**
 * Gives each call below a frame of doubt the parent above it, and tells which of them are uncertain.
 * @param {Calls} calls parents first; changed
 */
function passOver({ length, func, parent, depth, end, uncertain }) {
  const lift = new Uint32Array(length); // frames of doubt around each call
  for (let call = 0; call < length; call++) {
    const above = parent[call];
    if (above < 0) continue;
    const doubtful = func[above] === ABI.UNCERTAIN;
    lift[call] = lift[above] + (doubtful ? 1 : 0);
    depth[call] -= lift[call];
    if (!doubtful) continue;
    parent[call] = parent[above];
    if (parent[call] < 0 || !ALIVE.has(end[parent[call]])) uncertain.add(call); // -1: with --only, the call that it selected is hidden
  }
}

/**
 * The last call in each call that it made itself, or the last there was when something else was recorded of it: up to there it
 * was on the stack. @param {Calls} calls
 */
function lastOwn({ length, parent, hosted, steps }) {
  const last = new Int32Array(length).fill(-1);
  let latest = -1;
  for (let step = 0; step < steps.length; step++) {
    const call = steps.call[step];
    const kind = steps.kind[step];
    if (call < 0) continue;
    if (kind === STEP.GROW || kind === STEP.TRAP) last[call] = latest;
    if (kind !== STEP.ENTER) continue;
    latest = call;
    if (parent[call] >= 0 && !hosted.has(call)) last[parent[call]] = call;
  }
  return last;
}

/**
 * Calls of the host that ended well, inside of one that was never heard of again: a trap of the host's own may have ended that
 * before. @param {Calls} calls changed
 */
function markForsaken(calls) {
  const { parent, end, hosted, uncertain } = calls;
  const last = hosted.size > 0 ? lastOwn(calls) : new Int32Array(0);
  for (const call of hosted) {
    const above = parent[call];
    if (above >= 0 && end[above] === END.UNWOUND && ALIVE.has(end[call]) && call > last[above]) uncertain.add(call);
  }
}

/** @param {Calls} calls @param {number[]} places new index by old one; -1 for those that go @returns {Calls} */
function compact(calls, places) {
  const kept = places.flatMap((place, call) => (place < 0 ? [] : [call]));
  const column = (/** @type {number[]} */ values) => kept.map((call) => values[call]);
  const renamed = (/** @type {number[]} */ values) => values.map((call) => (call < 0 ? -1 : places[call]));
  return {
    length: kept.length,
    func: column(calls.func),
    position: column(calls.position),
    depth: column(calls.depth),
    parent: renamed(column(calls.parent)),
    enter: column(calls.enter),
    leave: column(calls.leave),
    end: column(calls.end),
    hosted: new Set(renamed([...calls.hosted]).filter((call) => call >= 0)),
    uncertain: new Set(renamed([...calls.uncertain]).filter((call) => call >= 0)),
    steps: { ...calls.steps, call: renamed(calls.steps.call) },
  };
}

/** @param {Calls} calls @returns {Calls} without frames of doubt */
function withoutDoubt(calls) {
  if (!calls.func.includes(ABI.UNCERTAIN)) return calls;
  passOver(calls);
  let next = 0;
  const places = calls.func.map((func) => (func === ABI.UNCERTAIN ? -1 : next++));
  return compact(calls, places);
}

/**
 * @param {Calls} calls as they seem, frames of doubt among them; changed
 * @returns {Calls}
 */
export function settleUncertain(calls) {
  const settled = withoutDoubt(calls);
  markForsaken(settled);
  return settled;
}
