// Modules for tests, from text of three kinds: wat for wabt, wat for Binaryen (which knows newer proposals; a first line
// ";; assembler: binaryen"), and bytes written down with comments, where no assembler would make what is wanted:
//
//   module                     the header
//   01 { 01 60 00 00 }         bytes; braces put the size of what is between them in front of it
//   "env" 'raw'                a name: its length and its bytes; only the bytes
//   # comment, ;; comment
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const TOKEN = /\s+|(?:#|;;)[^\n]*|(?<word>module)\b|(?<byte>[0-9a-f]{2})(?![0-9a-z])|"(?<name>[^"\n]*)"|'(?<raw>[^'\n]*)'|(?<brace>[{}])/y;

/** Unsigned LEB128. @param {number} value @returns {number[]} */
export function leb(value) {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

/** @param {string} text in the notation above @returns {Uint8Array} */
export function bytesOf(text) {
  /** @type {number[][]} */
  const open = [[]];
  for (let at = (TOKEN.lastIndex = 0); at < text.length; at = TOKEN.lastIndex) {
    const token = TOKEN.exec(text)?.groups;
    if (!token) throw new Error(`not bytes: ${text.slice(at, at + 20)}`);
    append(open, token);
  }
  if (open.length !== 1) throw new Error('a brace is not closed');
  return Uint8Array.from(open[0]);
}

/** @param {number[][]} open @param {Record<string, string | undefined>} token */
function append(open, { word, byte, name, raw, brace }) {
  if (brace === '{') return open.push([]);
  if (brace === '}') {
    const content = /** @type {number[]} */ (open.pop());
    return open.at(-1)?.push(...leb(content.length), ...content);
  }
  const top = open[open.length - 1];
  if (word) return top.push(...HEADER);
  if (byte) return top.push(parseInt(byte, 16));
  const text = Buffer.from(name ?? raw ?? '', 'latin1');
  if (name !== undefined) top.push(...leb(text.length));
  return top.push(...text);
}

/** @param {string} text @returns {Uint8Array} */
function byWabt(text) {
  const args = ['-', '--enable-all', '--enable-code-metadata', '--debug-names', '--output=-', '--no-check'];
  const { status, stdout, stderr } = spawnSync('wat2wasm', args, { input: text, maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`wat2wasm: ${stderr}`);
  return new Uint8Array(stdout);
}

/** @param {string} text @returns {Promise<Uint8Array>} */
async function byBinaryen(text) {
  const { default: binaryen } = await import('binaryen');
  binaryen.setDebugInfo(true);
  const module = binaryen.parseText(text);
  const { CompactImports = 0, All } = binaryen.Features; // no engine reads compact imports yet
  module.setFeatures(All & ~CompactImports);
  const bytes = module.emitBinary();
  module.dispose();
  return bytes;
}

/** @param {string} text @returns {Promise<Uint8Array>} */
export async function assemble(text) {
  if (/^;; assembler: binaryen$/m.test(text)) return byBinaryen(text);
  return /^\(/m.test(text) ? byWabt(text) : bytesOf(text);
}

/** @param {URL | string} file @returns {string} */
export const readText = (file) => readFileSync(file, 'utf8');
