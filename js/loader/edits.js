// Applies the instrumenter's edit list to a module, and takes it back. New memory is what costs time here: the engine is
// ten times slower at handing it out than at moving bytes. So there is a way to apply in place, and the undo record is a
// few bytes an edit, where a copy of the original would be as large as the module.

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

/**
 * @param {Uint8Array} input
 * @param {Uint32Array} edits triples: copy up to, go on at, bytes of `inserts` in between
 * @param {Uint8Array} inserts
 * @param {number} outputSize
 * @returns {Uint8Array<ArrayBuffer>} the instrumented module
 */
export function applyEdits(input, edits, inserts, outputSize) {
  const output = new Uint8Array(outputSize);
  let at = 0;
  let cursor = 0;
  let insert = 0;
  for (let i = 0; i < edits.length; i += 3) {
    at = copyRange(output, at, input, cursor, edits[i]);
    at = copyRange(output, at, inserts, insert, insert + edits[i + 2]);
    insert += edits[i + 2];
    cursor = edits[i + 1];
  }
  copyRange(output, at, input, cursor, input.length);
  return output;
}

/**
 * Applies edits where the input stands, from its end on. It can be done when nothing has to move towards the start.
 * @param {Uint8Array} memory
 * @param {{at: number, size: number, capacity: number}} input where in memory, and how much room there is for the output
 * @param {Uint32Array} edits as for applyEdits
 * @param {Uint8Array} inserts
 * @param {number} outputSize
 * @returns {Uint8Array | null} a view of memory; null when it cannot be done: nothing has changed then
 */
export function applyEditsInPlace(memory, input, edits, inserts, outputSize) {
  if (outputSize > input.capacity || movesBack(edits)) return null;
  let target = input.at + outputSize;
  let end = input.at + input.size;
  let insert = inserts.length;
  for (let i = edits.length - 3; i >= 0; i -= 3) {
    const start = input.at + edits[i + 1];
    target -= end - start;
    memory.copyWithin(target, start, end);
    target -= edits[i + 2];
    insert -= edits[i + 2];
    copyRange(memory, target, inserts, insert, insert + edits[i + 2]);
    end = input.at + edits[i];
  }
  return memory.subarray(input.at, input.at + outputSize);
}

/** @param {Uint32Array} edits */
function movesBack(edits) {
  let shift = 0;
  for (let i = 0; i < edits.length && shift >= 0; i += 3) shift += edits[i + 2] - (edits[i + 1] - edits[i]);
  return shift < 0;
}

/** What it takes to turn the instrumented bytes back into the original ones. */
export class Undo {
  #edits;
  #removed;
  #inputSize;

  /** @param {Uint8Array} input @param {Uint32Array} edits as for applyEdits; kept */
  constructor(input, edits) {
    this.#edits = edits;
    this.#removed = removedBytes(input, edits);
    this.#inputSize = input.length;
  }

  /** @param {Uint8Array} output what applyEdits returned @returns {Uint8Array<ArrayBuffer>} a new copy of its input */
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

/** @param {Uint8Array} input @param {Uint32Array} edits @returns {Uint8Array} the replaced bytes, one after the other */
function removedBytes(input, edits) {
  let size = 0;
  for (let i = 0; i < edits.length; i += 3) size += edits[i + 1] - edits[i];
  const removed = new Uint8Array(size);
  let at = 0;
  for (let i = 0; i < edits.length; i += 3) at = copyRange(removed, at, input, edits[i], edits[i + 1]);
  return removed;
}
