// The benchmarks: npm run bench -- [instrument|events|clocks|stack|page|canvas|corpus]... [--repeat N]
// They print what was measured beside the targets and assert nothing. Machines are noisy, so numbers are medians or minima
// of interleaved repetitions, and what counts is the ratio between two things measured in the same run.
import { parseArgs } from 'node:util';
import { benchmarkCanvas } from './canvas.mjs';
import { benchmarkClocks } from './clocks.mjs';
import { benchmarkCorpus } from './corpus.mjs';
import { benchmarkEvents } from './events.mjs';
import { benchmarkInstrumenter } from './instrument.mjs';
import { benchmarkPage } from './page.mjs';
import { benchmarkStack } from './stack.mjs';

/** What each benchmark is, and how often it repeats unless told. */
const BENCHMARKS = {
  instrument: { run: benchmarkInstrumenter, repeat: 5 },
  events: { run: benchmarkEvents, repeat: 10 },
  clocks: { run: benchmarkClocks, repeat: 300 },
  stack: { run: benchmarkStack, repeat: 3 },
  page: { run: benchmarkPage, repeat: 5 },
  corpus: { run: benchmarkCorpus, repeat: 3 },
  canvas: { run: benchmarkCanvas, repeat: 5 },
};

function usage(message) {
  console.error(`${message}\nusage: npm run bench -- [${Object.keys(BENCHMARKS).join('|')}]... [--repeat N]`);
  process.exit(2);
}

function readCommand() {
  try {
    return parseArgs({ allowPositionals: true, options: { repeat: { type: 'string' } } });
  } catch (error) {
    return usage(error.message);
  }
}

const { values, positionals } = readCommand();
const repeat = values.repeat === undefined ? undefined : Number(values.repeat);
if (repeat !== undefined && !(Number.isInteger(repeat) && repeat > 0)) usage('--repeat takes a positive number');
const unknown = positionals.find((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown !== undefined) usage(`no benchmark named ${unknown}`);

for (const name of positionals.length > 0 ? positionals : Object.keys(BENCHMARKS)) {
  const benchmark = BENCHMARKS[name];
  await benchmark.run(repeat ?? benchmark.repeat);
}
