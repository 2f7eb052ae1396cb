// Events and calls in words: the pieces that the log, the nested log and the trap report put into lines.
import * as ABI from '../generated/abi.js';
import * as RECORD from '../generated/record.js';
import { Addresses } from '../model/addresses.js';
import { byteSize, counted } from './text.js';
import { valueText } from './value-text.js';

/** @import {FunctionNames} from '../trace/names.js' */
/** @import {TraceModel} from '../model/trace-model.js' */
/** @import {Value} from '../model/values.js' */
/** @import {Styles} from './ansi.js' */

const PAGE = 65536;
const MAX_STACK_LINES = 40;

export class EventText {
  #model;
  #names;
  #styles;
  #addresses;
  /** @type {Map<number, string[]>} by position: many events share a stack, and stacks may be deep */
  #stacks = new Map();
  /** @type {Uint32Array | null} */
  #tops = null;

  /**
   * @param {TraceModel} model
   * @param {Pick<FunctionNames, 'name'>} names
   * @param {Styles} styles
   */
  constructor(model, names, styles) {
    this.#model = model;
    this.#names = names;
    this.#styles = styles;
    this.#addresses = new Addresses(model.events);
  }

  /** @param {number} func */
  name(func) {
    return this.#styles.name(this.#names.name(func));
  }

  /**
   * `f(1, _, 3)`: `_` for an argument that is not recorded, no parentheses when none is.
   * @param {number} event an ENTER
   */
  call(event) {
    const { events, metadata } = this.#model;
    const func = events.func(event);
    const args = metadata.probes.get(func)?.args;
    if (!args) return this.name(func);
    const texts = this.#values(event);
    const byIndex = new Map(args.map(({ index }, place) => [index, texts[place] ?? '?']));
    const count = Math.max(0, ...[...byIndex.keys()].map((index) => index + 1));
    const name = this.#styles.name(withoutParameters(this.#names.name(func)));
    return `${name}(${Array.from({ length: count }, (_, index) => byIndex.get(index) ?? '_').join(', ')})`;
  }

  /** `42`, `(1, 2)` for several results, '' for none. @param {number} event a LEAVE */
  results(event) {
    const texts = this.#values(event);
    return texts.length > 1 ? `(${texts.join(', ')})` : (texts[0] ?? '');
  }

  /** @param {number} event a GROW */
  grow(event) {
    const { events } = this.#model;
    const [memory, signedDelta, previous] = events.values(event).map(Number);
    const delta = signedDelta < 0 ? signedDelta + 2 ** 32 : signedDelta;
    const which = memory ? `, memory ${memory}` : '';
    const result = previous < 0 ? '-1 (failed)' : `${previous} (${grownText(delta, previous)})`;
    return `memory.grow(${counted(delta, 'page')}${which}) -> ${result} in ${this.name(events.func(event))}`;
  }

  /** @param {number} event a TRAP */
  trap(event) {
    const { events } = this.#model;
    const [offset] = events.values(event);
    const place = offset === undefined ? '' : ` at byte ${offset}`;
    return this.#styles.bad(`trap: unreachable in ${this.#names.name(events.func(event))}${place}`);
  }

  /** The callers of an event's function, innermost first, when its stack is to be shown. @param {number} event */
  stack(event) {
    const { events, metadata } = this.#model;
    const wanted = metadata.stacks || metadata.probes.get(events.func(event))?.stack;
    return wanted ? this.callers(events.position(event)) : [];
  }

  /** Names on the way from a position to the host, the position's own left out. @param {number} position */
  callers(position) {
    const lines = this.#stacks.get(position) ?? this.#walkUp(position);
    this.#stacks.set(position, lines);
    return lines;
  }

  /** @param {number} position */
  #walkUp(position) {
    const { nodes, treePositions } = this.#model.snapshot;
    if (!treePositions) return [];
    const { parent, func, depth } = nodes;
    if (position < ABI.NODE_FIRST || position >= parent.length) return ['(stack not known: the call tree was full)'];
    const tops = (this.#tops ??= topsOfRuns(nodes));
    const lines = [];
    for (let node = parent[position]; node >= ABI.NODE_FIRST; node = parent[tops[node]]) {
      if (lines.length === MAX_STACK_LINES) return [...lines, `... ${counted(depth[node], 'more frame')}`];
      lines.push(repeated(this.name(func[node]), depth[node] - depth[tops[node]] + 1));
    }
    return lines;
  }

  /** Names of frames; a frame that repeats is told once, with its count. @param {number[]} frames innermost first */
  frames(frames) {
    const lines = [];
    for (let i = 0; i < frames.length;) {
      let end = i + 1;
      while (end < frames.length && frames[end] === frames[i]) end++;
      if (lines.length === MAX_STACK_LINES) return [...lines, `... ${counted(frames.length - i, 'more frame')}`];
      lines.push(repeated(this.name(frames[i]), end - i));
      i = end;
    }
    return lines;
  }

  /** @param {number} event */
  #values(event) {
    const { events } = this.#model;
    const kind = events.kind(event) === RECORD.ENTER ? RECORD.ENTER : RECORD.LEAVE;
    const func = events.func(event);
    const types = events.types(event);
    const text = (/** @type {Value} */ value, /** @type {number} */ place) =>
      this.#styles.value(valueText(types[place], value, this.#addresses.has(kind, func, place)));
    return events.values(event).map(text);
  }
}

/**
 * `f(int, char) const` -> `f`: where arguments follow, the types of C++'s parameters would only be in their way.
 * @param {string} name readable
 */
function withoutParameters(name) {
  const end = name.replace(/ (const|volatile|&|&&)$/, '').length;
  if (name[end - 1] !== ')') return name;
  let depth = 0;
  for (let i = end - 1; i > 0; i--) {
    if (name[i] === ')') depth++;
    if (name[i] === '(' && --depth === 0) return /operator ?$/.test(name.slice(0, i)) ? name : name.slice(0, i);
  }
  return name;
}

/** @param {string} name @param {number} times */
function repeated(name, times) {
  return times > 1 ? `${name} x ${times}` : name;
}

/**
 * For each node, the outermost of the frames of its function that follow each other up from it: recursion may be deep, and
 * every event may have a stack of its own, so a walk must not go frame by frame.
 * @param {import('../trace/snapshot.js').Snapshot['nodes']} nodes a parent stands before its children
 */
function topsOfRuns({ parent, func }) {
  const tops = new Uint32Array(parent.length);
  for (let node = ABI.NODE_FIRST; node < parent.length; node++) {
    const above = parent[node];
    tops[node] = above >= ABI.NODE_FIRST && func[above] === func[node] ? tops[above] : node;
  }
  return tops;
}

/** @param {number} delta @param {number} previous pages */
function grownText(delta, previous) {
  const was = byteSize(previous * PAGE);
  return delta === 0 ? `is ${was}` : `was ${was}, now ${byteSize((previous + delta) * PAGE)}`;
}
