// What the plugin is to do: its options, and the WASM_TRACE variable, which wins over them.

import { UsageError, parseEnvironment } from '../node/options.js';

/**
 * @typedef {object} PluginOptions
 * @property {string | readonly string[]} [trace] probes, as in --trace; "calls", with the panel, when left out
 * @property {string | readonly string[]} [display] log, nested, tree, inverted, histogram, report, callers(PATTERN)
 * @property {string | readonly string[]} [hide] patterns: leave out these functions, keep what they call
 * @property {string | readonly string[]} [only] patterns: record only inside calls of these
 * @property {string | readonly string[]} [during] the same as `only`
 * @property {string | readonly string[]} [from] patterns: recording begins when one of these is called
 * @property {string | readonly string[]} [until] patterns: and ends when one of these is called
 * @property {number} [skip] events to leave out at first: calls, returns, memory.grow
 * @property {number} [maxEvents] events to record then
 * @property {boolean} [stopped] nothing is recorded until wasmTrace.start()
 * @property {string} [clock] ticker, instructions, host, import:MODULE.NAME, auto, none
 * @property {boolean} [compensate] subtract what tracing cost from times
 * @property {'overwrite' | 'stop' | 'aggregate'} [onFull] what happens when the buffer is full
 * @property {'total' | 'self' | 'calls' | 'avg' | 'min' | 'max' | 'name'} [sort] what of functions comes first
 * @property {boolean} [recursion] do not fold recursive calls
 * @property {number} [minSize] leave out functions of fewer bytes
 * @property {boolean} [stack] show the stack of every event
 * @property {string | number} [buffer] bytes of events to keep: 65536, "64K", "1M"
 * @property {'auto' | 'merged' | 'split'} [link] how the runtime is linked
 * @property {'right' | 'bottom' | 'hidden' | 'none'} [panel] show the panel in the page, docked there
 * @property {boolean} [button] the button that saves the report, where there is no panel: true when left out
 * @property {string} [onTrap] name of a global function, or an address to which the report of a trap is posted
 * @property {boolean} [inject] puts the loader into the page: true while developing, when left out, and with `instrument`
 * @property {boolean} [instrument] rewrites the .wasm files of a build
 *
 * @typedef {Omit<PluginOptions, 'inject' | 'instrument'> & {limit?: number, invert?: boolean, symbols?: readonly string[]}} Question
 *
 * @typedef {object} Settings
 * @property {Question} question what is asked, of the modules and of the page script
 * @property {boolean} [inject]
 * @property {boolean} instrument
 */

const SWITCHED_OFF = '0';

/** What the variable may ask of pages and modules, and where 0 and false are as if it were not there. */
const ASKED = Object.freeze(
  /** @type {const} */ ([
    'trace', 'display', 'hide', 'only', 'during', 'from', 'until', 'maxEvents', 'stopped', 'clock', 'compensate', 'onFull', 'sort', 'recursion', 'stack',
    'buffer', 'link', 'limit', 'invert', 'symbols',
  ]),
);

/**
 * @param {PluginOptions} options
 * @param {string | undefined} text of WASM_TRACE
 * @returns {Settings | null} null: switched off
 * @throws {UsageError} for a WASM_TRACE that does not parse
 */
export function readSettings({ inject, instrument = false, ...options }, text = '') {
  if (text.trim() === SWITCHED_OFF) return null;
  const asked = parseVariable(text);
  if (asked.trace.length === 0) return { question: withDefaults(options), inject, instrument };
  if (asked.onFull === 'drain') throw new UsageError('WASM_TRACE: --on-full drain is not for pages');
  if (asked.weights !== undefined) throw new UsageError(`WASM_TRACE: --weights ${asked.weights} is not for pages`);
  const { panel, button, onTrap } = options;
  const question = { ...Object.fromEntries(ASKED.map((name) => [name, asked[name] || undefined])), minSize: asked.minSize, skip: asked.skip, panel, button, onTrap };
  // Who asks on the command line wants an answer from this build, whatever kind it is.
  return { question: withoutEmpty(question), inject: inject ?? true, instrument };
}

/** @param {string} text */
function parseVariable(text) {
  try {
    return parseEnvironment(text);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`WASM_TRACE: ${error.message}`) : error;
  }
}

/** @param {Settings} settings @param {boolean} developing @returns {boolean} whether the page gets the loader */
export function injects({ inject, instrument }, developing) {
  return inject ?? (developing || instrument);
}

/**
 * @param {Settings} settings
 * @param {boolean} rewritten the modules were rewritten in the build, and the loader is to attach to them
 * @returns {Question} for the page script
 */
export function pageQuestion({ question: { symbols, ...question } }, rewritten) {
  return rewritten ? { ...question, trace: [] } : question;
}

/** @param {Settings} settings @returns {string} to be printed once, behind our name */
export function announcement({ question }) {
  return `tracing ${[question.trace ?? []].flat().join(' ')}; WASM_TRACE=0 switches it off`;
}

/** @param {Question} question @returns {Question} */
function withDefaults(question) {
  return withoutEmpty({ panel: question.trace === undefined ? 'right' : undefined, ...question, trace: question.trace ?? 'calls' });
}

/** @param {Question} question @returns {Question} */
function withoutEmpty(question) {
  return Object.fromEntries(Object.entries(question).filter(([, value]) => !isEmpty(value)));
}

/** @param {unknown} value */
function isEmpty(value) {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}
