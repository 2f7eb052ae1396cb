// Frames of doubt. The runtime puts one below the place where a call of the host seems to belong when it cannot know that
// the frames there are still on the stack (guest-runtime/src/position.c). Later events may tell: who returned afterwards was
// there. Then the call below is an ordinary one; else it is marked. The frames of doubt themselves go.
import { ABI } from '../generated/records.js';
import { END } from './steps.js';

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
    if (!(parent[call] < 0 || ALIVE.has(end[parent[call]]))) uncertain.add(call);
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
    uncertain: new Set(renamed([...calls.uncertain])),
    steps: { ...calls.steps, call: renamed(calls.steps.call) },
  };
}

/**
 * @param {Calls} calls with frames of doubt among them
 * @returns {Calls} without
 */
export function settleUncertain(calls) {
  if (!calls.func.includes(ABI.UNCERTAIN)) return calls;
  passOver(calls);
  let next = 0;
  const places = calls.func.map((func) => (func === ABI.UNCERTAIN ? -1 : next++));
  return compact(calls, places);
}
