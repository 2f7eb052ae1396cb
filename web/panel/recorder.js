// Which recording is shown: the live one, looked at again and again, or the one that was there when it was stopped. The
// program goes on in either case; where its probes can be turned off, they are while it is stopped.
import { isSameSnapshot } from '../../js/model/snapshot-parts.js';
import { isUsed } from '../../js/trace/snapshot.js';
import { choicesOf, snapshotOf } from './choices.js';
import { Poller } from './poller.js';
import { Shown } from './shown.js';
import { NO_SOURCE } from './source.js';

/** @import {Snapshot} from '../../js/trace/snapshot.js' */
/** @import {Choice} from './choices.js' */
/** @import {PanelSession, PanelSource} from './source.js' */

/** A session as it is now. @param {PanelSession} session @returns {PanelSession} */
function frozen(session) {
  const { name, label, thread, ending, section, metadata, names, clock, memory, cost, timeOrigin } = session;
  const snapshot = session.snapshot();
  return { name, label, thread, ending, section, metadata, names, clock, memory, cost, timeOrigin, snapshot: () => snapshot };
}

/** Choices that are looked at to find one with something in it. */
const MOST_TRIED = 20;

/** @param {Choice} choice */
function lookAt(choice) {
  return { choice, snapshot: snapshotOf(choice) };
}

export class Recorder {
  #onChange;
  #source = NO_SOURCE;
  #poller = new Poller(
    async () => this.#source.control?.refresh(),
    () => this.update(),
  );
  #visible = false;
  /** @type {readonly PanelSession[] | null} those that were stopped */
  #stopped = null;
  #chosen = '';
  /** @type {Shown | null} */
  #shown = null;

  /** @param {() => void} onChange also called when only sessions, modules or warnings may have changed */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  get source() {
    return this.#source;
  }

  /** @param {PanelSource} source */
  set source(source) {
    this.#source = source;
    this.#stopped = source.control ? null : source.sessions();
    this.#shown = null;
    this.#poll();
    this.update();
  }

  get isLive() {
    return this.#stopped === null;
  }

  /** @param {boolean} visible nothing is looked at while nobody sees it */
  set visible(visible) {
    this.#visible = visible;
    this.#poll();
  }

  #poll() {
    this.#poller.running = this.#visible && this.isLive && this.#source.control !== null;
  }

  get sessions() {
    return this.#stopped ?? this.#source.sessions();
  }

  get choices() {
    return choicesOf(this.sessions);
  }

  get shown() {
    return this.#shown;
  }

  /** @param {string} id of a choice */
  choose(id) {
    this.#chosen = id;
    this.update();
  }

  /** The probes are known to record nothing. */
  get isOff() {
    const { control } = this.#source;
    if (!control) return false;
    if (control.isRecording) return !control.isRecording();
    const alive = this.#source.sessions().filter(({ isLive }) => isLive);
    return alive.length > 0 && alive.every(({ isRecording }) => isRecording === false);
  }

  /** Those of the whole program, or of the instances that are there. @param {boolean} on */
  #turnProbes(on) {
    const { control } = this.#source;
    for (const part of control?.start ? [control] : this.#source.sessions()) {
      if (on) part.start?.();
      else part.stop?.();
    }
  }

  stop() {
    this.#turnProbes(false);
    this.#stopped = this.#source.sessions().map(frozen);
    this.#poll();
    this.update();
  }

  /** Goes on live; what was recorded is forgotten. */
  record() {
    this.#stopped = null;
    this.#turnProbes(true);
    this.clear();
    this.#poll();
  }

  clear() {
    this.#source.control?.clear();
    if (this.#stopped) this.#stopped = [];
    this.#shown = null;
    this.update();
  }

  update() {
    const look = this.#choice();
    this.#shown = look ? this.#look(look) : null;
    this.#onChange();
  }

  /** The one that was chosen; as long as none was, the first with something in it. @returns {{choice: Choice, snapshot: Snapshot} | null} */
  #choice() {
    const { choices } = this;
    const chosen = choices.find(({ id }) => id === this.#chosen);
    if (chosen) return lookAt(chosen);
    for (const choice of choices.slice(0, MOST_TRIED)) {
      const look = lookAt(choice);
      if (isUsed(look.snapshot)) return look;
    }
    return choices.length > 0 ? lookAt(choices[0]) : null;
  }

  /** @param {{choice: Choice, snapshot: Snapshot}} look @returns {Shown} the same as before when nothing has happened */
  #look({ choice, snapshot }) {
    const before = this.#shown;
    const isSame = before !== null && before.choice.id === choice.id && before.live === this.isLive && isSameSnapshot(before.snapshot, snapshot);
    return isSame ? before : new Shown(choice, snapshot, { live: this.isLive, compensates: this.#source.compensates?.() ?? false });
  }
}
