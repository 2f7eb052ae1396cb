// Widths of the panel's charts: what can be chosen, what it is called, and that frames are as wide as what they weigh.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { flameLayout } from '../../js/views/flame-layout.js';
import { timeNotes } from '../../web/panel/notes.js';
import { Shown } from '../../web/panel/shown.js';
import { INSTRUCTIONS, TICKER, timedMetadata, timedNodes, timedSnapshot } from './timed.js';
import { metadataOf, namesOf } from './recorder.js';

const NAMES = namesOf([[0, 'env.read'], [1, 'main'], [2, 'parse'], [3, 'free']]);

/** main (self 10) calls parse (40), which calls read of the host (30), and free (0). */
const NODES = timedNodes([[0, 1, 1, 10, 80, 80, 0], [2, 2, 4, 40, 5, 30, 0], [3, 0, 8, 30, 1, 9, 900], [2, 3, 2, 0, 0, 0, 0]], { outside: 500 });

function shownOf({ clock = TICKER, nodes = NODES, resolution, cost, compensates = false } = {}) {
  const metadata = clock ? timedMetadata({ clock, importCount: 1 }) : metadataOf({ tree: true, importCount: 1 });
  const snapshot = timedSnapshot({ nodes, now: 1000, ...(clock ? {} : { clock: null }) });
  const session = { name: 'app', label: 'app', metadata, names: NAMES, cost, clock: { resolution: resolution ? { median: resolution } : null }, snapshot: () => snapshot };
  return new Shown({ id: 'app', text: 'app', sessions: [session] }, snapshot, { live: false, compensates });
}

const labels = (shown) => shown.weights.map(({ label }) => label);

test('what tracing cost is told, and subtracted when asked for', () => {
  const self = ({ profile }) => profile.rows.find(({ func }) => func === 2).time.self;
  const [plain, told, subtracted] = [{}, { cost: 2 }, { cost: 2, compensates: true }].map((options) => shownOf(options));
  assert.deepEqual([plain, told, subtracted].map(self), [40, 40, 40 - 2 * 4 - 2 * 8]);
  assert.doesNotMatch(timeNotes(plain).join(), /tracing/i);
  assert.match(timeNotes(told).join(), /Tracing cost about 2 ns an event, \d+ % of the time in traced functions\./);
  assert.match(timeNotes(subtracted).join(), /; subtracted from total, self and avg\./);
  assert.doesNotMatch(timeNotes(subtracted, 'calls').join(), /tracing/i);
});

describe('widths to choose from', () => {
  test('are time, with its clock and unit, the wall time of the host, and calls', () => {
    assert.deepEqual(labels(shownOf({ resolution: 1400 })), [
      'time (ns, ticker, resolution 1.40 us)',
      'host wall time (ns, performance.now(), calls to the host only)',
      'calls',
    ]);
  });

  test('are instructions and calls where nothing measured the host', () => {
    const nodes = { ...NODES, wall: NODES.wall.map(() => 0) };
    assert.deepEqual(labels(shownOf({ clock: INSTRUCTIONS, nodes })), ['instructions executed', 'calls']);
  });

  test('are calls only without a clock', () => {
    const nodes = { ...NODES, self: null, min: null, max: null, wall: null };
    assert.deepEqual(labels(shownOf({ clock: null, nodes })), ['calls']);
  });
});

/** Widths by name, and the whole. */
function widthsOf(shown, inverted, weight) {
  const table = shown.frames(inverted, weight);
  const { levels, whole } = flameLayout(table);
  const rows = {};
  for (let slot = 1; slot < levels.length; slot++) rows[NAMES.name(table.func[levels.item(slot)])] = levels.x1(slot) - levels.x0(slot);
  return { rows, whole };
}

describe('frames', () => {
  test('are as wide as their time, what passed outside of calls left out', () => {
    assert.deepEqual(widthsOf(shownOf(), false, 'time'), { rows: { main: 80, parse: 70, 'env.read': 30 }, whole: 80 });
  });

  test('are as wide as their calls, or as the host that they call', () => {
    assert.deepEqual(widthsOf(shownOf(), false, 'calls'), { rows: { main: 15, parse: 12, 'env.read': 8, free: 2 }, whole: 15 });
    assert.deepEqual(widthsOf(shownOf(), false, 'wall'), { rows: { main: 900, parse: 900, 'env.read': 900 }, whole: 900 });
  });

  test('upside down are as wide as the time of the function itself', () => {
    const { whole } = widthsOf(shownOf(), true, 'time');
    assert.equal(whole, 80);
    const table = shownOf().frames(true, 'time');
    const tops = [...table.parent].flatMap((parent, frame) => (frame > 0 && parent === 0 ? [[NAMES.name(table.func[frame]), table.total[frame]]] : []));
    assert.deepEqual(tops, [['parse', 40], ['env.read', 30], ['main', 10], ['free', 0]]);
    assert.equal(widthsOf(shownOf(), true, 'wall').whole, 900);
  });

  test('never are wider than what they stand in, whatever makes them wide', () => {
    let state = 11;
    const pick = (below) => ((state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 8) % below;
    for (let round = 0; round < 20; round++) {
      const rows = Array.from({ length: 150 }, (_, i) => [i < 3 ? 0 : 2 + pick(i), pick(9), pick(20), pick(3) * pick(10_000), 1, 2, pick(4) * pick(99)]);
      const shown = shownOf({ nodes: timedNodes(rows, { outside: 7 }) });
      for (const { id } of shown.weights) {
        for (const inverted of [false, true]) {
          const table = shown.frames(inverted, id);
          const { levels, slots } = flameLayout(table);
          for (let slot = 1; slot < levels.length; slot++) {
            const above = slots[table.parent[levels.item(slot)]];
            assert.ok(levels.x0(above) <= levels.x0(slot) && levels.x1(slot) <= levels.x1(above), `${id} ${inverted}`);
          }
        }
      }
    }
  });
});
