// What may be meant by a probe that is half typed: the kinds of probes at its beginning, names of functions behind.

/** With what stands behind them, ready for a name. */
const KINDS = Object.freeze(['calls', 'calls(', 'args(', 'arg(0, ', 'ret(', 'imports', 'imports(', 'memory.grow', 'stack(', 'traps']);

const MOST = 12;
/** A kind, and what separates it from the pattern: `args(`, `arg(0, `, `calls:`, `arg0:`. */
const BEFORE_NAME = /^\s*(?:calls|args|arg|ret|imports|stack)(?:\(|\d*:|\(\s*\d+\s*,)\s*/;

/**
 * @typedef {object} Completion
 * @property {string} label what stands in the list
 * @property {string} text the whole input afterwards
 */

/**
 * @param {string} text up to the caret
 * @param {(prefix: string, most: number) => string[]} complete names
 * @returns {Completion[]}
 */
export function completionsOf(text, complete) {
  const before = longestMatch(text);
  if (before === null) {
    const word = text.trimStart();
    return KINDS.filter((kind) => kind.startsWith(word) && kind !== word).map((kind) => ({ label: kind, text: kind }));
  }
  const name = text.slice(before.length).replace(/^"/, '');
  if (name.endsWith(')')) return [];
  const close = before.includes('(') ? ')' : '';
  return complete(name, MOST).map((label) => ({ label, text: before + quoted(label) + close }));
}

/** `arg(` alone wants a number first. @param {string} text */
function longestMatch(text) {
  const [match] = BEFORE_NAME.exec(text) ?? [null];
  if (match === null || !/^\s*arg\(/.test(match)) return match;
  const [numbered] = /^\s*arg\(\s*\d+\s*,\s*/.exec(text) ?? [null];
  return numbered;
}

/** Names with signs that mean something in a probe. @param {string} name */
function quoted(name) {
  return /[(),<>\s"]/.test(name) ? `"${name}"` : name;
}
