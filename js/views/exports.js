// What other tools read: collapsed stacks, speedscope, Chrome's trace events. Each session gives a part, which is plain data for JSON;
// the parts of all sessions and processes make a file. What a file cannot say, its notes do: the unit of the weights, what was cut.
import { compensate } from '../model/compensation.js';
import { MOST_LEVELS, stackWeights } from '../model/stack-weights.js';
import { timelineOf } from '../model/timeline.js';
import { TraceModel } from '../model/trace-model.js';
import { counted, grouped, lossNotes } from './text.js';
import { amountWithUnit } from './units.js';

/** @import {StackWeights} from '../model/stack-weights.js' */
/** @import {Timeline} from '../model/timeline.js' */
/** @import {Metadata} from '../trace/metadata.js' */
/** @import {FunctionNames} from '../trace/names.js' */
/** @import {Snapshot} from '../trace/snapshot.js' */

/**
 * @typedef {object} ExportSession
 * @property {string} name
 * @property {Snapshot} snapshot
 * @property {Metadata} metadata
 * @property {Pick<FunctionNames, 'name'>} names
 * @property {number | import('../trace/block.js').CallCost | null} [cost] of recording a call or a return, which weights of stacks are to be without
 * @property {string} [drainedTo] the file that has the events which are not in the buffer any more
 * @property {number} [timeOrigin] performance.timeOrigin where it ran, in ms, which a ticker and the host's clock count from
 *
 * @typedef {'folded' | 'speedscope' | 'chrome'} ExportForm
 *
 * @typedef {object} ExportPart of a session
 * @property {string} name
 * @property {string[]} notes what is to be said about it
 * @property {string[]} [lines] folded
 * @property {SpeedscopeProfile & {frames: string[]}} [profile] speedscope; its frames are its own
 * @property {ChromeEvent[]} [events] chrome; without process and thread
 * @property {number} [origin] chrome: what their times count from, in ms, where that is known
 *
 * @typedef {{program: string, parts: readonly ExportPart[]}} ExportProcess
 *
 * @typedef {{type: 'O' | 'C', frame: number, at: number}} SpeedscopeEvent
 * @typedef {{type: 'evented', name: string, unit: string, startValue: number, endValue: number, events: SpeedscopeEvent[]}
 *   | {type: 'sampled', name: string, unit: string, startValue: number, endValue: number, samples: number[][], weights: number[]}
 * } SpeedscopeProfile
 *
 * @typedef {{name: string, ph: 'B' | 'E', ts: number}} ChromeEvent
 */

/** Viewers take no larger files: calls in the order of time, the newest of all sessions. */
const MOST_CALLS = 1_000_000;

/** What weights are: "self time in ns by the clock ticker". @param {StackWeights['weight']} weight @param {TraceModel} model */
function weightText(weight, { clock }) {
  if (weight === 'calls' || !clock) return 'calls';
  const of = clock.unit === 'ns' ? 'self time in ns' : `${clock.unit} in the function itself`;
  return `${of}, clock: ${clock.kind}${clock.name && ` ${clock.name}`}`;
}

/** What times are: "ns, clock: ticker". @param {TraceModel} model */
function eventUnit({ clock }) {
  return clock ? `${clock.unit}, clock: ${clock.kind}${clock.name && ` ${clock.name}`}` : '';
}

/** @param {StackWeights} stacks @param {TraceModel} model */
function stackNotes({ weight, left, deep }, model) {
  const unit = weight === 'time' && model.clock ? model.clock.unit : null;
  const notes = [`weights: ${weightText(weight, model)}`];
  if (left > 0) notes.push(`the lightest stacks are left out: ${unit ? amountWithUnit(left, unit) : counted(left, 'call')}`);
  if (deep > 0) notes.push(`${counted(deep, 'stack')} of more than ${grouped(MOST_LEVELS)} frames: deeper ones count with the last of these`);
  return notes;
}

/* ---- collapsed stacks ---- */

/** `;` ends a frame there, a line end the stack. @param {string} name */
function foldedName(name) {
  return name.replaceAll(';', ':').replace(/[\s\u0000-\u001f\u007f]+/g, ' ').trim() || '(unnamed)';
}

/** The stacks of a session, and what is to be said of them. @param {ExportSession} session */
function stacksOf({ snapshot, metadata, cost, drainedTo }) {
  const nodes = cost ? compensate(snapshot.nodes, cost) : snapshot.nodes;
  const model = new TraceModel({ ...snapshot, nodes }, metadata);
  const weights = stackWeights(model);
  const without = cost ? ['without what tracing cost'] : [];
  return { model, weights, notes: [...stackNotes(weights, model), ...lossNotes({ ...model.treeLosses, drainedTo }), ...without] };
}

/** @param {ExportSession} session @returns {ExportPart} */
function foldedPart(session) {
  const { name, names } = session;
  const { weights, notes } = stacksOf(session);
  /** Different stacks may have the same names. @type {Map<string, number>} */
  const lines = new Map();
  for (const { frames, weight } of weights.stacks) {
    const stack = frames.map((func) => foldedName(names.name(func))).join(';');
    lines.set(stack, (lines.get(stack) ?? 0) + weight);
  }
  return { name, notes, lines: [...lines].map(([stack, weight]) => `${stack} ${weight}`) };
}

/** Several sessions, and several processes, are the outermost frames. @param {readonly ExportProcess[]} processes */
function foldedFile(processes) {
  const several = processes.flatMap(({ parts }) => parts).length > 1;
  return processes
    .flatMap(({ program, parts }) =>
      parts.flatMap(({ name, lines = [] }) => {
        const roots = [...(processes.length > 1 ? [program] : []), ...(several ? [name] : [])];
        return lines.map((line) => `${[...roots.map(foldedName), line].join(';')}\n`);
      }),
    )
    .join('');
}

/* ---- speedscope ---- */

const SPEEDSCOPE_SCHEMA = 'https://www.speedscope.app/file-format-schema.json';

/** Numbers for names, in the order in which they come. */
class Frames {
  /** @type {Map<string, number>} */
  #numbers = new Map();

  /** @param {string} name */
  numberOf(name) {
    const number = this.#numbers.get(name) ?? this.#numbers.size;
    this.#numbers.set(name, number);
    return number;
  }

  get names() {
    return [...this.#numbers.keys()];
  }
}

/** @param {TraceModel} model */
function speedscopeUnit({ clock }) {
  return clock?.unit === 'ns' ? 'nanoseconds' : 'none';
}

/**
 * In the order of time, where the whole log is there with times; else what the call tree has.
 * @param {ExportSession} session @param {number} most calls
 * @returns {ExportPart}
 */
function speedscopePart(session, most) {
  const model = new TraceModel(session.snapshot, session.metadata);
  const isWhole = model.clock !== null && model.lost === 0 && model.missed === 0 && model.events.length > 0 && model.calls.length <= most;
  return isWhole ? eventedPart(session, model) : sampledPart(session);
}

/** Times of events stay as they were measured, also where what tracing cost is to be subtracted. @param {ExportSession} session @param {TraceModel} model */
const costNotes = ({ cost }, { clock, events }) => (cost && clock && events.timed ? ['with what tracing cost'] : []);

/** @param {ExportSession} session @param {TraceModel} model @returns {ExportPart} */
function eventedPart(session, model) {
  const { name, names } = session;
  const timeline = timelineOf(model);
  const frames = new Frames();
  /** @type {SpeedscopeEvent[]} */
  const events = timeline.call.map((call, i) => ({
    type: timeline.begins[i] ? 'O' : 'C',
    frame: frames.numberOf(names.name(model.calls.func[call])),
    at: timeline.at[i] - timeline.from,
  }));
  const notes = [`in the order of time: ${eventUnit(model)}`, ...lossNotes({ stopped: model.stoppedFull }), ...costNotes(session, model)];
  const profile = { type: /** @type {const} */ ('evented'), name, unit: speedscopeUnit(model), startValue: 0, endValue: timeline.to - timeline.from, events };
  return { name, notes, profile: { ...profile, frames: frames.names } };
}

/** @param {ExportSession} session @returns {ExportPart} */
function sampledPart(session) {
  const { name, names } = session;
  const { model, weights, notes: told } = stacksOf(session);
  const frames = new Frames();
  const samples = weights.stacks.map((stack) => stack.frames.map((func) => frames.numberOf(names.name(func))));
  const values = weights.stacks.map(({ weight }) => weight);
  const endValue = values.reduce((sum, value) => sum + value, 0);
  const notes = ['summed up, not in the order of time', ...told];
  const profile = { type: /** @type {const} */ ('sampled'), name, unit: weights.weight === 'time' ? speedscopeUnit(model) : 'none', startValue: 0, endValue, samples, weights: values };
  return { name, notes, profile: { ...profile, frames: frames.names } };
}

/** @param {readonly ExportProcess[]} processes */
function speedscopeFile(processes) {
  const frames = new Frames();
  const profiles = processes.flatMap(({ program, parts }) =>
    parts.flatMap(({ profile, notes }) => {
      if (!profile) return [];
      const { frames: own, ...rest } = profile;
      const numbers = own.map((name) => frames.numberOf(name));
      const name = `${processes.length > 1 ? `${program}: ` : ''}${rest.name} (${notes.join('; ')})`;
      return [{ ...renumbered(rest, numbers), name }];
    }),
  );
  const shared = { frames: frames.names.map((name) => ({ name })) };
  const head = { $schema: SPEEDSCOPE_SCHEMA, exporter: 'wasm-trace', name: processes[0]?.program || 'wasm-trace', activeProfileIndex: 0 };
  return `${JSON.stringify({ ...head, shared, profiles })}\n`;
}

/** @param {SpeedscopeProfile} profile @param {readonly number[]} numbers @returns {SpeedscopeProfile} */
function renumbered(profile, numbers) {
  if (profile.type === 'evented') return { ...profile, events: profile.events.map((event) => ({ ...event, frame: numbers[event.frame] })) };
  return { ...profile, samples: profile.samples.map((sample) => sample.map((frame) => numbers[frame])) };
}

/* ---- Chrome's trace events ---- */

const NS_IN_US = 1000;
const US_IN_MS = 1000;

/** What `ts`, which viewers take for microseconds, is. @param {TraceModel} model */
function timestampText({ clock, events }) {
  if (!clock || !events.timed) return 'ts: numbers of events (no clock ran)';
  return clock.unit === 'ns' ? `ts: microseconds, clock: ${clock.kind}` : `ts: ${clock.unit}, clock: ${clock.kind}${clock.name && ` ${clock.name}`}`;
}

/** @param {ExportSession} session @param {number} most calls @returns {ExportPart} */
function chromePart(session, most) {
  const { name, snapshot, metadata, names } = session;
  const model = new TraceModel(snapshot, metadata);
  const timeline = timelineOf(model, most);
  const scale = model.clock?.unit === 'ns' && model.events.timed ? NS_IN_US : 1;
  /** @type {ChromeEvent[]} */
  const events = timeline.call.map((call, i) => ({ name: names.name(model.calls.func[call]), ph: timeline.begins[i] ? 'B' : 'E', ts: timeline.at[i] / scale }));
  const notes = [...chromeNotes(model, timeline, session.drainedTo), ...costNotes(session, model)];
  return { name, notes, events, ...(countsFromOrigin(model) && { origin: session.timeOrigin }) };
}

/** @param {TraceModel} model */
function countsFromOrigin({ clock, events }) {
  return events.timed && (clock?.kind === 'ticker' || clock?.kind === 'host');
}

/** @param {TraceModel} model @param {Timeline} timeline @param {string} [drainedTo] */
function chromeNotes(model, { left }, drainedTo) {
  if (!model.metadata.ring) return ['no log was kept: the displays that were asked for do without'];
  const notes = [timestampText(model)];
  notes.push(...lossNotes({ lost: model.lost, drainedTo, missed: model.missed, stopped: model.stoppedFull }));
  if (left > 0) notes.push(`${counted(left, 'older call')} left out`);
  return notes;
}

/** Times count from the first event of all; each process has a clock of its own, which began when it did. @param {readonly ExportProcess[]} processes */
function chromeFile(processes) {
  const parts = processes.flatMap((process) => process.parts);
  const earliest = parts.reduce((least, { origin = least }) => Math.min(least, origin), Infinity);
  const aheadOf = (/** @type {ExportPart} */ { origin }) => (origin === undefined ? 0 : (origin - earliest) * US_IN_MS);
  const first = parts.reduce((least, part) => Math.min(least, (part.events?.[0]?.ts ?? Infinity) + aheadOf(part)), Infinity);
  const rows = processes.flatMap(({ program, parts: own }, i) => {
    const pid = i + 1;
    const head = { name: 'process_name', ph: 'M', pid, tid: 0, ts: 0, args: { name: program || 'wasm-trace' } };
    return [JSON.stringify(head), ...own.flatMap((part, thread) => threadRows(part, pid, thread + 1, first - aheadOf(part)))];
  });
  const notes = [...new Set(parts.flatMap((part) => part.notes))];
  const tail = JSON.stringify({ displayTimeUnit: 'ns', otherData: { exporter: 'wasm-trace', notes } }).slice(1);
  return `{"traceEvents":[\n${rows.join(',\n')}\n],${tail}\n`;
}

/** @param {ExportPart} part @param {number} pid @param {number} tid @param {number} start the time that is 0 @returns {string[]} */
function threadRows({ name, events = [] }, pid, tid, start) {
  const head = { name: 'thread_name', ph: 'M', pid, tid, ts: 0, args: { name } };
  return [JSON.stringify(head), ...events.map((event) => JSON.stringify({ ...event, ts: event.ts - start, pid, tid }))];
}

/* ---- all of them ---- */

/** @type {Readonly<Record<ExportForm, {part: (session: ExportSession, most: number) => ExportPart, file: (processes: readonly ExportProcess[]) => string}>>} */
const FORMS = Object.freeze({
  folded: { part: foldedPart, file: foldedFile },
  speedscope: { part: speedscopePart, file: speedscopeFile },
  chrome: { part: chromePart, file: chromeFile },
});

/**
 * @param {ExportForm} form
 * @param {readonly ExportSession[]} sessions
 * @param {{most?: number}} [options] most: calls in the order of time
 * @returns {ExportPart[]}
 */
export function exportParts(form, sessions, { most = MOST_CALLS } = {}) {
  return sessions.map((session) => FORMS[form].part(session, Math.ceil(most / sessions.length)));
}

/** @param {ExportForm} form @param {readonly ExportProcess[]} processes the main one first @returns {string} */
export function exportFile(form, processes) {
  return FORMS[form].file(processes);
}

/** What is to be said of a file, each once. @param {readonly ExportProcess[]} processes */
export function exportNotes(processes) {
  return [...new Set(processes.flatMap(({ parts }) => parts.flatMap(({ notes }) => notes)))];
}
