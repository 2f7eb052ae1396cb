// Takes the instrumenter's edit list back. The undo record is a few bytes an edit, where a copy of the original would be as
// large as the module.

/** Below this size a loop beats making a subarray for `set`. */
const LOOP_LIMIT = 48;

/**
 * @param {Uint8Array} target
 * @param {number} at
 * @param {Uint8Array} source
 * @param {number} start
 * @param {number} end
 * @returns {number} where the copy ends in target
 */
function copyRange(target, at, source, start, end) {
  const size = end - start;
  if (size > LOOP_LIMIT) target.set(source.subarray(start, end), at);
  else for (let from = start, to = at; from < end; ) target[to++] = source[from++];
  return at + size;
}

/** A module that was rewritten, and what takes that back. @typedef {{bytes: Uint8Array, undo: Undo}} Reversible */

/** What it takes to turn the instrumented bytes back into the original ones. */
export class Undo {
  #edits;
  #removed;
  #inputSize;

  /** @param {Uint8Array} input @param {Uint32Array} edits triples: copied up to, went on at, bytes inserted in between; kept */
  constructor(input, edits) {
    this.#edits = edits;
    this.#removed = removedBytes(input, edits);
    this.#inputSize = input.length;
  }

  /** @param {Uint8Array} output what the edits made of it @returns {Uint8Array<ArrayBuffer>} a new copy of the input */
  apply(output) {
    const edits = this.#edits;
    const input = new Uint8Array(this.#inputSize);
    let at = 0;
    let cursor = 0;
    let removed = 0;
    for (let i = 0; i < edits.length; i += 3) {
      const copied = edits[i] - at;
      const dropped = edits[i + 1] - edits[i];
      at = copyRange(input, at, output, cursor, cursor + copied);
      at = copyRange(input, at, this.#removed, removed, removed + dropped);
      removed += dropped;
      cursor += copied + edits[i + 2];
    }
    copyRange(input, at, output, cursor, cursor + this.#inputSize - at);
    return input;
  }
}

/** @param {Reversible} made @returns {Uint8Array<ArrayBuffer>} a new copy of the original */
export function originalOf({ bytes, undo }) {
  return undo.apply(bytes);
}

/** @param {Uint8Array} input @param {Uint32Array} edits @returns {Uint8Array} the replaced bytes, one after the other */
function removedBytes(input, edits) {
  let size = 0;
  for (let i = 0; i < edits.length; i += 3) size += edits[i + 1] - edits[i];
  const removed = new Uint8Array(size);
  let at = 0;
  for (let i = 0; i < edits.length; i += 3) at = copyRange(removed, at, input, edits[i], edits[i + 1]);
  return removed;
}
