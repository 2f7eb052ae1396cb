// One snapshot with all that is derived from it, each part made when it is first asked for: the input of every view.
import * as ABI from '../generated/abi.js';
import { buildCallTree, countedFunctions, pathsOfCalls, settleDoubt } from './call-tree.js';
import { pairCalls } from './calls.js';
import { decodeEvents } from './events.js';
import { profileOf } from './profile.js';

/** @import {Metadata} from '../trace/metadata.js' */
/** @import {Snapshot} from '../trace/snapshot.js' */
/** @import {CallTree, Paths} from './call-tree.js' */
/** @import {Calls} from './calls.js' */
/** @import {Events} from './events.js' */
/** @import {Profile} from './profile.js' */

export class TraceModel {
  /** @type {{events: Events, lost: number} | null} */
  #decoded = null;
  /** @type {Calls | null} */
  #calls = null;
  /** @type {Paths | null} */
  #paths = null;

  /**
   * @param {Snapshot} snapshot
   * @param {Metadata} metadata
   * @param {{trapped?: boolean}} [options] trapped: a trap has just ended the calls that are open, and they are looked at
   */
  constructor(snapshot, metadata, { trapped = false } = {}) {
    this.snapshot = trapped ? { ...snapshot, idle: false } : snapshot;
    this.metadata = metadata;
  }

  get #ring() {
    return (this.#decoded ??= decodeEvents(this.snapshot, this.metadata));
  }

  get events() {
    return this.#ring.events;
  }

  /** Events that were overwritten. */
  get lost() {
    return this.#ring.lost;
  }

  /** Newer events, which have not been kept. */
  get missed() {
    return Number(this.snapshot.missedEvents);
  }

  /** Recording has stopped for good: the ring was full. */
  get stoppedFull() {
    return (this.snapshot.closed & ABI.CLOSED_FULL) !== 0;
  }

  /** What the tree does not tell of, for lossNotes(). */
  get treeLosses() {
    const { treeIsWhole, lost, missed, stoppedFull, snapshot } = this;
    return { ...(treeIsWhole ? {} : { lost, missed }), dropped: snapshot.nodesDropped, stopped: stoppedFull };
  }

  get calls() {
    return (this.#calls ??= pairCalls(this.events, this.snapshot));
  }

  /** The tree comes from the runtime; without it, it can only tell of the events that are left. */
  get treeIsWhole() {
    return this.snapshot.treePositions;
  }

  get paths() {
    return (this.#paths ??= this.treeIsWhole ? settleDoubt(this.snapshot.nodes) : pathsOfCalls(this.calls));
  }

  /** Whose calls the tree counts. */
  get counted() {
    return this.treeIsWhole ? countedFunctions(this.metadata) : () => true;
  }

  /** @returns {CallTree} */
  get tree() {
    return buildCallTree(this.paths, this.counted);
  }

  /** With a frame for each level of recursion. @returns {CallTree} */
  get unfoldedTree() {
    return buildCallTree(this.paths, this.counted, { folded: false });
  }

  /** What the time is measured by; null when none was. */
  get clock() {
    return this.snapshot.clock ? this.metadata.clock : null;
  }

  /** @param {{folded?: boolean}} [options] @returns {Profile} */
  profile(options) {
    const { paths, metadata, snapshot } = this;
    return profileOf({ paths, metadata, durations: snapshot.durations }, options);
  }
}
