// `wasmTrace`: what the page script offers to the page, to its console, to the panel and to frames.

import { costOf } from '../../js/loader/calibration.js';
import { Hook } from '../../js/loader/hook.js';
import { startTicker } from '../../js/loader/clock.js';
import { canShareMemory, shared } from '../../js/loader/engine.js';
import { findTrap, plainError } from '../../js/loader/find-trap.js';
import { addUpThreads, overviewInput, reportSections } from '../../js/loader/threads.js';
import { splitWords } from '../../js/loader/words.js';
import { reportJson } from '../../js/views/json.js';
import { renderOverview } from '../../js/views/overview.js';
import { allDisplays, mergeSnapshots, renderReport, reportKinds } from '../../js/views/report.js';
import { renderTrap } from '../../js/views/trap.js';
import { rememberAddresses } from './addresses.js';
import { isChromium } from './browser.js';
import { Frames } from './frames.js';
import { VERSION } from './launch.js';
import { ModuleList } from './module-list.js';
import { asAttributes, checkOptions, isOverview, withQuestion } from './options.js';
import { showOnPage } from './on-page.js';
import { makeSource } from './panel-source.js';
import { Timeline } from './timeline.js';
import { TrapReporter } from './trap-report.js';
import { WatchLink } from './watch-link.js';
import { WorkerCollector } from './worker-collector.js';
import { WorkerPatch } from './worker-patch.js';

/** @import {Session} from '../../js/loader/session.js' */
/** @import {ReportKind} from '../../js/views/report.js' */
/** @import {ViewOptions} from '../../js/views/log.js' */
/** @import {PageOptions} from './options.js' */

/** Instances that are traced at once in Chromium, which has room for 124 memories in a page and its workers together. */
const CHROMIUM_MEMORIES = 16;

/** How long other modules are waited for that may have what a probe names: milliseconds. */
const UNMATCHED_AFTER = 2000;

const views = () => ({ mergeSnapshots, renderReport, reportKinds });

export class Tracer {
  /** @type {PageOptions} */
  #options = {};
  /** What is kept for a panel, which has views of all kinds, unless displays were asked for. @type {ReportKind[] | null} */
  #allDisplays = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #unmatched;
  /** @type {Hook | null} */
  #hook = null;
  /** @type {(() => void)[]} */
  #undo = [];
  #modules = new ModuleList();
  #traps = new TrapReporter(this);
  #timeline = new Timeline();
  #watch = new WatchLink(this);
  #workers = new WorkerCollector(this);
  #frames = new Frames(this);
  /** @type {string[]} */
  #warnings = [];

  #nativeWorker = globalThis.Worker;

  version = VERSION;

  /** Whether the panel and the button are another page's affair: this is a frame of one that has them. */
  isFrame = false;

  /** What a panel shows. */
  source = makeSource(this);

  /**
   * Traces the modules that are loaded from now on. A second call asks another question.
   * @param {PageOptions} [options]
   * @returns {this}
   */
  install(options = {}) {
    const { options: meant, problems } = checkOptions(options ?? {});
    this.#options = withQuestion(meant);
    this.#allDisplays = this.hasPanel && !meant.display ? allDisplays([this.#options.trace ?? []].flat()) : null;
    if (this.#hook && this.#undo.length > 0) this.#hook.options = this.#question;
    else this.#start();
    this.#workers.tell({ kind: 'options', options: this.workerOptions });
    for (const tracer of this.#frames.alive) tracer.install(this.workerOptions);
    // Early: where the page forbids it a worker, another clock is to be taken.
    if (this.#hook?.mayTick) startTicker((text) => this.#tellTicker(text));
    this.#modules.keepsOriginals = this.hasPanel;
    const { served, watch = Boolean(served) && canShareMemory() } = meant;
    if (watch) this.#watch.start();
    for (const problem of problems) this.warn(problem);
    showOnPage(this);
    return this;
  }

  /** Modules that are loaded later have another clock. @param {string} text */
  #tellTicker(text) {
    if (this.#hook?.sessions.some(({ metadata }) => metadata.clock?.kind === 'ticker')) this.warn(text);
  }

  /** What modules are instrumented with. @returns {PageOptions} */
  get #question() {
    return this.#allDisplays ? { ...this.#options, display: this.#allDisplays } : this.#options;
  }

  #start() {
    const addresses = rememberAddresses();
    const before = this.#hook?.sessions ?? [];
    this.#hook = shared.hook = new Hook(this.#question, {
      views,
      costOf,
      warn: (text) => this.say(text),
      origin: (_, bytes) => addresses.originOf(bytes),
      imports: (imports) => (this.#options.timeline ? this.#timeline.watchImports(imports) : imports),
      compiled: (facts, made) => this.#modules.add(facts, made),
      spent: (name, phase, began) => this.#spent(name, phase, began),
      opened: (session) => this.#watch.opened(session),
      closed: (session) => this.#watch.closed(session),
      memoriesMax: isChromium() ? CHROMIUM_MEMORIES : undefined,
    });
    this.#hook.sessions.push(...before);
    const workers = new WorkerPatch({
      options: () => this.workerOptions,
      adopt: (port) => this.#workers.add(port),
      warn: (text) => this.warn(text),
    });
    this.#undo = [addresses.undo, workers.patch(), this.#frames.watch(), this.#traps.watch()];
  }

  /** @param {string} name @param {import('../../js/loader/hook.js').Phase} phase @param {number} began */
  #spent(name, phase, began) {
    if (this.#options.timeline) this.#timeline.add(name, phase, began);
    this.#unmatched ??= setTimeout(() => this.#tellUnmatched(), UNMATCHED_AFTER);
  }

  /** A program has several modules, and a probe is meant for the one that has the function; but one that none has is a mistake. */
  #tellUnmatched() {
    const { modules, noMatch } = this.hook ?? { modules: { matched: 0 }, noMatch: '' };
    if (modules.matched === 0 && noMatch) this.warn(noMatch);
  }

  /** Records, here and in workers and frames, after stop() or with the option `stopped`. */
  start() {
    this.#record(true);
  }

  /** Records nothing from here on, until start(). */
  stop() {
    this.#record(false);
  }

  get isRecording() {
    return this.#hook?.isRecording ?? false;
  }

  /** @param {boolean} records */
  #record(records) {
    this.#options = { ...this.#options, stopped: !records };
    for (const one of [this.#hook, ...this.#frames.alive]) if (records) one?.start();
      else one?.stop();
    this.#workers.tell({ kind: 'record', records });
  }

  /** Gives the page's functions back. What was recorded stays readable. */
  uninstall() {
    this.#hook?.uninstall();
    this.#watch.stop();
    for (const undo of this.#undo.splice(0)) undo();
  }

  /**
   * Asks another question of the modules that are loaded from now on.
   * @param {string | readonly string[]} probes a text with several, or one of each
   */
  trace(probes) {
    const trace = typeof probes === 'string' ? splitWords(probes) : [...probes];
    return this.install({ ...this.#options, trace, display: undefined });
  }

  get options() {
    return this.#options;
  }

  /** What workers are to know. @returns {PageOptions} functions cannot be posted */
  get workerOptions() {
    const { onTrap, panel, button, watch, ...options } = this.#question;
    return { ...options, ...(onTrap && { onTrap: 'wasm-trace' }) };
  }

  get hasPanel() {
    return ['right', 'bottom', 'hidden'].includes(this.#options.panel ?? 'none');
  }

  /** Traced instances of this page, its workers and its frames. @returns {Session[]} */
  get sessions() {
    return [...(this.#hook?.sessions ?? []), ...this.#frames.tracers.flatMap((tracer) => tracer.sessions)];
  }

  /** Those in which something was recorded. */
  get busySessions() {
    return this.sessions.filter((session) => session.hasData);
  }

  get modules() {
    return [this.#modules, ...this.#frames.tracers.map((tracer) => tracer.moduleList)].flatMap((list) => list.entries);
  }

  get moduleList() {
    return this.#modules;
  }

  /** Traps that were seen. */
  get traps() {
    return this.#traps.seen;
  }

  /** Reports of them. @returns {string[]} */
  get trapTexts() {
    return this.#trapTexts(this.busySessions, {});
  }

  /** All that was said. @returns {string[]} */
  get warnings() {
    return [...this.#warnings, ...this.#frames.tracers.flatMap((tracer) => tracer.warnings)];
  }

  /** Why nothing is recorded, when something should. */
  get emptyReason() {
    const { modules = { seen: 0, matched: 0 }, noMatch = '' } = this.#hook ?? {};
    const all = [{ ...modules, noMatch }, ...this.#workers.modules];
    if (String(this.#options.trace ?? '') === '') return 'no module was loaded that had been instrumented before, and nothing is asked of others';
    if (all.every(({ seen }) => seen === 0)) return 'no module was loaded yet';
    if (all.some(({ matched }) => matched > 0)) return 'nothing was recorded yet';
    return all.map((one) => one.noMatch).find(Boolean) ?? 'modules run untraced';
  }

  /**
   * Takes an error that the page has caught itself.
   * @param {unknown} error
   * @returns {boolean} whether it is a trap in a traced module; `onTrap` was called then
   */
  trapped(error) {
    return this.#traps.note(plainError(error));
  }

  /** @param {import('../../js/loader/find-trap.js').UncaughtError} error of a worker */
  noteTrap(error) {
    this.#traps.note(error);
  }

  /** @param {string} url @returns {Worker} which is not traced */
  startOwnWorker(url) {
    return new this.#nativeWorker(url);
  }

  /** @param {string} text */
  warn(text) {
    this.#hook?.warn(text);
  }

  /** Once a text. @param {string} text with "wasm-trace: " in front */
  say(text) {
    if (this.#warnings.includes(text)) return;
    this.#warnings.push(text);
    console.warn(text);
  }

  get hook() {
    return this.#hook;
  }

  get frames() {
    return this.#frames;
  }

  /** Waits for what workers have recorded, as far as they can answer. */
  async refresh() {
    await Promise.all([this.#workers.refresh(), ...this.#frames.alive.map((tracer) => tracer.refresh())]);
  }

  /** Whether the page is still there: promises of one that is gone never settle. */
  get isAlive() {
    try {
      return document.defaultView?.document === document;
    } catch {
      return false; // another origin's page is in its place
    }
  }

  /** @returns {import('../../js/loader/session.js').Snapshot[]} one for each session */
  snapshot() {
    return this.sessions.map((session) => session.snapshot());
  }

  /**
   * Reports of all sessions, one after the other. Of workers it tells what is known: refresh() asks them.
   * @param {ReportKind} [kind] left out: what `display` said, or what fits; an overview where nothing was asked
   * @param {ViewOptions} [options]
   * @returns {string}
   */
  report(kind, options = {}) {
    const { limit, invert, sort, recursion, compensate } = this.#options;
    const view = { limit, invert, sort, recursion, compensate, compensateBy: 'data-compensate', ...options };
    const sessions = this.busySessions;
    if (sessions.length === 0) return `wasm-trace: ${this.emptyReason}\n`;
    const isUnasked = kind === undefined && isOverview(this.#options);
    const parts = isUnasked ? [this.#overview(sessions, view)] : reportsOf(sessions, kind ?? this.#allDisplays?.[0], view);
    return [...parts, ...this.#trapTexts(sessions, view)].join('\n');
  }

  /** @param {{limit?: number}} [options] items of each list @returns {import('../../js/views/json.js').JsonReport} */
  json(options) {
    const sessions = this.busySessions;
    const traps = this.#trapsIn(sessions);
    return reportJson({ sessions: sessions.map((session) => overviewInput(session, traps)) }, options);
  }

  /** Forgets what was recorded up to now. */
  clear() {
    for (const session of this.sessions) if (session.thread === undefined) session.clear();
    this.#workers.clear();
    this.#traps.seen.length = 0;
  }

  /** @param {readonly Session[]} sessions @param {ViewOptions} view */
  #overview(sessions, view) {
    const traps = this.#trapsIn(sessions);
    const inputs = addUpThreads(sessions).map(({ session, parts }) => overviewInput(session, traps, parts));
    return renderOverview({ sessions: inputs, ask: asAttributes }, view);
  }

  /** @param {readonly Session[]} sessions @param {ViewOptions} view */
  #trapTexts(sessions, view) {
    return this.#trapsIn(sessions).map(({ session, trap }) => {
      const { metadata, names, name: title } = session;
      return renderTrap(trap, { metadata, names, title, snapshot: session.snapshot() }, view);
    });
  }

  /** @param {readonly Session[]} sessions */
  #trapsIn(sessions) {
    return this.#traps.seen.map((error) => findTrap(error, sessions)).filter((found) => found !== null);
  }
}

/** @param {readonly Session[]} sessions @param {ReportKind | undefined} kind @param {ViewOptions} view */
function reportsOf(sessions, kind, view) {
  return reportSections(sessions, kind).map((section) => section.session.report(section.kind, view));
}
