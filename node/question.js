// What a command line asks for, beyond what it says: what is recorded when no probe is given, and the displays that are recorded for.

/** @import {Options} from './options.js' */
/** @import {ReportForm} from './report-file.js' */

/** What is recorded when nothing is asked, or when it is asked where the time goes. */
const EVERYTHING = Object.freeze(['calls', 'imports']);

/** What a form of report has to have recorded; html has all views. @type {Readonly<Partial<Record<ReportForm, readonly string[]>>>} */
const NEEDED = Object.freeze({ folded: ['report'], speedscope: ['report', 'nested'], chrome: ['report', 'nested'] });

/** @param {string} [path] @returns {ReportForm} what a report is written as: for people, for machines, for browsers, for other tools */
export function reportForm(path = '') {
  const [, ending] = /\.(json|html?|folded)$/i.exec(path) ?? [];
  if (ending === undefined) return 'text';
  const [, tool] = /\.(speedscope|trace|chrome)\.json$/i.exec(path) ?? [];
  if (tool !== undefined) return tool.toLowerCase() === 'speedscope' ? 'speedscope' : 'chrome';
  if (ending.toLowerCase() === 'folded') return 'folded';
  return ending.toLowerCase() === 'json' ? 'json' : 'html';
}

/** Whether functions are to be held against those of another run. @param {Pick<Options, 'save' | 'diff'>} options */
export function compares({ save, diff }) {
  return save !== undefined || diff !== undefined;
}

/** Runs are compared by what counts the same every time, as long as nothing else is said; weights are of that. @param {Options} options */
export function clockAsked(options) {
  const { clock, weights } = options;
  return clock ?? (compares(options) || weights !== undefined ? 'instructions' : undefined);
}

/** @param {Options} options */
function asksForTime(options) {
  const { sort, report } = options;
  const clock = clockAsked(options);
  return (clock !== undefined && clock !== 'none') || compares(options) || sort !== undefined || reportForm(report) in NEEDED;
}

/** Whether nothing is asked. @param {Options} options */
export function asksNothing(options) {
  return options.trace.length === 0 && options.display.length === 0 && !asksForTime(options);
}

/** @param {Options} options @returns {readonly string[]} what is recorded */
export function tracedBy({ trace }) {
  return trace.length > 0 ? trace : EVERYTHING;
}

/**
 * Displays to record for; none: what fits the probes.
 * @param {Options} options
 * @param {(trace: readonly string[]) => readonly string[]} allDisplays
 * @returns {readonly string[]}
 */
export function neededDisplays(options, allDisplays) {
  const { display, report, trace, sort, onFull } = options;
  const form = reportForm(report);
  if (display.length > 0) return display;
  if (form === 'html') return allDisplays(tracedBy(options));
  if (onFull === 'drain' && !(form in NEEDED)) return ['nested']; // what is drained is a log
  if (asksNothing(options)) return ['tree'];
  return NEEDED[form] ?? (sort !== undefined || trace.length === 0 || compares(options) ? ['report'] : []);
}
