// What the events tell about what came before them: which recorded calls were open when the oldest event that is left
// was recorded. Their enters are overwritten; their ends, or the tree, give them away.
import * as ABI from '../generated/abi.js';
import * as RECORD from '../generated/record.js';

/** @import {Snapshot} from '../trace/snapshot.js' */
/** @import {Events} from './events.js' */

/** @typedef {{func: number, position: number}} Frame */

/** Kinds of records whose position is a call's own. @type {ReadonlySet<number>} */
const OF_CALLS = new Set([RECORD.ENTER, RECORD.LEAVE, RECORD.TAIL, RECORD.THROWN]);

/**
 * Recorded calls that were open before the oldest event, outermost first.
 * @param {Events} events
 * @param {Pick<Snapshot, 'treePositions' | 'nodes'>} snapshot
 * @returns {Frame[]}
 */
export function openAtStart(events, snapshot) {
  if (events.length === 0) return [];
  return snapshot.treePositions ? openByTree(events, snapshot.nodes) : openByDepth(events);
}

/** Functions that have a call or a return among the events. @param {Events} events @returns {Set<number>} */
function recordedFunctions(events) {
  const funcs = new Set();
  for (let i = 0; i < events.length; i++) {
    if (events.kind(i) === RECORD.ENTER || events.kind(i) === RECORD.LEAVE) funcs.add(events.func(i));
  }
  funcs.delete(ABI.UNCERTAIN);
  return funcs;
}

/**
 * The tree knows the whole stack of the first event. Functions that record nothing, there for the sake of stacks, are on it
 * too; they are left out.
 * @param {Events} events
 * @param {Snapshot['nodes']} nodes
 * @returns {Frame[]}
 */
function openByTree(events, { parent, func }) {
  const frames = [];
  const first = events.position(0);
  if (first >= parent.length) return [];
  const recorded = recordedFunctions(events);
  let node = events.kind(0) === RECORD.ENTER ? parent[first] : first;
  for (; node >= ABI.NODE_FIRST; node = parent[node]) {
    if (recorded.has(func[node])) frames.push({ func: func[node], position: node });
  }
  return frames.reverse();
}

/**
 * Depths tell of the calls whose end is still there: an end at a depth that nothing before it came up to. The calls
 * between two of them, and those that are still running, stay unknown; the depths of what is known stay right.
 * @param {Events} events
 * @returns {Frame[]}
 */
function openByDepth(events) {
  const frames = [];
  let least = Infinity;
  for (let i = 0; i < events.length && least > 1; i++) {
    const kind = events.kind(i);
    if (!OF_CALLS.has(kind)) continue;
    const position = events.position(i);
    if (kind !== RECORD.ENTER && position < least) frames.push({ func: events.func(i), position });
    least = Math.min(least, position);
  }
  return frames.reverse();
}
