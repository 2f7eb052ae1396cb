// A trap: kind, function, byte of the original file, the stack, and what happened right before it, as far as it was
// recorded; and the list of the traps that a ring holds.
import * as END from '../model/end.js';
import * as STEP from '../model/step.js';
import { TraceModel } from '../model/trace-model.js';
import * as ABI from '../generated/abi.js';
import { styles } from './ansi.js';
import { EventText } from './event-text.js';
import { foldNewest } from './fold.js';
import { callLine, earlierNotes, laterNotes } from './log.js';
import { nestedLines } from './nested.js';
import { joinLines, lossNotes } from './text.js';

/** @import {FunctionNames} from '../trace/names.js' */
/** @import {Entries} from './fold.js' */
/** @import {ReportSource} from './report.js' */
/** @import {ViewOptions} from './log.js' */

/**
 * @typedef {object} TrapFrame
 * @property {number} func function index in the original module
 * @property {number | null} [offset] byte in the original file
 *
 * @typedef {object} Trap
 * @property {string} kind in the engine's words: 'unreachable', 'memory access out of bounds'
 * @property {number | null} [func] when known
 * @property {number | null} [offset] byte in the original file, when known
 * @property {TrapFrame[] | null} [stack] innermost first, the trapping function included; without it the trace tells
 */

const STACK_MAX = 30;
const EVENTS_MAX = 16;
const EVENTS_LOOKED_AT = 64;
const HOST_CALLS_MAX = 8;
const TRAPS_MAX = 100;

/** Functions of the calls around a call, itself first. @param {TraceModel} model @param {number} call */
function chainOf({ calls }, call) {
  const funcs = [];
  for (let at = call; at >= 0; at = calls.parent[at]) funcs.push(calls.func[at]);
  return funcs;
}

/** Where execution stands, innermost first. @param {TraceModel} model @returns {number[]} functions */
export function standingStack(model) {
  const { position, treePositions, nodes } = model.snapshot;
  if (treePositions && position >= ABI.NODE_FIRST && position < nodes.parent.length) {
    const funcs = [];
    for (let node = position; node >= ABI.NODE_FIRST; node = nodes.parent[node]) funcs.push(nodes.func[node]);
    return funcs;
  }
  return chainOf(model, model.calls.end.lastIndexOf(END.RUNNING));
}

/**
 * What the runtime recorded of the trap that ended all: its last event.
 * @param {TraceModel} model
 * @returns {TrapFrame | null}
 */
function recordedTrap({ events, calls }) {
  const last = calls.steps.kind.lastIndexOf(STEP.TRAP);
  const event = calls.steps.event[last];
  if (last < 0 || event !== events.length - 1) return null;
  return { func: events.func(event), offset: Number(events.values(event)[0]) };
}

/** @param {EventText} text @param {TrapFrame} frame */
function frameText(text, { func, offset }) {
  return text.name(func) + (offset === null || offset === undefined ? '' : ` at byte ${offset}`);
}

/** Equal frames that follow one another are told once. @param {EventText} text @param {TrapFrame[]} frames */
function stackLines(text, frames) {
  const entries = frames.map((frame) => frameText(text, frame));
  const lines = [];
  for (let i = 0; i < entries.length && lines.length < STACK_MAX;) {
    let end = i + 1;
    while (end < entries.length && entries[end] === entries[i]) end++;
    lines.push(end - i > 1 ? `${entries[i]} x ${end - i}` : entries[i]);
    i = end;
  }
  return lines;
}

/** @param {EventText} text @param {TraceModel} model */
function lastEvents(text, model) {
  const first = Math.max(0, model.calls.steps.length - EVENTS_LOOKED_AT);
  return withoutMargin(nestedLines(text, model, EVENTS_MAX, first).lines);
}

/** @param {string[]} lines */
function withoutMargin(lines) {
  const margin = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(margin));
}

/** @param {EventText} text @param {TraceModel} model */
function lastHostCalls(text, model) {
  const { calls, metadata } = model;
  /** @type {Entries} */
  const entries = {
    length: calls.length,
    has: (call) => calls.func[call] < metadata.importCount,
    text: (call) => callLine(text, model, call, 'trapped'),
  };
  return foldNewest(entries, HOST_CALLS_MAX).lines;
}

/** @param {string} heading @param {string[]} lines */
function section(heading, lines) {
  return lines.length === 0 ? [] : [`  ${heading}:`, ...lines.map((line) => `    ${line}`)];
}

/** @param {Trap} trap @param {TraceModel} model @returns {TrapFrame[]} innermost first */
function framesOf({ func, offset, stack }, model) {
  const recorded = recordedTrap(model);
  const frames = stack?.length ? stack : standingStack(model).map((of) => ({ func: of, offset: null }));
  const told = typeof func === 'number' ? { func, offset } : (recorded ?? frames[0]);
  if (!told) return [];
  const exact = recorded?.func === told.func ? recorded.offset : null;
  return [
    { func: told.func, offset: told.offset ?? exact },
    ...(frames[0]?.func === told.func ? frames.slice(1) : frames),
  ];
}

/**
 * @param {Trap} trap
 * @param {ReportSource} source
 * @param {ViewOptions} [options]
 * @returns {string} lines, each with its end
 */
export function renderTrap(trap, { snapshot, metadata, names, title }, { color } = {}) {
  const style = styles(color);
  const model = new TraceModel(snapshot, metadata, { trapped: true });
  const text = new EventText(model, names, style);
  const frames = framesOf(trap, model);
  const place = frames.length > 0 ? ` in ${frameText(new EventText(model, names, styles()), frames[0])}` : '';
  const dropped = snapshot.nodesDropped;
  return joinLines([
    style.bad(`trap: ${trap.kind}${place}`) + (title ? ` (${title})` : ''),
    ...section('stack', stackLines(text, frames)),
    ...section('last events', lastEvents(text, model)),
    ...section('last host calls', lastHostCalls(text, model)),
    ...lossNotes({ dropped }).map((note) => style.dim(`(${note})`)),
  ]);
}

/**
 * The `unreachable` instructions that were reached, with the calls around them.
 * @param {TraceModel} model
 * @param {Pick<FunctionNames, 'name'>} names
 * @param {ViewOptions} [options] limit: lines, the newest
 * @returns {string}
 */
export function renderTraps(model, names, { limit = TRAPS_MAX, color } = {}) {
  const style = styles(color);
  const text = new EventText(model, names, style);
  const { steps } = model.calls;
  const { lines, left } = foldNewest(
    {
      length: steps.length,
      has: (step) => steps.kind[step] === STEP.TRAP,
      text: (step) =>
        [
          text.trap(steps.event[step]),
          ...text.frames(chainOf(model, steps.call[step])).map((name) => `    ${name}`),
        ].join('\n'),
    },
    limit,
  );
  if (lines.length === 0) lines.push('no trap was recorded');
  return joinLines([...earlierNotes(model, { left }, style.dim), ...lines, ...laterNotes(model, style.dim)]);
}
