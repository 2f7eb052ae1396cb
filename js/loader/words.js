// Several options or probes in one text: the variable WASM_TRACE, an attribute or the query of a page.

import { WasmTraceError } from './errors.js';

/**
 * Splits text into words as a shell does, with two differences that suit probes: white space and quotes inside
 * parentheses belong to the word (`arg(0, malloc)` is one), and a backslash stays unless it stands before white space,
 * a quote, a parenthesis or a backslash.
 * @param {string} text
 * @returns {string[]}
 * @throws {WasmTraceError} code 'probe', when a quote or parenthesis is not closed
 */
export function splitWords(text) {
  const words = [];
  const token = /\s+|"((?:\\["\\]|[^"])*)"|'([^']*)'|\\([\s"'()\\])|([^])/gy;
  let word = null;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [all, double, single, escaped, plain] = match;
    if (all.trim() === '' && escaped === undefined) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    if (plain === '"' || plain === "'") throw new WasmTraceError('probe', `a ${plain} is not closed`);
    const group = plain === '(' ? readGroup(text, match.index) : null;
    if (group !== null) token.lastIndex = match.index + group.length;
    word = (word ?? '') + (group ?? double?.replace(/\\(["\\])/g, '$1') ?? single ?? escaped ?? plain);
  }
  return word === null ? words : [...words, word];
}

/** @param {string} text @param {number} start of a "(" @returns {string} up to and with its ")" */
function readGroup(text, start) {
  const token = /"(?:\\[^]|[^"\\])*"|\\[^]|[^]/gy;
  token.lastIndex = start;
  let depth = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === '(') depth++;
    if (match[0] === ')' && --depth === 0) return text.slice(start, token.lastIndex);
  }
  throw new WasmTraceError('probe', 'a ( is not closed');
}

/** Several words as one text that splitWords() takes apart again. @param {readonly string[]} words */
export function quoteWords(words) {
  return words.map((word) => (standsAlone(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`)).join(' ');
}

/** Also with others behind it, quoted or not. @param {string} word */
function standsAlone(word) {
  try {
    const [first, ...others] = splitWords(`${word} "next"`);
    return first === word && others.join() === 'next';
  } catch {
    return false;
  }
}
