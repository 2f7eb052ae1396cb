// One process of the instrumenter's benchmark: instrument-child.mjs read|engine|ours|binaryen MODULE WARM_ROUNDS
// Times the first call, takes the peak memory right after it, and then, for `ours`, times warm calls, each beside a
// compilation by the engine. `read` only reads the file: the others' memory is counted from there.
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

const [what, file, warmRounds] = process.argv.slice(2);

/** How each kind is loaded; the loaded function takes a module. */
const LOADERS = {
  read: async () => () => undefined,
  engine: async () => compile,
  ours: async () => {
    const { instrument } = await import('../../js/index.js');
    return (bytes) => instrument(bytes, { trace: 'calls' });
  },
  binaryen: async () => {
    const { default: binaryen } = await import('binaryen');
    return (bytes) => {
      binaryen.setDebugInfo(true);
      return binaryen.readBinary(bytes).emitBinary();
    };
  },
};

function compile(bytes) {
  return new WebAssembly.Module(bytes);
}

function timed(work, bytes) {
  const began = performance.now();
  const result = work(bytes);
  return { ms: performance.now() - began, result };
}

/** The same module for a reader, another one for the engine's cache of compiled modules. */
function distinct(bytes, number) {
  const custom = [0, 2, 1, number];
  const copy = new Uint8Array(bytes.length + custom.length);
  copy.set(bytes);
  copy.set(custom, bytes.length);
  return copy;
}

/** A turn of the event loop between the calls, as between the modules of a program. */
async function warm(work, bytes) {
  const rounds = { engine: [], warm: [] };
  for (let round = 0; round < warmRounds; round++) {
    const copy = distinct(bytes, round);
    await setImmediate();
    rounds.engine.push(timed(compile, copy).ms);
    await setImmediate();
    rounds.warm.push(timed(work, copy).ms);
  }
  return rounds;
}

const bytes = new Uint8Array(readFileSync(file));
const loading = performance.now();
const work = await LOADERS[what]();
const loaded = performance.now();
const first = timed(work, bytes);
const peak = process.resourceUsage().maxRSS * 1024;
console.log(
  JSON.stringify({
    load: loaded - loading,
    first: first.ms,
    peak,
    outputSize: first.result?.length ?? 0,
    ...(what === 'ours' ? await warm(work, bytes) : {}),
  }),
);
