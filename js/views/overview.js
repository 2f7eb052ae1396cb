// "What is it doing?": at most 40 lines over all sessions of a program, and three commands to go deeper.
import { callsByFunction } from '../model/call-tree.js';
import { TraceModel } from '../model/trace-model.js';
import { styles } from './ansi.js';
import { patternOf, shellWord } from './command-text.js';
import { byteSize, counted, grouped, joinLines, lossNotes } from './text.js';

/** @import {FunctionNames} from '../trace/names.js' */
/** @import {Metadata} from '../trace/metadata.js' */
/** @import {Snapshot} from '../trace/snapshot.js' */
/** @import {Styles} from './ansi.js' */
/** @import {Trap} from './trap.js' */
/** @import {ViewOptions} from './log.js' */

/**
 * @typedef {object} OverviewSession
 * @property {string} name as the user knows the module: "app.wasm"
 * @property {Snapshot} snapshot
 * @property {Metadata} metadata
 * @property {Pick<FunctionNames, 'name' | 'has'>} names
 * @property {'yes' | 'no' | 'minified'} [named] what the module's names are like; found out from those called when left out
 * @property {{initial: number, final: number} | null} [memory] bytes of the debuggee's own memory
 * @property {Trap[]} [traps]
 * @property {{resolution: import('./recorded.js').Resolution | null} | null} [clock] how finely it goes
 * @property {number | import('../trace/block.js').CallCost | null} [cost] what recording a call or a return costs, in the clock's unit; null: not known
 *
 * @typedef {object} OverviewInput
 * @property {OverviewSession[]} sessions
 * @property {string} [command] how the user calls us
 * @property {string} [target] the rest of the command line, quoted for a shell
 * @property {(words: string[]) => string} [ask] where there is no command line: how a question is asked, given the words of one
 *
 * @typedef {OverviewSession & {model: TraceModel, called: CalledFunction[]}} Examined
 *
 * @typedef {object} CalledFunction
 * @property {OverviewSession} session
 * @property {number} func
 * @property {number} count
 */

/** @typedef {Record<'modules' | 'functions' | 'hostCalls' | 'grown' | 'traps', number>} Rows of each list */

/** With headings, blank lines and notes these make 40 lines at most. @type {Readonly<Rows>} */
const ROWS = Object.freeze({ modules: 4, functions: 8, hostCalls: 5, grown: 2, traps: 2 });
const COMMANDS = 3;

const SHORT_NAME = 2;
const ALLOCATORS = /^(malloc|__rust_alloc|operator new\(unsigned (int|long)\)|dlmalloc|runtime\.mallocgc)$/;

/** @param {OverviewSession} session @returns {Examined} */
function examine(session) {
  const model = new TraceModel(session.snapshot, session.metadata);
  const called = callsByFunction(model.paths).map((row) => ({ session, ...row }));
  return { ...session, model, called };
}

/** Names that a minifier left are a letter or two. @param {Examined} session */
function namedOf({ named, called, names }) {
  if (named) return named;
  const own = called.filter(({ session, func }) => func >= session.metadata.importCount).slice(0, 100);
  const known = own.filter(({ func }) => names.has(func));
  if (known.length < own.length / 2) return 'no';
  const short = known.filter(({ func }) => names.name(func).length <= SHORT_NAME);
  return short.length > known.length / 2 ? 'minified' : 'yes';
}

const NAMED_TEXT = Object.freeze({
  yes: 'has names',
  no: 'no names: build with names, or give --symbols FILE',
  minified: 'minified names: give --symbols FILE',
});

/** @param {Examined} session */
function moduleLine(session) {
  const { name, metadata } = session;
  const { originalSize, functionCount, importCount, tracedCount, tinyCount } = metadata;
  const own = functionCount - importCount;
  const traced = tinyCount > 0 ? ` (${grouped(tracedCount)} traced, ${grouped(tinyCount)} too small)` : '';
  return `${name}: ${byteSize(originalSize)}, ${counted(own, 'function')}${traced}, ${NAMED_TEXT[namedOf(session)]}`;
}

/** @param {string} heading @param {string[]} lines @param {number} most @param {Styles} style */
function section(heading, lines, most, style) {
  if (lines.length === 0) return [];
  const shown =
    lines.length > most ? [...lines.slice(0, most), style.dim(`and ${grouped(lines.length - most)} more`)] : lines;
  return ['', style.heading(heading), ...shown.map((line) => `  ${line}`)];
}

/** @param {CalledFunction[]} rows @param {number} most @param {boolean} several sessions @param {Styles} style */
function countLines(rows, most, several, style) {
  const shown = rows.slice(0, most);
  const width = shown.reduce((widest, { count }) => Math.max(widest, grouped(count).length), 0);
  return shown.map(({ session, func, count }) => {
    const where = several ? style.dim(` (${session.name})`) : '';
    return `${grouped(count).padStart(width)}  ${style.name(session.names.name(func))}${where}`;
  });
}

/** @param {CalledFunction} a @param {CalledFunction} b */
function byCount(a, b) {
  return b.count - a.count;
}

/** @param {CalledFunction} row */
function isHostCall({ session, func }) {
  return func < session.metadata.importCount;
}

/** @param {OverviewSession} session */
function growthLine({ name, memory }) {
  if (!memory || memory.final <= memory.initial) return [];
  return [`${name}: ${byteSize(memory.initial)} -> ${byteSize(memory.final)}`];
}

/** @param {OverviewSession} session */
function trapLines({ name, names, traps = [] }) {
  return traps.map(({ kind, func, offset }) => {
    const where = typeof func === 'number' ? ` in ${names.name(func)}` : '';
    const at = typeof offset === 'number' ? ` at byte ${offset}` : '';
    return `${kind}${where}${at} (${name})`;
  });
}

/**
 * Options of commands that go on from here, the most telling first.
 * @param {Examined[]} sessions @param {CalledFunction[]} own @param {CalledFunction[]} host
 */
function questions(sessions, own, host) {
  const allocator = own.find(({ session, func }) => ALLOCATORS.test(session.names.name(func)));
  const top = own.find((row) => row !== allocator);
  const pattern = (/** @type {CalledFunction} */ { session, func }) => patternOf(func, session.names);
  const asked = [
    sessions.some(({ traps }) => traps && traps.length > 0) && ['--trace', 'traps'],
    allocator && ['--trace', `arg(0, ${pattern(allocator)})`, '--display', 'histogram'],
    host.length > 0 && ['--trace', 'imports'],
    sessions.some((session) => growthLine(session).length > 0) && ['--trace', 'memory.grow', '--stack'],
    top && ['--trace', `args(${pattern(top)})`],
    ['--trace', 'calls'],
    ['--trace', 'calls', '--invert'],
    ['--trace', 'calls', '--display', 'nested'],
  ];
  return asked.filter((words) => Array.isArray(words)).slice(0, COMMANDS);
}

/** @param {Examined[]} sessions @returns {Parameters<typeof lossNotes>[0]} */
function losses(sessions) {
  const all = { lost: 0, missed: 0, dropped: 0n, stopped: false };
  for (const { model } of sessions) {
    const { lost = 0, missed = 0, dropped, stopped } = model.treeLosses;
    all.lost += lost;
    all.missed += missed;
    all.dropped += dropped;
    all.stopped ||= stopped;
  }
  return all;
}

/** @param {number} [limit] @returns {Readonly<Rows>} */
function rowsOfLists(limit) {
  if (limit === undefined) return ROWS;
  return { modules: limit, functions: limit, hostCalls: limit, grown: limit, traps: limit };
}

/**
 * @param {OverviewInput} input
 * @param {Pick<ViewOptions, 'color' | 'limit'>} [options] limit: rows of each list
 * @returns {string} without a limit at most 40 lines, each with its end
 */
export function renderOverview({ sessions: given, command = 'wasm-trace-node', target = '', ask }, { color, limit } = {}) {
  const style = styles(color);
  const most = rowsOfLists(limit);
  const sessions = given.map(examine);
  const called = sessions.flatMap((session) => session.called).sort(byCount);
  const own = called.filter((row) => !isHostCall(row));
  const host = called.filter(isHostCall);
  const several = sessions.length > 1;
  const askByCommand = (/** @type {string[]} */ words) => [command, ...words.map(shellWord), target].join(' ').trimEnd();
  const commands = questions(sessions, own, host).map(ask ?? askByCommand);
  return joinLines([
    ...(sessions.length > 0
      ? section(counted(sessions.length, 'module'), sessions.map(moduleLine), most.modules, style).slice(1)
      : ['no modules']),
    ...section('called most', countLines(own, most.functions, several, style), most.functions, style),
    ...section('calls to the host', countLines(host, most.hostCalls, several, style), most.hostCalls, style),
    ...section('memory grew', sessions.flatMap(growthLine), most.grown, style),
    ...section('traps', sessions.flatMap(trapLines), most.traps, style),
    ...lossNotes(losses(sessions)).map((note) => style.dim(`(${note})`)),
    ...section('to go deeper', commands, COMMANDS, style),
  ]);
}
