#!/usr/bin/env node
// The Node command wasm-trace: what the command line asks, for each FILE, and the exit status. It is the native command
// (instrumenter/cli) over the wasm build of the same core.

import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { helpText, usageText } from './help.js';
import { tellFailure } from './messages.js';
import { parseCommand, UsageError } from './options.js';

/** @typedef {import('./options.js').Options} Options */
/** @typedef {import('./options.js').CommandName} CommandName */

const NEXT = `To see the report, run the program that loads it:
  wasm-trace-node app.mjs
  NODE_OPTIONS="--import wasm-tracing/register" node app.mjs
`;

const NEXT_HEAP = `What it records is read out where it runs: see docs/CANISTERS.md. Then:
  wasm-trace report --block BLOCK FILE.wasm
`;

/** @type {readonly {name: Exclude<CommandName, 'WASM_TRACE'>, run: (options: Options, operands: string[]) => Promise<number>}[]} */
const COMMANDS = [
  { name: 'wasm-trace symbolize', run: symbolize },
  { name: 'wasm-trace serve', run: serve },
  { name: 'wasm-trace report', run: report },
  { name: 'wasm-trace diff', run: diff },
  { name: 'wasm-trace', run: forEachFile },
];

process.exitCode = await main(process.argv.slice(2));

/** @param {string[]} argv @returns {Promise<number>} exit status */
async function main(argv) {
  const { name: command, run } = COMMANDS.find(({ name }) => name === `wasm-trace ${argv[0]}`) ?? COMMANDS[COMMANDS.length - 1];
  try {
    const { options, operands } = parseCommand(command === 'wasm-trace' ? argv : argv.slice(1), command);
    if (options.help) process.stdout.write(helpText(command));
    else if (options.version) process.stdout.write(`wasm-trace ${packageVersion()}\n`);
    else return await run(options, operands);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(usageText(command, error));
    return 2;
  }
}

/** @param {Options} options @param {string[]} operands @returns {Promise<number>} exit status */
async function symbolize(options, [file]) {
  const { symbolizeStack } = await import('./commands/symbolize.js');
  return tryFile((name) => symbolizeStack(options, name), file);
}

/** @param {Options} options @param {string[]} operands @returns {Promise<number>} exit status */
async function report(options, [file]) {
  const { showRecorded } = await import('./commands/report.js');
  return tryFile((name) => showRecorded(options, name), file);
}

/** @param {Options} options @param {string[]} operands @returns {Promise<number>} exit status */
async function diff(options, [old, now]) {
  const { compareFiles } = await import('./commands/diff.js');
  try {
    return compareFiles(options, old, now);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return tellFailure(old, error);
  }
}

/** @param {Options} options @param {string[]} operands @returns {Promise<number>} exit status */
async function serve(options, [folder = '.']) {
  const { serve: serveFolder } = await import('./commands/serve.js');
  try {
    return await serveFolder(options, folder);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return tellFailure(folder, error);
  }
}

/** @param {Options} options @param {string[]} files @returns {Promise<number>} the worst exit status */
async function forEachFile(options, files) {
  const work = await chooseWork(options, files.length === 1);
  exitOnSignals();
  let worst = 0;
  let anyDone = false;
  for (const file of files) {
    const status = tryFile(work, file);
    anyDone ||= status === 0;
    worst = Math.max(worst, status);
    if (status === 2) break;
    await nextTurn();
  }
  if (anyDone && !options.restore && !options.list) process.stderr.write(options.link === 'heap' ? NEXT_HEAP : NEXT);
  return worst;
}

/**
 * The instrumenter is loaded only when it is needed: --help is instant.
 * @param {Options} options
 * @param {boolean} alone
 */
async function chooseWork(options, alone) {
  if (options.restore) return (await import('./commands/restore.js')).restoreOriginal;
  const { checkProbes } = await import('./probes.js');
  const { instrumentFile } = await import('./commands/instrument.js');
  checkProbes(options);
  return (/** @type {string} */ file) => instrumentFile(options, file, alone);
}

/** @param {(file: string) => void} work @param {string} file */
function tryFile(work, file) {
  try {
    work(file);
    return 0;
  } catch (error) {
    return tellFailure(file, error);
  }
}

/** With a handler, Ctrl-C waits until the file at hand is done: no temporary file is left lying about. */
function exitOnSignals() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

function packageVersion() {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
