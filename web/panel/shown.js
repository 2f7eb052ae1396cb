// What the views show: one snapshot of one choice, and all that is derived from it, each made once when it is first asked for.
import { tracingCost, withoutCost } from '../../js/model/compensation.js';
import { frameTable, invertedFrameTable } from '../../js/model/frame-table.js';
import { invertedTree } from '../../js/model/inverted-tree.js';
import { neighbours } from '../../js/model/neighbours.js';
import { newestPart } from '../../js/model/snapshot-parts.js';
import { buildCallTree } from '../../js/model/call-tree.js';
import { TraceModel } from '../../js/model/trace-model.js';
import { weightsOf } from './weights.js';

/** @import {CallTree, Paths} from '../../js/model/call-tree.js' */
/** @import {TracingCost} from '../../js/model/compensation.js' */
/** @import {FrameTable} from '../../js/model/frame-table.js' */
/** @import {Profile} from '../../js/model/profile.js' */
/** @import {Snapshot} from '../../js/trace/snapshot.js' */
/** @import {Choice} from './choices.js' */
/** @import {Weight, WeightId} from './weights.js' */

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
  /** @type {Map<string, FrameTable>} */
  #frames = new Map();
  /** @type {Weight[] | null} */
  #weights = null;
  /** @type {Profile | null} */
  #profile = null;

  /**
   * @param {Choice} choice
   * @param {Snapshot} snapshot
   * @param {{live: boolean, compensates?: boolean}} how live: it will be another one soon; compensates: times are without what tracing cost
   */
  constructor(choice, snapshot, { live, compensates = false }) {
    const [{ metadata, names, ending = 'running', clock, cost = null }] = choice.sessions;
    const part = live ? newestPart(snapshot, LIVE_WORDS) : { snapshot, isCut: false };
    const { nodes } = snapshot;
    this.choice = choice;
    this.snapshot = snapshot;
    this.live = live;
    this.metadata = metadata;
    this.names = names;
    /** @type {import('../../js/views/log.js').Ending} */
    this.ending = ending;
    /** Of the clock; undefined where it is not known. */
    this.resolution = clock?.resolution ?? undefined;
    /** What tracing took; null where that is not known, or nothing. @type {TracingCost | null} */
    this.tracingCost = cost && nodes.self ? tracingCost(nodes, cost) : null;
    this.compensated = compensates && this.tracingCost !== null;
    this.cost = cost;
    this.#cut = part.isCut;
    this.#model = new TraceModel(withoutCost(part.snapshot, cost, this.compensated), metadata, { trapped: ending === 'trapped' });
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

  /** What charts can make frames wide by, the best first. */
  get weights() {
    return (this.#weights ??= weightsOf(this.#model, this.resolution));
  }

  /** Sums by function. */
  get profile() {
    return (this.#profile ??= this.#model.profile());
  }

  /** For charts. @param {boolean} inverted callers above the called @param {WeightId} weight @returns {FrameTable} */
  frames(inverted, weight) {
    const key = `${weight} ${inverted}`;
    const known = this.#frames.get(key);
    if (known) return known;
    const made = inverted ? this.#invertedFrames(weight) : this.#uprightFrames(weight);
    this.#frames.set(key, made);
    return made;
  }

  /** @param {WeightId} weight */
  #uprightFrames(weight) {
    if (weight !== 'wall') return frameTable(this.tree, weight);
    return frameTable(buildCallTree(wallPaths(this.#model.paths), this.#model.counted), 'time');
  }

  /** @param {WeightId} weight */
  #invertedFrames(weight) {
    const { paths, counted } = this.#model;
    if (weight === 'wall') return invertedFrameTable(wallPaths(paths), INVERTED_NODES, counted, 'time');
    return invertedFrameTable(paths, INVERTED_NODES, counted, weight);
  }

  /** @param {number} func */
  neighbours(func) {
    return neighbours(this.#model.paths, func, this.#model.counted);
  }
}

/** The paths with the host's wall time for what another clock counted. @param {Paths} paths @returns {Paths} */
function wallPaths(paths) {
  return { ...paths, self: paths.wall };
}
