// Tables of frames that no program made, for the benchmark of charts: any number of them, in several shapes.

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
  // Fifteen levels at most, and thousands of siblings.
  wide: (next) => ({
    parent: (frame) => Math.floor(next() ** 8 * frame),
    self: () => 1 + Math.floor(next() * 20),
  }),
  // Stacks of a thousand frames, side by side, with side branches.
  deep: (next) => ({
    parent: (frame) => (frame % 1000 === 1 ? 0 : frame - 1 - Math.floor(next() ** 6 * Math.min(3, frame - 1))),
    self: () => 1 + Math.floor(next() * 3),
  }),
  // As real programs: most below what is heavy already, weights from one to millions, forty or so levels.
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
