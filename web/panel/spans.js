// Calls as spans of Chrome's Performance panel, beside what the page script tells there of modules and the host (loader/timeline.js):
// https://developer.chrome.com/docs/devtools/performance/extension. They are told afterwards, from what was recorded.

/** @import {TraceModel} from '../../js/model/trace-model.js' */
/** @import {FunctionNames} from '../../js/trace/names.js' */
/** @import {Shown} from './shown.js' */

/** More make the panel slow: the longest ones. */
export const MOST_SPANS = 5000;

const NS_IN_MS = 1e6;

/** @typedef {{name: string, host: boolean, start: number, end: number}} Span start, end: nanoseconds of the clock */

/**
 * Calls that began and ended, as far as the ring has both.
 * @param {Pick<TraceModel, 'calls' | 'events' | 'metadata'>} model timed
 * @param {Pick<FunctionNames, 'name'>} names
 * @returns {{spans: Span[], left: number}} in the order of their begins, callers first; left: shorter ones
 */
export function spansOf({ calls, events, metadata }, names) {
  const { enter, leave, func, length } = calls;
  const took = (/** @type {number} */ call) => events.time(leave[call]) - events.time(enter[call]);
  const whole = Array.from({ length }, (_, call) => call).filter((call) => enter[call] >= 0 && leave[call] >= 0 && took(call) > 0);
  const longest = whole.sort((one, other) => took(other) - took(one) || one - other).slice(0, MOST_SPANS);
  const spans = longest
    .sort((one, other) => one - other)
    .map((call) => ({
      name: names.name(func[call]),
      host: func[call] < metadata.importCount,
      start: events.time(enter[call]),
      end: events.time(leave[call]),
    }));
  return { spans, left: whole.length - longest.length };
}

/**
 * Whether the times that are shown are those of this page's own clock.
 * @param {Shown} shown
 */
export function canTellSpans({ choice, metadata, isSum }) {
  const kind = metadata.clock?.kind;
  return !isSum && (kind === 'ticker' || kind === 'host') && choice.sessions[0].timeOrigin !== undefined;
}

/**
 * Tells the browser; it shows them in a recording that runs meanwhile.
 * @param {Shown} shown
 * @returns {{told: number, left: number}}
 */
export function tellSpans({ model, names, choice }) {
  const [{ timeOrigin = performance.timeOrigin, name: track }] = choice.sessions;
  const ahead = timeOrigin - performance.timeOrigin;
  const { spans, left } = spansOf(model, names);
  for (const { name, host, start, end } of spans) {
    const devtools = { dataType: 'track-entry', track, trackGroup: 'wasm-trace', color: host ? 'tertiary' : 'primary' };
    performance.measure(name, { start: start / NS_IN_MS + ahead, end: end / NS_IN_MS + ahead, detail: { devtools } });
  }
  return { told: spans.length, left };
}
