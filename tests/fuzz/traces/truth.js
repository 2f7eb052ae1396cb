// Notes of a run and a question -> what the trace has to say. A frame is known to be gone when its function, its caller, a
// handler or the host around it says so.
import { valuesText } from './course.js';
import { ENTRY, NOTE } from './notes.js';
import { addressTaken, typeOfFunction } from './plan.js';

/**
 * @import {Course, Step} from './course.js'
 * @import {Note} from './notes.js'
 * @import {Plan, Asked} from './plan.js'
 * @import {Program} from './program.js'
 * @import {ValueType} from './module-writer.js'
 * @import {Value} from '../../../js/model/values.js'
 *
 * @typedef {object} Frame
 * @property {'wasm' | 'import' | 'host'} kind host: a call that the host makes
 * @property {number} func -1 for a call of the host
 * @property {number} activation -1 for others than wasm
 * @property {number} entry one of ENTRY for a call of the host, else -1
 * @property {boolean} inside what --only selected
 * @property {Asked | undefined} asked undefined: not recorded
 * @property {number} call index when it is recorded, else -1
 */

const scratch = new DataView(new ArrayBuffer(8));

/** @param {ValueType} type @param {bigint[]} words @param {number} at @returns {Value} */
function valueAt(type, words, at) {
  scratch.setBigUint64(0, words[at]);
  switch (type) {
    case 'i32': return scratch.getInt32(4);
    case 'i64': return scratch.getBigInt64(0);
    case 'f32': return scratch.getFloat32(4);
    case 'f64': return scratch.getFloat64(0);
    case 'v128': return (words[at + 1] << 64n) | words[at];
    default: return words[at] !== 0n;
  }
}

/** @param {readonly ValueType[]} types @param {bigint[]} words @param {number} at */
function valuesAt(types, words, at) {
  const values = [];
  for (const type of types) {
    values.push(valueAt(type, words, at));
    at += type === 'v128' ? 2 : 1;
  }
  return values;
}

const ENTERED = { [ENTRY.EXPORT]: 'the host through an export', [ENTRY.TABLE]: 'the host through a table', [ENTRY.START]: 'the engine at the start' };

const PAST_HOST = ', past the host';

/** Follows the notes. */
class Follower {
  #program;
  #plan;
  #asked;
  #taken;
  /** @type {Frame[]} */
  #stack = [];
  #direct = false;
  #after = '';
  /** @type {Course} */
  course = { calls: [], steps: [], paths: new Map() };

  /** @param {Program} program @param {Plan} plan */
  constructor(program, plan) {
    this.#program = program;
    this.#plan = plan;
    this.#asked = new Map(plan.functions);
    this.#taken = addressTaken(program);
  }

  /** @param {Note} note */
  take({ kind, index, words }) {
    const direct = this.#direct;
    this.#direct = kind === NOTE.DIRECT;
    switch (kind) {
      case NOTE.ENTER: return this.#enter('wasm', index, Number(words[0]), words.slice(1));
      case NOTE.LEAVE: return this.#leave(this.#mine(words), words, 1);
      case NOTE.TAIL: return this.#end('tail', this.#mine(words));
      case NOTE.BACK: return this.#back(this.#place(words), words, 1);
      case NOTE.CATCH: return this.#unwindTo(this.#place(words), 'an exception');
      case NOTE.TRAP: return this.#mark(this.#plan.traps, 'trap', index);
      case NOTE.GROW: return this.#mark(this.#plan.grow, 'grow', index, words.slice(1).map((word) => BigInt.asIntN(64, word)));
      case NOTE.HOST_ENTER: return this.#enter('import', index, -1, words, direct);
      case NOTE.HOST_LEAVE: return this.#leave(this.#top(index), words, 0);
      case NOTE.HOST_THROW: return this.#hostThrow(this.#top(index), words[0] === 1n);
      case NOTE.CALL: return this.#call(index);
      case NOTE.RETURN: return this.#returned(words, index === 0);
      case NOTE.FAIL: return this.#unwindTo(this.#hostCall() - 1, 'a trap or an exception that the host caught');
      default: return undefined;
    }
  }

  // ---- frames ----

  /** @param {'wasm' | 'import'} kind @param {number} func @param {number} activation @param {bigint[]} words arguments @param {boolean} [recordable] */
  #enter(kind, func, activation, words, recordable = true) {
    const above = this.#stack.at(-1);
    const inside = !this.#plan.only || Boolean(above?.inside) || this.#plan.only.includes(func);
    const asked = recordable && inside ? this.#asked.get(func) : undefined;
    const parent = this.#innermost;
    const call = asked ? this.course.calls.push({ func, parent, uncertain: false }) - 1 : -1;
    this.#stack.push({ kind, func, activation, entry: -1, inside, asked, call });
    if (!asked) return;
    const values = valuesAt(typeOfFunction(this.#program, func).params, words, 0);
    this.#step('enter', func, call, asked.args.map((i) => values[i]), this.#way(above, func));
    const path = this.#stack.filter((one) => one.asked).map((one) => one.func).join(' ');
    this.course.paths.set(path, (this.course.paths.get(path) ?? 0) + 1);
  }

  /** @param {number} entry */
  #call(entry) {
    const inside = Boolean(this.#stack.at(-1)?.inside);
    this.#stack.push({ kind: 'host', func: -1, activation: -1, entry, inside, asked: undefined, call: -1 });
  }

  /** The innermost recorded call. */
  get #innermost() {
    return this.#stack.findLast(({ call }) => call >= 0)?.call ?? -1;
  }

  /** Place of the activation that a note begins with. @param {bigint[]} words */
  #place(words) {
    const activation = Number(words[0]);
    const place = this.#stack.findLastIndex((frame) => frame.activation === activation);
    if (place < 0) throw new Error(`activation ${activation} is not on the stack`);
    return place;
  }

  /** The activation that a note is about; it must be the innermost. @param {bigint[]} words */
  #mine(words) {
    const place = this.#place(words);
    if (place !== this.#stack.length - 1) throw new Error('a function that is not the innermost ends');
    return this.#stack[place];
  }

  /** The import that a note is about. @param {number} func */
  #top(func) {
    const top = this.#stack.at(-1);
    if (top?.kind !== 'import' || top.func !== func) throw new Error(`the innermost is not import ${func}`);
    return top;
  }

  #hostCall() {
    return this.#stack.findLastIndex(({ kind }) => kind === 'host');
  }

  /** @param {Step['kind']} kind @param {Frame} frame the innermost @param {Value[]} [values] */
  #end(kind, { func, call }, values = []) {
    if (call >= 0) this.#step(kind, func, call, values);
    this.#stack.pop();
  }

  /** @param {Frame} frame the innermost @param {bigint[]} words @param {number} at its results */
  #leave(frame, words, at) {
    this.#end('leave', frame, frame.asked?.results ? valuesAt(typeOfFunction(this.#program, frame.func).results, words, at) : []);
  }

  /** @param {Frame} frame @param {boolean} trap */
  #hostThrow(frame, trap) {
    if (trap) return this.#unwindTo(this.#stack.length - 2, 'a trap');
    return this.#end('thrown', frame);
  }

  /** A call returned. One frame may be left, of a function whose handler is the function's own label: it says nothing.
   * @param {number} place of the caller @param {bigint[]} words @param {number} at its results */
  #back(place, words, at) {
    this.#unwindTo(Math.min(place + 1, this.#stack.length - 1), 'an exception caught at a function label');
    if (this.#stack.length - 1 > place) this.#leave(this.#stack[place + 1], words, at);
  }

  /** @param {bigint[]} words @param {boolean} known whether the results were told */
  #returned(words, known) {
    const place = this.#hostCall();
    if (known || this.#stack.length - 1 === place) this.#back(place, words, 0);
    else throw new Skip('results that nobody told');
    this.#stack.pop();
  }

  /** Frames inside of `place` have been left. @param {number} place @param {string} by */
  #unwindTo(place, by) {
    if (this.#stack.length - 1 > place) this.#after = '';
    while (this.#stack.length - 1 > place) {
      const frame = /** @type {Frame} */ (this.#stack.at(-1));
      this.#after = frame.kind === 'import' || this.#after === `${by}${PAST_HOST}` ? `${by}${PAST_HOST}` : by;
      this.#end('unwound', frame);
    }
  }

  // ---- steps ----

  /** The stack that an event has to show. */
  get #shown() {
    const { stack } = this.#plan;
    if (!stack) return '';
    return this.#stack.filter(({ inside, asked, func }) => asked || (inside && stack.includes(func))).map(({ func }) => func).join(' ');
  }

  /** How the host, or who else, came to call. @param {Frame | undefined} above @param {number} func */
  #way(above, func) {
    if (above?.kind !== 'host') return String(above?.kind);
    return `${ENTERED[above.entry]}${this.#taken.has(func) ? ', its address is taken' : ''}`;
  }

  /** @param {boolean} wanted @param {Step['kind']} kind @param {number} func @param {Value[]} [values] */
  #mark(wanted, kind, func, values = []) {
    if (wanted && this.#stack.at(-1)?.inside) this.#step(kind, func, this.#innermost, values);
  }

  /** @param {Step['kind']} kind @param {number} func @param {number} call @param {readonly Value[]} values @param {string} [entered] */
  #step(kind, func, call, values, entered = '') {
    this.course.steps.push({ kind, func, call, values: valuesText(values), stack: kind === 'unwound' ? '' : this.#shown, entered, after: this.#after });
  }
}

/** A case that tells nothing. */
export class Skip extends Error {}

/** @param {readonly Note[]} notes @param {Program} program @param {Plan} plan @returns {Course} */
export function truthOf(notes, program, plan) {
  const follower = new Follower(program, plan);
  for (const note of notes) follower.take(note);
  return follower.course;
}
