// What a trace says, in the lines of lines.js: read through the model that all displays use.
import { STEP } from '../../../js/model/calls.js';
import { TraceModel } from '../../../js/model/trace-model.js';
import { ABI } from '../../../js/generated/records.js';
import { enterLine, growLine, leaveLine, tailLine, trapLine, unwoundLine } from './lines.js';

/** @import {Session} from '../../../js/loader/session.js' */

/** @param {TraceModel} model @param {number} step @returns {string | null} */
function lineOf({ calls, events }, step) {
  const { steps } = calls;
  const call = steps.call[step];
  const event = steps.event[step];
  const depth = call < 0 ? 0 : calls.depth[call];
  const inside = call < 0 ? 0 : depth + 1;
  switch (steps.kind[step]) {
    case STEP.NOTHING: return null;
    case STEP.ENTER: return enterLine(depth, calls.func[call], events.values(event));
    case STEP.LEAVE: return leaveLine(depth, calls.func[call], events.values(event));
    case STEP.TAIL: return tailLine(depth, calls.func[call]);
    case STEP.UNWOUND: return unwoundLine(depth, calls.func[call]);
    case STEP.GROW: return growLine(events.func(event), events.values(event))(inside);
    case STEP.TRAP: return trapLine(events.func(event))(inside);
    default: return `${'| '.repeat(depth)}unknown start of ${calls.func[call]}`;
  }
}

/** @param {Session} session @returns {{lines: string[], paths: Map<string, number>}} */
export function recordedOf(session) {
  const model = new TraceModel(session.snapshot(), session.metadata);
  if (model.lost > 0) throw new Error('the ring is too small for the program');
  const lines = Array.from({ length: model.calls.steps.length }, (_, step) => lineOf(model, step));
  return { lines: lines.filter((line) => line !== null), paths: pathsOf(model) };
}

/** How often each path of the runtime's tree was taken. @param {TraceModel} model */
function pathsOf({ snapshot: { nodes } }) {
  const texts = [''];
  const paths = new Map();
  for (let node = ABI.NODE_FIRST; node < nodes.parent.length; node++) {
    texts[node] = `${texts[nodes.parent[node]]} ${nodes.func[node]}`.trim();
    if (nodes.count[node] > 0) paths.set(texts[node], nodes.count[node]);
  }
  return paths;
}
