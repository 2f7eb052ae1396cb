// Small random programs for the checker of traces, as plain data that fits into a JSON file: functions that call each other
// in every way there is, leave by every way there is, and a host that calls back, throws and catches. What the
// statements mean is in program-code.js (wasm) and host.js (JS). They are written so that any of them can be taken away.
import { Random } from '../random.js';

/**
 * @typedef {import('./module-writer.js').ValueType} ValueType
 * @typedef {import('./module-writer.js').FuncType} FuncType
 *
 * @typedef {{type: ValueType, bits: string} | {type: ValueType, param: number}} Value bits: unsigned decimal; a reference is
 *   null for 0, else function `bits` - 1
 * @typedef {{mask: number, equals: number}} When the statement runs when the fuel that is left has these low bits
 *
 * @typedef {object} Catch
 * @property {number | null} tag null: all
 * @property {boolean} ref by reference (exnref)
 * @property {boolean} toFunction lands at the function's own label (exnref)
 * @property {boolean} again thrown on at the end
 * @property {Statement[]} body
 *
 * @typedef {({op: 'call', how: 'direct' | 'ref', callee: number, args: Value[], tail: boolean}
 *   | {op: 'indirect', table: number, index: number, type: number, args: Value[], tail: boolean}
 *   | {op: 'try', body: Statement[], catches: Catch[]}
 *   | {op: 'delegate', body: Statement[], outward: number}
 *   | {op: 'throw', tag: number, args: Value[]}
 *   | {op: 'trap', kind: string}
 *   | {op: 'exit', how: string, results: Value[]}
 *   | {op: 'loop', count: number, body: Statement[]}
 *   | {op: 'block', body: Statement[]}
 *   | {op: 'grow', delta: number}
 *   | {op: 'set', table: number, index: number, callee: number}) & {when?: When}} Statement
 *
 * @typedef {({op: 'call', callee: number, args: Value[], pass: boolean}
 *   | {op: 'element', table: number, index: number, args: Value[], pass: boolean}
 *   | {op: 'throw', tag: number | null, args: Value[]}) & {when?: When}} HostStatement pass: what it throws is not caught
 *
 * @typedef {object} Program callees are numbered: imports, then functions
 * @property {'none' | 'legacy' | 'exnref'} exceptions
 * @property {'memory' | 'import'} recorder
 * @property {FuncType[]} types
 * @property {number[]} tags types
 * @property {{type: number, exported: boolean, body: HostStatement[], results: Value[]}[]} imports
 * @property {{type: number, exported: boolean, body: Statement[], results: Value[]}[]} functions
 * @property {{imported: boolean, exported: boolean, elements: (number | null)[]}[]} tables callees
 * @property {number | null} start callee
 * @property {HostStatement[]} main
 * @property {number} fuel
 *
 * @typedef {{legacy: boolean, exnref: boolean, typed: boolean}} Features what the engine has
 */

/** Numbers in which bits are easily lost, per type. @type {Readonly<Record<string, readonly string[]>>} */
const BITS = Object.freeze({
  i32: ['0', '1', '2147483647', '2147483648', '4294967295', '305419896'],
  i64: ['0', '1', '4294967296', '9223372036854775808', '18446744073709551615', '81985529216486895'],
  f32: ['0', '2147483648', '1069547520', '2143289344', '2139095040'],
  f64: ['0', '9223372036854775808', '4609434218613702656', '9221120237041090560', '9218868437227405312'],
  v128: ['0', '1', '340282366920938463463374607431768211455', '1339673755198158349044581307228491536'],
  funcref: ['0'],
  externref: ['0', '1'],
});

/** Types of values that can go through JavaScript. @type {readonly ValueType[]} */
const HOST_TYPES = ['i32', 'i32', 'i32', 'i64', 'f32', 'f64', 'funcref', 'externref'];
/** @type {readonly ValueType[]} */
const ALL_TYPES = [...HOST_TYPES, 'v128'];
const TRAPS = ['unreachable', 'unreachable', 'unreachable', 'divide', 'memory', 'truncate', 'exhaustion'];
const EXITS = ['return', 'br', 'br_if', 'br_table'];
const MOST_LEVELS = 3;

class Generator {
  #random;
  #features;
  /** @type {Program} */
  #program;
  /** Of the function being made. */
  #params = /** @type {ValueType[]} */ ([]);
  #type = 0;

  /** @param {number} seed @param {Features} features */
  constructor(seed, features) {
    const random = (this.#random = new Random(seed));
    this.#features = features;
    const types = this.#types();
    this.#program = {
      exceptions: random.pick(['none', ...(features.legacy ? ['legacy', 'legacy'] : []), ...(features.exnref ? ['exnref', 'exnref'] : [])]),
      recorder: random.pick(['memory', 'import']),
      types,
      tags: [],
      imports: random.list(random.from(0, 4), () => ({ type: this.#hostType(types), exported: random.chance(15), body: [], results: [] })),
      functions: random.list(random.from(3, 9), () => ({ type: random.below(types.length), exported: random.chance(60), body: [], results: [] })),
      tables: random.list(random.from(1, 3), (i) => ({ imported: i === 0 && random.chance(25), exported: random.chance(60), elements: [] })),
      start: null,
      main: [],
      fuel: random.from(20, 90),
    };
  }

  /** @returns {Program} */
  make() {
    const { imports, functions, tables, tags } = this.#program;
    if (this.#program.exceptions !== 'none') tags.push(...this.#random.list(2, () => this.#tagType()));
    for (const table of tables) table.elements = this.#elements();
    for (const made of functions) {
      this.#enter(made.type);
      made.results = this.#values(this.#typeOf(made.type).results);
      made.body = this.#statements(0);
    }
    this.#params = [];
    for (const made of imports) {
      made.results = this.#values(this.#typeOf(made.type).results);
      made.body = this.#hostStatements(this.#random.from(0, 3), 50);
    }
    this.#program.start = this.#start();
    this.#program.main = this.#hostStatements(this.#random.from(3, 9), 0).filter(({ op }) => op !== 'throw');
    return this.#program;
  }

  /** @param {number} type */
  #enter(type) {
    this.#type = type;
    this.#params = this.#typeOf(type).params;
  }

  /** @param {number} type */
  #typeOf(type) {
    return this.#program.types[type];
  }

  // ---- types, tags, tables ----

  #types() {
    const random = this.#random;
    /** @returns {FuncType} */
    const make = () => {
      const types = random.chance(15) ? ALL_TYPES : HOST_TYPES;
      return { params: random.list(random.below(4), () => random.pick(types)), results: random.list(random.pick([0, 0, 1, 1, 2]), () => random.pick(types)) };
    };
    return [{ params: [], results: [] }, ...random.list(random.from(1, 4), make)];
  }

  /** @param {FuncType[]} types */
  #hostType(types) {
    const fits = types.flatMap(({ params, results }, i) => ([...params, ...results].includes('v128') ? [] : [i]));
    return this.#random.pick(fits);
  }

  #tagType() {
    const fits = this.#program.types.flatMap(({ results, params }, i) => (results.length === 0 && !params.includes('v128') ? [i] : []));
    return this.#random.pick(fits);
  }

  #elements() {
    const random = this.#random;
    return random.list(random.from(2, 6), () => (random.chance(15) ? null : this.#callee()));
  }

  #callee() {
    const { imports, functions } = this.#program;
    return this.#random.below(imports.length + functions.length);
  }

  /** @param {number} callee */
  #calleeType(callee) {
    const { imports, functions } = this.#program;
    return (imports[callee] ?? functions[callee - imports.length]).type;
  }

  #start() {
    const { imports, functions } = this.#program;
    const fits = functions.flatMap(({ type }, i) => (type === 0 ? [imports.length + i] : []));
    return fits.length > 0 && this.#random.chance(20) ? this.#random.pick(fits) : null;
  }

  // ---- values ----

  /** @param {ValueType} type @returns {Value} */
  #value(type) {
    const params = this.#params.flatMap((one, i) => (one === type ? [i] : []));
    if (params.length > 0 && this.#random.chance(40)) return { type, param: this.#random.pick(params) };
    if (type === 'funcref' && this.#random.chance(30)) return { type, bits: String(1 + this.#callee()) };
    return { type, bits: this.#random.pick(BITS[type]) };
  }

  /** @param {readonly ValueType[]} types */
  #values(types) {
    return types.map((type) => this.#value(type));
  }

  /** @returns {{when?: When}} */
  #when() {
    const mask = this.#random.pick([0, 0, 1, 3]);
    return mask === 0 ? {} : { when: { mask, equals: this.#random.below(mask + 1) } };
  }

  /** Seldom true, for what ends everything. @returns {{when: When}} */
  #seldom() {
    const mask = this.#random.pick([3, 7, 7]);
    return { when: { mask, equals: this.#random.below(mask + 1) } };
  }

  // ---- statements of functions ----

  /** @param {number} level @returns {Statement[]} */
  #statements(level) {
    const count = this.#random.from(level === 0 ? 1 : 0, level === 0 ? 6 : 3);
    return this.#random.list(count, () => this.#statement(level));
  }

  /** @param {number} level @returns {Statement} */
  #statement(level) {
    const random = this.#random;
    const choice = random.below(100);
    if (choice < 34) return this.#call(false);
    if (choice < 46) return this.#indirect(false);
    if (choice < 50) return random.chance(50) ? this.#call(true) : this.#indirect(true);
    if (choice < 70 && level < MOST_LEVELS) return this.#nest(level);
    if (choice < 78 && this.#program.tags.length > 0) return this.#throw();
    if (choice < 83) return { op: 'trap', kind: random.pick(TRAPS), ...this.#seldom() };
    if (choice < 92) return this.#exit();
    if (choice < 95) return { op: 'grow', delta: random.below(3), ...this.#when() };
    return { ...this.#place(), op: 'set', callee: this.#callee(), ...this.#when() };
  }

  #place() {
    const table = this.#random.below(this.#program.tables.length);
    return { table, index: this.#random.below(this.#program.tables[table].elements.length) };
  }

  /** @param {boolean} tail @returns {Statement} */
  #call(tail) {
    const callee = tail ? this.#sameResults() : this.#callee();
    const how = this.#features.typed && this.#random.chance(25) ? 'ref' : 'direct';
    const args = this.#values(this.#typeOf(this.#calleeType(callee)).params);
    return { op: 'call', how, callee, args, tail, ...(tail ? this.#seldom() : this.#when()) };
  }

  /** A callee that can be called in the place of this function's return. */
  #sameResults() {
    const { imports, functions } = this.#program;
    const results = String(this.#typeOf(this.#type).results);
    const callees = [...imports, ...functions].flatMap(({ type }, i) => (String(this.#typeOf(type).results) === results ? [i] : []));
    return this.#random.pick(callees);
  }

  /** @param {boolean} tail @returns {Statement} */
  #indirect(tail) {
    const random = this.#random;
    const place = this.#place();
    const callee = this.#program.tables[place.table].elements[place.index];
    const index = random.chance(3) ? 1000 : place.index;
    const type = tail ? this.#type : callee === null || random.chance(8) ? random.below(this.#program.types.length) : this.#calleeType(callee);
    return { op: 'indirect', table: place.table, index, type, args: this.#values(this.#typeOf(type).params), tail, ...(tail ? this.#seldom() : this.#when()) };
  }

  /** @param {number} level @returns {Statement} */
  #nest(level) {
    const random = this.#random;
    const body = this.#statements(level + 1);
    const { exceptions } = this.#program;
    if (exceptions === 'none' || random.chance(25)) return random.chance(50) ? { op: 'block', body } : { op: 'loop', count: random.from(1, 3), body };
    if (exceptions === 'legacy' && random.chance(20)) return { op: 'delegate', body, outward: random.below(3) };
    return { op: 'try', body, catches: this.#catches(level + 1), ...this.#when() };
  }

  /** @param {number} level @returns {Catch[]} */
  #catches(level) {
    const random = this.#random;
    const { exceptions, tags } = this.#program;
    const make = (/** @type {number | null} */ tag) => ({
      tag,
      ref: exceptions === 'exnref' && random.chance(50),
      toFunction: exceptions === 'exnref' && random.chance(25),
      again: random.chance(25),
      body: this.#statements(level),
    });
    const some = random.some(tags, 60).map((_, tag) => make(tag));
    return some.length === 0 || random.chance(60) ? [...some, make(null)] : some;
  }

  /** @returns {Statement} */
  #throw() {
    const tag = this.#random.below(this.#program.tags.length);
    return { op: 'throw', tag, args: this.#values(this.#typeOf(this.#program.tags[tag]).params), ...this.#seldom() };
  }

  /** @returns {Statement} */
  #exit() {
    const how = this.#random.pick(this.#features.typed ? [...EXITS, 'br_on_null', 'br_on_non_null'] : EXITS);
    return { op: 'exit', how, results: this.#values(this.#typeOf(this.#type).results), ...this.#seldom() };
  }

  // ---- statements of the host ----

  /** @param {number} count @param {number} pass percent @returns {HostStatement[]} */
  #hostStatements(count, pass) {
    return this.#random.list(count, () => this.#hostStatement(pass));
  }

  /** @param {number} pass @returns {HostStatement} */
  #hostStatement(pass) {
    const random = this.#random;
    const when = pass > 0 ? this.#when() : {};
    if (random.chance(pass > 0 ? 20 : 0)) return this.#hostThrow();
    const rest = { pass: random.chance(pass), ...when };
    if (random.chance(30)) {
      const place = this.#place();
      const callee = this.#program.tables[place.table].elements[place.index];
      return { op: 'element', ...place, args: callee === null ? [] : this.#hostArgs(callee), ...rest };
    }
    const callee = this.#callee();
    return { op: 'call', callee, args: this.#hostArgs(callee), ...rest };
  }

  /** @param {number} callee */
  #hostArgs(callee) {
    return this.#values(this.#typeOf(this.#calleeType(callee)).params);
  }

  /** @returns {HostStatement} */
  #hostThrow() {
    const { tags } = this.#program;
    if (tags.length === 0 || this.#random.chance(50)) return { op: 'throw', tag: null, args: [], ...this.#seldom() };
    const tag = this.#random.below(tags.length);
    return { op: 'throw', tag, args: this.#values(this.#typeOf(tags[tag]).params), ...this.#seldom() };
  }
}

/** @param {number} seed @param {Features} features @returns {Program} the same for the same seed and features */
export function randomProgram(seed, features) {
  return new Generator(seed, features).make();
}
