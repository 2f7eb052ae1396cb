// Calls of the ring -> the rectangles of a sequence chart: from the event that began a call to the one that ended it, by
// depth; events stand side by side, or at their times. A call that was suspended (JSPI) has several spans, one for each run of
// its stack: in between it did nothing. No drawing. Columns are typed arrays: there may be a million calls.
import * as RECORD from '../generated/record.js';
import * as END from '../model/end.js';
import * as STEP from '../model/step.js';
import { Levels, byLevel } from './levels.js';

/** @import {Calls} from '../model/calls.js' */
/** @import {Events} from '../model/events.js' */
/** @import {TraceModel} from '../model/trace-model.js' */

/** What is special about the ends of a span, as bits. LOST: the call began at some time before. RESUMED, SUSPENDED: it has spans before,
 * after. OPEN: it was running when the last event was recorded. */
export const EDGE = Object.freeze({ LOST: 1, RESUMED: 2, SUSPENDED: 4, OPEN: 8 });

/**
 * @typedef {'event' | 'time'} Axis what a place means: the number of an event, or what the clock said
 *
 * @typedef {object} SequenceLayout
 * @property {Levels} levels items are spans
 * @property {Uint32Array} calls the call of each span
 * @property {Uint8Array} edges bits of EDGE for each span
 * @property {Levels} marks what happened inside of calls: items are steps (memory.grow, traps)
 * @property {Axis} axis
 * @property {number} origin what the left end is: the number of the first event, counted from the first one ever, or its time
 * @property {number} whole width: number of events, or what the clock went on by
 *
 * @typedef {{stack: number, from: number, to: number, next: number}} Run of a stack; next: index of its next run, -1 for none
 */

/** Spans as columns that grow. */
class Spans {
  length = 0;
  call;
  level;
  x0;
  x1;
  edges;

  /** @param {number} room for so many at first */
  constructor(room) {
    this.call = new Uint32Array(room);
    this.level = new Uint32Array(room);
    this.x0 = new Float64Array(room);
    this.x1 = new Float64Array(room);
    this.edges = new Uint8Array(room);
  }

  /** @param {number} call @param {number} level @param {number} x0 @param {number} x1 @param {number} edges */
  push(call, level, x0, x1, edges) {
    if (this.length === this.call.length) this.#grow();
    const at = this.length++;
    this.call[at] = call;
    this.level[at] = level;
    this.x0[at] = x0;
    this.x1[at] = x1;
    this.edges[at] = edges;
  }

  #grow() {
    const before = { ...this };
    const { length } = before;
    Object.assign(this, new Spans(2 * length + 16), { length });
    this.call.set(before.call);
    this.level.set(before.level);
    this.x0.set(before.x0);
    this.x1.set(before.x1);
    this.edges.set(before.edges);
  }
}

/** The runs of stacks, in order. A number that is used again after its stack has ended is another stack. @param {Events} events */
function stackRuns(events) {
  /** @type {Run[]} */
  const runs = [{ stack: 0, from: 0, to: events.length, next: -1 }];
  /** Last run of each stack. */
  const last = new Map([[0, 0]]);
  for (let event = 0; event < events.length; event++) {
    if (events.kind(event) !== RECORD.STACK) continue;
    const stack = events.func(event);
    const before = runs[runs.length - 1];
    if (stack === before.stack) last.delete(stack);
    before.to = event;
    const same = last.get(stack);
    if (same !== undefined) runs[same].next = runs.length;
    last.set(stack, runs.length);
    runs.push({ stack, from: event, to: events.length, next: -1 });
  }
  return runs;
}

/** Index of the run in which an event stands. @param {readonly Run[]} runs @param {number} event */
function runAt(runs, event) {
  let low = 0;
  let high = runs.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (runs[middle].from <= event) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The event at which each call was over, and the one at which it seemed so though it came back later. A call that was left by an
 * exception or a trap was over when the next event was recorded; one that was open when recording stopped, as far as can be seen, then.
 * @param {Calls} calls @param {number} count events
 */
function endsOf({ length, leave, parent, steps }, count) {
  const ends = new Float64Array(length);
  for (let call = 0; call < length; call++) ends[call] = leave[call] < 0 ? count : leave[call];
  const gone = new Float64Array(length).fill(count);
  let next = count;
  for (let step = steps.length - 1; step >= 0; step--) {
    if (steps.event[step] >= 0) next = steps.event[step];
    const call = steps.call[step];
    if (steps.kind[step] === STEP.UNWOUND) ends[call] = next;
    if (steps.kind[step] === STEP.NOTHING && call >= 0) gone[call] = next;
    if (steps.kind[step] === STEP.CUT) for (let at = call; at >= 0; at = parent[at]) gone[at] = next;
  }
  return { ends, gone };
}

/**
 * Where a call began; of one whose enter is lost, the earliest place that is free.
 * @param {Calls} calls @param {number} call @param {number} end @param {number} free end of what is known at its level
 */
function beginOf({ enter }, call, end, free) {
  if (enter[call] >= 0) return enter[call];
  return free < end ? free : 0;
}

/**
 * The spans of one call: what its stack's runs leave of it. Where nothing tells of several runs, a call that seemed to be gone is
 * drawn up to there: it is not known when it went on.
 * @param {Spans} spans
 * @param {{call: number, level: number, begin: number, end: number, gone: number, edges: number}} whole
 * @param {readonly Run[]} runs
 */
function addSpans(spans, { call, level, begin, end: over, gone, edges }, runs) {
  let at = runAt(runs, begin);
  let first = true;
  const second = runs[at].next;
  const end = second >= 0 && runs[second].from < over ? over : Math.min(over, gone);
  while (at >= 0 && runs[at].from < end) {
    const { from, to, next } = runs[at];
    const resumes = next >= 0 && runs[next].from < end;
    const ends = (first ? edges & EDGE.LOST : EDGE.RESUMED) | (resumes ? EDGE.SUSPENDED : edges & EDGE.OPEN);
    spans.push(call, level, first ? begin : from, Math.min(end, to), ends);
    first = false;
    at = next;
  }
}

/** @param {Calls} calls @param {Events} events */
function spansOf(calls, events) {
  const spans = new Spans(calls.length);
  const runs = stackRuns(events);
  const { ends, gone } = endsOf(calls, events.length);
  /** @type {number[]} */
  const free = [];
  for (let call = 0; call < calls.length; call++) {
    const level = calls.depth[call];
    const end = ends[call];
    const begin = beginOf(calls, call, end, free[level] ?? 0);
    const open = calls.end[call] === END.RUNNING || calls.end[call] === END.CUT;
    const edges = (calls.enter[call] < 0 ? EDGE.LOST : 0) | (open ? EDGE.OPEN : 0);
    if (runs.length === 1) spans.push(call, level, begin, Math.min(end, gone[call]), edges);
    else addSpans(spans, { call, level, begin, end, gone: gone[call], edges }, runs);
    free[level] = Math.min(end, gone[call]);
  }
  return spans;
}

/** @param {Uint32Array} spans @param {Float64Array} x0 */
function isInOrder(spans, x0) {
  for (let i = 1; i < spans.length; i++) if (x0[spans[i]] < x0[spans[i - 1]]) return false;
  return true;
}

/** Spans by level, from left to right. They mostly are in order: calls are numbered as they begin. @param {Spans} spans */
function inOrder({ length, level, x0 }) {
  const { starts, order } = byLevel(level.subarray(0, length));
  for (let i = 1; i < starts.length; i++) {
    const row = order.subarray(starts[i - 1], starts[i]);
    if (!isInOrder(row, x0)) row.sort((a, b) => x0[a] - x0[b] || a - b);
  }
  return order;
}

/**
 * Where two calls claim one place, as may be where evidence came late, the first one keeps it.
 * @param {Spans} spans
 * @returns {Spans} those that are left, in order
 */
function disjoint(spans) {
  const { x0, x1, level, call, edges } = spans;
  const kept = new Spans(spans.length);
  let [now, free] = [-1, 0];
  for (const span of inOrder(spans)) {
    if (level[span] !== now) free = 0;
    now = level[span];
    const begin = Math.max(x0[span], free);
    const end = x1[span];
    if (begin >= end) continue;
    free = end;
    kept.push(call[span], now, begin, end, edges[span]);
  }
  return kept;
}

/** Where each level begins among spans that are in order, and where the last one ends. @param {Spans} spans */
function startsOf({ length, level }) {
  const starts = [0];
  for (let span = 0; span < length; span++) while (starts.length <= level[span]) starts.push(span);
  return [...starts, ...(length > 0 ? [length] : [])];
}

/** @param {Calls} calls @param {(event: number) => number} placeOf @param {number} width of a mark */
function marksOf({ depth, steps }, placeOf, width) {
  /** @type {number[]} */
  const marked = [];
  for (let step = 0; step < steps.length; step++) {
    if (steps.kind[step] === STEP.GROW || steps.kind[step] === STEP.TRAP) marked.push(step);
  }
  const levels = marked.map((step) => (steps.call[step] < 0 ? 0 : depth[steps.call[step]]));
  const places = marked.map((step) => placeOf(steps.event[step]));
  const marks = Levels.of(levels, places, places.map((place) => place + width));
  return marks.named((mark) => marked[mark]);
}

/**
 * When each event was, from the first one on; behind the last, what the clock said at last. Clocks do not go back, and where one
 * does (a host's may be set), it stands.
 * @param {Events} events
 * @param {number} now
 */
function timesOf(events, now) {
  const { length } = events;
  const times = new Float64Array(length + 1);
  const origin = length > 0 ? events.time(0) : now;
  for (let event = 1; event < length; event++) times[event] = Math.max(times[event - 1], events.time(event) - origin);
  times[length] = Math.max(length > 0 ? times[length - 1] : 0, now - origin);
  return { times, origin };
}

/** @param {Pick<TraceModel, 'events'>} model */
export function hasTimes({ events }) {
  return events.timed && events.length > 0;
}

/**
 * @param {Pick<TraceModel, 'calls' | 'events' | 'lost'> & {snapshot?: {clock?: {now: number} | null}}} model
 * @param {Axis} [axis] 'time' only where events have times
 * @returns {SequenceLayout}
 */
export function sequenceLayout({ calls, events, lost, snapshot }, axis = 'event') {
  const spans = disjoint(spansOf(calls, events));
  const { length } = spans;
  const [x0, x1] = [spans.x0.slice(0, length), spans.x1.slice(0, length)];
  const placed = axis === 'time' ? timesOf(events, snapshot?.clock?.now ?? 0) : null;
  if (placed) for (const ends of [x0, x1]) for (let i = 0; i < length; i++) ends[i] = placed.times[ends[i]];
  return {
    levels: new Levels({ starts: startsOf(spans), x0, x1, items: new Uint32Array(length).map((_, span) => span) }),
    calls: spans.call.slice(0, length),
    edges: spans.edges.slice(0, length),
    marks: marksOf(calls, (event) => (placed ? placed.times[event] : event), placed ? 0 : 1),
    axis,
    origin: placed ? placed.origin : lost,
    whole: placed ? placed.times[events.length] : events.length,
  };
}
