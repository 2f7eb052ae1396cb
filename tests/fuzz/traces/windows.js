// A part of a trace (--skip, --max-events, --from, --until) against the whole one: the same events, as far as the window is open, each end with its
// own call, and each call in the innermost one around it whose begin the window shows. Where a window opens again, those that were open when it
// closed may not be there any more: until the end of one says that it is, a call may stand in none. Which of several such calls it is that ends, or is
// around, can be a guess; what comes after a wrong one is held against the truth no more, but for the events themselves.
import * as ABI from '../../../js/generated/abi.js';
import * as RECORD from '../../../js/generated/record.js';
import * as END from '../../../js/model/end.js';
import { valuesText } from './course.js';

/**
 * @import {TraceModel} from '../../../js/model/trace-model.js'
 * @import {Disagreement} from './compare.js'
 * @import {Window} from './plan.js'
 *
 * @typedef {object} Shown
 * @property {string} text kind, function, values
 * @property {number} func
 * @property {number} window how often one has opened again before
 * @property {number} call which one begins or ends, counted by begins that are shown; -1: the event is of none of these
 * @property {number} parent for a begin: the innermost call around it, counted alike; -1: none
 * @property {boolean} isKnown for a begin, that call is known to be there; for an end, its own call is
 * @property {number} end for a begin: how the call ends, one of END
 */

const NAMES = { [RECORD.ENTER]: 'enter', [RECORD.LEAVE]: 'leave', [RECORD.TAIL]: 'tail', [RECORD.THROWN]: 'thrown', [RECORD.GROW]: 'grow', [RECORD.TRAP]: 'trap' };
const MARKS = new Set([RECORD.GROW, RECORD.TRAP]);

/** @typedef {Pick<Shown, 'call' | 'parent' | 'isKnown' | 'end'>} Place */

/** Of an event that is no begin of a call. @type {Place} */
const NOWHERE = { call: -1, parent: -1, isKnown: true, end: END.RUNNING };

/** Calls by the event that begins or ends them. @param {TraceModel} model */
function callsByEvent({ calls }) {
  const all = new Map();
  for (let call = 0; call < calls.length; call++) [calls.enter[call], calls.leave[call]].forEach((event) => event >= 0 && all.set(event, call));
  return all;
}

/** Turns events into what is shown of them. */
class Shower {
  #model;
  #calls;
  /** Calls whose begin was shown, in order. @type {Map<number, number>} */
  #begun = new Map();
  /** For each of these the others that were known to be around it. @type {Map<number, Set<number>>} */
  #around = new Map();
  /** Those that are known to be there. @type {Set<number>} */
  #known = new Set();
  #window = 0;

  /** @param {TraceModel} model */
  constructor(model) {
    this.#model = model;
    this.#calls = callsByEvent(model);
  }

  /** What is open may end unseen. */
  reopen() {
    this.#known = new Set();
    this.#window++;
  }

  /** The end of a call that has begun unseen is not shown. @param {number} event */
  isOfUnseen(event) {
    const kind = this.#model.events.kind(event);
    return kind !== RECORD.ENTER && !MARKS.has(kind) && !this.#begun.has(this.#calls.get(event));
  }

  /** @param {number} event @returns {Shown} */
  show(event) {
    const { events } = this.#model;
    const kind = events.kind(event);
    const call = this.#calls.get(event) ?? -1;
    const func = events.func(event);
    const text = `${NAMES[kind]} ${func}(${kind === RECORD.TRAP ? '' : valuesText(events.values(event))})`;
    const place = kind === RECORD.ENTER ? this.#begin(call) : MARKS.has(kind) ? NOWHERE : this.#end(call);
    return { text, func, window: this.#window, ...place };
  }

  /** @param {number} call @returns {Place} */
  #begin(call) {
    const { parent, end } = this.#model.calls;
    let above = parent[call];
    while (above >= 0 && !this.#begun.has(above)) above = parent[above];
    const place = this.#begun.size;
    this.#begun.set(call, place);
    this.#around.set(call, new Set(this.#known));
    const isKnown = above < 0 || this.#known.has(above);
    this.#known.add(call);
    return { call: place, parent: this.#begun.get(above) ?? -1, isKnown, end: end[call] };
  }

  /** What was around it is there, too. @param {number} call @returns {Place} */
  #end(call) {
    const isKnown = this.#known.has(call);
    if (!isKnown) this.#known = new Set(this.#around.get(call));
    return { ...NOWHERE, call: this.#begun.get(call) ?? -1, isKnown };
  }
}

/** Whether the window is open at each event. @param {Window} window */
function openAt({ skip = 0, maxEvents = Infinity, from, until }) {
  let counted = 0;
  let open = from === undefined;
  return (/** @type {number} */ kind, /** @type {number} */ func) => {
    const [opens, closes] = [from, until].map((named) => kind === RECORD.ENTER && named === func);
    if (opens || closes) open = opens && closes ? !open : opens;
    if (open && kind !== RECORD.TRAP) counted++;
    return open && (skip === 0 || counted > skip) && counted <= skip + maxEvents;
  };
}

/** What passes while the window is open: where a number of events closes it, at least until the last of them, and at most until the first that is
 * not recorded any more. @param {TraceModel} whole @param {Window} window */
function openTime({ events, snapshot }, window) {
  const isOpen = openAt(window);
  const sum = { least: 0, most: 0 };
  let [begin, last] = [window.from === undefined && !window.skip ? 0 : NaN, 0];
  const close = (/** @type {number} */ least, /** @type {number} */ most) => {
    sum.least += least - begin;
    sum.most += most - begin;
    begin = NaN;
  };
  for (let event = 0; event < events.length; event++) {
    const [kind, func, time] = [events.kind(event), events.func(event), events.time(event)];
    if (!(kind in NAMES)) continue;
    const open = isOpen(kind, func);
    if (open && Number.isNaN(begin)) begin = time;
    if (!open && !Number.isNaN(begin)) close(kind === RECORD.ENTER && func === window.until ? time : last, time);
    last = time;
  }
  const now = /** @type {{now: number}} */ (snapshot.clock).now;
  if (!Number.isNaN(begin)) close(now, now);
  return sum;
}

/** What passes while nothing is recorded is nobody's. Instructions are the same in each run.
 * @param {TraceModel} whole @param {TraceModel} part @param {Window} window @returns {Disagreement | null} */
export function compareWindowTime(whole, part, window) {
  if (hasDoubts(whole)) return null;
  const { least, most } = openTime(whole, window);
  const sum = /** @type {Float64Array} */ (part.snapshot.nodes.self).reduce((all, self) => all + self, 0);
  return sum >= least && sum <= most ? null : { kind: 'window: what passed', text: `- ${least} to ${most}\n+ ${sum}` };
}

/** @param {TraceModel} model @param {(kind: number, func: number) => boolean} [isOpen] for each event; without it, all are shown @returns {Shown[]} */
function shownOf(model, isOpen) {
  const { events } = model;
  const shower = new Shower(model);
  const all = [];
  let before = true;
  for (let event = 0; event < events.length; event++) {
    const kind = events.kind(event);
    if (!(kind in NAMES)) continue;
    const open = isOpen?.(kind, events.func(event)) ?? true;
    if (open && !before) shower.reopen();
    before = open;
    if (open && !(isOpen && shower.isOfUnseen(event))) all.push(shower.show(event));
  }
  return all;
}

/** @param {TraceModel} model */
const hasDoubts = ({ events }) => [...events].some(({ func }) => func === ABI.UNCERTAIN);

/** @param {Shown} one */
const isBegin = ({ text }) => text.startsWith(NAMES[RECORD.ENTER]);

/** Ends that have an event. @type {ReadonlySet<number>} */
const TOLD = new Set([END.RETURNED, END.TAIL, END.THROWN]);

/** Whether a call may be said to end so. @param {Shown} should @param {boolean} isShown its end is @param {number} end */
function mayEnd(should, isShown, end) {
  return end === should.end ? isShown || !TOLD.has(end) : end === END.CUT && !isShown;
}

/** Whether a later call may be mistaken for the one that ends, or that is around: it was open when the window closed, too, or stands where that one
 * stood, and was left in a way that has no event. @param {readonly Shown[]} begins @param {Shown} should @param {Shown} is */
function mayBeMistaken(begins, should, is) {
  if (should.isKnown) return false;
  if (should.call !== is.call) return is.call > should.call && begins[is.call].func === should.func;
  return is.parent > should.parent && begins[is.parent].window > begins[should.parent].window;
}

/** What is wrong with an event, in a word; null: nothing. @param {Shown} should @param {Shown} is */
function faultOf(should, is) {
  if (should.call !== is.call) return 'another call';
  return should.parent !== is.parent && (should.isKnown || is.parent >= 0) ? 'the call around' : null;
}

/** @param {TraceModel} whole @param {TraceModel} part @param {Window} window @returns {Disagreement | null} */
export function compareWindow(whole, part, window) {
  if (hasDoubts(whole) || hasDoubts(part)) return null;
  const [should, is] = [shownOf(whole, openAt(window)), shownOf(part)];
  const other = Array.from({ length: Math.max(should.length, is.length) }).findIndex((_, i) => should[i]?.text !== is[i]?.text);
  if (other >= 0) return fault('another event', should, is, other);
  const begins = should.filter(isBegin);
  const guess = should.findIndex((one, i) => mayBeMistaken(begins, one, is[i]));
  const sure = guess < 0 ? should : should.slice(0, guess);
  const wrong = sure.findIndex((one, i) => faultOf(one, is[i]));
  if (wrong >= 0) return fault(String(faultOf(should[wrong], is[wrong])), should, is, wrong);
  const ended = new Set(sure.filter((one) => !isBegin(one)).map(({ call }) => call));
  const isRight = (/** @type {Shown} */ one, /** @type {number} */ i) => (guess >= 0 && !ended.has(one.call)) || mayEnd(one, ended.has(one.call), is[i].end);
  const end = sure.findIndex((one, i) => isBegin(one) && !isRight(one, i));
  return end < 0 ? null : fault('the end of a call', should, is, end);
}

/** @param {Shown} one */
function lineOf({ text, call, parent, isKnown, end }) {
  return `${text}: call ${call} in ${parent}${isKnown ? '' : ', perhaps'}, ends as ${end}`;
}

/** @param {string} kind @param {Shown[]} should @param {Shown[]} is @param {number} at @returns {Disagreement} */
function fault(kind, should, is, at) {
  const side = (/** @type {string} */ sign, /** @type {Shown[]} */ list) =>
    list.slice(Math.max(0, at - 8), at + 2).map((one) => `${sign}${one === list[at] ? '>' : ' '} ${lineOf(one)}`);
  return { kind: `window: ${kind}`, text: [...side('-', should), ...side('+', is)].join('\n') };
}
