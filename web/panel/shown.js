// What the views show: one snapshot of one choice, and all that is derived from it, each made once when it is first asked for.
import { frameTable, invertedFrameTable } from '../../js/model/frame-table.js';
import { invertedTree } from '../../js/model/inverted-tree.js';
import { neighbours } from '../../js/model/neighbours.js';
import { newestPart } from '../../js/model/snapshot-parts.js';
import { TraceModel } from '../../js/model/trace-model.js';

/** @import {CallTree} from '../../js/model/call-tree.js' */
/** @import {FrameTable} from '../../js/model/frame-table.js' */
/** @import {Snapshot} from '../../js/trace/snapshot.js' */
/** @import {Choice} from './choices.js' */

/** Words of the ring that are decoded several times a second. */
const LIVE_WORDS = 2 ** 17;
const INVERTED_NODES = 5000;

export class Shown {
  #model;
  #cut;
  /** @type {CallTree | null} */
  #tree = null;
  /** @type {{tree: CallTree, left: number} | null} */
  #inverted = null;
  /** @type {FrameTable | null} */
  #frames = null;
  /** @type {FrameTable | null} */
  #invertedFrames = null;

  /**
   * @param {Choice} choice
   * @param {Snapshot} snapshot
   * @param {boolean} live it will be another one soon
   */
  constructor(choice, snapshot, live) {
    const [{ metadata, names, ending = 'running' }] = choice.sessions;
    const part = live ? newestPart(snapshot, LIVE_WORDS) : { snapshot, isCut: false };
    this.choice = choice;
    this.snapshot = snapshot;
    this.live = live;
    this.metadata = metadata;
    this.names = names;
    /** @type {import('../../js/views/log.js').Ending} */
    this.ending = ending;
    this.#cut = part.isCut;
    this.#model = new TraceModel(part.snapshot, metadata, { trapped: ending === 'trapped' });
  }

  get model() {
    return this.#model;
  }

  /** Several instances are added up: there is no order between their events. */
  get isSum() {
    return this.choice.sessions.length > 1;
  }

  /** Older events are there and not shown while it is live. */
  get isCut() {
    return this.#cut;
  }

  /** Events that were overwritten; with isCut, those that are not decoded among them. */
  get lost() {
    return this.#model.lost;
  }

  get tree() {
    return (this.#tree ??= this.#model.tree);
  }

  get inverted() {
    return (this.#inverted ??= invertedTree(this.#model.paths, INVERTED_NODES, this.#model.counted));
  }

  /** For charts. @param {boolean} inverted callers above the called @returns {FrameTable} */
  frames(inverted) {
    const { paths, counted } = this.#model;
    if (inverted) return (this.#invertedFrames ??= invertedFrameTable(paths, INVERTED_NODES, counted));
    return (this.#frames ??= frameTable(this.tree));
  }

  /** @param {number} func */
  neighbours(func) {
    return neighbours(this.#model.paths, func, this.#model.counted);
  }
}
