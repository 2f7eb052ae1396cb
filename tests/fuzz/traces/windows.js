// A part of a trace (--skip, --max-events, --from, --until) against the whole one: the same events, as far as the window is open, and each call in
// what is around it of those that the window shows.
import { ABI, RECORD } from '../../../js/generated/records.js';
import { valuesText } from './course.js';

/**
 * @import {TraceModel} from '../../../js/model/trace-model.js'
 * @import {Disagreement} from './compare.js'
 * @import {Window} from './plan.js'
 *
 * @typedef {object} Shown
 * @property {string} text kind, function, values
 * @property {string} around functions of the calls around it, for the begin of a call; '' for others
 */

const NAMES = { [RECORD.ENTER]: 'enter', [RECORD.LEAVE]: 'leave', [RECORD.TAIL]: 'tail', [RECORD.THROWN]: 'thrown', [RECORD.GROW]: 'grow', [RECORD.TRAP]: 'trap' };
const MARKS = new Set([RECORD.GROW, RECORD.TRAP]);

/** Calls by the event that begins or ends them. @param {TraceModel} model */
function callsByEvent({ calls }) {
  const all = new Map();
  for (let call = 0; call < calls.length; call++) [calls.enter[call], calls.leave[call]].forEach((event) => event >= 0 && all.set(event, call));
  return all;
}

/** @param {TraceModel} model @param {number} event @param {string} around @returns {Shown} */
function shownOf({ events }, event, around) {
  const values = events.kind(event) === RECORD.TRAP ? '' : valuesText(events.values(event));
  return { text: `${NAMES[events.kind(event)]} ${events.func(event)}(${values})`, around };
}

/** @param {TraceModel} model @param {number} call @param {(call: number) => boolean} isShown */
function around({ calls }, call, isShown) {
  const funcs = [];
  for (let at = calls.parent[call]; at >= 0; at = calls.parent[at]) if (isShown(at)) funcs.push(calls.func[at]);
  return funcs.join(' ');
}

/** Whether the window is open at each event. @param {Window} window */
function openAt({ skip = 0, maxEvents = Infinity, from, until }) {
  let counted = 0;
  let open = from === undefined;
  return (/** @type {number} */ kind, /** @type {number} */ func) => {
    if (kind === RECORD.ENTER && from === func) open = true;
    if (kind === RECORD.ENTER && until === func) open = false;
    if (!MARKS.has(kind)) counted++;
    return open && (skip === 0 || counted > skip) && counted <= skip + maxEvents;
  };
}

/** @param {TraceModel} whole @param {Window} window @returns {Shown[]} */
function expected(whole, window) {
  const calls = callsByEvent(whole);
  const begun = new Set();
  const isOpen = openAt(window);
  const shown = [];
  for (let event = 0; event < whole.events.length; event++) {
    const kind = whole.events.kind(event);
    if (!(kind in NAMES)) continue;
    const call = calls.get(event);
    const open = isOpen(kind, whole.events.func(event));
    if (!open || (kind !== RECORD.ENTER && !MARKS.has(kind) && !begun.has(call))) continue;
    if (kind === RECORD.ENTER) begun.add(call);
    shown.push(shownOf(whole, event, kind === RECORD.ENTER ? around(whole, call, (one) => begun.has(one)) : ''));
  }
  return shown;
}

/** @param {TraceModel} model @returns {Shown[]} */
function recorded(model) {
  const calls = callsByEvent(model);
  return Array.from({ length: model.events.length }, (_, event) => event)
    .filter((event) => model.events.kind(event) in NAMES)
    .map((event) => shownOf(model, event, model.events.kind(event) === RECORD.ENTER ? around(model, calls.get(event), () => true) : ''));
}

/** @param {TraceModel} model */
const hasDoubts = ({ events }) => [...events].some(({ func }) => func === ABI.UNCERTAIN);

/** @param {TraceModel} whole @param {TraceModel} part @param {Window} window @returns {Disagreement | null} */
export function compareWindow(whole, part, window) {
  if (hasDoubts(whole) || hasDoubts(part)) return null;
  const [should, is] = [expected(whole, window), recorded(part)];
  for (let i = 0; i < Math.max(should.length, is.length); i++) {
    if (should[i]?.text !== is[i]?.text) return fault('another event', should, is, i);
    if (should[i].around !== is[i].around) return fault('the calls around', should, is, i);
  }
  return null;
}

/** @param {string} kind @param {Shown[]} should @param {Shown[]} is @param {number} at @returns {Disagreement} */
function fault(kind, should, is, at) {
  const side = (/** @type {string} */ sign, /** @type {Shown[]} */ list) =>
    list.slice(Math.max(0, at - 8), at + 2).map((one) => `${sign}${one === list[at] ? '>' : ' '} ${one.text}${one.around && ` in ${one.around}`}`);
  return { kind: `window: ${kind}`, text: [...side('-', should), ...side('+', is)].join('\n') };
}
