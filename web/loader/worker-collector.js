// In the page: what its workers record, as sessions of the page's hook.

import { startTicker } from '../../js/loader/clock.js';
import { canShareMemory } from '../../js/loader/engine.js';
import { ModuleFacts } from '../../js/loader/module-facts.js';

/** @import {PostedFacts} from '../../js/loader/module-facts.js' */
/** @import {Session, Snapshot} from '../../js/loader/session.js' */
/** @import {Tracer} from './tracer.js' */
/** @import {FromWorker, ToWorker} from './worker.js' */
/** @import {WorkerEnd} from './worker-patch.js' */

/** How long a worker is waited for that may be busy: milliseconds. */
const PATIENCE = 500;

/** The page's end of the link to one worker. @implements {WorkerEnd} */
class Link {
  #port;
  #thread;
  #tracer;
  /** @type {Map<number, Session>} by their numbers in the worker */
  #sessions = new Map();
  /** Those in which the page's ticker keeps the time, with what ends that. @type {Map<number, () => void>} */
  #ticking = new Map();
  /** @type {Map<number, () => void>} */
  #questions = new Map();
  #asked = 0;
  /** It did not answer the last time: it is busy, or gone. */
  #isSilent = false;
  #isShared = canShareMemory();

  modules = { seen: 0, matched: 0, noMatch: '' };

  /** @param {MessagePort} port @param {number} thread @param {Tracer} tracer @param {(port: MessagePort) => void} addChild */
  constructor(port, thread, tracer, addChild) {
    this.#port = port;
    this.#thread = thread;
    this.#tracer = tracer;
    port.onmessage = ({ data }) => this.#receive(data, addChild);
  }

  /** Whether the worker is there. */
  isOpen = true;

  /** The worker is gone. What it said before may still be on its way: the page hears its messages before ours, in Firefox. */
  close() {
    this.isOpen = false;
    for (const session of this.#sessions.values()) session.endThread();
    for (const id of this.#ticking.keys()) this.#stopTicking(id);
  }

  /** @param {ToWorker} message */
  tell(message) {
    this.#port.postMessage(message);
  }

  /** Everything that it recorded can be read from here, unless the first word of it is still on its way. */
  get isReadable() {
    return this.#isShared && this.#sessions.size > 0;
  }

  /** What it recorded is forgotten there, as far as it is not gone. */
  clear() {
    if (this.isOpen) this.tell({ kind: 'clear' });
    for (const session of this.#sessions.values()) if (!session.isLive || !this.isOpen) session.clear();
  }

  /** Copies of what cannot be read from here, and news of a worker that may have said more to the page than it did here. @returns {Promise<void>} */
  finish() {
    if (this.isReadable) return Promise.resolve();
    const answer = this.#asked++;
    this.tell({ kind: 'ask', answer });
    if (this.#isSilent) return Promise.resolve();
    return new Promise((resolve) => {
      this.#questions.set(answer, resolve);
      setTimeout(() => {
        this.#isSilent ||= this.#questions.delete(answer);
        resolve();
      }, PATIENCE);
    });
  }

  /** @param {FromWorker} message @param {(port: MessagePort) => void} addChild */
  #receive(message, addChild) {
    this.#isSilent = false;
    switch (message.kind) {
      case 'gone':
        return this.close();
      case 'shared':
        return this.#share(message);
      case 'unshared':
        return void (this.#isShared = false);
      case 'closed':
        this.#sessions.get(message.id)?.freeze();
        return this.#stopTicking(message.id);
      case 'copies':
        return this.#update(message);
      case 'modules':
        return void (this.modules = message);
      case 'warning':
        return this.#tracer.say(message.text);
      case 'trap':
        return this.#tracer.noteTrap(message.error);
      case 'child':
        return addChild(message.port);
    }
  }

  /** @param {Extract<FromWorker, {kind: 'shared'}>} message */
  #share(message) {
    const { id, facts, buffer, origin } = message;
    this.#open(id, facts, { memory: message, idle: !this.isOpen });
    if (!this.isOpen || this.#sessions.get(id)?.metadata.clock?.kind !== 'ticker') return;
    const stop = startTicker((text) => this.#tracer.warn(text))?.add(buffer, origin);
    if (stop) this.#ticking.set(id, stop);
  }

  /** @param {number} id */
  #stopTicking(id) {
    this.#ticking.get(id)?.();
    this.#ticking.delete(id);
  }

  /** @param {number} id @param {PostedFacts} facts @param {{memory?: {buffer: SharedArrayBuffer}, idle?: boolean, snapshot?: Snapshot}} recorded */
  #open(id, facts, recorded) {
    const session = this.#tracer.hook?.addRemote(this.#thread, ModuleFacts.fromPosted(facts), recorded);
    if (session) this.#sessions.set(id, session);
  }

  /** @param {Extract<FromWorker, {kind: 'copies'}>} message */
  #update({ answer, copies }) {
    for (const { id, facts, snapshot } of copies) {
      const known = this.#sessions.get(id);
      if (known) known.update(snapshot);
      else this.#open(id, facts, { snapshot });
    }
    if (answer === null) return;
    this.#questions.get(answer)?.();
    this.#questions.delete(answer);
  }
}

export class WorkerCollector {
  #tracer;
  /** @type {Link[]} */
  #links = [];

  /** @param {Tracer} tracer */
  constructor(tracer) {
    this.#tracer = tracer;
  }

  /** @param {MessagePort} port that a worker offers @returns {WorkerEnd} */
  add(port) {
    const link = new Link(port, this.#links.length + 1, this.#tracer, (child) => this.add(child));
    this.#links.push(link);
    return link;
  }

  /** Modules that came by in workers, those in which something matched, and why none did. */
  get modules() {
    return this.#links.map((link) => link.modules);
  }

  /** @param {ToWorker} message */
  tell(message) {
    for (const link of this.#open) link.tell(message);
  }

  clear() {
    for (const link of this.#links) link.clear();
  }

  async refresh() {
    await Promise.all(this.#open.map((link) => link.finish()));
  }

  get #open() {
    return this.#links.filter((link) => link.isOpen);
  }
}
