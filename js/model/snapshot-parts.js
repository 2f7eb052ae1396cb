// Snapshots taken again and again while a program runs: whether anything happened between two, and the newest part of a ring
// that is too large to be decoded several times a second.

/** @import {Snapshot} from '../trace/snapshot.js' */

/** @param {Float64Array} counts */
function sum(counts) {
  return counts.reduce((all, count) => all + count, 0);
}

/** @param {readonly BigUint64Array[]} some @param {readonly BigUint64Array[]} others */
function areEqual(some, others) {
  return some.length === others.length && some.every((table, i) => table.every((count, bucket) => count === others[i][bucket]));
}

/**
 * Whether two snapshots of one runtime tell the same: all that is recorded only ever grows.
 * @param {Snapshot} older
 * @param {Snapshot} newer
 */
export function isSameSnapshot(older, newer) {
  return (
    older.ringWords === newer.ringWords &&
    older.position === newer.position &&
    older.idle === newer.idle &&
    older.nodesDropped === newer.nodesDropped &&
    older.clock?.now === newer.clock?.now &&
    older.nodes.parent.length === newer.nodes.parent.length &&
    sum(older.nodes.count) === sum(newer.nodes.count) &&
    areEqual(older.histograms, newer.histograms)
  );
}

/**
 * The snapshot with the newest words of its ring only. `isCut`: there are older ones, which a reader counts among the lost.
 * @param {Snapshot} snapshot
 * @param {number} words
 * @returns {{snapshot: Snapshot, isCut: boolean}}
 */
export function newestPart(snapshot, words) {
  const { records } = snapshot;
  if (records.length <= words) return { snapshot, isCut: false };
  return { snapshot: { ...snapshot, records: records.subarray(records.length - words) }, isCut: true };
}
