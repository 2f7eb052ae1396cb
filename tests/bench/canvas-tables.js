// Frames and calls that no program made, for the benchmark of charts: any number of them, in several shapes.
import * as RECORD from '../../js/generated/record.js';
import { pairCalls } from '../../js/model/calls.js';

/** A generator of numbers from 0 to 1 that is the same everywhere. @param {number} seed */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Whose child each frame is, and what it weighs by itself. Parents come first.
 * @type {Record<string, (next: () => number) => {parent: (frame: number) => number, self: (frame: number) => number}>}
 */
const SHAPES = {
  // A dozen levels, and a hundred thousand siblings.
  wide: (next) => ({
    parent: (frame) => Math.floor(next() ** 8 * frame),
    self: () => 1 + Math.floor(next() * 20),
  }),
  // Stacks of a thousand frames and more, side by side, with side branches: all are a pixel or two wide.
  deep: (next) => ({
    parent: (frame) => (frame % 1000 === 1 ? 0 : frame - 1 - Math.floor(next() ** 6 * Math.min(3, frame - 1))),
    self: () => 1 + Math.floor(next() * 3),
  }),
  // As real programs: most is below what is heavy already, weights go from one to a million.
  skewed: (next) => ({
    parent: (frame) => Math.floor(next() ** 1.3 * frame),
    self: () => Math.floor(1 / (next() + 1e-6)),
  }),
};

export const SHAPE_NAMES = Object.keys(SHAPES);

/**
 * @param {string} shape
 * @param {number} length frames
 * @returns {import('../../js/model/frame-table.js').FrameTable}
 */
export function syntheticTable(shape, length) {
  const next = random(1);
  const made = SHAPES[shape](next);
  const parent = new Uint32Array(length);
  const func = new Uint32Array(length).fill(0xffffffff, 0, 1);
  const self = new Float64Array(length);
  for (let frame = 1; frame < length; frame++) {
    parent[frame] = made.parent(frame);
    self[frame] = made.self(frame);
    func[frame] = Math.floor(next() ** 2 * 5000);
  }
  const total = self.slice();
  for (let frame = length - 1; frame > 0; frame--) total[parent[frame]] += total[frame];
  const chain = new Uint32Array(length).fill(1);
  return { length, parent, func, self, total, uncertain: new Uint8Array(length), chain, weight: 'calls', inverted: false, left: 0 };
}

/** Calls of a program that goes up and down between the host and a hundred levels. @param {number} length events */
function syntheticEvents(length) {
  const next = random(1);
  const kind = new Uint8Array(length);
  const func = new Uint32Array(length);
  const position = new Uint32Array(length);
  const time = new Float64Array(length);
  let now = 0;
  /** @type {number[]} */
  const open = [];
  for (let event = 0; event < length; event++) {
    const enters = open.length === 0 || (open.length < 100 && next() < 0.5);
    if (enters) open.push(Math.floor(next() ** 2 * 5000));
    kind[event] = enters ? RECORD.ENTER : RECORD.LEAVE;
    position[event] = open.length;
    // As programs do: mostly at once, now and then much later; a clock that does not tell neighbours apart.
    time[event] = Math.floor((now += 20 / (next() + 1e-5)) / 100) * 100;
    func[event] = enters ? open[open.length - 1] : /** @type {number} */ (open.pop());
  }
  const of = (/** @type {ArrayLike<number>} */ column) => (/** @type {number} */ event) => column[event];
  return { length, kind: of(kind), func: of(func), position: of(position), timed: true, time: of(time) };
}

/** @param {number} length events @returns {any} what the sequence chart asks of a model */
export function syntheticModel(length) {
  const events = /** @type {any} */ (syntheticEvents(length));
  const nodes = { parent: new Uint32Array(0), func: new Uint32Array(0), depth: new Uint32Array(0), count: new Float64Array(0) };
  const calls = pairCalls(events, { treePositions: false, nodes, position: 0, idle: true });
  const clock = { kind: 'ticker', name: '', unit: 'ns', weights: '', wall: false };
  return { events, calls, lost: 0, metadata: { importCount: 0, probes: new Map(), clock }, snapshot: { clock: { now: events.time(length - 1) } } };
}
