// wasm-trace-node PROGRAM: runs the program in a child process under the preload and prints the reports that it and its own
// children leave in a temporary folder. Printing is done here, and not in the child, because only the parent is there after
// the last word of a program that crashes.

import { accessSync, constants, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runChild } from '../child.js';
import { FileError } from '../files.js';
import { choosePort, inspectorFlags } from '../inspector.js';
import { OPTION_ROWS, propertyName, UsageError } from '../options.js';
import { compares } from '../question.js';
import { joinPieces, writeReportFile } from '../report-file.js';
import { quoteWord } from '../shell.js';

/** @import {Ended} from '../child.js' */
/** @import {Options} from '../options.js' */
/** @import {ReportPiece} from '../report-file.js' */

const REGISTER = fileURLToPath(new URL('../register.cjs', import.meta.url));
const WASI_HOST = fileURLToPath(new URL('../wasi-host.js', import.meta.url));

/** Words that need no parsing to be known as good. */
const PLAIN_PROBES = new Set(['calls', 'imports', 'traps', 'memory.grow']);

/**
 * @param {Options} options
 * @param {readonly string[]} operands the program and its arguments
 * @returns {Promise<number | NodeJS.Signals>} exit status, or the signal that ended the program
 * @throws {UsageError | FileError}
 */
export async function runTraced(options, operands) {
  if (operands.length === 0) throw new UsageError('no PROGRAM is given');
  const [program] = operands;
  const isModule = /\.wasm(\.gz)?$/i.test(program);
  if (options.invoke !== undefined && !isModule) throw new UsageError('--invoke needs a .wasm file');
  await checkQuestion(options);
  if (!isModule) checkScript(program);
  if (compares(options)) await checkBaseline(options);
  checkOutputs(options);
  const folder = mkdtempSync(join(tmpdir(), 'wasm-trace-'));
  const port = choosePort();
  const how = isModule ? moduleCommand(options, port) : scriptCommand(port);
  const env = { ...process.env, ...how.env, ...traceVariables(options, folder) };
  try {
    const ended = await runChild([...process.execArgv, ...how.argv, ...operands], env, folder, port);
    const pieces = readPieces(folder, ended.pid);
    const settled = compares(options) ? await settle(options, pieces) : { status: 0, pieces };
    if (pieces.length > 0) printReport(options, settled.pieces);
    else if (ended.signal || !isModule) process.stderr.write(`wasm-trace-node: ${program} ${whyNothing(ended, folder)}\n`);
    return ended.signal ?? (ended.status || settled.status);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is wrong there is told before anything runs. @param {Options} options @throws {UsageError | FileError} */
async function checkBaseline({ diff, failIf }) {
  const { readBaselineFile, readRules } = await import('../baseline.js');
  readRules(failIf);
  if (diff !== undefined) readBaselineFile(diff);
}

/** @param {Options} options @param {readonly ReportPiece[]} pieces */
async function settle(options, pieces) {
  const { settleBaseline } = await import('../baseline.js');
  return settleBaseline(options, pieces, options.report === undefined && process.stderr.isTTY === true && !process.env.NO_COLOR);
}

/** @param {Options} options @param {number} port @returns {{argv: string[], env: NodeJS.ProcessEnv}} */
function moduleCommand({ invoke }, port) {
  const argv = ['--disable-warning=ExperimentalWarning', ...inspectorFlags(port), '-r', REGISTER, WASI_HOST];
  return { argv, env: invoke === undefined ? {} : { WASM_TRACE_INVOKE: invoke } };
}

/**
 * By NODE_OPTIONS the preload reaches the program's own child processes, and workers with flags of their own.
 * @param {number} port
 * @returns {{argv: string[], env: NodeJS.ProcessEnv}}
 */
function scriptCommand(port) {
  const { NODE_OPTIONS = '' } = process.env;
  const preload = `--require "${REGISTER.replace(/["\\]/g, '\\$&')}"`;
  return { argv: [], env: { NODE_OPTIONS: [NODE_OPTIONS, ...inspectorFlags(port), preload].join(' ').trim() } };
}

/** @param {Options} options @param {string} folder @returns {NodeJS.ProcessEnv} */
function traceVariables(options, folder) {
  return {
    WASM_TRACE: optionText(options),
    WASM_TRACE_OUTPUT: folder,
    WASM_TRACE_COLOR: process.stderr.isTTY && !process.env.NO_COLOR ? '1' : '0',
  };
}

/** The text of WASM_TRACE that means these options. The last word keeps it from being empty. @param {Options} options */
function optionText(options) {
  const words = OPTION_ROWS.filter((row) => row.commands.includes('WASM_TRACE')).flatMap((row) => {
    const value = /** @type {Record<string, any>} */ (options)[propertyName(row)];
    if (value === undefined || value === false) return [];
    return [value].flat().flatMap((one) => (one === true ? [`--${row.name}`] : [`--${row.name}`, quoteWord(String(one))]));
  });
  return [...words, '--'].join(' ');
}

/**
 * A question that does not parse is told before anything runs. Loading the instrumenter for it takes some milliseconds.
 * @param {Options} options
 */
async function checkQuestion(options) {
  const { trace, display, hide, only, during, from, until, buffer, weights } = options;
  if (weights !== undefined) (await import('../probes.js')).checkWeights(weights);
  const others = [display, hide, only, during, from, until].flat();
  if (trace.every((probe) => PLAIN_PROBES.has(probe)) && others.length === 0 && buffer === undefined) return;
  const { checkDisplays, checkProbes } = await import('../probes.js');
  checkProbes(options);
  checkDisplays(options);
}

/** By Node's own rules, which find app.js for app. A lone "-" is standard input. @param {string} program */
function checkScript(program) {
  try {
    if (program !== '-') createRequire(import.meta.url).resolve(resolve(program));
  } catch {
    const isFolder = statSync(program, { throwIfNoEntry: false })?.isDirectory();
    throw new FileError(program, isFolder ? 'is a directory without a program' : 'no such file or directory');
  }
}

/** What cannot be written, as far as can be known before there is anything, is told before the program runs. @param {Options} options */
function checkOutputs({ report, save, drainTo }) {
  if (report !== undefined && report !== '-') checkOutput(report, 'cannot write the report');
  if (save !== undefined) checkOutput(save, 'cannot write the baseline');
  if (drainTo !== undefined) checkOutput(drainTo, 'cannot write the trace');
}

/** @param {string} path @param {string} doing @throws {FileError} */
function checkOutput(path, doing) {
  try {
    accessSync(existsSync(path) ? path : `${dirname(path)}/.`, constants.W_OK);
  } catch (error) {
    throw FileError.fromSystem(path, error, doing);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw FileError.fromSystem(path, new Error('is a directory'), doing);
}

/** The preload leaves files in the folder once the program uses WebAssembly. @param {Ended} ended @param {string} folder */
function whyNothing({ signal }, folder) {
  if (signal) return `was ended by ${signal} before it could report`;
  return readdirSync(folder).length > 0 ? 'ended before it could report' : 'loaded no WebAssembly module';
}

/** @param {string} folder @param {number} mainProcess @returns {ReportPiece[]} the main process's first */
function readPieces(folder, mainProcess) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const main = `${mainProcess}.json`;
  names.sort((one, other) => Number(other === main) - Number(one === main) || parseInt(one, 10) - parseInt(other, 10));
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

/** A report that cannot go where it should is shown here. @param {Options} options @param {readonly ReportPiece[]} pieces */
function printReport({ report: path }, pieces) {
  try {
    if (path === undefined) process.stderr.write(joinPieces(pieces));
    else writeReportFile(path, pieces);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    process.stderr.write(`wasm-trace-node: ${error.message}\n${joinPieces(pieces)}`);
  }
}
