// The ARGS of --invoke: text that becomes the arguments of an exported function, or an error that says which does not.

import { Instrumenter } from '../js/loader/instrumenter.js';
import { parseMetadata } from '../js/trace/metadata.js';
import { counted } from '../js/views/text.js';
import { FileError, readModule } from './files.js';
import { findCustomSection } from './sections.js';

/**
 * @param {string} file a module
 * @param {Function} call an exported function of its instance
 * @param {readonly string[]} texts
 * @returns {string[]} text still: it converts to every numeric type, i64 included, where a number would not
 * @throws {FileError}
 */
export function readArguments(file, call, texts) {
  if (call.length !== texts.length) throw new FileError(file, `the export takes ${counted(call.length, 'argument')}, not ${texts.length}`);
  const types = parameterTypes(file, call);
  return texts.map((text, index) => {
    const numeral = text.replace(/^([+-]?)inf(inity)?$/i, '$1Infinity').replace(/^nan$/i, 'NaN');
    if (isNumeral(numeral, types[index])) return numeral;
    throw new FileError(file, `argument ${index} is ${types[index] ?? 'a number'}, not '${text}'`);
  });
}

/**
 * The engine does not tell them, but the instrumenter does: the name of an exported function is its index.
 * @param {string} file
 * @param {Function} call
 * @returns {readonly string[]} empty when they cannot be known
 */
function parameterTypes(file, { name }) {
  try {
    const { bytes } = Instrumenter.create().run(readModule(file).bytes, { trace: `args(#${name})` });
    const { probes } = parseMetadata(findCustomSection(bytes, 'wasm-trace') ?? new Uint8Array());
    return probes.get(Number(name))?.args?.map(({ type }) => type) ?? [];
  } catch {
    return [];
  }
}

/** @param {string} text @param {string} [type] */
function isNumeral(text, type) {
  if (type === 'i32' || type === 'i64') return isInteger(text, type === 'i32' ? 32 : 64);
  return text.trim() !== '' && (text === 'NaN' || !Number.isNaN(Number(text)));
}

/** Signed or unsigned. @param {string} text @param {number} bits */
function isInteger(text, bits) {
  if (!/^([+-]?[0-9]+|0x[0-9a-f]+)$/i.test(text)) return false;
  const value = BigInt(text);
  return value >= -(2n ** BigInt(bits - 1)) && value < 2n ** BigInt(bits);
}
