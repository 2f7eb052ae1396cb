// wasm-trace symbolize MODULE: a stack from standard input, with names and original offsets, to standard output. MODULE is
// the file that ran, instrumented or not; nothing of it is run or compiled.

import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { WasmTraceError } from '../../js/loader/errors.js';
import { Instrumenter } from '../../js/loader/instrumenter.js';
import { CodeBodies } from '../../js/trace/code-bodies.js';
import { parseMetadata } from '../../js/trace/metadata.js';
import { FunctionNames } from '../../js/trace/names.js';
import { Symbolizer } from '../../js/views/symbolize.js';
import { FileError, readModule } from '../files.js';
import { tell } from '../messages.js';
import { originalPath } from '../replace.js';
import { findCustomSection, hasFunctionNames } from '../sections.js';
import { readSymbols } from '../symbols.js';

/** @typedef {import('../options.js').Options} Options */
/** @typedef {import('../files.js').ModuleFile} ModuleFile */
/** @typedef {import('../../js/trace/metadata.js').Metadata} Metadata */

const STANDARD_INPUT = 0;

/**
 * @param {Options} options
 * @param {string} name
 * @throws {FileError | WasmTraceError}
 */
export function symbolizeStack(options, name) {
  const symbolizer = makeSymbolizer(options, readModule(name));
  const input = readFileSync(STANDARD_INPUT);
  const encoding = isUtf8(input) ? 'utf8' : 'latin1'; // in which every byte comes out as it went in
  process.stdout.write(symbolizer.text(input.toString(encoding)), encoding);
  if (symbolizer.misfits > 0) tell(name, misfitText(symbolizer.misfits));
}

/** @param {number} count */
function misfitText(count) {
  const [frames, their] = count === 1 ? ['1 frame is', 'it is'] : [`${count} frames are`, 'they are'];
  return `warning: ${frames} no code of this file and left as ${their}; give the file that ran`;
}

/** @param {Options} options @param {ModuleFile} file */
function makeSymbolizer(options, file) {
  const section = findCustomSection(file.bytes, 'wasm-trace');
  const metadata = section && parseMetadata(section);
  const facts = metadata ? factsOfTraced(options, file, metadata) : factsOf(options, file, file.bytes);
  const nameSection = findCustomSection(file.bytes, 'name') ?? undefined;
  const demangle = (/** @type {string} */ symbol) => Instrumenter.create().demangle(symbol);
  const names = new FunctionNames({ nameSection, metadata: facts, demangle });
  return new Symbolizer({ names, metadata, demangle, bodies: new CodeBodies(file.bytes, facts.importCount) });
}

/**
 * What a probe in the whole module would have to know of it: the instrumenter is the one reader of modules and of files with
 * symbols.
 * @param {Options} options
 * @param {ModuleFile} file whose symbols are looked for
 * @param {Uint8Array} original
 * @returns {Pick<Metadata, 'importCount' | 'names'>}
 */
function factsOf(options, file, original) {
  const symbols = readSymbols(options, file);
  const content = symbols.map((one) => one.content);
  try {
    const result = Instrumenter.create().run(original, { trace: 'calls(*)', minSize: 0, link: 'split', symbols: content });
    for (const line of result.warnings.filter((warning) => warning.startsWith('the symbol'))) tell(file.name, `warning: ${line}`);
    return parseMetadata(/** @type {Uint8Array} */ (findCustomSection(result.bytes, 'wasm-trace')));
  } catch (error) {
    // A module without functions of its own.
    if (error instanceof WasmTraceError && error.code === 'no-match') return { importCount: 0, names: new Map() };
    throw error;
  }
}

/**
 * Symbols belong to the original, which stands beside the file as a rule. Without it, there are the names that were found
 * when the file was instrumented.
 * @param {Options} options
 * @param {ModuleFile} file
 * @param {Metadata} metadata
 * @returns {Pick<Metadata, 'importCount' | 'names'>}
 */
function factsOfTraced(options, file, metadata) {
  if (options.symbols.length === 0 && (metadata.names.size > 0 || hasFunctionNames(file.bytes))) return metadata;
  const original = readOriginal(file, metadata);
  if (original !== null) return factsOf(options, file, original);
  if (options.symbols.length === 0) return metadata;
  throw new FileError(file.name, `--symbols needs its original beside it, ${basename(originalPath(file.name))}`);
}

/** @param {ModuleFile} file @param {Metadata} metadata */
function readOriginal({ path }, { originalSize }) {
  if (path === null || !existsSync(originalPath(path))) return null;
  const { bytes } = readModule(originalPath(path));
  return bytes.length === originalSize ? bytes : null;
}
