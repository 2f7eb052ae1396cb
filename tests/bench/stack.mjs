// How deep a recursion gets before the engine's stack ends, as a part of the depth that it reaches without probes. What is
// missing is stack that the probes take: a local or two in each frame, and the frames of the runtime.
import { newerEngine, newestEngine, thisNode } from '../engines.mjs';
import { assemble } from './assemble.mjs';
import { measure } from './child.mjs';
import { percent, printTable } from './table.mjs';

/** Kinds of frames, and what they are. */
const FRAMES = { small: 'smallest frames', wide: 'frames of eight values', host: 'through the host and back' };

const COLUMNS = ['merged calls', 'merged everything', 'split calls', 'split everything'];

/** The two compilers of V8. JavaScriptCore changes tiers while it runs, so its depths cannot be compared. */
const TIERS = [
  { name: 'Liftoff', flags: ['--liftoff', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'] },
  { name: 'TurboFan', flags: ['--no-liftoff', '--no-wasm-lazy-compilation'] },
];
const ENGINES = [() => thisNode, newerEngine, newestEngine];

/** @param {number} repeat rounds in each engine */
export function benchmarkStack(repeat) {
  const file = assemble('stack');
  const measured = ENGINES.flatMap((find) => {
    const engine = find();
    return TIERS.map(({ name, flags }) => ({
      name: `${engine.name} ${name}`,
      depths: measure(engine, 'stack-child.mjs', [file, String(repeat)], flags),
    }));
  });
  for (const [frame, what] of Object.entries(FRAMES)) {
    const rows = measured.map(({ name, depths }) => rowOf(name, depths[frame]));
    printTable(`Depth at which the stack ends, ${what}`, ['engine', 'plain', ...COLUMNS], rows);
  }
}

/** @param {string} name @param {Record<string, number>} depths */
function rowOf(name, depths) {
  return [name, String(depths.plain), ...COLUMNS.map((column) => (column in depths ? percent(depths[column] / depths.plain) : '-'))];
}
