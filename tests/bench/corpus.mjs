// What tracing costs whole programs: the drivers of the corpus, plain and with every call traced, a process each.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { newerEngine, thisNode } from '../engines.mjs';
import { median, medianRatio } from './statistics.mjs';
import { ms, printTable, times } from './table.mjs';

const preload = new URL('../../node/register.js', import.meta.url).href;
const cache = path.join(os.tmpdir(), 'wasm-trace-corpus');

/** @param {number} repeat */
export function benchmarkCorpus(repeat) {
  const folder = process.env.WASM_TRACE_CORPUS;
  if (!folder) {
    console.log('\nCorpus: skipped, WASM_TRACE_CORPUS is not set (the folder of the corpus and its runner)');
    return;
  }
  const names = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')).map((entry) => entry.name);
  for (const engine of [thisNode, newerEngine()]) benchmarkEngine(engine, folder, names, repeat);
}

function benchmarkEngine(engine, folder, names, repeat) {
  const results = names.map((name) => measurePackage(engine, folder, name, repeat)).filter((result) => result !== null);
  const good = results.filter((result) => !result.problem).sort((a, b) => a.ratio - b.ratio);
  const bad = results.filter((result) => result.problem);
  const title = `Whole processes, --trace calls beside plain, ${engine.name} ${engine.link}: medians of ${repeat}`;
  printTable(title, ['package', 'plain', 'traced', 'ratio'], [
    ...good.map(({ name, plain, traced, ratio }) => [name, ms(plain), ms(traced), times(ratio)]),
    ...bad.map(({ name, problem }) => [name, '', '', problem]),
  ]);
  if (good.length === 0) return;
  const worst = good[good.length - 1];
  console.log(`\n  median ${times(median(good.map(({ ratio }) => ratio)))}, worst ${times(worst.ratio)} (${worst.name})`);
}

/** Null when this engine cannot run the package. */
function measurePackage(engine, folder, name, repeat) {
  const elapsed = { plain: [], traced: [] };
  for (let i = 0; i < repeat; i++) {
    for (const kind of ['plain', 'traced']) {
      const result = runDriver(engine, folder, name, kind === 'traced');
      if (result.skipped) return null;
      if (!result.passed) return { name, problem: `${kind}: ${result.problem}` };
      elapsed[kind].push(result.ms);
    }
  }
  return {
    name,
    plain: median(elapsed.plain),
    traced: median(elapsed.traced),
    ratio: medianRatio(elapsed.traced, elapsed.plain),
  };
}

/** The runner checks the output and prints a line: name, ok or FAIL or skip, milliseconds, a note. */
function runDriver(engine, folder, name, traced) {
  const args = [path.join(folder, 'run.mjs'), '--dir', cache, '--only', name, '--node', engine.node];
  if (traced) args.push('--node-arg', `--import ${preload}`);
  const env = { ...process.env, WASM_TRACE: traced ? `--trace calls --link ${engine.link}` : '' };
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', maxBuffer: 1 << 28 });
  const line = stdout.split('\n').find((text) => text.startsWith(`${name} `));
  if (!line) throw new Error(`the corpus runner said nothing of ${name}: ${stderr}`);
  const [, state, elapsed, ...note] = line.trim().split(/\s+/);
  return { passed: state === 'ok', skipped: state === 'skip', ms: Number(elapsed), problem: note.join(' ') };
}
