// How long instrumenting two big modules takes and how much memory, beside the engine's own compilation of them and beside
// Binaryen reading and writing them unchanged. Every first call is in a process of its own.
import { newerEngine, thisNode } from '../engines.mjs';
import { measure } from './child.mjs';
import { bigModules } from './packages.mjs';
import { median, medianRatio } from './statistics.mjs';
import { megabytes, ms, percent, printTable, times } from './table.mjs';

const WARM_ROUNDS = 5;

const HEAD = [
  'module', 'size', 'engine', 'first call', 'ratio', 'engine warm', 'warm call', 'ratio', 'memory', 'of size', 'code grew', 'library load',
];
const TARGETS = ['target', '', '', '', '<= 3x', '', '', '<= 1.2x', '', '<= 3x', '', ''];

/** @param {number} repeat */
export function benchmarkInstrumenter(repeat) {
  const modules = bigModules();
  const ours = [thisNode, newerEngine()].map((engine) => {
    const results = modules.map((module) => measureModule(engine, module, repeat));
    printTable(
      `Instrumenting every function (calls), ${engine.name}: medians of ${repeat} processes`,
      HEAD,
      [...results.map(row), TARGETS],
    );
    return results;
  });
  printBinaryen(ours[0]);
}

function measureModule(engine, module, repeat) {
  const runs = [];
  for (let i = 0; i < repeat; i++) runs.push(measureOnce(engine, module));
  const all = (kind, key) => runs.map((run) => run[kind][key]);
  const rounds = (key) => runs.flatMap((run) => run.ours[key]);
  return {
    module,
    engine: median(all('engine', 'first')),
    first: median(all('ours', 'first')),
    firstRatio: medianRatio(all('ours', 'first'), all('engine', 'first')),
    engineWarm: median(rounds('engine')),
    warm: median(rounds('warm')),
    warmRatio: medianRatio(rounds('warm'), rounds('engine')),
    memory: median(runs.map((run) => run.ours.peak - run.read.peak)),
    outputSize: runs[0].ours.outputSize,
    load: median(all('ours', 'load')),
  };
}

function measureOnce(engine, module) {
  const kind = (what) => measure(engine, 'instrument-child.mjs', [what, module.path, String(WARM_ROUNDS)], ['--expose-gc']);
  return { read: kind('read'), engine: kind('engine'), ours: kind('ours') };
}

function row({ module, ...result }) {
  return [
    module.name,
    megabytes(module.size),
    ms(result.engine),
    ms(result.first),
    times(result.firstRatio),
    ms(result.engineWarm),
    ms(result.warm),
    times(result.warmRatio),
    megabytes(result.memory),
    times(result.memory / module.size),
    percent(result.outputSize / module.size - 1),
    ms(result.load),
  ];
}

/** Once is enough: it takes seconds. */
function printBinaryen(results) {
  const rows = results.map(({ module, first }) => {
    const binaryen = measure(thisNode, 'instrument-child.mjs', ['binaryen', module.path, '0']);
    const read = measure(thisNode, 'instrument-child.mjs', ['read', module.path, '0']);
    const memory = binaryen.peak - read.peak;
    return [module.name, ms(binaryen.first), ms(first), times(binaryen.first / first), megabytes(memory), times(memory / module.size)];
  });
  printTable(
    `Beside binaryen.js, which reads and writes the module unchanged, ${thisNode.name}`,
    ['module', 'binaryen.js', 'ours, first call', 'ratio', 'its memory', 'of size'],
    [...rows, ['target', '', '', '>= 50x', '', '']],
  );
}
