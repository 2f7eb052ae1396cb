// Pasted stacks in the terms of the original module: names, and byte offsets in the file before it was instrumented. Frames
// of functions of ours are left out: the program did not call them. A frame that does not fit the module (another module's,
// another build's) stays as it is and is counted: a wrong name is worse than none.
import { originalPlace } from '../trace/metadata.js';
import { isOurName, readFrame } from '../trace/stack-frames.js';

/** @import {CodeBodies} from '../trace/code-bodies.js' */
/** @import {Metadata} from '../trace/metadata.js' */
/** @import {FunctionNames} from '../trace/names.js' */
/** @import {StackFrame} from '../trace/stack-frames.js' */

const LOOSE = /(?:<\?>\.)?wasm-function\[(\d+)\](?!:0x)/g;
const PROBE = ' [in a probe of wasm-trace]';

/** @typedef {{func: number | null, offset: number | null, note: string}} Place in the original module */

export class Symbolizer {
  #names;
  #metadata;
  #bodies;
  #demangle;

  /** Frames that stayed as they are because the module has no such function, or the function no such byte. */
  misfits = 0;

  /**
   * @param {object} module
   * @param {Pick<FunctionNames, 'name' | 'has'>} module.names
   * @param {CodeBodies} module.bodies of the module that ran
   * @param {Pick<Metadata, 'codeMap' | 'functionCount'> | null} [module.metadata] of an instrumented module
   * @param {(name: string) => string} [module.demangle] for frames that tell no index
   */
  constructor({ names, bodies, metadata = null, demangle = (name) => name }) {
    this.#names = names;
    this.#bodies = bodies;
    this.#metadata = metadata;
    this.#demangle = demangle;
  }

  /**
   * A pasted text: a stack in lines, or a crash report in JSON.
   * @param {string} text
   * @returns {string}
   */
  text(text) {
    const report = parseReport(text);
    return report === undefined ? this.#lines(text) : printLike(text, this.#value(report));
  }

  /**
   * @param {string} line without its end
   * @returns {string | null} null for a frame of ours
   */
  line(line) {
    const frame = readFrame(line);
    if (frame === null) return line.replace(LOOSE, (text, func) => this.#known(Number(func)) || text);
    const place = this.#isNamedAsOurs(frame.name) ? null : this.#place(frame);
    if (place === null) return null;
    const name = place.func === null ? this.#demangle(frame.name) : this.#known(place.func);
    return frame.write(name, place.offset) + place.note;
  }

  /** @param {string} text */
  #lines(text) {
    const lines = text.split('\n').map((line) => {
      const end = line.endsWith('\r') ? '\r' : '';
      const symbolized = this.line(end ? line.slice(0, -1) : line);
      return symbolized === null ? null : symbolized + end;
    });
    return lines.filter((line) => line !== null).join('\n');
  }

  /** Strings of a report may be stacks, objects frames. @param {unknown} value @returns {unknown} undefined for a frame of ours */
  #value(value) {
    if (typeof value === 'string') return this.#lines(value);
    if (Array.isArray(value)) return value.map((item) => this.#value(item)).filter((item) => item !== undefined);
    if (value === null || typeof value !== 'object') return value;
    const frame = reportedFrame(value);
    if (frame !== null) return this.#reported(/** @type {Record<string, unknown>} */ (value), frame);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#value(item)]));
  }

  /** @param {Record<string, unknown>} value @param {Pick<StackFrame, 'func' | 'offset' | 'name'>} frame */
  #reported(value, frame) {
    const place = this.#isNamedAsOurs(frame.name) ? null : this.#place(frame);
    if (place === null) return undefined;
    if (place.func === null || place.offset === null) return value;
    const name = this.#known(place.func);
    return {
      ...value,
      ...(name && { function: name }),
      instruction_addr: `0x${place.offset.toString(16)}`,
    };
  }

  /** '' when nothing names the function. @param {number} func */
  #known(func) {
    return func < this.#bodies.functionCount && this.#names.has(func) ? this.#names.name(func) : '';
  }

  /** In split mode they are another module's, whose indices mean nothing here. @param {string} name */
  #isNamedAsOurs(name) {
    return this.#metadata !== null && isOurName(name);
  }

  /**
   * @param {Pick<StackFrame, 'func' | 'offset'>} frame
   * @returns {Place | null} null for a function of ours
   */
  #place({ func, offset }) {
    const found = offset === null ? func : this.#bodies.functionAt(offset);
    if (found === null && func === null && offset === null) return { func: null, offset: null, note: '' };
    if (found === null || found !== (func ?? found) || found >= this.#bodies.functionCount) return this.#misfit();
    if (this.#metadata === null || offset === null) return this.#isOurs(found) ? null : { func: found, offset, note: '' };
    const place = originalPlace(this.#metadata, offset);
    return this.#isOurs(found) ? null : { func: found, offset: place.offset, note: place.added ? PROBE : '' };
  }

  /** @param {number} func */
  #isOurs(func) {
    return this.#metadata !== null && func >= this.#metadata.functionCount;
  }

  /** @returns {Place} */
  #misfit() {
    this.misfits++;
    return { func: null, offset: null, note: '' };
  }
}

/**
 * A frame of a crash service (Sentry's event format): the address is a byte of the module's file.
 * @param {object} value
 * @returns {Pick<StackFrame, 'func' | 'offset' | 'name'> | null}
 */
function reportedFrame(value) {
  const { instruction_addr: address, function: name } = /** @type {Record<string, unknown>} */ (value);
  const isWasm = /\.wasm\b|wasm:\/\/|wasm-function|"rel:/.test(JSON.stringify(value));
  if (!isWasm || typeof address !== 'string' || !/^0x[\da-f]+$/i.test(address)) return null;
  const [, func] = /wasm-function\[(\d+)\]/.exec(String(name)) ?? [];
  return { func: func === undefined ? null : Number(func), offset: parseInt(address, 16), name: String(name ?? '') };
}

/**
 * @param {string} text
 * @returns {unknown} undefined when the text is no JSON, or holds a number that would not come out as it went in
 */
function parseReport(text) {
  if (!/^\s*[{[]/.test(text)) return undefined;
  let exact = true;
  try {
    const value = JSON.parse(text, (_, item) => {
      exact &&= typeof item !== 'number' || !Number.isInteger(item) || Number.isSafeInteger(item);
      return item;
    });
    return exact ? value : undefined;
  } catch {
    return undefined;
  }
}

/** With the indentation and the end of the text that it was read from. @param {string} text @param {unknown} value */
function printLike(text, value) {
  const [, indent = ''] = /^\s*[{[]\r?\n([ \t]+)/.exec(text) ?? [];
  const [end] = /\s*$/.exec(text) ?? [''];
  return JSON.stringify(value, null, indent) + end;
}
