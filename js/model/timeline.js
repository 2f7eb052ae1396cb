// Calls as begins and ends in the order of time, each end of the call that began last: what viewers of traces want. Some calls
// have no begin or no end of their own, and the host may suspend a stack and go on with another one: then calls are begun or ended
// where that is seen first, so that all is balanced, and a call that goes on later begins again.
import * as STEP from './step.js';

/** @import {TraceModel} from './trace-model.js' */

/**
 * @typedef {object} Timeline columns
 * @property {number} length
 * @property {number[]} call
 * @property {boolean[]} begins false: it ends
 * @property {number[]} at the clock's times, never falling; without a clock, numbers of events
 * @property {number} from
 * @property {number} to
 * @property {number} left calls that ended before the first that is here, by the limit
 */

class Course {
  #calls;
  /** Calls that have begun here and not ended, outermost first. @type {number[]} */
  #open = [];
  #isOpen;
  #hasEnded;
  #now;
  /** @type {Pick<Timeline, 'call' | 'begins' | 'at'>} */
  columns = { call: [], begins: [], at: [] };

  /** @param {TraceModel['calls']} calls @param {number} from */
  constructor(calls, from) {
    this.#calls = calls;
    this.#isOpen = new Uint8Array(calls.length);
    this.#hasEnded = new Uint8Array(calls.length);
    this.#now = from;
  }

  /** @param {number} time */
  moveTo(time) {
    this.#now = Math.max(this.#now, time);
  }

  /** @param {number} call */
  begin(call) {
    if (this.#isOpen[call]) return this.#standIn(call);
    this.#standIn(this.#calls.parent[call]);
    this.#push(call);
  }

  /** @param {number} call */
  end(call) {
    if (!this.#isOpen[call]) this.begin(call);
    while (this.#isOpen[call]) this.#pop();
    this.#hasEnded[call] = 1;
  }

  /** Calls that go on begin again. */
  suspendAll() {
    while (this.#open.length > 0) this.#pop();
  }

  /** Execution stands in a call, in no call inside of it. @param {number} call -1 for none */
  #standIn(call) {
    const missing = [];
    let at = call;
    for (; at >= 0 && !this.#isOpen[at]; at = this.#calls.parent[at]) if (!this.#hasEnded[at]) missing.push(at);
    while (this.#open.length > 0 && this.#open[this.#open.length - 1] !== at) this.#pop();
    for (const one of missing.reverse()) this.#push(one);
  }

  /** @param {number} call */
  #push(call) {
    this.#open.push(call);
    this.#isOpen[call] = 1;
    this.#tell(call, true);
  }

  #pop() {
    const call = /** @type {number} */ (this.#open.pop());
    this.#isOpen[call] = 0;
    this.#tell(call, false);
  }

  /** @param {number} call @param {boolean} begins */
  #tell(call, begins) {
    const { columns } = this;
    columns.call.push(call);
    columns.begins.push(begins);
    columns.at.push(this.#now);
  }
}

/** When each step was over: one without an event, by the next event. @param {TraceModel} model @param {(event: number) => number} timeOf */
function timesOfSteps({ calls: { steps }, events }, timeOf) {
  const times = new Float64Array(steps.length);
  let next = events.length > 0 ? timeOf(events.length - 1) : 0;
  for (let step = steps.length - 1; step >= 0; step--) {
    if (steps.event[step] >= 0) next = timeOf(steps.event[step]);
    times[step] = next;
  }
  return times;
}

/**
 * @param {TraceModel} model
 * @param {number} [limit] calls, the newest
 * @returns {Timeline}
 */
export function timelineOf(model, limit = Infinity) {
  const { calls, events } = model;
  const { steps } = calls;
  const timeOf = (/** @type {number} */ event) => (events.timed ? events.time(event) : event);
  const first = firstStep(calls, limit);
  const times = timesOfSteps(model, timeOf);
  const from = first < steps.length ? times[first] : 0;
  const course = new Course(calls, from);
  for (let step = first; step < steps.length; step++) {
    course.moveTo(times[step]);
    take(course, steps.kind[step], steps.call[step]);
  }
  const to = steps.length > 0 ? Math.max(from, times[steps.length - 1]) : from;
  course.moveTo(to);
  course.suspendAll();
  return { ...course.columns, length: course.columns.call.length, from, to, left: Math.max(0, calls.length - limit) };
}

/** The step at which the oldest call begins that is within the limit. @param {TraceModel['calls']} calls @param {number} limit */
function firstStep({ length, steps }, limit) {
  if (length <= limit) return 0;
  const oldest = length - limit;
  const found = steps.call.findIndex((call, step) => call >= oldest && steps.kind[step] === STEP.ENTER);
  return found < 0 ? steps.length : found;
}

/** @param {Course} course @param {number} kind @param {number} call */
function take(course, kind, call) {
  switch (kind) {
    case STEP.OPEN:
    case STEP.ENTER:
    case STEP.RESUMED:
      return course.begin(call);
    case STEP.LEAVE:
    case STEP.TAIL:
    case STEP.THROWN:
    case STEP.UNWOUND:
      return course.end(call);
    case STEP.CUT:
      return course.suspendAll();
    default:
  }
}
