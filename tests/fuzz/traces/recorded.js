// What a trace says, as a course: read through the model that all displays use.
import * as ABI from '../../../js/generated/abi.js';
import * as STEP from '../../../js/model/step.js';
import { TraceModel } from '../../../js/model/trace-model.js';
import { valuesText } from './course.js';

/**
 * @import {Session} from '../../../js/loader/session.js'
 * @import {Course, Step} from './course.js'
 * @import {Plan} from './plan.js'
 */

/** @type {Readonly<Record<number, Step['kind']>>} */
const KINDS = Object.freeze({
  [STEP.OPEN]: 'unknown start',
  [STEP.ENTER]: 'enter',
  [STEP.LEAVE]: 'leave',
  [STEP.UNWOUND]: 'unwound',
  [STEP.TAIL]: 'tail',
  [STEP.GROW]: 'grow',
  [STEP.TRAP]: 'trap',
  [STEP.THROWN]: 'thrown',
});

/** @type {ReadonlySet<number>} */
const ENDS = new Set([STEP.LEAVE, STEP.UNWOUND, STEP.TAIL, STEP.THROWN]);

/** Where a clock is read every import has nodes of its own, also those that nobody asked for. @param {TraceModel} model @param {Plan} plan @param {number} node */
function isShown({ metadata, snapshot: { nodes } }, { functions, stack }, node) {
  const func = nodes.func[node];
  return !metadata.clock || func >= metadata.importCount || functions.some(([asked]) => asked === func) || Boolean(stack?.includes(func));
}

/** @param {TraceModel} model @param {Plan} plan @param {number} event */
function stackOf(model, plan, event) {
  const { metadata, snapshot: { nodes }, events } = model;
  if (!metadata.stacks || event < 0) return '';
  const stack = [];
  for (let node = events.position(event); node >= ABI.NODE_FIRST; node = nodes.parent[node])
    if (isShown(model, plan, node)) stack.push(funcText(nodes.func[node]));
  return stack.reverse().join(' ');
}

/** @param {number} func */
const funcText = (func) => (func === ABI.UNCERTAIN ? '?' : String(func));

/** @param {TraceModel} model @param {Plan} plan @param {number} index @returns {Step} */
function stepOf(model, plan, index) {
  const { calls, events } = model;
  const { steps } = calls;
  const kind = KINDS[steps.kind[index]];
  const call = steps.call[index];
  const event = steps.event[index];
  const inside = kind === 'grow' || kind === 'trap';
  const values = event < 0 || kind === 'trap' ? [] : events.values(event);
  return { kind, call, func: inside ? events.func(event) : calls.func[call], values: valuesText(values), stack: stackOf(model, plan, event) };
}

/** The depth that displays show is the number of calls around. @param {TraceModel['calls']} calls */
function checkDepths({ length, depth, parent }) {
  for (let call = 0; call < length; call++)
    if (depth[call] !== (parent[call] < 0 ? 0 : depth[parent[call]] + 1)) throw new Error('a depth that is not the number of calls around');
}

/** @param {Session} session @returns {TraceModel} */
export function modelOf(session) {
  const model = new TraceModel(session.snapshot(), session.metadata);
  if (model.lost > 0) throw new Error('the ring is too small for the program');
  return model;
}

/** @param {TraceModel} model @param {Plan} plan @returns {Course} */
export function recordedOf(model, plan) {
  const { calls } = model;
  if (calls.uncertain.size === 0) checkDepths(calls);
  const steps = Array.from({ length: calls.steps.length }, (_, i) => i).filter((i) => calls.steps.kind[i] !== STEP.NOTHING);
  return {
    calls: Array.from({ length: calls.length }, (_, i) => ({ func: calls.func[i], parent: calls.parent[i], uncertain: calls.uncertain.has(i) })),
    steps: steps.map((i) => stepOf(model, plan, i)),
    paths: pathsOf(model, plan),
    doubted: doubtedCalls(model, steps),
  };
}

/** Calls that are open at a frame of doubt; undefined: there is none. @param {TraceModel} model @param {number[]} indices of steps */
function doubtedCalls({ calls: { steps }, events }, indices) {
  const doubts = Array.from({ length: events.length }, (_, event) => event).filter((event) => events.func(event) === ABI.UNCERTAIN);
  if (doubts.length === 0) return undefined;
  /** @type {Set<number>} */
  const doubted = new Set();
  const open = new Set();
  const comesWith = Array.from(indices, () => events.length); // event
  for (let i = indices.length - 1; i >= 0; i--) comesWith[i] = steps.event[indices[i]] < 0 ? (comesWith[i + 1] ?? events.length) : steps.event[indices[i]];
  let next = 0;
  indices.forEach((index, i) => {
    for (; doubts[next] < comesWith[i]; next++) open.forEach((call) => doubted.add(call));
    if (steps.kind[index] === STEP.ENTER || steps.kind[index] === STEP.OPEN) open.add(steps.call[index]);
    if (ENDS.has(steps.kind[index])) open.delete(steps.call[index]);
  });
  if (next < doubts.length) open.forEach((call) => doubted.add(call));
  return doubted;
}

/** How often each path of the runtime's tree was taken; "?" is a frame of doubt. @param {TraceModel} model @param {Plan} plan */
function pathsOf(model, plan) {
  const { nodes } = model.snapshot;
  const texts = [''];
  const paths = new Map();
  for (let node = ABI.NODE_FIRST; node < nodes.parent.length; node++) {
    const func = nodes.func[node];
    const above = texts[nodes.parent[node]];
    const shown = isShown(model, plan, node);
    texts[node] = shown ? `${above} ${funcText(func)}`.trim() : above;
    if (shown && nodes.count[node] > 0 && func !== ABI.UNCERTAIN) paths.set(texts[node], (paths.get(texts[node]) ?? 0) + nodes.count[node]);
  }
  return paths;
}
