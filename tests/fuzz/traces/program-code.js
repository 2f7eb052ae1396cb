// A program as data -> a module. Each function notes its entry, each normal exit, each handler, and each call that
// returned, by plain stores into a list or by calls of an import. See program.js, notes.js.
import { leb } from '../../core/assemble.js';
import { CodeWriter, EMPTY_BLOCK, ModuleWriter, TYPE_BYTE, name, signed } from './module-writer.js';
import { NOTE, header } from './notes.js';

/**
 * @import {Catch, Program, Statement, Value, When} from './program.js'
 * @import {FuncType, ValueType} from './module-writer.js'
 */

/** Name of the module that the recorder's imports come from, and of the program's own. */
export const RECORDER = 'rec';
export const HOST = 'host';
export const MEMORY_PAGES = Object.freeze({ initial: 40, maximum: 44 });

const FUEL = 0;
const KIND = Object.freeze({ func: 0, table: 1, memory: 2, global: 3, tag: 4 });
const I64_STORE = 0x37;
const TRY = 'try';

/** Conversions of a value to the i64 words that stand for it, as a record has them. */
const WORDS = Object.freeze({
  i32: [[0xac]], // i64.extend_i32_s
  i64: [[]],
  f32: [[0xbc, 0xad]], // i32.reinterpret_f32, i64.extend_i32_u
  f64: [[0xbd]],
  v128: [[0xfd, 0x1d, 0], [0xfd, 0x1d, 1]], // i64x2.extract_lane
  funcref: [[0xd1, 0xad]], // ref.is_null
  externref: [[0xd1, 0xad]],
  exnref: [],
});

/** @param {bigint} bits @param {number} bytes */
const littleEndian = (bits, bytes) => Array.from({ length: bytes }, (_, i) => Number((bits >> BigInt(8 * i)) & 0xffn));

/** What all functions of a module share: its index spaces. */
class Layout {
  writer = new ModuleWriter();
  /** Functions that a ref.func names. @type {Set<number>} */
  referenced = new Set();

  /** @param {Program} program */
  constructor(program) {
    this.program = program;
    this.byMemory = program.recorder === 'memory';
    this.note = program.imports.length;
    this.at = 1;
    this.id = this.byMemory ? 2 : 1;
  }

  /** @param {number} type of the program */
  type(type) {
    return this.writer.type(this.program.types[type]);
  }

  /** @param {number} callee */
  func(callee) {
    return callee < this.program.imports.length || this.byMemory ? callee : callee + 1;
  }

  /** A function that calls itself until the stack ends; behind all others, and neither noted nor traced. */
  get endless() {
    return this.func(this.program.imports.length + this.program.functions.length);
  }

  /** @param {number} callee @returns {FuncType} */
  calleeType(callee) {
    const { imports, functions, types } = this.program;
    return types[(imports[callee] ?? functions[callee - imports.length]).type];
  }
}

/** Writes the body of one function. */
class FunctionCode {
  #layout;
  #program;
  #func;
  #type;
  /** @type {CodeWriter} */
  #code;
  #me;

  /** @param {Layout} layout @param {number} callee */
  constructor(layout, callee) {
    this.#layout = layout;
    this.#program = layout.program;
    this.#func = layout.func(callee);
    this.#type = layout.calleeType(callee);
    this.#code = new CodeWriter(this.#type.params.length);
    this.#me = this.#code.local('i32');
  }

  /** @param {readonly Statement[]} body @param {readonly Value[]} results */
  write(body, results) {
    this.#enter();
    this.#guard(results);
    this.#statements(body);
    this.#leave(results);
    return this.#code.finish();
  }

  // ---- notes ----

  /** @param {(() => void)[]} words each pushes an i64 */
  #words(words) {
    const code = this.#code;
    if (!this.#layout.byMemory) return words.forEach((word) => (word(), code.op(0x10, this.#layout.note)));
    words.forEach((word, i) => {
      code.op(0x23, this.#layout.at);
      word();
      code.op(I64_STORE, 3, 8 * i);
    });
    code.op(0x23, this.#layout.at);
    code.i32(8 * words.length);
    code.put(0x6a);
    code.op(0x24, this.#layout.at);
  }

  /** @param {number} kind @param {(() => void)[]} words */
  #note(kind, words) {
    this.#words([() => this.#code.i64(header(kind, this.#func, words.length)), ...words]);
  }

  /** A note that begins with this activation. @param {number} kind @param {(() => void)[]} [words] */
  #noteMine(kind, words = []) {
    this.#note(kind, [() => (this.#code.get(this.#me), this.#code.put(0xad)), ...words]);
  }

  /** @param {readonly ValueType[]} types @param {(index: number) => void} get */
  #wordsOf(types, get) {
    return types.flatMap((type, i) => WORDS[type].map((conversion) => () => (get(i), this.#code.put(...conversion))));
  }

  /** @param {number} first @param {readonly ValueType[]} types */
  #wordsOfLocals(first, types) {
    return this.#wordsOf(types, (i) => this.#code.get(first + i));
  }

  // ---- values ----

  /** @param {Value} value */
  #value(value) {
    const code = this.#code;
    if ('param' in value) return code.get(value.param);
    const bits = BigInt(value.bits);
    switch (value.type) {
      case 'i32': return code.i32(Number(BigInt.asIntN(32, bits)));
      case 'i64': return code.i64(bits);
      case 'f32': return code.put(0x43, ...littleEndian(bits, 4));
      case 'f64': return code.put(0x44, ...littleEndian(bits, 8));
      case 'v128': return code.put(0xfd, 0x0c, ...littleEndian(bits, 16));
      case 'funcref': return bits > 0n ? this.#reference(Number(bits) - 1) : code.put(0xd0, 0x70);
      default: return code.put(0xd0, TYPE_BYTE[value.type]);
    }
  }

  /** @param {number} callee */
  #reference(callee) {
    const func = this.#layout.func(callee);
    this.#layout.referenced.add(func);
    this.#code.op(0xd2, func);
  }

  /** @param {readonly Value[]} values */
  #values(values) {
    for (const value of values) this.#value(value);
  }

  // ---- entry and exit ----

  #enter() {
    const code = this.#code;
    code.op(0x23, this.#layout.id);
    code.op(0x22, this.#me);
    code.i32(1);
    code.put(0x6a);
    code.op(0x24, this.#layout.id);
    this.#noteMine(NOTE.ENTER, this.#wordsOfLocals(0, this.#type.params));
  }

  /** Burns fuel; returns when there is none. @param {readonly Value[]} results */
  #guard(results) {
    const code = this.#code;
    code.op(0x23, FUEL);
    code.i32(1);
    code.put(0x6b);
    code.op(0x24, FUEL);
    code.op(0x23, FUEL);
    code.i32(0);
    code.put(0x48);
    code.open(0x04);
    this.#leave(results);
    code.put(0x0f);
    code.close();
  }

  /** The note, and the values on the stack. @param {readonly Value[]} results */
  #leave(results) {
    this.#noteMine(NOTE.LEAVE, this.#wordsOf(this.#type.results, (i) => this.#value(results[i])));
    this.#values(results);
  }

  // ---- statements ----

  /** @param {readonly Statement[]} list */
  #statements(list) {
    for (const statement of list) this.#when(statement.when, () => this.#statement(statement));
  }

  /** @param {When | undefined} when @param {() => void} write */
  #when(when, write) {
    if (!when) return write();
    const code = this.#code;
    code.op(0x23, FUEL);
    code.i32(when.mask);
    code.put(0x71);
    code.i32(when.equals);
    code.put(0x46);
    code.open(0x04);
    write();
    code.close();
  }

  /** @param {Statement} statement */
  #statement(statement) {
    switch (statement.op) {
      case 'call': return this.#call(statement);
      case 'indirect': return this.#indirect(statement);
      case 'try': return this.#program.exceptions === 'legacy' ? this.#tryLegacy(statement) : this.#tryTable(statement);
      case 'delegate': return this.#delegate(statement);
      case 'throw': return this.#throw(statement);
      case 'trap': return this.#trap(statement.kind);
      case 'exit': return this.#exit(statement);
      case 'loop': return this.#loop(statement);
      case 'block': return this.#block(statement.body);
      case 'grow': return this.#grow(statement.delta);
      case 'set': return this.#set(statement);
    }
  }

  /** @param {Extract<Statement, {op: 'call'}>} statement */
  #call({ how, callee, args, tail }) {
    const code = this.#code;
    const type = this.#layout.calleeType(callee);
    if (tail) this.#noteMine(NOTE.TAIL);
    if (how === 'direct' && callee < this.#program.imports.length) this.#note(NOTE.DIRECT, []);
    this.#values(args);
    if (how === 'direct') code.op(tail ? 0x12 : 0x10, this.#layout.func(callee));
    else {
      this.#reference(callee);
      code.op(tail ? 0x15 : 0x14, this.#layout.writer.type(type));
    }
    if (!tail) this.#back(type.results);
  }

  /** @param {Extract<Statement, {op: 'indirect'}>} statement */
  #indirect({ table, index, type, args, tail }) {
    if (tail) this.#noteMine(NOTE.TAIL);
    this.#values(args);
    this.#code.i32(index);
    this.#code.op(tail ? 0x13 : 0x11, this.#layout.type(type), table);
    if (!tail) this.#back(this.#program.types[type].results);
  }

  /** A call returned; its results are on the stack. @param {readonly ValueType[]} types */
  #back(types) {
    const locals = types.map((type) => this.#code.local(type));
    for (const local of locals.toReversed()) this.#code.set(local);
    this.#noteMine(NOTE.BACK, this.#wordsOfLocals(locals[0] ?? 0, types));
  }

  /** @param {number | null} tag @returns {readonly ValueType[]} */
  #tagTypes(tag) {
    return tag === null ? [] : this.#program.types[this.#program.tags[tag]].params;
  }

  /** @param {Extract<Statement, {op: 'try'}>} statement */
  #tryLegacy({ body, catches }) {
    const code = this.#code;
    const depth = code.open(0x06, [EMPTY_BLOCK], TRY);
    this.#statements(body);
    code.mark(depth, null); // a delegate may not name a try from its handlers
    for (const one of catches) {
      if (one.tag === null) code.put(0x19);
      else code.op(0x07, one.tag);
      for (const _ of this.#tagTypes(one.tag)) code.put(0x1a);
      this.#handler(one);
      if (one.again) code.op(0x09, code.label(depth));
    }
    code.close();
  }

  /** @param {Catch} one */
  #handler({ body }) {
    this.#noteMine(NOTE.CATCH);
    this.#statements(body);
  }

  /** @param {Extract<Statement, {op: 'delegate'}>} statement */
  #delegate({ body, outward }) {
    const code = this.#code;
    const targets = code.opened(TRY).toReversed();
    code.open(0x06);
    this.#statements(body);
    const target = targets[outward] ?? 0;
    code.close(0x18, code.label(target) - 1);
  }

  /** What the label of a clause takes. @param {Catch} one @returns {ValueType[]} */
  #landingTypes({ tag, ref }) {
    return [...this.#tagTypes(tag), ...(ref ? [/** @type {const} */ ('exnref')] : [])];
  }

  /** @param {Catch} one */
  #landsAtFunction(one) {
    return one.toFunction && String(this.#landingTypes(one)) === String(this.#type.results);
  }

  /** Blocks to land in around a try_table, the last clause's innermost. @param {Extract<Statement, {op: 'try'}>} statement */
  #tryTable({ body, catches }) {
    const code = this.#code;
    const after = code.open(0x02);
    const landings = catches.map((one) => (this.#landsAtFunction(one) ? 0 : code.open(0x02, this.#blockType(this.#landingTypes(one)))));
    const clauses = catches.map(({ tag, ref }, i) => {
      const kind = (tag === null ? 2 : 0) + (ref ? 1 : 0);
      return [kind, ...(tag === null ? [] : leb(tag)), ...leb(code.label(landings[i]))];
    });
    code.open(0x1f, [EMPTY_BLOCK, ...leb(clauses.length), ...clauses.flat()]);
    this.#statements(body);
    code.close();
    for (const i of [...landings.keys()].reverse()) {
      if (landings[i] === 0) continue;
      code.op(0x0c, code.label(after));
      code.close();
      this.#land(catches[i]);
    }
    code.close();
  }

  /** @param {Catch} one */
  #land(one) {
    const code = this.#code;
    const locals = this.#landingTypes(one).map((type) => code.local(type));
    for (const local of locals.toReversed()) code.set(local);
    this.#handler(one);
    if (!one.again || !one.ref) return;
    code.get(locals[locals.length - 1]);
    code.put(0x0a);
  }

  /** @param {ValueType[]} types */
  #blockType(types) {
    if (types.length === 0) return [EMPTY_BLOCK];
    return types.length === 1 ? [TYPE_BYTE[types[0]]] : signed(this.#layout.writer.type({ params: [], results: types }));
  }

  /** @param {Extract<Statement, {op: 'throw'}>} statement */
  #throw({ tag, args }) {
    this.#values(args);
    this.#code.op(0x08, tag);
  }

  /** @param {string} kind */
  #trap(kind) {
    const code = this.#code;
    switch (kind) {
      case 'divide': return code.put(0x41, 1, 0x41, 0, 0x6d, 0x1a);
      case 'memory': return code.put(0x41, 0x7f, 0x28, 0, 0, 0x1a);
      case 'truncate': return code.put(0x43, 0, 0, 0x80, 0x7f, 0xa8, 0x1a);
      case 'exhaustion': return code.op(0x10, this.#layout.endless);
      default:
        this.#noteMine(NOTE.TRAP);
        return code.put(0x00);
    }
  }

  /** @param {Extract<Statement, {op: 'exit'}>} statement */
  #exit({ how, results }) {
    const code = this.#code;
    this.#leave(results);
    switch (how) {
      case 'br': return code.op(0x0c, code.depth);
      case 'br_if': return this.#branchBack(() => (code.i32(1), code.op(0x0d, code.depth)));
      case 'br_table': return code.i32(1), code.op(0x0e, 2, code.depth, code.depth, code.depth);
      case 'br_on_null': return code.put(0xd0, 0x70), this.#branchBack(() => code.op(0xd5, code.depth), 1);
      case 'br_on_non_null': return this.#branchOnNonNull();
      default: return code.put(0x0f);
    }
  }

  /** A branch that is taken, with what the validator wants behind it. @param {() => void} branch @param {number} [extra] values */
  #branchBack(branch, extra = 0) {
    branch();
    for (let i = 0; i < this.#type.results.length + extra; i++) this.#code.put(0x1a);
    this.#code.put(0x00);
  }

  /** The last result is the reference that is looked at; where it may be null the way out is a return. */
  #branchOnNonNull() {
    const code = this.#code;
    if (this.#type.results.at(-1) !== 'funcref') return code.put(0x0f);
    const result = code.local('funcref');
    code.op(0x22, result);
    code.op(0xd6, code.depth);
    code.get(result);
    code.put(0x0f);
  }

  /** @param {Extract<Statement, {op: 'loop'}>} statement */
  #loop({ count, body }) {
    const code = this.#code;
    const counter = code.local('i32');
    code.i32(count);
    code.set(counter);
    const depth = code.open(0x03);
    this.#statements(body);
    code.get(counter);
    code.i32(1);
    code.put(0x6b);
    code.op(0x22, counter);
    code.op(0x0d, code.label(depth));
    code.close();
  }

  /** @param {readonly Statement[]} body */
  #block(body) {
    this.#code.open(0x02);
    this.#statements(body);
    this.#code.close();
  }

  /** @param {number} delta */
  #grow(delta) {
    const code = this.#code;
    const previous = code.local('i32');
    code.i32(delta);
    code.op(0x40, 0);
    code.set(previous);
    this.#noteMine(NOTE.GROW, [() => code.i64(0n), () => code.i64(BigInt(delta)), () => (code.get(previous), code.put(0xac))]);
  }

  /** @param {Extract<Statement, {op: 'set'}>} statement */
  #set({ table, index, callee }) {
    this.#code.i32(index);
    this.#reference(callee);
    this.#code.op(0x26, table);
  }
}

/** @param {string} from @param {string} what @param {number} kind @param {number[]} type */
const importItem = (from, what, kind, type) => [...name(from), ...name(what), kind, ...type];

/** @param {Layout} layout */
function writeImports({ program, writer, byMemory }) {
  program.imports.forEach(({ type }, i) => writer.add('import', importItem(HOST, `i${i}`, KIND.func, leb(writer.type(program.types[type])))));
  if (!byMemory) writer.add('import', importItem(RECORDER, 'note', KIND.func, leb(writer.type({ params: ['i64'], results: [] }))));
  program.tables.forEach(({ imported, elements }, i) => {
    const type = [TYPE_BYTE.funcref, 0, ...leb(elements.length)];
    if (imported) writer.add('import', importItem(HOST, `t${i}`, KIND.table, type));
    else writer.add('table', type);
  });
  writer.add('import', importItem(RECORDER, 'fuel', KIND.global, [TYPE_BYTE.i32, 1]));
  if (!byMemory) return writer.add('memory', [1, 1, 3]);
  writer.add('import', importItem(RECORDER, 'at', KIND.global, [TYPE_BYTE.i32, 1]));
  return writer.add('import', importItem(RECORDER, 'memory', KIND.memory, [1, ...leb(MEMORY_PAGES.initial), ...leb(MEMORY_PAGES.maximum)]));
}

/** @param {Layout} layout */
function writeExports(layout) {
  const { program, writer } = layout;
  [...program.imports, ...program.functions].forEach(({ exported }, callee) => {
    if (exported) writer.add('export', [...name(`f${callee}`), KIND.func, ...leb(layout.func(callee))]);
  });
  program.tables.forEach(({ exported }, i) => {
    if (exported) writer.add('export', [...name(`t${i}`), KIND.table, ...leb(i)]);
  });
  program.tags.forEach((_, i) => writer.add('export', [...name(`tag${i}`), KIND.tag, ...leb(i)]));
}

/** @param {Layout} layout */
function writeElements(layout) {
  const { program, writer, referenced } = layout;
  program.tables.forEach(({ elements }, i) => {
    const items = elements.map((callee) => (callee === null ? [0xd0, 0x70, 0x0b] : [0xd2, ...leb(layout.func(callee)), 0x0b]));
    writer.add('element', [6, ...leb(i), 0x41, 0, 0x0b, TYPE_BYTE.funcref, ...leb(items.length), ...items.flat()]);
  });
  const declared = [...referenced].map((func) => leb(func));
  if (declared.length > 0) writer.add('element', [3, 0, ...leb(declared.length), ...declared.flat()]);
}

/** @param {Layout} layout */
function endlessBody({ endless }) {
  const code = new CodeWriter(0);
  code.op(0x10, endless);
  return code.finish();
}

/** @param {Program} program @returns {Uint8Array} */
export function moduleOf(program) {
  const layout = new Layout(program);
  const { writer } = layout;
  for (const type of program.types) writer.type(type);
  writeImports(layout);
  for (const type of program.tags) writer.add('tag', [0, ...leb(writer.type({ params: program.types[type].params, results: [] }))]);
  writer.add('global', [TYPE_BYTE.i32, 1, 0x41, 0, 0x0b]);
  writeExports(layout);
  if (program.start !== null) writer.add('start', leb(layout.func(program.start)));
  program.functions.forEach(({ type, body, results }, i) => {
    writer.add('function', leb(layout.type(type)));
    writer.add('code', new FunctionCode(layout, program.imports.length + i).write(body, results));
  });
  writer.add('function', leb(writer.type({ params: [], results: [] })));
  writer.add('code', endlessBody(layout));
  writeElements(layout);
  return writer.bytes();
}
