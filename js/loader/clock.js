// Which clock `auto` is in this place, and what there is to know of a session's.

import { RuntimeState } from '../trace/runtime-state.js';
import { Ticker, awaitTick, distribution, startTime } from './ticker.js';

/** @import {InstrumentOptions} from './instrumenter.js' */
/** @import {Metadata} from '../trace/metadata.js' */
/** @import {Resolution} from './ticker.js' */

/**
 * @typedef {import('../trace/metadata.js').Clock & {resolution: Resolution | null}} SessionClock resolution: in its unit; null: it is not known, or
 *   the clock is exact
 */

/**
 * The question with the clocks that can be had here.
 * @param {InstrumentOptions} options
 * @param {(message: string) => void} warn told of a clock that was asked for and cannot be had
 * @returns {InstrumentOptions}
 */
export function withClock(options, warn) {
  const { refusal } = Ticker;
  const place = /** @type {const} */ ({ autoClock: refusal ? 'instructions' : 'ticker', wall: true });
  if (options.clock !== 'ticker' || !refusal) return { ...place, ...options };
  warn(`there is no ticker: ${refusal}; the clock is instructions, and nanoseconds in calls of the host`);
  return { ...options, ...place, clock: 'auto' };
}

/** Whether instructions may be counted, as far as can be told before modules are known. @param {InstrumentOptions} options */
export function mayCount(options) {
  const { clock, autoClock } = withClock(options, () => {});
  return clock === 'instructions' || (asksForTime(options) && autoClock === 'instructions');
}

/** Whether a ticker may be wanted, as far as can be told before modules are known. @param {InstrumentOptions} options */
export function mayTick(options) {
  if (Ticker.refusal) return false;
  return options.clock === 'ticker' || asksForTime(options);
}

/** Whether the clock is to be the best that there is. @param {InstrumentOptions} options */
function asksForTime({ clock, display = [], trace = [] }) {
  if (clock !== undefined) return clock === 'auto';
  return [display].flat().includes('report') || [trace].flat().some((probe) => /\bduration\b/.test(probe));
}

/**
 * Lets time pass in a module, from now on: what was before is nobody's.
 * @param {SessionClock['kind'] | undefined} kind
 * @param {ArrayBufferLike} buffer the runtime's
 * @param {(message: string) => void} warn
 * @param {() => boolean} [ask] has another thread tick, if there is one
 * @returns {() => void} lets go of the memory
 */
export function startClock(kind, buffer, warn, ask) {
  if (kind === 'ticker') return startTicking(buffer, warn, ask);
  if (kind === 'host') new RuntimeState(buffer).skipHostTime(performance.now() * 1e6);
  return () => {};
}

/** What the host's clock says; undefined: that is not the clock. @param {SessionClock['kind'] | undefined} kind */
export function hostTime(kind) {
  return kind === 'host' ? BigInt(Math.floor(performance.now() * 1e6)) : undefined;
}

/** What has passed up to now is nobody's, as far as the clock can be read from here. @param {SessionClock['kind'] | undefined} kind @param {RuntimeState} state */
export function skipTime(kind, state) {
  if (kind === 'ticker' || kind === 'instructions') state.skipTime();
  if (kind === 'host') state.hostTime = performance.now() * 1e6;
}

/** @param {ArrayBufferLike} buffer @param {(message: string) => void} warn @param {() => boolean} [ask] */
function startTicking(buffer, warn, ask = () => false) {
  startTime(buffer);
  if (ask() && awaitTick(buffer)) return () => {};
  const shared = typeof SharedArrayBuffer === 'function' && buffer instanceof SharedArrayBuffer;
  const stop = shared ? startTicker(warn)?.add(buffer) : undefined;
  if (stop) awaitTick(buffer);
  else if (!shared) warn('the clock of a module stands still: no ticker reaches its memory, which is not a shared one');
  else if (Ticker.refusal) warn(standsStill(Ticker.refusal));
  return stop ?? (() => {});
}

/** That of this realm. @param {(message: string) => void} warn */
export function startTicker(warn) {
  return Ticker.start((reason) => warn(standsStill(reason)));
}

/** @param {string} reason */
function standsStill(reason) {
  return `the clock of a module stands still: there is no ticker, since ${reason}`;
}

/** @param {Metadata['clock']} clock @returns {SessionClock | null} */
export function describeClock(clock) {
  return clock && { ...clock, resolution: resolutionOf(clock.kind) };
}

/** @param {SessionClock['kind']} kind @returns {Resolution | null} */
function resolutionOf(kind) {
  switch (kind) {
    case 'ticker':
      return Ticker.running?.resolution ?? null;
    case 'host':
      return (hostSteps ??= hostResolution());
    default:
      return null;
  }
}

/** Steps of performance.now() that are looked at, and how often at most. */
const STEPS = 100;
const LOOKS = 100_000;

/** Of performance.now(), which stays as it is; views ask often. @type {Resolution | null | undefined} */
let hostSteps;

/** @returns {Resolution | null} */
function hostResolution() {
  const steps = [];
  let last = performance.now();
  for (let look = 0; look < LOOKS && steps.length < STEPS; look++) {
    const now = performance.now();
    if (now > last) steps.push((now - last) * 1e6);
    last = now;
  }
  return steps.length === 0 ? null : distribution(Float64Array.from(steps));
}
