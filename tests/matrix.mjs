// The program stays the same: the official test suite and the corpus on each engine, linked each way, attached and not,
// under each question. A cell of the matrix is a suite; those that find most are in the daily run, all of them in the full one.
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, run } from './command.mjs';
import { bun, newerEngine, newestEngine, thisNode } from './engines.mjs';
import { withTally } from './tally.mjs';

/** @import {Engine} from './engines.mjs' */

/** @typedef {'merged' | 'split'} Link */

/** @typedef {{trace: string[], display?: string[], clock?: string}} Question */

const EVERYTHING = ['calls', 'args(*)', 'ret(*)', 'imports', 'memory.grow', 'traps', 'stack(*)'];

/** @type {Readonly<Record<string, Question>>} */
const QUESTIONS = Object.freeze({
  calls: { trace: ['calls'] },
  'calls-imports': { trace: ['calls', 'imports'] },
  everything: { trace: EVERYTHING },
  instructions: { trace: EVERYTHING, display: ['nested', 'report'], clock: 'instructions' },
  ticker: { trace: ['calls', 'imports'], display: ['report'], clock: 'ticker' },
  host: { trace: ['calls', 'imports'], display: ['nested', 'report'], clock: 'host' },
});

/** Installed when the first cell asks for them. @type {Record<string, () => Engine>} */
const ENGINES = { this: () => thisNode, 24: newerEngine, 26: newestEngine, bun };

/** @type {readonly [engine: string, link: Link, scripts?: string][]} */
const SPEC_ROWS = [
  ['this', 'split'], ['24', 'merged'], ['24', 'split'], ['26', 'merged'],
  ['bun', 'merged', '^legacy/'], ['bun', 'split', '^legacy/'],
];
const SPEC_COLUMNS = ['attached-calls', 'attached-everything', 'unattached-calls', 'unattached-everything'];

/** @type {readonly [engine: string, link: Link][]} */
const TIMED_SPEC_ROWS = [['this', 'split'], ['24', 'merged']];
const TIMED_SPEC_COLUMNS = ['attached-instructions', 'attached-host', 'unattached-instructions'];

/** @type {readonly [engine: string, link: Link][]} */
const CORPUS_ROWS = [['this', 'split'], ['24', 'merged'], ['24', 'split'], ['26', 'merged']];
const CORPUS_COLUMNS = ['calls-imports', 'everything'];

const DAILY = new Set([
  'spec-this-split-attached-everything',
  'spec-this-split-unattached-calls',
  'spec-24-merged-attached-instructions',
  'spec-24-merged-unattached-everything',
  'spec-bun-merged-attached-everything',
  'spec-bun-split-unattached-everything',
]);

/**
 * @param {readonly [engine: string, link: Link, scripts?: string]} row
 * @param {string} column transform and question
 */
function runSpec([engine, link, scripts = ''], column) {
  const folder = process.env.WASM_TRACE_SPEC;
  if (!folder) return { skipped: 'WASM_TRACE_SPEC is not set (the folder of the spec suite and its runner)' };
  const [transform, question] = column.split('-');
  const { name, node } = ENGINES[engine]();
  const file = path.join(root, 'tests/spec', `${transform}.mjs`);
  const args = [path.join(folder, 'run.mjs'), '--strict', '--transform', file, '--only', scripts];
  return runTallied(name, node, args, { WASM_TRACE_TEST_LINK: link, WASM_TRACE_TEST_QUESTION: JSON.stringify(QUESTIONS[question]) });
}

/**
 * Real packages under the preload: their output must be what it is without it.
 * @param {readonly [engine: string, link: Link]} row
 * @param {string} question
 */
function runCorpus([engine, link], question) {
  const folder = process.env.WASM_TRACE_CORPUS;
  if (!folder) return { skipped: 'WASM_TRACE_CORPUS is not set (the folder of the corpus and its runner)' };
  const { name, node } = ENGINES[engine]();
  const preloads = ['node/register.js', 'tests/corpus/tally.mjs'].map((file) => pathToFileURL(path.join(root, file)).href);
  const cache = path.join(os.tmpdir(), 'wasm-trace-corpus');
  const options = ['--dir', cache, '--node', node, ...preloads.flatMap((url) => ['--node-arg', `--import ${url}`])];
  const { trace, display = [], clock } = QUESTIONS[question];
  const words = [
    ...trace.map((probe) => `--trace ${probe}`),
    ...display.map((kind) => `--display ${kind}`),
    ...(clock ? [`--clock ${clock}`] : []),
    `--link ${link}`,
  ];
  return runTallied(name, process.execPath, [path.join(folder, 'run.mjs'), ...options], { WASM_TRACE: words.join(' ') });
}

/**
 * Passes when the runner does, some modules were instrumented, and the loader complained of nothing.
 * @param {string} engine
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
function runTallied(engine, command, args, env) {
  const { passed, closing, instrumented, warnings } = withTally((file) =>
    run(command, args, { env: { ...env, WASM_TRACE_TEST_TALLY: file }, closing: /^\d+ passed, \d+ failed/ }));
  for (const warning of warnings) console.log(`\n${warning}`);
  return {
    passed: passed && instrumented > 0 && warnings.length === 0,
    closing: [engine, ...closing, `${instrumented} modules instrumented`],
  };
}

/**
 * @template {readonly [engine: string, link: Link, scripts?: string]} Row
 * @param {string} kind
 * @param {readonly Row[]} rows
 * @param {readonly string[]} columns
 * @param {(row: Row, column: string) => {passed?: boolean, closing?: string[], skipped?: string}} runCell
 */
function cells(kind, rows, columns, runCell) {
  return rows.flatMap((row) => columns.map((column) => {
    const name = [kind, row[0], row[1], column].join('-');
    return { name, daily: DAILY.has(name), run: () => runCell(row, column) };
  }));
}

export const matrix = [
  ...cells('spec', SPEC_ROWS, SPEC_COLUMNS, runSpec),
  // The newest engine differs where proposals are; daily, that is enough of it.
  { name: 'spec-26-proposals', daily: true, run: () => runSpec(['26', 'merged', '^(proposals|legacy)/'], 'attached-everything') },
  ...cells('spec', TIMED_SPEC_ROWS, TIMED_SPEC_COLUMNS, runSpec),
  // A thread for the time of each module.
  { name: 'spec-this-split-attached-ticker', daily: false, run: () => runSpec(['this', 'split'], 'attached-ticker') },
  // Attached, traps differ in their words: JavaScriptCore quotes the expression that ended in one.
  { name: 'spec-bun-all', daily: false, run: () => runSpec(['bun', 'merged'], 'unattached-everything') },
  ...cells('corpus', CORPUS_ROWS, CORPUS_COLUMNS, runCorpus),
  // Daily, these two stand for what is not timed, too.
  { name: 'corpus-24-merged-instructions', daily: true, run: () => runCorpus(['24', 'merged'], 'instructions') },
  { name: 'corpus-this-split-ticker', daily: true, run: () => runCorpus(['this', 'split'], 'ticker') },
];

for (const name of DAILY) if (!matrix.some((cell) => cell.name === name)) throw new Error(`no cell named ${name}`);
