// The host of a program: its imports, its main statements, and the notes that the host makes. A run gives all notes in
// order; the same program gives the same ones, traced or not.
import { attach } from '../../../js/index.js';
import { ENTRY, NOTE, header, readNotes } from './notes.js';
import { HOST, MEMORY_PAGES, RECORDER } from './program-code.js';

/**
 * @import {HostStatement, Program, Statement, Value, ValueType, When} from './program.js'
 * @import {Session} from '../../../js/loader/session.js'
 */

const MOST_WORDS = (MEMORY_PAGES.initial << 16) / 8;
const scratch = new DataView(new ArrayBuffer(8));

/** @param {Value} value @returns {unknown} */
function jsValue(value) {
  const bits = BigInt('bits' in value ? value.bits : 0);
  scratch.setBigUint64(0, bits);
  switch (value.type) {
    case 'i32': return scratch.getInt32(4);
    case 'i64': return scratch.getBigInt64(0);
    case 'f32': return scratch.getFloat32(4);
    case 'f64': return scratch.getFloat64(0);
    case 'externref': return bits === 0n ? null : 'an object';
    default: return null;
  }
}

/** @param {ValueType} type @param {any} value @returns {bigint[]} as a record has it */
function wordsOf(type, value) {
  scratch.setBigUint64(0, 0n);
  switch (type) {
    case 'i32': return [BigInt(value)];
    case 'i64': return [value];
    case 'f32': return (scratch.setFloat32(4, value), [scratch.getBigUint64(0)]);
    case 'f64': return (scratch.setFloat64(0, value), [scratch.getBigUint64(0)]);
    default: return [value === null ? 1n : 0n];
  }
}

/** What JavaScript gets or gives for several results. @param {readonly unknown[]} values */
const several = (values) => (values.length > 1 ? values : values[0]);

/** What no handler in wasm sees: a trap, or the end of the stack, also when the host passes it on. @param {unknown} error */
const isTrap = (error) => error instanceof WebAssembly.RuntimeError || error instanceof RangeError;

/** A call through a table or a reference that trapped before it reached anybody, in V8's words. @param {unknown} error */
const isTableTrap = (error) =>
  error instanceof WebAssembly.RuntimeError && /null function|signature mismatch|table index|dereferencing/.test(error.message);

/** Whether the error that the host caught may have left the announcement of a call through a table that others take for theirs.
 * @param {Program} program @param {unknown} error @param {() => boolean} hasTail whether there was a tail call */
function isBlurred(program, error, hasTail) {
  const calls = callsThroughTables(program);
  if (isTableTrap(error)) return sharesTable(program) || calls.some((call) => isAmbiguous(program, call));
  return hasTail() && calls.some((call) => call.tail && (isReplaced(program, call) || staysAnnounced(program, call)));
}

/** With whom it is shared nobody knows, so each announcement of a call through a table is taken. @param {Program} program */
const sharesTable = ({ tables }) => tables.some(({ imported }) => imported);

/** @typedef {Extract<Statement, {op: 'indirect'}>} Indirect */

/** @template {Statement['op']} Op @param {Program} program @param {Op} op @returns {Extract<Statement, {op: Op}>[]} */
function statementsOf(program, op) {
  /** @type {Extract<Statement, {op: Op}>[]} */
  const found = [];
  JSON.stringify(program.functions, (_, value) => (value?.op === op && found.push(value), value));
  return found;
}

/** @param {Program} program */
const callsThroughTables = (program) => statementsOf(program, 'indirect');

/** Of a function at several places of a table a call says the table and the type only; and of one that the program has replaced, the place.
 * @param {Program} program @param {Indirect} call */
const isAmbiguous = (program, call) => isReplaced(program, call) || standsTwice(program, call);

/** @param {Program} program @param {Indirect} call */
function standsTwice(program, { table, type }) {
  const functions = program.tables[table].elements.filter((callee) => callee !== null && sameType(program, typeOf(program, callee), type));
  return new Set(functions).size < functions.length;
}

/** @param {Program} program @param {Indirect} call */
function isReplaced(program, { table, index }) {
  return program.tables[table].elements[index] !== null && statementsOf(program, 'set').some((one) => one.table === table && one.index === index);
}

/** A tail call of an import, or of a function that stands at several places and may be taken for one, is taken back by nobody.
 * @param {Program} program @param {Indirect} call */
function staysAnnounced(program, call) {
  const { elements } = program.tables[call.table];
  const callee = elements[call.index];
  if (callee === null || !standsTwice(program, call)) return false;
  return callee < program.imports.length || elements.indexOf(callee) !== elements.lastIndexOf(callee);
}

/** @param {Program} program @param {number} callee */
const typeOf = ({ imports, functions }, callee) => (imports[callee] ?? functions[callee - imports.length]).type;

/** @param {Program} program @param {number} one @param {number} other */
const sameType = ({ types }, one, other) => JSON.stringify(types[one]) === JSON.stringify(types[other]);

/** Imports that are called by a typed reference, or through a table that others share or in which it is not clear who is meant. @param {Program} program */
function calledUnseen(program) {
  const references = statementsOf(program, 'call').filter(({ how }) => how === 'ref');
  const shared = sharesTable(program);
  const callees = [...references, ...(shared ? statementsOf(program, 'set') : [])].map(({ callee }) => callee);
  const ambiguous = callsThroughTables(program).some((call) => isAmbiguous(program, call));
  const elements = shared || ambiguous ? program.tables.flatMap((table) => table.elements) : [];
  return new Set([...callees, ...elements].filter((callee) => callee !== null && callee < program.imports.length));
}

class Host {
  /** The host caught what ended a call that nobody can tell from the next entry: docs/EXACTNESS.md. */
  blurred = false;
  /** @type {bigint[]} */
  #words = [];
  #memory;
  #at = new WebAssembly.Global({ value: 'i32', mutable: true }, 0);
  #fuel;
  #program;
  /** @type {WebAssembly.Table[]} those that are imported, and later all that the host can reach */
  #tables = [];
  /** @type {Record<string, any>} */
  #exports = {};
  #unseen;
  /** What such an import threw. @type {unknown} */
  #thrownUnseen = null;
  /** How many of them are running. */
  #runningUnseen = 0;

  /** @param {Program} program */
  constructor(program) {
    this.#program = program;
    this.#unseen = calledUnseen(program);
    this.#fuel = new WebAssembly.Global({ value: 'i32', mutable: true }, program.fuel);
    this.#memory = program.recorder === 'memory' ? new WebAssembly.Memory(MEMORY_PAGES) : null;
  }

  // ---- notes ----

  /** @param {number} kind @param {number} index @param {bigint[]} [words] */
  #note(kind, index, words = []) {
    for (const word of [header(kind, index, words.length), ...words]) this.#put(word);
  }

  /** @param {bigint} word */
  #put(word) {
    if (!this.#memory) return void this.#words.push(word);
    new DataView(this.#memory.buffer).setBigInt64(this.#at.value, BigInt.asIntN(64, word), true);
    this.#at.value += 8;
  }

  notes() {
    if (!this.#memory) return readNotes(this.#words);
    const count = this.#at.value / 8;
    if (count > MOST_WORDS - 100) throw new Error('the program notes too much');
    return readNotes(new BigInt64Array(this.#memory.buffer, 0, count));
  }

  // ---- instances ----

  /** @returns {WebAssembly.Imports} */
  imports() {
    const { imports, tables } = this.#program;
    /** @type {Record<string, any>} */
    const host = {};
    imports.forEach((_, i) => (host[`i${i}`] = (/** @type {unknown[]} */ ...args) => this.#imported(i, args)));
    tables.forEach(({ imported, elements }, i) => {
      if (imported) host[`t${i}`] = this.#tables[i] = new WebAssembly.Table({ initial: elements.length, element: 'anyfunc' });
    });
    const rec = { note: (/** @type {bigint} */ word) => this.#put(word), fuel: this.#fuel, at: this.#at, memory: this.#memory };
    return { [HOST]: host, [RECORDER]: rec };
  }

  /** @param {Record<string, any>} exports */
  main(exports) {
    this.#exports = exports;
    this.#program.tables.forEach(({ exported }, i) => exported && (this.#tables[i] = exports[`t${i}`]));
    this.#statements(this.#program.main);
  }

  /** The call that the engine makes of the start function, or what stands for it. @param {() => void} start */
  start(start) {
    this.#call({ pass: false }, ENTRY.START, [], [], start);
  }

  // ---- statements ----

  /** @param {number} index @param {unknown[]} args */
  #imported(index, args) {
    const { type, body, results } = this.#program.imports[index];
    const { params } = this.#program.types[type];
    const unseen = this.#isUnseen(index);
    this.#runningUnseen += Number(unseen);
    this.#note(NOTE.HOST_ENTER, index, params.flatMap((one, i) => wordsOf(one, args[i])));
    try {
      if (--this.#fuel.value >= 0) this.#statements(body);
    } catch (error) {
      if (unseen) this.#thrownUnseen = error;
      this.#note(NOTE.HOST_THROW, index, [isTrap(error) ? 1n : 0n]);
      throw error;
    } finally {
      this.#runningUnseen -= Number(unseen);
    }
    const values = results.map(jsValue);
    this.#note(NOTE.HOST_LEAVE, index, results.flatMap((one, i) => wordsOf(one.type, values[i])));
    return several(values);
  }

  /** Whether the import that is about to begin was called by a reference, or through a table. @param {number} index */
  #isUnseen(index) {
    if (!this.#unseen.has(index)) return false;
    const kind = this.notes().at(-1)?.kind;
    return kind !== NOTE.DIRECT && kind !== NOTE.CALL;
  }

  /** Such an import threw, or there was no stack left for it, or what it called threw, and others share its table. @param {unknown} error */
  #endedUnseen(error) {
    if (error === this.#thrownUnseen || (this.#runningUnseen > 0 && sharesTable(this.#program))) return true;
    return error instanceof RangeError && this.#unseen.size > 0;
  }

  /** @param {readonly HostStatement[]} list */
  #statements(list) {
    for (const statement of list) if (this.#holds(statement.when)) this.#statement(statement);
  }

  /** @param {When | undefined} when */
  #holds(when) {
    return !when || (this.#fuel.value & when.mask) === when.equals;
  }

  /** @param {HostStatement} statement */
  #statement(statement) {
    switch (statement.op) {
      case 'call':
        return this.#callOf(statement, ENTRY.EXPORT, this.#exports[`f${statement.callee}`]);
      case 'element':
        return this.#callOf(statement, ENTRY.TABLE, this.#tables[statement.table]?.get(statement.index));
      default:
        throw this.#thrown(statement);
    }
  }

  /** @param {Extract<HostStatement, {op: 'throw'}>} statement */
  #thrown({ tag, args }) {
    const thrown = tag === null ? null : this.#exports[`tag${tag}`]; // null while the start function runs
    return thrown ? new WebAssembly.Exception(thrown, /** @type {any[]} */ (args.map(jsValue))) : new Error('thrown by the host');
  }

  /** @param {Extract<HostStatement, {args: Value[], pass: boolean}>} statement @param {number} entry @param {Function | null | undefined} callee */
  #callOf(statement, entry, callee) {
    if (callee) this.#call(statement, entry, statement.args, this.#resultTypes(callee), callee);
  }

  /** Which function an element of a table is, its results say well enough. @param {Function} callee */
  #resultTypes(callee) {
    const { imports, functions, types } = this.#program;
    const number = [...imports, ...functions].findIndex((_, i) => this.#exports[`f${i}`] === callee);
    return number < 0 ? null : types[(imports[number] ?? functions[number - imports.length]).type].results;
  }

  /**
   * @param {{pass: boolean}} statement
   * @param {number} entry
   * @param {readonly Value[]} args
   * @param {readonly ValueType[] | null} types of results; null: not known, and not told
   * @param {Function} callee
   */
  #call({ pass }, entry, args, types, callee) {
    this.#note(NOTE.CALL, entry);
    try {
      const result = callee(...args.map(jsValue));
      const results = types === null ? [] : types.length > 1 ? result : [result];
      this.#note(NOTE.RETURN, types === null ? 1 : 0, (types ?? []).flatMap((type, i) => wordsOf(type, results[i])));
    } catch (error) {
      this.#note(NOTE.FAIL, 0);
      this.blurred ||= isBlurred(this.#program, error, () => this.notes().some(({ kind }) => kind === NOTE.TAIL)) || this.#endedUnseen(error);
      if (pass) throw error;
    }
  }
}

/**
 * Runs the program. A start function that fails leaves nothing to call.
 * @param {Program} program
 * @param {Uint8Array} bytes its module, instrumented or not
 * @param {{traced?: boolean}} [options]
 * @returns {{notes: import('./notes.js').Note[], session: Session | null, blurred: boolean}}
 */
export function runProgram(program, bytes, { traced = false } = {}) {
  const host = new Host(program);
  const module = new WebAssembly.Module(/** @type {BufferSource} */ (bytes));
  /** @type {{exports?: WebAssembly.Exports, session: Session | null}} */
  const started = { session: null };
  host.start(() => {
    const instance = new WebAssembly.Instance(module, host.imports());
    if (traced) started.session = attach(instance, module);
    started.exports = instance.exports;
  });
  if (started.exports) host.main(started.exports);
  return { notes: host.notes(), session: started.session, blurred: host.blurred };
}
