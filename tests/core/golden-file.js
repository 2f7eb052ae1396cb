// Golden files: a module as text, then blocks of a header and what is expected under it.
//
//   (module ...)
//   --- run                                    calls to make, and their results
//   twice(3) = 6
//   --- nested trace=calls(twice)              a display after these calls, with these options, in every link mode
//   call twice(3)
//   --- code twice trace=calls link=split      functions as they are rewritten; golden-views.js has all kinds of blocks
//
// With UPDATE=1 in the environment what is found is written instead of compared.
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * @typedef {object} Block
 * @property {string} header behind the dashes
 * @property {string} kind its first word
 * @property {string[]} words those without "="
 * @property {Record<string, string | string[]>} options key=value; more of a key make a list
 * @property {string} body
 *
 * @typedef {{source: string, blocks: Block[]}} GoldenFile
 */

const SEPARATOR = /^--- (.*)$/m;
const WORD = /(?:[^\s"]|"[^"]*")+/g;

/** @param {string} word */
const unquoted = (word) => word.replace(/^([a-zA-Z]+=)?"(.*)"$/, '$1$2');

/** @param {string} header @param {string} body @returns {Block} */
function parseBlock(header, body) {
  const [kind, ...rest] = (header.match(WORD) ?? []).map(unquoted);
  /** @type {Block} */
  const block = { header, kind, words: [], options: {}, body };
  for (const word of rest) {
    const [, key, value] = /^([a-zA-Z]+)=(.*)$/s.exec(word) ?? [];
    const before = block.options[key];
    if (key === undefined) block.words.push(word);
    else block.options[key] = before === undefined ? value : [before, value].flat();
  }
  return block;
}

/** @param {URL} file @returns {GoldenFile} */
export function readGolden(file) {
  const [source, ...parts] = readFileSync(file, 'utf8').split(SEPARATOR);
  const blocks = [];
  for (let i = 0; i < parts.length; i += 2) blocks.push(parseBlock(parts[i], parts[i + 1].replace(/^\n/, '')));
  return { source, blocks };
}

/** @param {URL} file @param {GoldenFile} golden */
export function writeGolden(file, { source, blocks }) {
  writeFileSync(file, source + blocks.map(({ header, body }) => `--- ${header}\n${body}`).join(''));
}
