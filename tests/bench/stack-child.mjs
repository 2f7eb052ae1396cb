// One engine of the stack benchmark: stack-child.mjs STACK.wasm ROUNDS
// Prints the depth that each kind of frame reaches, without probes and with; the deepest of the rounds.
import { readFileSync } from 'node:fs';
import { attach, instrument } from '../../js/index.js';

const FRAMES = ['small', 'wide', 'host'];
const PLANS = {
  calls: { trace: 'calls(*)', display: 'tree' },
  everything: { trace: ['calls(*)', 'args(*)', 'ret(*)', 'imports', 'memory.grow', 'traps'], display: ['log', 'tree'], stack: true },
};

const [file, rounds] = process.argv.slice(2);
const original = new Uint8Array(readFileSync(file));

function start(bytes, traced) {
  const world = { env: { back: () => world.exports.host(0) } };
  const module = new WebAssembly.Module(bytes);
  const instance = new WebAssembly.Instance(module, world);
  if (traced) attach(instance, module);
  world.exports = instance.exports;
  return world.exports;
}

function depthOf(exports, frame) {
  exports.depth.value = 0;
  try {
    exports[frame](0);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return exports.depth.value;
}

/** Engines without multi-memory refuse merged modules. */
function startOrNull(options) {
  try {
    return start(instrument(original, options), true);
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) return null;
    throw error;
  }
}

const variants = [['plain', start(original, false)]];
for (const link of ['merged', 'split'])
  for (const [name, plan] of Object.entries(PLANS)) variants.push([`${link} ${name}`, startOrNull({ ...plan, link })]);

const depths = {};
for (const frame of FRAMES) {
  depths[frame] = {};
  for (const [name, exports] of variants.filter(([, exports]) => exports))
    depths[frame][name] = Math.max(...Array.from({ length: Number(rounds) }, () => depthOf(exports, frame)));
}
console.log(JSON.stringify(depths));
