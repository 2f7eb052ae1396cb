// What the times of a trace have to add up to. Each event reads the clock once and adds what has passed to the node in which execution
// stood, so that the columns of the tree, the times of events and the duration histograms are sums of the same differences: they agree to the
// unit, with any clock.
import * as ABI from '../../../js/generated/abi.js';

/**
 * @import {TraceModel} from '../../../js/model/trace-model.js'
 * @import {Metadata} from '../../../js/trace/metadata.js'
 * @import {Disagreement} from './compare.js'
 *
 * @typedef {object} Took what the calls of a node took that were seen to end, by the times of their events
 * @property {number} calls
 * @property {number} sum
 * @property {number} min
 * @property {number} max
 */

/** @param {string} kind @param {string} text @returns {Disagreement} */
const fault = (kind, text) => ({ kind: `times: ${kind}`, text });

/** @param {TraceModel} model */
function backwards({ events }) {
  for (let i = 1; i < events.length; i++)
    if (events.time(i) < events.time(i - 1)) return fault('the clock goes back', `event ${i}: ${events.time(i - 1)}, then ${events.time(i)}`);
  return null;
}

/** Instructions are counted from 0, and all of them belong to somebody unless there is an --only; when the host's clock began to count for the
 * module is not told. @param {TraceModel} model @param {Metadata} metadata */
function unaccounted({ snapshot: { nodes, clock } }, metadata) {
  const sum = /** @type {Float64Array} */ (nodes.self).reduce((all, self) => all + self, 0);
  const now = /** @type {{now: number}} */ (clock).now;
  const isRight = metadata.clock?.kind === 'instructions' && !metadata.onlyGate ? sum === now : sum >= 0 && sum <= now;
  return isRight ? null : fault('what passed in nodes is not what passed', `${sum} of ${now}`);
}

/** @param {TraceModel} model @returns {Map<number, Took>} by node */
function tookByNode({ calls, events }) {
  /** @type {Map<number, Took>} */
  const nodes = new Map();
  for (let call = 0; call < calls.length; call++) {
    if (calls.enter[call] < 0 || calls.leave[call] < 0) continue;
    const node = events.position(calls.enter[call]);
    const time = events.time(calls.leave[call]) - events.time(calls.enter[call]);
    const { calls: count, sum, min, max } = nodes.get(node) ?? { calls: 0, sum: 0, min: Infinity, max: 0 };
    nodes.set(node, { calls: count + 1, sum: sum + time, min: Math.min(min, time), max: Math.max(max, time) });
  }
  return nodes;
}

/** @param {TraceModel} model @param {Map<number, Took>} took */
function wrongExtremes({ snapshot: { nodes } }, took) {
  for (const [node, { min, max }] of took) {
    const [shortest, longest] = [nodes.min?.[node], nodes.max?.[node]];
    if (shortest !== min || longest !== max) return fault('the shortest or longest call', `node ${node}: ${min} to ${max}, and ${shortest} to ${longest}`);
  }
  return null;
}

/** Self and all below: parents come first. @param {TraceModel} model */
function totals({ snapshot: { nodes } }) {
  const total = Float64Array.from(/** @type {Float64Array} */ (nodes.self));
  for (let node = total.length - 1; node > 0; node--) total[nodes.parent[node]] += total[node];
  return total;
}

/** Of a node all of whose calls were seen to end. @param {TraceModel} model @param {Map<number, Took>} took */
function wrongTotals(model, took) {
  const { nodes } = model.snapshot;
  const total = totals(model);
  for (const [node, { calls, sum }] of took)
    if (nodes.count[node] === calls && total[node] !== sum) return fault('the total of a path', `node ${node}: ${calls} calls took ${sum}, and the total is ${total[node]}`);
  return null;
}

/** As guest-runtime/include/wtr_abi.h has it. @param {number} took below 2^31 */
function bucketOf(took) {
  const exponent = 31 - Math.clz32(took);
  return took < 16 ? took : 16 + (exponent - 4) * 8 + ((took >>> (exponent - 3)) & 7);
}

/** How many calls took so long, by function and bucket. @param {TraceModel} model */
function bucketsOf({ calls, events }) {
  /** @type {Map<string, number>} */
  const buckets = new Map();
  for (let call = 0; call < calls.length; call++) {
    if (calls.enter[call] < 0 || calls.leave[call] < 0) continue;
    const key = `function ${calls.func[call]}, bucket ${bucketOf(events.time(calls.leave[call]) - events.time(calls.enter[call]))}`;
    buckets.set(key, (buckets.get(key) ?? 0) + 1);
  }
  return buckets;
}

/** @param {TraceModel} model @param {Metadata} metadata */
function wrongDurations(model, { durations, clock }) {
  if (clock?.kind !== 'instructions') return null; // others are read once more
  const buckets = bucketsOf(model);
  for (const [i, func] of durations.entries())
    for (const [bucket, count] of model.snapshot.durations[i].entries()) {
      const events = buckets.get(`function ${func}, bucket ${bucket}`) ?? 0;
      if (events !== Number(count)) return fault('a duration histogram', `function ${func}, bucket ${bucket}: ${events} by events, and ${count}`);
    }
  return null;
}

/**
 * @param {TraceModel} model with a ring, of which nothing is lost
 * @param {Metadata} metadata
 * @returns {Disagreement | null}
 */
export function compareTimes(model, metadata) {
  if (!metadata.clock) return null;
  const wrong = backwards(model) ?? unaccounted(model, metadata);
  const doubts = [...model.events].some(({ func }) => func === ABI.UNCERTAIN);
  if (wrong || !metadata.ring || doubts) return wrong;
  const took = tookByNode(model);
  return wrongExtremes(model, took) ?? wrongTotals(model, took) ?? wrongDurations(model, metadata);
}
