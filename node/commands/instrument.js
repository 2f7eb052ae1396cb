// What wasm-trace does with one FILE. Results of --list go to standard output, all else to standard error.

import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';

import { heapRuntimeBytes } from '../../js/loader/artifacts.js';
import { bestLink, natives } from '../../js/loader/engine.js';
import { WasmTraceError, describeError } from '../../js/loader/errors.js';
import { Instrumenter } from '../../js/loader/instrumenter.js';
import { FileError, readModule } from '../files.js';
import { tell, undoCommand } from '../messages.js';
import { replaceFile, writeOutput } from '../replace.js';
import { readSymbols } from '../symbols.js';
import { readWeights } from '../weights.js';

/** @typedef {import('../options.js').Options} Options */
/** @typedef {import('../files.js').ModuleFile} ModuleFile */
/** @typedef {import('../symbols.js').SymbolFile} SymbolFile */

/**
 * Instruments a file, or lists what would be; tells what was done.
 * @param {Options} options
 * @param {string} name
 * @param {boolean} alone no other file is worked on
 * @throws {FileError | WasmTraceError} the file is as it was then
 */
export function instrumentFile(options, name, alone) {
  const file = readModule(name);
  if (file.path === null && !options.list && options.output === undefined)
    throw new FileError(name, 'is no regular file: give --output OUT');
  const symbols = readSymbols(options, file);
  const result = Instrumenter.create().run(file.bytes, coreOptions(options, symbols));
  if (symbols.length > 0) tell(name, `names also from ${symbols.map(({ path }) => basename(path)).join(', ')}`);
  for (const line of result.warnings) tell(name, `warning: ${line}`);
  if (options.list) {
    process.stdout.write(alone ? result.list : `${name}:\n${result.list}`);
    return;
  }
  if (result.bytes === file.bytes) throw new FileError(name, 'there is nothing to record');
  checkOutput(options, file, result.bytes);
  write(options, file, result.bytes);
  for (const line of result.summary.split('\n').filter(Boolean)) tell(name, line);
  if (options.output === undefined) tell(name, `the original is kept; to bring it back: ${undoCommand(name)}`);
}

/** @param {Options} options @param {SymbolFile[]} symbols @returns {import('../../js/loader/instrumenter.js').InstrumentOptions} */
function coreOptions(options, symbols) {
  const { weights, link } = options;
  const runtime = link === 'heap' ? heapRuntimeBytes() : undefined;
  return { ...options, runtime, symbols: symbols.map(({ content }) => content), weights: weights === undefined ? undefined : readWeights(weights) };
}

/**
 * An output that our own reader or this engine refuses is a mistake of ours, which must not reach a file.
 * @param {Options} options
 * @param {ModuleFile} file
 * @param {Uint8Array} bytes
 */
function checkOutput(options, file, bytes) {
  const lead = 'a mistake of wasm-trace, please report it: the result fails its check';
  try {
    Instrumenter.create().check(bytes);
  } catch (error) {
    if (!(error instanceof WasmTraceError)) throw error;
    throw new FileError(file.name, `${lead}: ${describeError(error)}`);
  }
  if (canValidate(options, file) && !natives.validate(source(bytes)))
    throw new FileError(file.name, `${lead}: this engine refuses it`);
}

/**
 * Merged for other engines, or an original that is too new for this one: then it can say nothing.
 * @param {Options} options
 * @param {ModuleFile} file
 */
function canValidate(options, file) {
  return (options.link !== 'merged' || bestLink() === 'merged') && natives.validate(source(file.bytes));
}

/** @param {Uint8Array} bytes */
function source(bytes) {
  return /** @type {Uint8Array<ArrayBuffer>} */ (bytes);
}

/**
 * A FILE that was gzipped stays so: whoever serves or loads it expects that.
 * @param {Options} options
 * @param {ModuleFile} file
 * @param {Uint8Array} bytes
 */
function write(options, file, bytes) {
  const compress = options.output === undefined ? file.compressed : options.output.endsWith('.gz');
  const content = compress ? gzipSync(bytes) : bytes;
  const { path } = file;
  if (options.output !== undefined) {
    writeOutput(options.output, file, content);
  } else if (path !== null) {
    const note = replaceFile({ ...file, path }, content);
    if (note !== null) tell(file.name, note);
  }
}
