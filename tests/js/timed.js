// Test helper: snapshots of timed programs, written by hand.
import * as ABI from '../../js/generated/abi.js';
import * as RECORD from '../../js/generated/record.js';
import { metadataOf } from './recorder.js';

export const DURATION_BUCKETS = 496;

/**
 * Nodes from [parent, func, calls, self, min, max, wall] rows; the first is node 2, below the root 0. `outside` and `dropped` are the
 * root's self time, and that of node 1.
 */
export function timedNodes(rows, { outside = 0, dropped = 0 } = {}) {
  const all = [[0, 0, 0, outside], [0, 0, 0, dropped], ...rows];
  const floats = (at, none) => Float64Array.from(all, (row) => row[at] ?? none);
  const parent = Uint32Array.from(all, ([above]) => above);
  const depth = new Uint32Array(all.length);
  for (let node = 2; node < all.length; node++) depth[node] = depth[parent[node]] + 1;
  const func = Uint32Array.from(all, ([, of]) => of);
  return { parent, func, depth, count: floats(2, 0), self: floats(3, 0), min: floats(4, NaN), max: floats(5, 0), wall: floats(6, 0) };
}

/** As the runtime counts: guest-runtime/include/wtr_abi.h. */
export function durationBucket(value) {
  if (value < 16) return value;
  const e = Math.floor(Math.log2(value));
  return 16 + (e - 4) * 8 + (Math.floor(value / 2 ** (e - 3)) & 7);
}

export function durationsOf(values) {
  const buckets = new BigUint64Array(DURATION_BUCKETS);
  for (const value of values) buckets[durationBucket(value)]++;
  return buckets;
}

/** What the ring of a timed module holds: [kind, func, position, time, ...payload] rows. */
export function timedRecords(rows) {
  const words = rows.flatMap(([kind, func, position, time, ...payload]) => {
    const size = BigInt(payload.length + 1) << BigInt(ABI.WORDS_SHIFT);
    const header = BigInt(kind) | (BigInt(func) << BigInt(ABI.ID_SHIFT)) | size | (BigInt(position) << BigInt(ABI.POSITION_SHIFT));
    return [...payload.map((word) => BigInt.asUintN(64, BigInt(word))), BigInt(time), header];
  });
  return BigUint64Array.from(words);
}

/** Rows of records for a course of events: `>f` enters f, `<f` returns from it; each a tick of 10 later, below the nodes given. */
export function course(text, nodes, { from = 1000, tick = 10 } = {}) {
  const stack = [ABI.NODE_ROOT];
  return text.split(' ').map((word, i) => {
    const func = Number(word.slice(1));
    if (word[0] === '>') stack.push(nodes.parent.findIndex((above, node) => node > 1 && above === stack.at(-1) && nodes.func[node] === func));
    const position = stack.at(-1);
    if (word[0] === '<') stack.pop();
    return [word[0] === '>' ? RECORD.ENTER : RECORD.LEAVE, func, position, from + i * tick];
  });
}

export function timedSnapshot({ nodes = timedNodes([]), records = new BigUint64Array(0), events = 0, durations = [], now = 0, ...parts } = {}) {
  return {
    position: 0,
    idle: true,
    treePositions: true,
    records,
    ringWords: BigInt(records.length),
    ringEvents: BigInt(events),
    missedEvents: 0n,
    capacityWords: 1024,
    nodes,
    nodesDropped: 0n,
    histograms: [],
    clock: { now },
    durations,
    closed: 0,
    ...parts,
  };
}

export const TICKER = Object.freeze({ kind: 'ticker', name: '', unit: 'ns', weights: '', wall: false });
export const INSTRUCTIONS = Object.freeze({ kind: 'instructions', name: '', unit: 'instructions', weights: '', wall: false });

export function timedMetadata({ clock = TICKER, durations = [], ...parts } = {}) {
  return metadataOf({ tree: true, trace: ['calls'], clock, durations, ...parts });
}
