// What a program tells about itself while it runs, in words of 64 bits: the true course of things, by a way that has nothing
// to do with the runtime under test. One note is a header word and its values; wasm and the host write into one list.
//
//   header: kind | index << 8 | words behind it << 32

export const NOTE = Object.freeze({
  ENTER: 1, // activation, arguments; the index is the function's
  LEAVE: 2, // activation, results
  TAIL: 3, // activation: it ends in a tail call that comes next
  BACK: 4, // activation, results: a call that it made returned
  CATCH: 5, // activation: its handler runs
  TRAP: 6, // activation: it comes to `unreachable` next
  GROW: 7, // activation, memory, delta, previous size
  DIRECT: 8, // a direct call of an import comes next
  HOST_ENTER: 9, // arguments; the index is the import's
  HOST_LEAVE: 10, // results
  HOST_THROW: 11, // 1 when it is a trap that the host passes on
  CALL: 12, // the host calls; the index says how, see ENTRY
  RETURN: 13, // results: that call returned
  FAIL: 14, // that call threw
});

/** How the host calls. */
export const ENTRY = Object.freeze({ EXPORT: 0, TABLE: 1, START: 2 });

/** @param {number} kind @param {number} index @param {number} words */
export const header = (kind, index, words) => BigInt(kind) | (BigInt(index) << 8n) | (BigInt(words) << 32n);

/** @typedef {{kind: number, index: number, words: bigint[]}} Note words: unsigned */

/** @param {ArrayLike<bigint>} words @returns {Note[]} */
export function readNotes(words) {
  const notes = [];
  for (let at = 0; at < words.length; ) {
    const head = words[at];
    const count = Number(head >> 32n);
    const values = Array.from({ length: count }, (_, i) => BigInt.asUintN(64, words[at + 1 + i]));
    notes.push({ kind: Number(head & 0xffn), index: Number((head >> 8n) & 0xffffffn), words: values });
    at += 1 + count;
  }
  return notes;
}
