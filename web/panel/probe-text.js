// Texts about probes, for the input that takes them.
import { counted } from '../../js/views/text.js';

/** Modules whose matches are told. */
const MODULES_TOLD = 4;

/**
 * A probe that is still being typed, to be counted: all names that go on like this. '' when there is nothing to count yet.
 * @param {string} spec
 */
export function soFar(spec) {
  const [, pattern] = /^[^(:]*\((?:\s*\d+\s*,)?\s*([^)]*)$/.exec(spec) ?? [];
  if (pattern === undefined) return spec;
  return pattern === '' || /^["/]/.test(pattern) ? '' : `${spec}*)`;
}

/** @param {{module: string, count: number}[]} rows */
export function matchText(rows) {
  const found = rows.filter(({ count }) => count > 0);
  if (rows.length === 0) return '';
  if (found.length === 0) return 'matches nothing in what is loaded';
  const told = found.slice(0, MODULES_TOLD).map(({ module, count }) => `${counted(count, 'function')} in ${module}`);
  const more = found.length - told.length;
  return `matches ${told.join(', ')}${more > 0 ? ` and in ${counted(more, 'more module')}` : ''}`;
}
