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

/** @type {Readonly<Record<string, string[]>>} */
const TRACES = Object.freeze({
  calls: ['calls'],
  'calls-imports': ['calls', 'imports'],
  everything: ['calls', 'args(*)', 'ret(*)', 'imports', 'memory.grow', 'traps', 'stack(*)'],
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
const CORPUS_ROWS = [['this', 'split'], ['24', 'merged'], ['24', 'split'], ['26', 'merged']];
const CORPUS_COLUMNS = ['calls-imports', 'everything'];

const DAILY = new Set([
  'spec-this-split-attached-everything',
  'spec-this-split-unattached-calls',
  'spec-24-merged-attached-everything',
  'spec-24-merged-unattached-everything',
  'spec-bun-merged-attached-everything',
  'spec-bun-split-unattached-everything',
  'corpus-this-split-calls-imports',
  'corpus-24-merged-everything',
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
  return runTallied(name, node, args, { WASM_TRACE_TEST_LINK: link, WASM_TRACE_TEST_TRACE: TRACES[question].join(' ') });
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
  const words = [...TRACES[question].map((probe) => `--trace ${probe}`), `--link ${link}`];
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
  // Attached, traps differ in their words: JavaScriptCore quotes the expression that ended in one.
  { name: 'spec-bun-all', daily: false, run: () => runSpec(['bun', 'merged'], 'unattached-everything') },
  ...cells('corpus', CORPUS_ROWS, CORPUS_COLUMNS, runCorpus),
];

for (const name of DAILY) if (!matrix.some((cell) => cell.name === name)) throw new Error(`no cell named ${name}`);
