// Commands to type next: probes for functions as the probe language and the shell want them.

/** @import {FunctionNames} from '../trace/names.js' */

const PLAIN_PATTERN = /^[\w.:$@-]+$/;
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/**
 * A pattern that means this function and no other of a different name.
 * @param {number} func
 * @param {Pick<FunctionNames, 'name' | 'has'>} names
 */
export function patternOf(func, names) {
  const name = names.name(func);
  if (!names.has(func) || name.includes('"')) return `#${func}`;
  return PLAIN_PATTERN.test(name) ? name : `"${name}"`;
}

/** @param {string} word as one argument of a POSIX shell */
export function shellWord(word) {
  if (PLAIN_WORD.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`;
}
