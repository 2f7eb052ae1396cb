// What tracing costs whole programs: the drivers of the corpus, plain and with every call traced, without a clock and with two, a process each.
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

/** What is asked, by the name of the column. */
const QUESTIONS = {
  'calls': '--trace calls',
  'instructions': '--trace calls --display tree --clock instructions',
  'ticker': '--trace calls --display tree --clock ticker',
};

function benchmarkEngine(engine, folder, names, repeat) {
  const columns = Object.keys(QUESTIONS);
  const results = names.map((name) => measurePackage(engine, folder, name, repeat)).filter((result) => result !== null);
  const good = results.filter((result) => !result.problem).sort((a, b) => a.ratios.calls - b.ratios.calls);
  const bad = results.filter((result) => result.problem);
  const title = `Whole processes, every call traced beside plain, ${engine.name} ${engine.link}: medians of ${repeat}`;
  printTable(title, ['package', 'plain', ...columns], [
    ...good.map(({ name, plain, ratios }) => [name, ms(plain), ...columns.map((column) => times(ratios[column]))]),
    ...bad.map(({ name, problem }) => [name, problem, ...columns.map(() => '')]),
  ]);
  for (const column of good.length > 0 ? columns : []) {
    const worst = good.reduce((a, b) => (a.ratios[column] > b.ratios[column] ? a : b));
    console.log(`  ${column}: median ${times(median(good.map(({ ratios }) => ratios[column])))}, worst ${times(worst.ratios[column])} (${worst.name})`);
  }
}

/** Null when this engine cannot run the package. */
function measurePackage(engine, folder, name, repeat) {
  const questions = [['plain', null], ...Object.entries(QUESTIONS)];
  const elapsed = Object.fromEntries(questions.map(([kind]) => [kind, []]));
  for (let i = 0; i < repeat; i++) {
    for (const [kind, question] of questions) {
      const result = runDriver(engine, folder, name, question);
      if (result.skipped) return null;
      if (!result.passed) return { name, problem: `${kind}: ${result.problem}` };
      elapsed[kind].push(result.ms);
    }
  }
  const ratios = Object.fromEntries(Object.keys(QUESTIONS).map((kind) => [kind, medianRatio(elapsed[kind], elapsed.plain)]));
  return { name, plain: median(elapsed.plain), ratios };
}

/** The runner checks the output and prints a line: name, ok or FAIL or skip, milliseconds, a note. */
function runDriver(engine, folder, name, question) {
  const args = [path.join(folder, 'run.mjs'), '--dir', cache, '--only', name, '--node', engine.node];
  if (question) args.push('--node-arg', `--import ${preload}`);
  const env = { ...process.env, WASM_TRACE: question ? `${question} --link ${engine.link}` : '' };
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', maxBuffer: 1 << 28 });
  const line = stdout.split('\n').find((text) => text.startsWith(`${name} `));
  if (!line) throw new Error(`the corpus runner said nothing of ${name}: ${stderr}`);
  const [, state, elapsed, ...note] = line.trim().split(/\s+/);
  return { passed: state === 'ok', skipped: state === 'skip', ms: Number(elapsed), problem: note.join(' ') };
}
