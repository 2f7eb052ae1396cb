// wasm-trace-node PROGRAM: runs the program in a child process under the preload and prints the reports that it and its own
// children leave in a temporary folder. Printing is done here, and not in the child, because only the parent is there after
// the last word of a program that crashes.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { WasmTraceError } from '../../js/loader/errors.js';
import { runChild } from '../child.js';
import { choosePort, inspectorFlags } from '../inspector.js';
import { tellFailure } from '../messages.js';
import { OPTION_ROWS, UsageError } from '../options.js';
import { joinPieces, writeReportFile } from '../report-file.js';
import { quoteWord } from '../shell.js';

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
 * @throws {UsageError}
 */
export async function runTraced(options, operands) {
  if (operands.length === 0) throw new UsageError('no PROGRAM is given');
  const [program] = operands;
  const isModule = /\.wasm(\.gz)?$/i.test(program);
  if (options.invoke !== undefined && !isModule) throw new UsageError('--invoke needs a .wasm file');
  if (!(await probesParse(options))) return 2;
  const folder = mkdtempSync(join(tmpdir(), 'wasm-trace-'));
  const port = choosePort();
  const how = isModule ? moduleCommand(options, port) : scriptCommand(port);
  const env = { ...process.env, ...how.env, ...traceVariables(options, folder) };
  try {
    const ended = await runChild([...process.execArgv, ...how.argv, ...operands], env, folder, port);
    const pieces = readPieces(folder, ended.pid);
    const missing = ended.signal ? `${ended.signal} ended ${program} before it could report` : `${program} loaded no WebAssembly module`;
    if (pieces.length > 0) printReport(options, pieces);
    else if (ended.signal || !isModule) process.stderr.write(`wasm-trace-node: ${missing}\n`);
    return ended.signal ?? ended.status;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
    const value = /** @type {Record<string, any>} */ (options)[row.name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())];
    if (value === undefined || value === false) return [];
    return [value].flat().flatMap((one) => (one === true ? [`--${row.name}`] : [`--${row.name}`, quoteWord(String(one))]));
  });
  return [...words, '--'].join(' ');
}

/** A probe that does not parse is told before anything runs. @param {Options} options */
async function probesParse(options) {
  if (options.trace.every((probe) => PLAIN_PROBES.has(probe)) && options.hide.length + options.only.length === 0) return true;
  const { Instrumenter } = await import('../../js/loader/instrumenter.js');
  try {
    const { trace, hide, only } = options;
    Instrumenter.create().run(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0), { trace, hide, only });
  } catch (error) {
    if (!(error instanceof WasmTraceError) || error.code !== 'probe') return true;
    tellFailure('wasm-trace-node', error);
    return false;
  }
  return true;
}

/** @param {string} folder @param {number} mainProcess @returns {ReportPiece[]} the main process's first */
function readPieces(folder, mainProcess) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const main = `${mainProcess}.json`;
  names.sort((one, other) => Number(other === main) - Number(one === main) || parseInt(one, 10) - parseInt(other, 10));
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

/** @param {Options} options @param {ReportPiece[]} pieces */
function printReport({ report: path }, pieces) {
  if (path === undefined) process.stderr.write(joinPieces(pieces));
  else writeReportFile(path, pieces);
}
