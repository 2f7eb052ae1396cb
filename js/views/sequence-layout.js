// Calls of the ring -> the rectangles of a sequence chart: from the event that began a call to the one that ended it, by
// depth. A call that was suspended (JSPI) has several spans, one for each run of its stack: in between it did nothing. No
// drawing.
import { RECORD } from '../generated/records.js';
import { END, STEP } from '../model/steps.js';
import { Levels, byLevel } from './levels.js';

/** @import {Calls} from '../model/calls.js' */
/** @import {Events} from '../model/events.js' */
/** @import {TraceModel} from '../model/trace-model.js' */

/** What is special about the ends of a span, as bits. LOST: the call began at some time before. RESUMED, SUSPENDED: it has spans before,
 * after. OPEN: it was running when the last event was recorded. */
export const EDGE = Object.freeze({ LOST: 1, RESUMED: 2, SUSPENDED: 4, OPEN: 8 });

/**
 * @typedef {object} SequenceLayout
 * @property {Levels} levels items are spans
 * @property {Uint32Array} calls the call of each span
 * @property {Uint8Array} edges bits of EDGE for each span
 * @property {Levels} marks what happened inside of calls: items are steps (memory.grow, traps)
 * @property {number} whole number of events: the right end
 * @property {number} lost number of events before the first
 *
 * @typedef {object} Spans columns
 * @property {number[]} call
 * @property {number[]} level
 * @property {number[]} x0
 * @property {number[]} x1
 * @property {number[]} edges
 *
 * @typedef {{stack: number, from: number, to: number, next: number}} Run of a stack; next: index of its next run, -1 for none
 */

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
 * exception or a trap was over when the next event was recorded.
 * @param {Calls} calls @param {number} count events
 */
function endsOf({ length, leave, steps }, count) {
  const ends = Float64Array.from({ length }, (_, call) => (leave[call] < 0 ? count : leave[call]));
  const gone = new Float64Array(length).fill(count);
  let next = count;
  for (let step = steps.length - 1; step >= 0; step--) {
    if (steps.event[step] >= 0) next = steps.event[step];
    const call = steps.call[step];
    if (steps.kind[step] === STEP.UNWOUND) ends[call] = next;
    if (steps.kind[step] === STEP.NOTHING && call >= 0) gone[call] = next;
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
    spans.call.push(call);
    spans.level.push(level);
    spans.x0.push(first ? begin : from);
    spans.x1.push(Math.min(end, to));
    spans.edges.push((first ? edges & EDGE.LOST : EDGE.RESUMED) | (resumes ? EDGE.SUSPENDED : edges & EDGE.OPEN));
    first = false;
    at = next;
  }
}

/** @param {Calls} calls @param {Events} events */
function spansOf(calls, events) {
  /** @type {Spans} */
  const spans = { call: [], level: [], x0: [], x1: [], edges: [] };
  const runs = stackRuns(events);
  const { ends, gone } = endsOf(calls, events.length);
  /** @type {number[]} */
  const free = [];
  for (let call = 0; call < calls.length; call++) {
    const level = calls.depth[call];
    const end = ends[call];
    const begin = beginOf(calls, call, end, free[level] ?? 0);
    const edges = (calls.enter[call] < 0 ? EDGE.LOST : 0) | (calls.end[call] === END.RUNNING ? EDGE.OPEN : 0);
    addSpans(spans, { call, level, begin, end, gone: gone[call], edges }, runs);
    free[level] = end;
  }
  return spans;
}

/** Spans by level, from left to right. They mostly are in order: calls are numbered as they begin. @param {Spans} spans */
function inOrder({ level, x0 }) {
  const { starts, order } = byLevel(level);
  for (let i = 1; i < starts.length; i++) {
    const row = order.subarray(starts[i - 1], starts[i]);
    if (row.some((span, place) => place > 0 && x0[span] < x0[row[place - 1]])) row.sort((a, b) => x0[a] - x0[b] || a - b);
  }
  return order;
}

/**
 * Where two calls claim one place, as may be where evidence came late, the first one keeps it.
 * @param {Spans} spans
 * @returns {Spans} those that are left, in order
 */
function disjoint(spans) {
  /** @type {Spans} */
  const kept = { call: [], level: [], x0: [], x1: [], edges: [] };
  let [level, free] = [-1, 0];
  for (const span of inOrder(spans)) {
    if (spans.level[span] !== level) free = 0;
    level = spans.level[span];
    const begin = Math.max(spans.x0[span], free);
    const end = spans.x1[span];
    if (begin >= end) continue;
    free = end;
    kept.call.push(spans.call[span]);
    kept.level.push(level);
    kept.x0.push(begin);
    kept.x1.push(end);
    kept.edges.push(spans.edges[span]);
  }
  return kept;
}

/** @param {Calls} calls */
function marksOf({ depth, steps }) {
  /** @type {number[]} */
  const marked = [];
  for (let step = 0; step < steps.length; step++) {
    if (steps.kind[step] === STEP.GROW || steps.kind[step] === STEP.TRAP) marked.push(step);
  }
  const levels = marked.map((step) => (steps.call[step] < 0 ? 0 : depth[steps.call[step]]));
  const events = marked.map((step) => steps.event[step]);
  const marks = Levels.of(levels, events, events.map((event) => event + 1));
  return marks.named((mark) => marked[mark]);
}

/**
 * @param {Pick<TraceModel, 'calls' | 'events' | 'lost'>} model
 * @returns {SequenceLayout}
 */
export function sequenceLayout({ calls, events, lost }) {
  const spans = disjoint(spansOf(calls, events));
  return {
    levels: Levels.of(spans.level, spans.x0, spans.x1),
    calls: Uint32Array.from(spans.call),
    edges: Uint8Array.from(spans.edges),
    marks: marksOf(calls),
    whole: events.length,
    lost,
  };
}
