// Rewriting the .wasm files of a build. Bundlers read these themselves, each in ways of its own; most are given another file
// to read, before they compute any hash of it.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { WasmTraceError, describeError } from '../js/loader/errors.js';
import { Instrumenter } from '../js/loader/instrumenter.js';
import { readSymbols } from '../node/symbols.js';
import { readModule } from '../node/files.js';

/** @typedef {import('./settings.js').Question} Question */
/** @typedef {{bytes: Uint8Array, warnings: string[]}} Rewritten bytes: those that were given, where there is nothing to do */

const MODULE_NAME = /\.wasm$/;

/** What comes behind the path in the names that bundlers have for files. */
const QUERY = /[?#].*$/;

/** @param {string} id a path, perhaps with a query */
export function isModuleFile(id) {
  return MODULE_NAME.test(id.replace(QUERY, ''));
}

/**
 * @param {string} file
 * @param {Question} question
 * @param {Uint8Array} [bytes] what others have made of the file
 * @returns {Rewritten}
 */
export function rewriteFile(file, question, bytes) {
  const module = readModule(file);
  const symbols = readSymbols({ symbols: [...(question.symbols ?? [])] }, module);
  return rewriteBytes(path.basename(file), bytes ?? module.bytes, question, symbols.map(({ content }) => content));
}

/**
 * @param {string} name for warnings
 * @param {Uint8Array} bytes
 * @param {Question} question
 * @param {Uint8Array[]} [symbols]
 * @returns {Rewritten}
 * @throws {WasmTraceError} for a question that does not parse
 */
export function rewriteBytes(name, bytes, question, symbols = []) {
  const { trace, display, hide, only, during, from, until, skip, maxEvents, stopped, clock, onFull, minSize, stack, buffer } = question;
  // Which engines will load it is not known, and every one can load a split module.
  const link = question.link === 'merged' ? 'merged' : 'split';
  try {
    const what = { trace, display, hide, only, during, from, until, skip, maxEvents, stopped, clock, onFull, minSize, stack, buffer };
    const result = Instrumenter.create().rewrite(bytes, { ...what, link, symbols });
    const warnings = result?.warnings ?? ['there is nothing to record: it stays as it is'];
    return { bytes: result?.bytes ?? bytes, warnings: warnings.map((text) => `${name}: ${text}`) };
  } catch (error) {
    if (!(error instanceof WasmTraceError) || error.code === 'probe') throw error;
    const warnings = error.code === 'traced' ? [] : [`${name}: ${describeError(error)}: it stays as it is`];
    return { bytes, warnings };
  }
}

/** Rewritten copies of files, for bundlers to read in their place. A file's copy stays where it is when the file changes. */
export class RewrittenFiles {
  #question;
  #root;
  /** By the path of the original; content: a digest. @type {Map<string, {content: string, copy: string}>} */
  #copies = new Map();

  /** @param {Question} question @param {string} root folder of the project */
  constructor(question, root) {
    this.#question = question;
    this.#root = root;
  }

  /**
   * @param {string} id path of a module, perhaps with a query
   * @param {any} context of a hook of Rollup's
   * @returns {string} the same of its rewritten copy, or `id` where there is no such file
   */
  redirect(id, context) {
    const file = id.replace(QUERY, '');
    if (!path.isAbsolute(file) || !existsSync(file)) return id;
    context.addWatchFile(file);
    return this.#copyOf(file, context) + id.slice(file.length);
  }

  /** @param {string} file that has changed @param {any} context */
  update(file, context) {
    if (this.#copies.has(file) && existsSync(file)) this.#copyOf(file, context);
  }

  /** @param {string} file @param {any} context @returns {string} path, with slashes */
  #copyOf(file, context) {
    const content = digest(readFileSync(file));
    const known = this.#copies.get(file);
    if (known?.content === content) return known.copy;
    const { bytes, warnings } = rewriteFile(file, this.#question);
    for (const warning of warnings) context.warn(warning);
    const copy = this.#placeOf(file);
    mkdirSync(path.dirname(copy), { recursive: true });
    writeFileSync(copy, bytes);
    this.#copies.set(file, { content, copy });
    return copy;
  }

  /** @param {string} file */
  #placeOf(file) {
    const place = digest(JSON.stringify([path.relative(this.#root, file), this.#question]));
    return path.join(this.#root, 'node_modules/.cache/wasm-trace', place, path.basename(file)).replaceAll('\\', '/');
  }
}

/** @param {string | Uint8Array} content */
function digest(content) {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
