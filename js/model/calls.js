// Events -> calls (activations of functions), paired by position. A frame can be left without an event, by an
// exception or a trap, so nothing is counted up and down: each record tells where execution stands, and open frames
// that do not enclose that place have been left. One forward pass with a stack of open calls; columns and indices, as
// there may be millions.
import * as ABI from '../generated/abi.js';
import * as RECORD from '../generated/record.js';
import { isSomewhere } from '../trace/runtime-state.js';
import * as END from './end.js';
import { openAtStart } from './open-at-start.js';
import * as STEP from './step.js';
import { settleUncertain } from './uncertain.js';

/** @import {Snapshot} from '../trace/snapshot.js' */
/** @import {Events} from './events.js' */

/**
 * @typedef {object} Calls columns; a call is an index into them
 * @property {number} length
 * @property {number[]} func
 * @property {number[]} position
 * @property {number[]} depth levels of recorded calls above it; 0 for one that the host made
 * @property {number[]} parent the call around it; -1 for none
 * @property {number[]} enter event index; -1: the enter is lost ("unknown start")
 * @property {number[]} leave event index; -1 without one
 * @property {number[]} end one of END
 * @property {Set<number>} hosted calls that the host made inside of their parent
 * @property {Set<number>} uncertain calls whose parent may have been left before they began (uncertain.js)
 * @property {Steps} steps
 *
 * @typedef {object} Steps columns; what a display tells line by line
 * @property {number} length
 * @property {number[]} kind one of STEP
 * @property {number[]} call call index; for GROW and TRAP the call around it, -1 for none
 * @property {number[]} event event index; -1 without one
 */

/**
 * One stack of calls. A program has several where the host suspends some (WebAssembly.promising).
 * @typedef {object} Stack
 * @property {number[]} open call indices, outermost first
 * @property {Map<number, {call: number, step: number, next: number}>} unwound calls taken for unwound, by position, with the
 *   step that says so and the next call to begin: a suspended activation that was not known to be one may come back
 * @property {number[]} cut calls that were open when recording stopped, outermost first: they may be heard of again
 * @property {Map<number, number[]>} cutAt places in `cut` of the calls at a position, outermost first; the last may be there no more
 */

/** @returns {Stack} */
function newStack() {
  return { open: [], unwound: new Map(), cut: [], cutAt: new Map() };
}

class Pairing {
  #events;
  #tree;
  #parents;
  #stack = newStack();
  /** The next call is the host's. */
  #byHost = false;
  /** Those that may run again, by number. @type {Map<number, Stack>} */
  #stacks = new Map([[0, this.#stack]]);
  /** @type {Calls} */
  calls = {
    length: 0,
    func: [],
    position: [],
    depth: [],
    parent: [],
    enter: [],
    leave: [],
    end: [],
    hosted: new Set(),
    uncertain: new Set(),
    steps: { length: 0, kind: [], call: [], event: [] },
  };

  /** @param {Events} events @param {Pick<Snapshot, 'treePositions' | 'nodes'>} snapshot */
  constructor(events, snapshot) {
    this.#events = events;
    this.#tree = snapshot.treePositions;
    this.#parents = snapshot.nodes.parent;
  }

  /** A frame whose enter is lost. @param {number} func @param {number} position */
  open(func, position) {
    const call = this.#push(func, position, -1);
    this.#step(STEP.OPEN, call, -1);
    return call;
  }

  /** @param {number} event */
  take(event) {
    switch (this.#events.kind(event)) {
      case RECORD.ENTER:
        return this.#enter(event);
      case RECORD.LEAVE:
        return this.#exit(event, STEP.LEAVE, END.RETURNED);
      case RECORD.TAIL:
        return this.#exit(event, STEP.TAIL, END.TAIL);
      case RECORD.THROWN:
        return this.#exit(event, STEP.THROWN, END.THROWN);
      case RECORD.STACK:
        return this.#switchTo(this.#events.func(event));
      case RECORD.HOST:
        this.#byHost = true;
        return;
      case RECORD.CLOSED:
        return this.#close(event);
      case RECORD.GROW:
        return this.#mark(event, STEP.GROW);
      default:
        return this.#mark(event, STEP.TRAP);
    }
  }

  /** Execution stands at `position` now: what does not enclose it has been left. @param {number} position */
  finish(position) {
    this.#heal(isSomewhere(position) ? position : ABI.NODE_ROOT, true);
    return this.calls;
  }

  /** Another thread has stopped the recording, which left no record. */
  finishCut() {
    this.#cutAll(-1);
    return this.calls;
  }

  /** A stack other than the thread's own is suspended before another goes on, or it has ended. @param {number} id */
  #switchTo(id) {
    const next = this.#stacks.get(id) ?? newStack();
    const resumes = next !== this.#stack && next.open.length > 0;
    if (next === this.#stack || (resumes && this.#stack !== this.#stacks.get(0))) this.#heal(ABI.NODE_ROOT, true);
    this.#stack = next;
    this.#stacks.set(id, next);
    if (resumes) this.#step(STEP.RESUMED, next.open[0], -1);
  }

  get #open() {
    return this.#stack.open;
  }

  /** @param {number} event */
  #enter(event) {
    const position = this.#events.position(event);
    this.#heal(position, false);
    this.#goOnAt(this.#tree ? (this.#parents[position] ?? ABI.NODE_ROOT) : position - 1);
    const func = this.#events.func(event);
    const call = this.#push(func, position, event);
    if (this.#byHost) this.calls.hosted.add(call);
    this.#byHost = false;
    if (func !== ABI.UNCERTAIN) this.#step(STEP.ENTER, call, event);
  }

  /** @param {number} event @param {number} kind @param {number} end */
  #exit(event, kind, end) {
    const func = this.#events.func(event);
    const position = this.#events.position(event);
    this.#heal(position, true);
    if (this.#dropped(position)) this.#healDropped(func);
    const call =
      this.#openCall(func, position) ??
      this.#resumed(func, position) ??
      this.#openBelow(func) ??
      this.#goneOn(func, position) ??
      this.#onlyEnd(func, position);
    this.calls.leave[call] = event;
    this.calls.end[call] = end;
    this.#step(kind, call, event);
  }

  /** @param {number} event @param {number} kind */
  #mark(event, kind) {
    const position = this.#events.position(event);
    this.#heal(position, true);
    this.#goOnAt(position);
    this.#step(kind, this.#open.at(-1) ?? -1, event);
  }

  /** Recording stops. @param {number} event */
  #close(event) {
    this.#heal(this.#events.position(event), true);
    this.#byHost = false;
    this.#cutAll(event);
  }

  /** What is open goes on unseen. @param {number} event -1 without one */
  #cutAll(event) {
    for (const stack of this.#stacks.values()) this.#cut(stack, event);
  }

  /** @param {Stack} stack @param {number} event */
  #cut({ open, cut, cutAt }, event) {
    const { func, position, end } = this.calls;
    const innermost = open.findLast((call) => func[call] !== ABI.UNCERTAIN);
    if (innermost !== undefined) this.#step(STEP.CUT, innermost, event);
    for (const call of open.splice(0)) {
      end[call] = END.CUT;
      const places = cutAt.get(position[call]);
      const place = cut.push(call) - 1;
      if (places) places.push(place);
      else cutAt.set(position[call], [place]);
    }
  }

  /** The place of the last call at a position that was cut; -1 for none. @param {number} position */
  #cutPlace(position) {
    const { cut, cutAt } = this.#stack;
    const places = cutAt.get(position) ?? [];
    const isThere = (/** @type {number} */ place) => place < cut.length && this.calls.position[cut[place]] === position;
    while (places.length > 0 && !isThere(places[places.length - 1])) places.pop();
    return places.at(-1) ?? -1;
  }

  /** Execution stands in a call again that was open when recording stopped. @param {number} place in `cut` */
  #goOn(place) {
    const { open, cut } = this.#stack;
    const { parent, end } = this.calls;
    let first = place;
    for (let call = cut[place]; parent[call] >= 0; call = parent[call]) first--;
    for (let at = first; at <= place; at++) {
      end[cut[at]] = END.RUNNING;
      open.push(cut[at]);
    }
    cut.length = first;
  }

  /** Something happens in what stands at a position: was it open before recording stopped? @param {number} position */
  #goOnAt(position) {
    const { open, cut } = this.#stack;
    if (open.length > 0 || cut.length === 0) return;
    for (let at = position; at > ABI.NODE_ROOT; at = this.#parents[at]) {
      const place = this.#cutPlace(at);
      if (place >= 0) return this.#goOn(place);
      if (!this.#tree) return;
    }
  }

  /** The place in `cut` of the call of a function that ends at a position; at the root nothing was known of where it stood. -1 for none.
   * @param {number} func @param {number} position */
  #cutCall(func, position) {
    const { cut } = this.#stack;
    const isIt = (/** @type {number} */ call) => this.calls.func[call] === func;
    if (position === ABI.NODE_ROOT) return cut.findLastIndex(isIt);
    const place = this.#cutPlace(position);
    return place >= 0 && isIt(cut[place]) ? place : -1;
  }

  /** A call that was open when recording stopped ends after it began again. @param {number} func @param {number} position */
  #goneOn(func, position) {
    const place = this.#cutCall(func, position);
    if (place < 0) return null;
    while (this.#open.length > 0) this.#unwind();
    this.#goOn(place);
    return /** @type {number} */ (this.#open.pop());
  }

  /** Takes the innermost call off the stack when it is this one; a stranger at its very place has been left.
   * @param {number} func @param {number} position */
  #openCall(func, position) {
    const top = this.#open.at(-1);
    if (top === undefined || this.calls.position[top] !== position) return null;
    if (this.calls.func[top] !== func) {
      this.#unwind();
      return null;
    }
    this.#open.pop();
    return top;
  }

  /** The position may be one that a trap left behind, which the host swallowed: then the innermost call of the function ends.
   * @param {number} func */
  #openBelow(func) {
    const place = this.#open.findLastIndex((call) => this.calls.func[call] === func);
    if (place < 0) return null;
    while (this.#open.length > place + 1) this.#unwind();
    return /** @type {number} */ (this.#open.pop());
  }

  /** A call that was taken for unwound was only suspended; where one was open when recording stopped, it is that. @param {number} func @param {number} position */
  #resumed(func, position) {
    const found = this.#stack.unwound.get(position);
    if (!found || this.calls.func[found.call] !== func || this.#cutCall(func, position) >= 0) return null;
    this.#stack.unwound.delete(position);
    this.calls.steps.kind[found.step] = STEP.NOTHING;
    this.#doubt(found.next);
    return found.call;
  }

  /** Calls that began while one that was on the stack, or suspended, seemed to be gone. @param {number} first */
  #doubt(first) {
    const { length, parent, uncertain } = this.calls;
    for (let call = first; call < length; call++) if (parent[call] < first) uncertain.add(call);
  }

  /** A call known only by its end. @param {number} func @param {number} position */
  #onlyEnd(func, position) {
    const call = this.open(func, position);
    this.#open.pop();
    return call;
  }

  /** @param {number} func @param {number} position @param {number} enter event index or -1 */
  #push(func, position, enter) {
    const { calls } = this;
    const call = calls.length++;
    calls.func.push(func);
    calls.position.push(position);
    calls.depth.push(this.#tree ? this.#open.length : Math.max(0, position - 1));
    calls.parent.push(this.#open.at(-1) ?? -1);
    calls.enter.push(enter);
    calls.leave.push(-1);
    calls.end.push(END.RUNNING);
    this.#open.push(call);
    return call;
  }

  /** @param {number} kind @param {number} call @param {number} event */
  #step(kind, call, event) {
    const { steps } = this.calls;
    steps.kind.push(kind);
    steps.call.push(call);
    steps.event.push(event);
    return steps.length++;
  }

  /** Takes the frames off that do not enclose the position. @param {number} position @param {boolean} orAreIt */
  #heal(position, orAreIt) {
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) {
      const at = this.calls.position[top];
      if (this.#encloses(at, position) && (orAreIt || at !== position || this.#dropped(position))) break;
      this.#unwind();
    }
  }

  /** In the part of the tree that did not fit, only names tell frames apart. @param {number} func */
  #healDropped(func) {
    const { calls } = this;
    let place = this.#open.length - 1;
    while (place >= 0 && this.#dropped(calls.position[this.#open[place]]) && calls.func[this.#open[place]] !== func)
      place--;
    if (place < 0 || !this.#dropped(calls.position[this.#open[place]])) return;
    while (this.#open.length > place + 1) this.#unwind();
  }

  #unwind() {
    const call = /** @type {number} */ (this.#open.pop());
    this.calls.end[call] = END.UNWOUND;
    if (this.calls.func[call] === ABI.UNCERTAIN) return;
    const step = this.#step(STEP.UNWOUND, call, -1);
    this.#stack.unwound.set(this.calls.position[call], { call, step, next: this.calls.length });
  }

  /** @param {number} outer @param {number} inner */
  #encloses(outer, inner) {
    if (!this.#tree) return outer <= inner;
    if (this.#dropped(inner)) return true;
    let node = inner;
    while (node > outer) node = this.#parents[node];
    return node === outer;
  }

  /** The place of what did not fit into the tree, or no node of this snapshot. @param {number} position */
  #dropped(position) {
    return this.#tree && (position === ABI.NODE_DROPPED || position >= this.#parents.length);
  }
}

/**
 * @param {Events} events
 * @param {Pick<Snapshot, 'treePositions' | 'nodes' | 'position'> & {idle?: boolean, closed?: number}} snapshot
 * @returns {Calls} calls in the order in which they began, as far as is known
 */
export function pairCalls(events, snapshot) {
  const pairing = new Pairing(events, snapshot);
  for (const { func, position } of openAtStart(events, snapshot)) pairing.open(func, position);
  for (let event = 0; event < events.length; event++) pairing.take(event);
  return settleUncertain(snapshot.closed ? pairing.finishCut() : pairing.finish(snapshot.idle ? ABI.NODE_ROOT : snapshot.position));
}
