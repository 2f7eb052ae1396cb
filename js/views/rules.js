// What --fail-if says, and whether it came to pass. A rule is a figure and how far it may grow, or how large it may be:
//
//   rule    = [figure] limit
//   figure  = PATTERN | KEY "(" [PATTERN] ")"      KEY: total, self, calls, avg, min, max; without one, total is meant
//   limit   = "+" NUMBER "%" | "+" NUMBER [UNIT] | ">" NUMBER [UNIT]
//   UNIT    = k | M | G (of any clock), ns | us | ms | s (of a clock of time)
//
// Without a figure or a pattern it is about the program: all time in traced calls, or all calls. With a pattern it is about each function that matches.
import { figureOf } from '../model/compare.js';
import { functionPattern } from './pattern.js';

/** @import {Comparison, Figure, FunctionChange} from '../model/compare.js' */

/**
 * @typedef {object} Rule
 * @property {string} text as it was given
 * @property {Figure} figure
 * @property {string | null} pattern null: the program
 * @property {Limit} limit
 *
 * @typedef {{kind: 'percent' | 'growth' | 'most', value: number, isTime: boolean}} Limit isTime: in nanoseconds
 *
 * @typedef {object} Regression
 * @property {Rule} rule
 * @property {FunctionChange | null} change null: the program
 * @property {number} old
 * @property {number} now
 *
 * @typedef {object} Judgement
 * @property {Regression[]} regressions
 * @property {(Problem & {rule: Rule})[]} problems rules that could not be held against what there is
 *
 * @typedef {{problem: string, isMisuse: boolean}} Problem isMisuse: the rule means nothing with this clock
 */

/** @type {readonly Figure[]} */
const FIGURES = Object.freeze(['total', 'self', 'calls', 'avg', 'min', 'max']);

/** Those that are sums. @type {ReadonlySet<Figure>} */
const OF_PROGRAM = new Set(['total', 'self', 'calls']);

const SIZES = Object.freeze({ k: 1e3, M: 1e6, G: 1e9 });
const TIMES = Object.freeze({ ns: 1, us: 1e3, ms: 1e6, s: 1e9 });

/** A comma stands between groups of three digits only: 0,5 is not a half here, and may not be 5. */
const LIMIT = /([+>])\s*((?:[1-9][0-9]{0,2}(?:[_,][0-9]{3})+|[0-9]+)(?:\.[0-9]+)?)\s*(%|[A-Za-z]+)?/y;

/** A name, too, which needs quotes then, but most likely a figure that there is none of. */
const LIKE_FIGURE = /[a-z][a-z0-9_]*\s*\(/iy;

/** A rule that does not parse, and where. */
export class RuleError extends Error {
  /** @param {string} text @param {number} at @param {string} reason */
  constructor(text, at, reason) {
    super(reason);
    this.name = 'RuleError';
    this.text = text;
    /** From 1 on, in characters. */
    this.column = [...text.slice(0, at)].length + 1;
  }
}

class RuleParser {
  #text;
  #at = 0;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** @returns {Rule} */
  parse() {
    this.#skipSpace();
    const { figure, pattern } = this.#figure();
    this.#skipSpace();
    const limit = this.#limit(figure);
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail('nothing may stand behind the limit');
    return { text: this.#text.trim(), figure, pattern, limit };
  }

  /** @returns {Pick<Rule, 'figure' | 'pattern'>} */
  #figure() {
    LIMIT.lastIndex = this.#at;
    if (LIMIT.test(this.#text)) return { figure: 'total', pattern: null };
    const start = this.#at;
    const figure = FIGURES.find((key) => this.#text.startsWith(`${key}(`, start));
    LIKE_FIGURE.lastIndex = start;
    if (figure === undefined && LIKE_FIGURE.test(this.#text)) this.#fail(`figures are ${FIGURES.join(', ')}; a name with ( in it stands in quotes`);
    if (figure === undefined) return { figure: 'total', pattern: this.#pattern(/\s/) };
    this.#at += figure.length + 1;
    this.#skipSpace();
    const pattern = this.#text[this.#at] === ')' ? null : this.#pattern(/\)/);
    this.#skipSpace();
    if (this.#text[this.#at] !== ')') this.#fail('expected )');
    this.#at++;
    if (pattern === null && !OF_PROGRAM.has(figure)) this.#fail(`${figure}() needs a pattern`, start);
    return { figure, pattern };
  }

  /** Up to what ends it, outside of quotes, slashes and parentheses. @param {RegExp} end */
  #pattern(end) {
    const start = this.#at;
    const quote = /["/]/.exec(this.#text[start] ?? '')?.[0];
    if (quote) this.#at = this.#closing(quote);
    for (let open = 0; !quote && this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at];
      if (open === 0 && end.test(char)) break;
      if (char === '(') open++;
      if (char === ')') open--;
    }
    const pattern = this.#text.slice(start, this.#at).trim();
    if (pattern === '') this.#fail('expected a pattern or a limit, such as +2% or > 1M', start);
    if (pattern.startsWith('#')) this.#fail('an index is another function in the next build; a name is needed', start);
    if (quote === '/') this.#checkExpression(pattern, start);
    return pattern;
  }

  /** @param {string} quote @returns {number} behind the next one */
  #closing(quote) {
    for (let at = this.#at + 1; at < this.#text.length; at++) {
      if (quote === '/' && this.#text[at] === '\\') at++;
      else if (this.#text[at] === quote) return at + 1;
    }
    return this.#fail(`${quote} is not closed`);
  }

  /** @param {string} pattern @param {number} start */
  #checkExpression(pattern, start) {
    try {
      new RegExp(pattern.slice(1, -1), 's');
    } catch {
      this.#fail('no regular expression', start);
    }
  }

  /** @param {Figure} figure @returns {Limit} */
  #limit(figure) {
    const start = this.#at;
    LIMIT.lastIndex = start;
    const [found, sign, digits, unit = ''] = LIMIT.exec(this.#text) ?? this.#fail('expected a limit, such as +2%, +1000 or > 1M');
    this.#at += found.length;
    const value = Number(digits.replace(/[_,]/g, ''));
    if (unit === '%') {
      if (sign === '>') this.#fail('% needs +: it is about growth', start);
      return { kind: 'percent', value, isTime: false };
    }
    const [size, time] = [SIZES, TIMES].map((units) => /** @type {Record<string, number>} */ (units)[unit]);
    const place = start + found.length - unit.length;
    if (unit !== '' && size === undefined && time === undefined) this.#fail('units are k, M, G, and ns, us, ms, s of time', place);
    if (time !== undefined && figure === 'calls') this.#fail('calls have no unit of time', place);
    return { kind: sign === '+' ? 'growth' : 'most', value: value * (size ?? time ?? 1), isTime: time !== undefined };
  }

  #skipSpace() {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++;
  }

  /** @param {string} reason @param {number} [at] @returns {never} */
  #fail(reason, at = this.#at) {
    throw new RuleError(this.#text, at, reason);
  }
}

/** @param {string} text @returns {Rule} @throws {RuleError} */
export function parseRule(text) {
  return new RuleParser(text).parse();
}

/** @param {Limit} limit @param {number} old @param {number} now @returns {boolean} whether it is too much; what is new grew by infinitely many percent */
function exceeds({ kind, value }, old, now) {
  if (kind === 'most') return now > value;
  if (kind === 'growth') return now - old > value;
  return now > old && (old === 0 || (100 * (now - old)) / old > value);
}

/** @param {Comparison} comparison @param {Figure} figure */
function programFigures({ old, now, total }, figure) {
  if (figure !== 'calls') return total;
  const calls = (/** @type {Comparison['old']} */ { modules }) => modules.reduce((sum, { functions }) => functions.reduce((all, row) => all + row.calls, sum), 0);
  return { old: calls(old), now: calls(now) };
}

/** @param {string} pattern @returns {(change: FunctionChange) => boolean} */
function matcher(pattern) {
  const held = { name: '' };
  const [own, imported] = [0, 1].map((importCount) => functionPattern(pattern, { name: () => held.name }, importCount));
  return ({ name, host }) => {
    held.name = name;
    return (host ? imported : own)(0);
  };
}

/**
 * @param {Rule} rule
 * @param {Comparison} comparison
 * @returns {string | null} why the clock has no such figures
 */
function misuse({ figure, pattern, limit }, { now: { clock } }) {
  if (!clock && figure !== 'calls' && (pattern !== null || figure === 'self')) return 'it is about time, and no clock ran';
  if (limit.isTime && clock?.unit !== 'ns') return `it is about time, and the clock counts ${clock?.unit ?? 'calls'}`;
  return clock?.unit === 'ns' && (figure === 'min' || figure === 'max') ? `baselines have no ${figure} of a clock that varies` : null;
}

/**
 * @param {Rule} rule
 * @param {Comparison} comparison
 * @returns {{regressions: Regression[], problem: Problem | null}}
 */
function applyRule(rule, comparison) {
  const { figure, pattern, limit } = rule;
  const problem = misuse(rule, comparison);
  if (problem !== null) return { regressions: [], problem: { problem, isMisuse: true } };
  if (pattern === null) {
    const { old, now } = programFigures(comparison, figure);
    return { regressions: exceeds(limit, old, now) ? [{ rule, change: null, old, now }] : [], problem: null };
  }
  const matches = matcher(pattern);
  const changes = comparison.modules.flatMap(({ functions }) => functions).filter(matches);
  const held = changes.map((change) => ({ rule, change, old: figureOf(change.old, figure), now: figureOf(change.now, figure) }));
  return { regressions: held.filter(({ old, now }) => exceeds(limit, old, now)), problem: changes.length > 0 ? null : { problem: 'no function in either run matches it', isMisuse: false } };
}

/** @param {Comparison} comparison @param {readonly Rule[]} rules @returns {Judgement} */
export function judge(comparison, rules) {
  const applied = rules.map((rule) => ({ rule, ...applyRule(rule, comparison) }));
  return {
    regressions: applied.flatMap(({ regressions }) => regressions),
    problems: applied.flatMap(({ rule, problem }) => (problem === null ? [] : [{ rule, ...problem }])),
  };
}
