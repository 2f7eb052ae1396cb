// Patterns of displays: malloc, *alloc*, /^std::/, #12, "f(int)". They mean what those of probes mean (instrumenter/src/pattern.c,
// name_forms.c), as far as names are known: those of recordings are the readable ones only.

/** @import {FunctionNames} from '../trace/names.js' */

/** @typedef {Pick<FunctionNames, 'name'> & Partial<Pick<FunctionNames, 'spellings'>>} PatternNames */

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

/** Where the bracket opens that closes at the end; 0 where none does that a name could do without. @param {string} text @param {string} open @param {string} close */
function openingOf(text, open, close) {
  let depth = 0;
  for (let at = text.endsWith(close) ? text.length - 1 : 0; at > 0; at--) {
    if (text[at] === close && text[at - 1] !== '-') depth++;
    if (text[at] === open && --depth === 0) return text.endsWith('operator', at) ? 0 : at;
  }
  return 0;
}

/** `int N::f(float) const` -> `int N::f`. @param {string} name */
function withoutParameters(name) {
  const cut = name.replace(/( \[[^\]]*\])+$/, '').replace(/( const| volatile| &&?| noexcept)+$/, '');
  const open = openingOf(cut, '(', ')');
  return open > 0 && !/[: .]/.test(cut[open - 1]) ? cut.slice(0, open) : name;
}

/** What templates make has its result in front. @param {string} name without parameters */
function withoutResult(name) {
  let start = 0;
  for (let at = 0, depth = 0; at < name.length && !(depth === 0 && name.startsWith('operator', at)); at++) {
    if ('<([{'.includes(name[at])) depth++;
    if (')]}'.includes(name[at]) || (name[at] === '>' && name[at - 1] !== '-')) depth--;
    if (depth === 0 && name[at] === ' ') start = at + 1;
  }
  return name.slice(start);
}

/** `app::List<int>::push` -> `app::List::push`, `<r::B<2>>::show` -> `r::B::show`. @param {string} name @returns {string} */
function withoutArguments(name) {
  const less = name.replace(/(?<=[^ <&])(::)?<(->|[^<>])*>/g, '');
  return less === name ? name.replace(/^<((?!.* as )[^<>]+)>/, '$1') : withoutArguments(less);
}

/** The ways in which a name may be written, each with less than the one before. @param {string} name */
function formsOf(name) {
  const bare = withoutResult(withoutParameters(name));
  const short = bare.slice(0, openingOf(bare, '<', '>') || undefined).replace(/::$/, '');
  return [name, bare, short, withoutArguments(short)];
}

/** @param {PatternNames} names @param {number} func @param {boolean} imported */
function spellingsOf(names, func, imported) {
  if (names.spellings) return names.spellings(func);
  const name = names.name(func);
  return imported ? [name, name.slice(name.indexOf('.') + 1)] : [name];
}

/**
 * @param {string} pattern
 * @param {PatternNames} names
 * @param {number} importCount functions below are imports
 * @returns {(func: number) => boolean}
 */
export function functionPattern(pattern, names, importCount) {
  const text = pattern.trim();
  const index = /^#(\d+)$/.exec(text);
  if (index) return (func) => func === Number(index[1]);
  const matches = matcherOf(text);
  return (func) => spellingsOf(names, func, func < importCount).some((name) => formsOf(name).some(matches));
}

/** What a pattern means where it means no function as it stands: one underscore more or less, and the allocators that linkers name. @param {string} pattern */
export function loosePattern(pattern) {
  const text = pattern.trim();
  if (!/^\w+$/.test(text)) return pattern;
  const [, bare] = /^_?(.+)$/.exec(text) ?? [];
  const builtin = /^(m|c|re)alloc$|^(free|memalign|aligned_alloc)$/.test(text) ? `|(emscripten_builtin_|__libc_|dl)${text}` : '';
  return `/^(_?${bare}${builtin})$/`;
}
