// The command-line options of both Node commands and of the WASM_TRACE variable: one row each, and what reads them.
// The native command has the same rows in instrumenter/cli/options.def; an end-to-end test holds the two together.
// Errors are UsageError; printing them and exiting is the caller's.

import { WasmTraceError } from '../js/loader/errors.js';
import { splitWords } from '../js/loader/words.js';
import { asksNothing } from './question.js';

/**
 * @typedef {'wasm-trace' | 'wasm-trace symbolize' | 'wasm-trace serve' | 'wasm-trace report' | 'wasm-trace diff' | 'wasm-trace-node' | 'WASM_TRACE'} CommandName
 *
 * @typedef {object} Options
 * @property {string[]} trace
 * @property {string[]} display
 * @property {string[]} hide
 * @property {string[]} only
 * @property {number} [minSize] bytes of a body
 * @property {boolean} stack
 * @property {string} [clock] ticker, instructions, host, import:MODULE.NAME, auto or none
 * @property {string} [weights] path of a file, or the name of a table that comes with the package
 * @property {string[]} during
 * @property {string[]} from
 * @property {string[]} until
 * @property {number} [skip] events
 * @property {number} [maxEvents] events
 * @property {boolean} stopped
 * @property {'overwrite' | 'drain' | 'stop' | 'aggregate'} [onFull]
 * @property {string} [drainTo] path of a file
 * @property {boolean} compensate
 * @property {'auto' | 'merged' | 'split' | 'heap'} [link]
 * @property {string} [allocator]
 * @property {number} [nodes] of the call tree
 * @property {string} [block] path of a file
 * @property {string} [buffer] bytes, with K, M or G behind the number if need be
 * @property {string[]} symbols paths of files, not their content
 * @property {boolean} list
 * @property {boolean} restore
 * @property {string} [output]
 * @property {string} [report] path of a file
 * @property {number} [limit] lines
 * @property {boolean} invert
 * @property {import('../js/model/profile.js').ProfileOrder} [sort]
 * @property {boolean} recursion
 * @property {string} [save] path of a file
 * @property {string} [diff] path of a file
 * @property {string[]} failIf
 * @property {string} [invoke] name of an export
 * @property {'right' | 'bottom'} [panel] side of the page
 * @property {boolean} isolate
 * @property {number} [port]
 * @property {string} [host] address to listen at
 * @property {boolean} help
 * @property {boolean} version
 *
 * @typedef {object} OptionRow
 * @property {string} name as typed, without the dashes
 * @property {string} [short] one letter
 * @property {string} [value] what the value is called in --help; a flag has none
 * @property {'text' | 'number' | 'size' | 'choice' | 'clock' | 'display'} [kind] of value; text when left out
 * @property {readonly string[]} [choices]
 * @property {Readonly<Record<string, CommandName[]>>} [apart] choices that only some commands have
 * @property {number} [least] smallest number
 * @property {number} [most] largest number
 * @property {boolean} [many] may be given more than once
 * @property {boolean} [needsTrace] means nothing without --trace
 * @property {CommandName[]} commands
 * @property {string} help
 */

/** @type {CommandName[]} */
const TRACING = ['wasm-trace', 'wasm-trace-node', 'WASM_TRACE', 'wasm-trace serve'];
/** @type {CommandName[]} */
const NAMING = ['wasm-trace', 'wasm-trace-node', 'WASM_TRACE', 'wasm-trace symbolize'];
/** @type {CommandName[]} */
const COMMANDS = ['wasm-trace', 'wasm-trace symbolize', 'wasm-trace serve', 'wasm-trace report', 'wasm-trace diff', 'wasm-trace-node'];
/** @type {CommandName[]} */
const REWRITING = ['wasm-trace'];
/** @type {CommandName[]} */
const REPORTING = ['wasm-trace-node', 'WASM_TRACE'];
/** @type {CommandName[]} */
const RUNNING = ['wasm-trace-node'];
/** @type {CommandName[]} */
const SHOWING = [...REPORTING, 'wasm-trace serve', 'wasm-trace report'];
/** @type {CommandName[]} */
const COMPARING = [...REPORTING, 'wasm-trace diff'];
/** @type {CommandName[]} */
const SERVING = ['wasm-trace serve'];

/** And import:MODULE.NAME. */
const CLOCKS = Object.freeze(['auto', 'ticker', 'instructions', 'host', 'none']);

/** And callers(PATTERN). */
const DISPLAYS = Object.freeze(['log', 'nested', 'tree', 'histogram', 'report', 'inverted']);

/** @type {readonly Readonly<OptionRow>[]} */
export const OPTION_ROWS = Object.freeze([
  { name: 'trace', short: 't', value: 'SPEC', many: true, commands: TRACING, help: 'what to record; see Probes' },
  { name: 'display', short: 'd', value: 'KIND', kind: 'display', choices: DISPLAYS,
    many: true, needsTrace: true, commands: [...TRACING, 'wasm-trace report'],
    help: 'report, tree, log and others; see Displays' },
  { name: 'hide', value: 'PATTERN', many: true, needsTrace: true, commands: TRACING,
    help: 'leave out functions, keep what they call' },
  { name: 'only', value: 'PATTERN', many: true, needsTrace: true, commands: TRACING,
    help: 'record only inside calls of these' },
  { name: 'min-size', value: 'N', kind: 'number', needsTrace: true, commands: TRACING,
    help: 'leave out functions of less than N bytes of code' },
  { name: 'stack', needsTrace: true, commands: TRACING, help: 'show the stack of every event' },
  { name: 'clock', value: 'KIND', kind: 'clock', choices: CLOCKS, commands: TRACING,
    help: 'ticker, instructions, host, import:M.NAME, auto, none' },
  { name: 'weights', value: 'FILE', commands: [...REWRITING, ...REPORTING],
    help: 'what each instruction counts; internet-computer' },
  { name: 'during', value: 'PATTERN', many: true, needsTrace: true, commands: TRACING,
    help: 'the same as --only' },
  { name: 'from', value: 'PATTERN', many: true, needsTrace: true, commands: TRACING,
    help: 'begin recording when one of these is called' },
  { name: 'until', value: 'PATTERN', many: true, needsTrace: true, commands: TRACING,
    help: 'stop recording when one of these is called' },
  { name: 'skip', value: 'N', kind: 'number', needsTrace: true, commands: TRACING,
    help: 'leave out the first N events' },
  { name: 'max-events', value: 'N', kind: 'number', least: 1, needsTrace: true, commands: TRACING,
    help: 'then record N events' },
  { name: 'stopped', commands: REPORTING,
    help: 'record nothing until SIGUSR2 says so, or the program' },
  { name: 'symbols', value: 'FILE', many: true, commands: NAMING,
    help: 'names: .symbols, JS glue, unstripped twin' },
  { name: 'link', value: 'HOW', kind: 'choice', choices: ['auto', 'merged', 'split', 'heap'], apart: { heap: REWRITING },
    commands: TRACING,
    help: 'merged (multi-memory), split (any engine), heap, auto' },
  { name: 'allocator', value: 'NAME', commands: REWRITING, help: 'hands out the block of --link heap' },
  { name: 'nodes', value: 'N', kind: 'number', commands: REWRITING, help: 'paths of calls that the block has room for' },
  { name: 'buffer', value: 'SIZE', kind: 'size', commands: TRACING,
    help: 'keep the last SIZE bytes of events: 64K, 16M' },
  { name: 'on-full', value: 'HOW', kind: 'choice', choices: ['overwrite', 'drain', 'stop', 'aggregate'],
    apart: { drain: [...REWRITING, ...REPORTING] }, commands: TRACING,
    help: 'then: overwrite, drain, stop, aggregate' },
  { name: 'drain-to', value: 'FILE', commands: REPORTING,
    help: 'where --on-full drain writes; wasm-trace report reads' },
  { name: 'block', value: 'BLOCK', commands: ['wasm-trace report'], help: 'FILE is a module; BLOCK is what it recorded in its heap' },
  { name: 'compensate', commands: SHOWING, help: 'subtract what tracing cost from times' },
  { name: 'list', short: 'l', needsTrace: true, commands: REWRITING,
    help: 'print what --trace matches, write nothing' },
  { name: 'output', short: 'o', value: 'OUT', commands: REWRITING,
    help: 'write to OUT (- is stdout), leave FILE as it is' },
  { name: 'restore', commands: REWRITING, help: 'bring FILE back from FILE.orig' },
  { name: 'limit', value: 'N', kind: 'number', least: 1, commands: [...SHOWING, 'wasm-trace diff'],
    help: 'print at most N lines of a display' },
  { name: 'invert', commands: SHOWING, help: 'turn the tree around: who called this?' },
  { name: 'sort', value: 'KEY', kind: 'choice', choices: ['total', 'self', 'calls', 'avg', 'min', 'max', 'name'],
    commands: SHOWING,
    help: 'total, self, calls, avg, min, max or name first' },
  { name: 'recursion', commands: SHOWING, help: 'do not fold recursive calls' },
  { name: 'report', value: 'FILE', commands: [...COMPARING, 'wasm-trace report'],
    help: 'write the report to FILE, - is stdout; see Reports' },
  { name: 'save', value: 'FILE', commands: REPORTING, help: 'write what functions took to FILE, a baseline' },
  { name: 'diff', value: 'FILE', commands: REPORTING, help: 'show only what changed since the baseline FILE' },
  { name: 'fail-if', value: 'RULE', many: true, commands: COMPARING,
    help: 'exit with 3 if so: +2%, malloc +5%' },
  { name: 'invoke', value: 'NAME', commands: RUNNING, help: 'call the export NAME with ARGS' },
  { name: 'panel', value: 'SIDE', kind: 'choice', choices: ['right', 'bottom'], commands: SERVING,
    help: 'show the panel in the page: right or bottom' },
  { name: 'isolate', commands: SERVING, help: 'isolate pages, as threads need it (COOP and COEP)' },
  { name: 'port', value: 'N', kind: 'number', most: 65_535, commands: SERVING,
    help: 'listen at this port (0: any) instead of the first free' },
  { name: 'host', value: 'ADDRESS', commands: SERVING, help: 'listen at this address; others can read DIR, too' },
  { name: 'help', short: 'h', commands: COMMANDS, help: 'print this help' },
  { name: 'version', short: 'V', commands: COMMANDS, help: 'print the version' },
].map((row) => Object.freeze(/** @type {OptionRow} */ (row))));

/** A command line that says nothing we can do: exit status 2. */
export class UsageError extends Error {
  /** @param {string} message a sentence without a full stop */
  constructor(message) {
    super(message);
    this.name = 'UsageError';
    this.code = 'usage';
  }
}

/**
 * Reads a command line. For wasm-trace-node the options end at the first operand, the program; all behind is its own.
 * Numbers come back as numbers, repeatable options as arrays (empty when not given), flags as booleans.
 * @param {readonly string[]} argv without the interpreter and the script
 * @param {CommandName} [command]
 * @returns {{options: Options, operands: string[]}}
 * @throws {UsageError}
 */
export function parseCommand(argv, command = 'wasm-trace') {
  const options = emptyOptions();
  /** @type {string[]} */
  const operands = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at];
    if (word === '--' || (!isOption(word) && command === 'wasm-trace-node')) {
      operands.push(...argv.slice(word === '--' ? at + 1 : at));
      break;
    }
    if (!isOption(word)) operands.push(word);
    else at += readOption(options, command, word, argv[at + 1]);
  }
  if (options.help || options.version) return { options, operands };
  if (command !== 'WASM_TRACE') checkTogether(options, command, operands.length);
  checkWeights(options);
  return { options, operands };
}

/**
 * Reads the text of the WASM_TRACE variable.
 * @param {string} text
 * @returns {Options}
 * @throws {UsageError}
 */
export function parseEnvironment(text) {
  const { options, operands } = parseCommand(wordsOf(text), 'WASM_TRACE');
  if (operands.length > 0) throw new UsageError(`${operands[0]} is not an option`);
  return options;
}

/** @param {string} text @throws {UsageError} */
function wordsOf(text) {
  try {
    return splitWords(text);
  } catch (error) {
    throw error instanceof WasmTraceError ? new UsageError(error.message) : error;
  }
}

/** @returns {Options} */
function emptyOptions() {
  const options = /** @type {Record<string, unknown>} */ ({});
  for (const row of OPTION_ROWS) {
    if (row.many) options[propertyName(row)] = [];
    else if (row.value === undefined) options[propertyName(row)] = false;
  }
  return /** @type {Options} */ (/** @type {unknown} */ (options));
}

/** The property of Options that holds what is said by an option. @param {Pick<OptionRow, 'name'>} row */
export function propertyName(row) {
  return row.name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}

/** A lone "-" is an operand, by custom. @param {string} word */
function isOption(word) {
  return word.length > 1 && word.startsWith('-');
}

/**
 * @param {Options} options
 * @param {CommandName} command
 * @param {string} word
 * @param {string | undefined} next
 * @returns {number} words used behind this one
 */
function readOption(options, command, word, next) {
  const { row, spelling, attached } = findOption(command, word);
  if (row.value === undefined) {
    if (attached !== undefined) throw new UsageError(`${spelling} takes no value`);
    store(options, row, true);
    return 0;
  }
  const value = attached ?? next;
  if (value === undefined || value === '' || (attached === undefined && value.startsWith('--')))
    throw new UsageError(`${spelling} needs a value: ${spelling} ${row.value}`);
  store(options, row, readValue(rowFor(row, command), spelling, value));
  return attached === undefined ? 1 : 0;
}

/** @param {OptionRow} row @param {CommandName} command @returns {OptionRow} with the choices of that command */
function rowFor(row, command) {
  const { choices, apart = {} } = row;
  return { ...row, choices: choices?.filter((choice) => apart[choice]?.includes(command) ?? true) };
}

/** @param {CommandName} command @param {string} word */
function findOption(command, word) {
  const equals = word.indexOf('=');
  const spelled = equals < 0 ? word : word.slice(0, equals);
  const long = OPTION_ROWS.find((row) => `--${row.name}` === spelled);
  // "-trace" is a slip of the finger, not -t with the value "race".
  const slip = OPTION_ROWS.some((row) => `-${row.name}` === spelled);
  const row = long ?? (slip ? undefined : OPTION_ROWS.find((one) => `-${one.short}` === word.slice(0, 2)));
  if (row === undefined) throw new UsageError(`unknown option ${spelled}${suggestion(command, spelled)}`);
  const spelling = long ? spelled : word.slice(0, 2);
  if (!row.commands.includes(command)) throw new UsageError(`${spelling} is an option of ${row.commands[0]}`);
  if (long) return { row, spelling, attached: equals < 0 ? undefined : word.slice(equals + 1) };
  return { row, spelling, attached: word.length > 2 ? word.slice(2) : undefined };
}

/** @param {Options} options @param {OptionRow} row @param {string | number | true} value */
function store(options, row, value) {
  const target = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (options));
  const key = propertyName(row);
  if (row.many) /** @type {unknown[]} */ (target[key]).push(value);
  else target[key] = value;
}

/** @param {OptionRow} row @param {string} spelling @param {string} value @returns {string | number} */
function readValue(row, spelling, value) {
  switch (row.kind) {
    case 'number':
      if (!/^[0-9]{1,9}$/.test(value) || Number(value) < (row.least ?? 0) || Number(value) > (row.most ?? Infinity))
        throw new UsageError(`${spelling} takes a number${rangeText(row)}, not '${value}'`);
      return Number(value);
    case 'size':
      if (!/^[0-9]{1,9}[KMG]?$/i.test(value))
        throw new UsageError(`${spelling} takes a size such as 64K or 16M, not '${value}'`);
      return value;
    case 'clock':
      if (!row.choices?.includes(value) && !/^import:[^]+\.[^]+$/.test(value))
        throw new UsageError(`${spelling} takes ${row.choices?.join(', ')} or import:MODULE.NAME, not '${value}'`);
      return value;
    case 'display':
      if (!row.choices?.includes(value) && !/^callers(\(.+\)|:.+)$/.test(value))
        throw new UsageError(`${spelling} takes ${row.choices?.join(', ')} or callers(PATTERN), not '${value}'`);
      return value;
    case 'choice':
      if (!row.choices?.includes(value))
        throw new UsageError(`${spelling} takes ${orList(row.choices ?? [])}, not '${value}'`);
      return value;
    default:
      return value;
  }
}

/** @param {OptionRow} row */
function rangeText({ least, most }) {
  if (most !== undefined) return ` up to ${most}`;
  return least ? ` from ${least} on` : '';
}

/** @param {readonly string[]} words */
function orList(words) {
  return `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`;
}

/** @param {Options} options @param {CommandName} command @param {number} files */
function checkTogether(options, command, files) {
  const given = OPTION_ROWS.filter((row) => isGiven(options, row));
  const isWithout = TRACING.includes(command) && options.trace.length === 0;
  const recordsAll = command === 'wasm-trace-node' && !asksNothing(options);
  const needy = given.find((row) => row.needsTrace && isWithout && !recordsAll);
  if (needy) throw new UsageError(`--${needy.name} needs --trace`);
  if (command === 'wasm-trace symbolize' && files !== 1) throw new UsageError('it takes one FILE, and the stack from standard input');
  if (command === 'wasm-trace report' && files !== 1) throw new UsageError('it takes one FILE, which --on-full drain has written, or a module with --block');
  if (command === 'wasm-trace diff' && files !== 2) throw new UsageError('it takes two FILEs, which --save has written: the old one and the new one');
  if (command === 'wasm-trace-node' && options.failIf.length > 0 && options.diff === undefined) throw new UsageError('--fail-if needs --diff');
  if (command === 'wasm-trace-node' && options.drainTo !== undefined && options.onFull !== 'drain') throw new UsageError('--drain-to needs --on-full drain');
  if (command === 'wasm-trace serve' && files > 1) throw new UsageError('it takes one DIR');
  if (command !== 'wasm-trace') return;
  const beside = given.find((row) => options.restore && row.name !== 'restore');
  if (beside) throw new UsageError(`--${beside.name} does not go with --restore`);
  if (options.list && options.output !== undefined) throw new UsageError('--output does not go with --list');
  if (options.trace.length === 0 && !options.restore)
    throw new UsageError('nothing to do: give a probe, such as --trace calls');
  if (files === 0) throw new UsageError('no FILE is given');
  if (files > 1 && options.output !== undefined) throw new UsageError('--output takes one FILE');
}

/** @param {Options} options */
function checkWeights({ weights, clock = 'auto' }) {
  if (weights !== undefined && clock !== 'instructions' && clock !== 'auto')
    throw new UsageError(`--weights does not go with --clock ${clock}: it needs --clock instructions`);
}

/** @param {Options} options @param {OptionRow} row */
function isGiven(options, row) {
  const value = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (options))[propertyName(row)];
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

/** @param {CommandName} command @param {string} spelling */
function suggestion(command, spelling) {
  let best = '';
  let bestDistance = 3;
  for (const row of OPTION_ROWS) {
    const candidate = `--${row.name}`;
    const distance = spelling.length > 3 && candidate.startsWith(spelling) ? 1 : editDistance(spelling, candidate);
    if (row.commands.includes(command) && distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best && `; did you mean ${best}?`;
}

/** Levenshtein's. @param {string} from @param {string} to */
function editDistance(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line++) {
    const next = [line];
    for (let column = 1; column <= to.length; column++) {
      const change = row[column - 1] + (from[line - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(change, row[column] + 1, next[column - 1] + 1));
    }
    row = next;
  }
  return row[to.length];
}
