// Patterns of displays, held against the names that displays show: malloc, *alloc*, /^std::/, #12, "f(int)". Those of probes are the
// instrumenter's (instrumenter/src/pattern.c), which knows symbols, too; here a name is also meant without its parameters,
// and an import without its module.

/** @import {FunctionNames} from '../trace/names.js' */

/** @param {string} name readable */
function withoutParameters(name) {
  return name.replace(/\(.*$/, '');
}

/** @param {string} glob */
function globExpression(glob) {
  const source = glob.replace(/\[[!^]?.[^\]]*\]|[\\^$.*+?()[\]{}|/]/g, (part) => {
    if (part === '*') return '.*';
    if (part === '?') return '.';
    return part.length > 1 ? part.replace(/^\[!/, '[^').replaceAll('\\', '\\\\') : `\\${part}`;
  });
  return new RegExp(`^${source}$`, 's');
}

/** @param {string} source */
function expressionOf(source) {
  try {
    return new RegExp(source, 's');
  } catch {
    return /(?!)/; // the instrumenter's syntax is another one
  }
}

/** @param {string} text @returns {(name: string) => boolean} */
function matcherOf(text) {
  const quoted = /^"(.+)"$/s.exec(text);
  if (quoted) return (name) => name === quoted[1];
  const regex = /^\/(.+)\/$/s.exec(text);
  const pattern = regex ? expressionOf(regex[1]) : globExpression(text);
  return (name) => name === text || pattern.test(name);
}

/** @param {string} name */
function withoutModule(name) {
  return name.slice(name.indexOf('.') + 1);
}

/**
 * @param {string} pattern
 * @param {Pick<FunctionNames, 'name'>} names
 * @param {number} importCount functions below are imports
 * @returns {(func: number) => boolean}
 */
export function functionPattern(pattern, names, importCount) {
  const text = pattern.trim();
  const index = /^#(\d+)$/.exec(text);
  if (index) return (func) => func === Number(index[1]);
  const matches = matcherOf(text);
  return (func) => {
    const name = names.name(func);
    return matches(name) || matches(withoutParameters(name)) || (func < importCount && matches(withoutModule(name)));
  };
}
