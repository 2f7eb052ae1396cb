// Whether calls that began have ended: read from the ring's words alone, by the format in docs/ARCHITECTURE.md.
import * as RECORD from '../../js/generated/record.js';

const ENDS = /** @type {Set<number>} */ (new Set([RECORD.LEAVE, RECORD.TAIL]));

/**
 * @param {BigUint64Array} words oldest first
 * @returns {{kind: number, func: number, position: number}[]} newest first
 */
function readBackward(words) {
  const records = [];
  for (let at = words.length - 1; at >= 0; ) {
    const header = words[at];
    records.push({ kind: Number(header & 15n), func: Number((header >> 4n) & 0xffffffn), position: Number(header >> 40n) });
    at -= 1 + Number((header >> 28n) & 0xfffn);
  }
  return records;
}

/**
 * @param {import('../../js/trace/snapshot.js').Snapshot} snapshot of which nothing is lost
 * @returns {Map<string, number>} by function and position: enters without an end; empty when all calls have ended
 */
export function unbalanced({ records }) {
  const open = new Map();
  for (const { kind, func, position } of readBackward(records)) {
    const key = `function ${func} at position ${position}`;
    const change = kind === RECORD.ENTER ? 1 : ENDS.has(kind) ? -1 : 0;
    open.set(key, (open.get(key) ?? 0) + change);
  }
  return new Map([...open].filter(([, count]) => count !== 0));
}
