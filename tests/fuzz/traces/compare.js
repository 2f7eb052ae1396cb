// The true course against the recorded one. What the trace marks as uncertain may be wrong in one way only: the caller that it
// shows, or some frames from there outwards, may have been left before, or frames may be missing. With --only such a call may so be outside of what is
// recorded. All else must be equal.
import { chainOf, stepText } from './course.js';

/**
 * @import {Course, Step} from './course.js'
 * @typedef {{kind: string, text: string}} Disagreement kind: what it is about; cases of one kind have one cause, as far as can be told
 */

/** @param {Step} step */
const isEvent = ({ kind }) => kind !== 'unwound';

/** What is wrong with a recorded event, in a word; null: nothing. @param {Course} truth @param {Step} should @param {Course} recorded @param {Step} is */
function faultOf(truth, should, recorded, is) {
  if (should.kind !== is.kind || should.func !== is.func) return `${is.kind} for ${should.kind}`;
  if (should.values !== is.values) return `values of ${should.kind}`;
  if (should.stack !== is.stack && !is.stack.includes('?') && !recorded.calls[is.call]?.uncertain) return `the stack of ${should.kind}`;
  if (should.kind === 'enter') return callerFault(truth, recorded, should.call);
  return should.call === is.call || isDoubted(recorded, should.call, is.call) ? null : `another call at ${should.kind}`;
}

/** Whether the first call is around the second, or is the host. @param {Course['calls']} calls @param {number} outer @param {number} inner */
const areNested = (calls, outer, inner) => outer < 0 || chainOf(calls, inner).includes(outer);

/** @param {Course} truth @param {Course} recorded @param {number} call the same in both: they count alike */
function callerFault(truth, recorded, call) {
  const should = truth.calls[call].parent;
  const { parent, uncertain } = recorded.calls[call];
  if (should === parent) return null;
  const mayBe = uncertain && (areNested(recorded.calls, should, parent) || areNested(truth.calls, parent, should));
  return mayBe ? null : uncertain ? 'a caller that is not even among the uncertain ones' : 'the caller';
}

/** A grow or a trap in a function that is not recorded, called from nobody knows where: in an uncertain call, or in none.
 * @param {Course} recorded @param {number} should @param {number} is */
function isDoubted({ calls, doubted }, should, is) {
  return is < 0 ? Boolean(doubted) : should < 0 && calls[is].uncertain;
}

/** How many events came before each call was unwound. @param {Course} course */
function unwoundAt({ steps }) {
  const at = new Map();
  let events = 0;
  for (const step of steps) {
    if (isEvent(step)) events++;
    else at.set(step.call, events);
  }
  return at;
}

/** Calls that an uncertain one, or a frame of doubt, is shown inside of: when these were left is not known. @param {Course} recorded */
function uncertainlyOpen({ calls, doubted }) {
  const all = new Set(doubted);
  calls.forEach(({ parent, uncertain }) => uncertain && chainOf(calls, parent).forEach((call) => all.add(call)));
  return all;
}

/** A call whose leaving is told wrongly. @param {Course} truth @param {Course} recorded @param {number} events how many there are */
function unwindFault(truth, recorded, events) {
  const [should, is] = [unwoundAt(truth), unwoundAt(recorded)];
  const free = uncertainlyOpen(recorded);
  for (const [call, at] of should) {
    const told = is.get(call);
    if (told === at || (free.has(call) && told !== undefined && told > at)) continue;
    if (at < events || told !== undefined) return { call, what: told === undefined ? 'unwound, and nobody says so' : told > at ? 'unwound too late' : 'unwound too early' };
  }
  const extra = [...is.keys()].find((call) => !should.has(call));
  return extra === undefined ? null : { call: extra, what: 'called unwound, and was not' };
}

const SHOWN = 8;

/** Both sides up to a step of each and a little beyond. @param {Course} truth @param {Step | undefined} should @param {Course} recorded @param {Step | undefined} is */
function sideBySide(truth, should, recorded, is) {
  const side = (/** @type {string} */ sign, /** @type {Course} */ course, /** @type {Step | undefined} */ step) => {
    const at = step ? course.steps.indexOf(step) : course.steps.length;
    const steps = course.steps.slice(Math.max(0, at - SHOWN), at + 2);
    return steps.map((one) => `${sign}${one === step ? '>' : ' '} ${stepText(course, one)}`);
  };
  return [...side('-', truth, should), ...side('+', recorded, is)].join('\n');
}

/** @param {Step | undefined} step */
const circumstances = (step) => [step?.entered && `entered by ${step.entered}`, step?.after && `after ${step.after}`].filter(Boolean).join('; ');

const MARKS = new Set(['grow', 'trap']);

/** Without a call; what it called has its caller, and is as uncertain. @param {Course} course @param {number} left @returns {Course} */
function withoutCall({ calls, steps, doubted = new Set(), ...others }, left) {
  const place = (/** @type {number} */ call) => (call > left ? call - 1 : call);
  const adopt = (/** @type {Course['calls'][number]} */ call) =>
    call.parent === left ? { ...call, parent: calls[left].parent, uncertain: true } : { ...call, parent: place(call.parent) };
  const outside = (/** @type {Step} */ step) => (step.call === left ? { ...step, call: calls[left].parent, uncertain: true } : { ...step, call: place(step.call) });
  return {
    ...others,
    calls: calls.toSpliced(left, 1).map(adopt),
    steps: steps.filter(({ call, kind }) => call !== left || MARKS.has(kind)).map(outside),
    doubted: new Set([...doubted].filter((call) => call !== left).map(place)),
  };
}

/** A call that is uncertain, or a grow or a trap that may be in a function which is, and is not recorded. @param {Course} course @param {Step} step */
function mayBeSurplus({ calls, doubted }, { kind, call, uncertain }) {
  return MARKS.has(kind) ? uncertain || (Boolean(doubted) && (call < 0 || calls[call].uncertain)) : kind === 'enter' && calls[call].uncertain;
}

/** @param {Course} course @param {Step} step @returns {Course} */
function without(course, step) {
  return MARKS.has(step.kind) ? { ...course, steps: course.steps.filter((one) => one !== step) } : withoutCall(course, step.call);
}

/** Index of the first recorded event that is wrong; -1 for none. @param {Course} truth @param {Course} recorded */
function firstFault(truth, recorded) {
  const should = truth.steps.filter(isEvent);
  const is = recorded.steps.filter(isEvent);
  const at = is.findIndex((step, i) => !should[i] || faultOf(truth, should[i], recorded, step));
  return at < 0 && should.length > is.length ? is.length : at;
}

/** Takes away what is uncertain and not there in truth. Which ones these are, a search must tell: the latest before the
 * first fault are tried first. @param {Course} truth @param {Course} recorded @param {{left: number}} [tries] @returns {Course | null} */
function withoutSurplus(truth, recorded, tries = { left: 500 }) {
  const at = firstFault(truth, recorded);
  if (at < 0) return recorded;
  const surplus = recorded.steps.filter(isEvent).slice(0, at + 1).filter((step) => mayBeSurplus(recorded, step));
  for (const step of surplus.reverse()) {
    if (tries.left-- <= 0) return null;
    const found = withoutSurplus(truth, without(recorded, step), tries);
    if (found) return found;
  }
  return null;
}

/** The recorded course without what it doubts and what was outside of --only. @param {Course} truth @param {Course} recorded @returns {Course} */
export const withoutDoubted = (truth, recorded) => withoutSurplus(truth, recorded) ?? recorded;

/** @param {Course} truth @param {Course} recorded @returns {Disagreement | null} */
export function compareCourses(truth, recorded) {
  const [should, is] = [truth.steps.filter(isEvent), recorded.steps.filter(isEvent)];
  const length = Math.max(should.length, is.length);
  for (let i = 0; i < length; i++) {
    const fault = should[i] && is[i] ? faultOf(truth, should[i], recorded, is[i]) : `${is[i]?.kind ?? 'nothing'} for ${should[i]?.kind ?? 'nothing'}`;
    if (fault) return { kind: [fault, circumstances(should[i])].filter(Boolean).join('; '), text: sideBySide(truth, should[i], recorded, is[i]) };
  }
  const fault = unwindFault(truth, recorded, should.length);
  if (!fault) return null;
  const unwound = (/** @type {Course} */ { steps }) => steps.find(({ kind, call }) => kind === 'unwound' && call === fault.call);
  return { kind: fault.what, text: sideBySide(truth, unwound(truth), recorded, unwound(recorded)) };
}

/** @param {string} path */
const lastOf = (path) => path.split(' ').at(-1);

/** @param {Map<string, number>} paths */
const pathTexts = (paths) => [...paths].map(([path, count]) => `${path}: ${count}`).sort();

/** Counts of the runtime's tree. Below a frame of doubt only the functions have to be right.
 * @param {Map<string, number>} truth @param {Map<string, number>} recorded @returns {Disagreement | null} */
export function comparePaths(truth, recorded) {
  const left = new Map(truth);
  const byFunction = new Map();
  const add = (/** @type {string | undefined} */ func, /** @type {number} */ count) => byFunction.set(func, (byFunction.get(func) ?? 0) + count);
  for (const [path, count] of recorded) {
    if (path.includes('?')) add(lastOf(path), count);
    else left.set(path, (left.get(path) ?? 0) - count);
  }
  for (const [path, count] of left) add(lastOf(path), -count);
  const right = [...left.values()].every((count) => count >= 0) && [...byFunction.values()].every((count) => count === 0);
  const lines = (/** @type {string} */ sign, /** @type {Map<string, number>} */ paths) => pathTexts(paths).map((line) => `${sign} ${line}`);
  return right ? null : { kind: 'the call tree', text: [...lines('-', truth), ...lines('+', recorded)].join('\n') };
}
