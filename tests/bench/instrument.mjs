// How long instrumenting two big modules takes and how much memory, beside the engine's own compilation of them and beside
// Binaryen reading and writing them unchanged. Every first call is in a process of its own.
import { newerEngine, thisNode } from '../engines.mjs';
import { measure } from './child.mjs';
import { bigModules } from './packages.mjs';
import { median, medianRatio } from './statistics.mjs';
import { megabytes, ms, percent, printTable, times } from './table.mjs';

/** Enough to see calls whose memory comes from earlier ones, as the engine's does. */
const WARM_ROUNDS = 10;

const HEAD = [
  'module', 'size', 'engine', 'first call', 'ratio', 'engine, warm', 'warm call', 'ratio', 'memory', 'of size', 'growth', 'library load',
];
const TARGETS = ['target', '', '', '', '<= 3x', '', '', '<= 1.2x', '', '<= 3x', '', ''];

/** @param {number} repeat */
export function benchmarkInstrumenter(repeat) {
  const modules = bigModules();
  for (const engine of [thisNode, newerEngine()]) {
    const rows = modules.map((module) => rowBesideEngine(engine, module, repeat));
    printTable(
      `Instrumenting every function (calls) beside new WebAssembly.Module, ${engine.name}: medians of ${repeat} processes`,
      HEAD,
      [...rows, TARGETS],
    );
  }
  printTable(
    `Beside binaryen.js, which reads the module and writes it unchanged, ${thisNode.name}`,
    ['module', 'binaryen.js', 'first call', 'ratio', 'warm call', 'ratio', 'its memory', 'of size'],
    [...modules.map((module) => rowBesideBinaryen(module, repeat)), ['target', '', '', '>= 50x', '', '>= 50x', '', '']],
  );
}

function inProcess(engine, what, module, warmRounds = 0) {
  return measure(engine, 'instrument-child.mjs', [what, module.path, String(warmRounds)]);
}

function measureOnce(engine, module) {
  return {
    read: inProcess(engine, 'read', module),
    engine: inProcess(engine, 'engine', module),
    ours: inProcess(engine, 'ours', module, WARM_ROUNDS),
  };
}

function rowBesideEngine(engine, module, repeat) {
  const runs = Array.from({ length: repeat }, () => measureOnce(engine, module));
  const first = { engine: runs.map((run) => run.engine.first), ours: runs.map((run) => run.ours.first) };
  const warm = { engine: runs.flatMap((run) => run.ours.engine), ours: runs.flatMap((run) => run.ours.warm) };
  const memory = median(runs.map((run) => run.ours.peak - run.read.peak));
  return [
    module.name,
    megabytes(module.size),
    ms(median(first.engine)),
    ms(median(first.ours)),
    times(medianRatio(first.ours, first.engine)),
    ms(median(warm.engine)),
    ms(median(warm.ours)),
    times(medianRatio(warm.ours, warm.engine)),
    megabytes(memory),
    times(memory / module.size),
    percent(runs[0].ours.outputSize / module.size - 1),
    ms(median(runs.map((run) => run.ours.load))),
  ];
}

/** Binaryen runs once, since that takes seconds. */
function rowBesideBinaryen(module, repeat) {
  const binaryen = inProcess(thisNode, 'binaryen', module);
  const runs = Array.from({ length: repeat }, () => inProcess(thisNode, 'ours', module, WARM_ROUNDS));
  const first = median(runs.map((run) => run.first));
  const warm = median(runs.flatMap((run) => run.warm));
  const memory = binaryen.peak - inProcess(thisNode, 'read', module).peak;
  return [
    module.name,
    ms(binaryen.first),
    ms(first),
    times(binaryen.first / first),
    ms(warm),
    times(binaryen.first / warm),
    megabytes(memory),
    times(memory / module.size),
  ];
}
