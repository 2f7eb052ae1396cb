// The truth about executed instructions: a module that adds to a global in front of each single one. Where the instrumenter adds
// once for a block, this adds for every instruction of it, so a mistake about blocks shows.
import { leb } from './assemble.js';
import { ModuleView } from './module-view.js';

/** @import {Instruction} from './disassembler.js' */

/** Weight by name of instruction; those that are not there weigh `default`, or 1. @typedef {Record<string, number>} Weights */

const SECTION = Object.freeze({ GLOBAL: 6, EXPORT: 7, CODE: 10 });
const ORDER = Object.freeze([1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11]);
const I32 = 0x7f;
const I64 = 0x7e;

const DELIMITERS = new Set(['else', 'end', 'catch', 'catch_all', 'delegate']);
/** What ends a block beside the delimiters; a loop begins one and belongs to it. */
const ENDS = /^(if|br|br_if|br_table|br_on_\w+|return|return_call\w*|call|call_\w+|unreachable|throw|throw_ref|rethrow|memory\.grow)$/;

/** @param {string} name @param {Weights} weights */
const weightOf = (name, weights) => (DELIMITERS.has(name) ? 0 : (weights[name] ?? weights.default ?? 1));

/** @param {bigint | number} value signed LEB128 */
function signed(value) {
  const bytes = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    const byte = Number(rest & 0x7fn);
    if ((rest >> 7n) === (byte & 0x40 ? -1n : 0n)) return [...bytes, byte];
    bytes.push(byte | 0x80);
  }
}

/** @param {string} text */
const name = (text) => [...leb(text.length), ...Buffer.from(text, 'latin1')];

/** @param {number} id @param {Uint8Array | number[]} content */
const sectionOf = (id, content) => Buffer.concat([Uint8Array.from([id, ...leb(content.length)]), Uint8Array.from(content)]);

/** @param {ModuleView} view */
const globals = (view) => view.imported('global') + (view.find('global')?.u32() ?? 0);

/**
 * The module with items added at the end of sections, which are made where they are missing.
 * @param {ModuleView} view
 * @param {Record<number, number[][]>} added items by section
 * @param {Uint8Array} [code] content of the code section, when it is another one
 */
function extend(view, added, code) {
  const parts = [view.bytes.subarray(0, 8)];
  const missing = new Set(Object.keys(added).map(Number).filter((id) => !view.sections.some((section) => section.id === id)));
  const make = (/** @type {number} */ id) => {
    missing.delete(id);
    parts.push(sectionOf(id, [...leb(added[id].length), ...added[id].flat()]));
  };
  for (const { id, start, content } of view.sections) {
    for (const one of [...missing]) if (id !== 0 && ORDER.indexOf(one) < ORDER.indexOf(id)) make(one);
    const { bytes, at, end } = content;
    if (id === SECTION.CODE && code) {
      parts.push(sectionOf(id, code));
    } else if (added[id]) {
      const count = content.u32();
      const body = Buffer.concat([Uint8Array.from(leb(count + added[id].length)), bytes.subarray(content.at, end), Uint8Array.from(added[id].flat())]);
      parts.push(sectionOf(id, body));
      content.at = at;
    } else {
      parts.push(bytes.subarray(start, end));
    }
  }
  for (const one of [...missing]) make(one);
  return Buffer.concat(parts);
}

/** The export of a global. @param {string} text @param {number} index */
const exportOf = (text, index) => [...name(text), 3, ...leb(index)];

/**
 * Exports the count of an instrumented module, the last of its globals, as "count".
 * @param {Uint8Array} bytes
 * @returns {Uint8Array}
 */
export function exportCount(bytes) {
  const view = new ModuleView(bytes);
  return extend(view, { [SECTION.EXPORT]: [exportOf('count', globals(view) - 1)] });
}

/** @param {Instruction} instruction @param {number} global of the count, the next one is of the place @param {Weights} weights */
function probe(instruction, global, weights) {
  const { name: opcode, start } = instruction;
  if (DELIMITERS.has(opcode)) return [];
  const count = [0x23, ...leb(global), 0x42, ...signed(weightOf(opcode, weights)), 0x7c, 0x24, ...leb(global)];
  return [...count, 0x41, ...signed(start), 0x24, ...leb(global + 1)];
}

/** @param {ModuleView} view @param {number} global @param {Weights} weights */
function probedCode(view, global, weights) {
  const { bytes, bodies } = view;
  const probed = bodies.map(({ start, instructions }) => {
    const parts = [bytes.subarray(start, instructions[0].start)];
    for (const instruction of instructions) {
      const own = [bytes.subarray(instruction.start, instruction.end), Uint8Array.from(probe(instruction, global, weights))];
      parts.push(...(instruction.name === 'loop' ? own : own.reverse()));
    }
    const body = Buffer.concat(parts);
    return Buffer.concat([Uint8Array.from(leb(body.length)), body]);
  });
  return Buffer.concat([Uint8Array.from(leb(bodies.length)), ...probed]);
}

/**
 * A module that counts every instruction by itself: exports "count", and "place", the offset of the last one that began.
 * @param {Uint8Array} bytes
 * @param {Weights} [weights]
 */
export function countEach(bytes, weights = {}) {
  const view = new ModuleView(bytes);
  const first = globals(view);
  const added = {
    [SECTION.GLOBAL]: [[I64, 1, 0x42, 0, 0x0b], [I32, 1, 0x41, 0, 0x0b]],
    [SECTION.EXPORT]: [exportOf('count', first), exportOf('place', first + 1)],
  };
  return extend(view, added, view.find('code') ? probedCode(view, first, weights) : undefined);
}

/**
 * What the rest of its block weighs, by the offset of every instruction.
 * @param {Uint8Array} bytes
 * @param {Weights} [weights]
 * @returns {Map<number, bigint>}
 */
export function restsOf(bytes, weights = {}) {
  const rests = new Map();
  for (const { instructions } of new ModuleView(bytes).bodies) {
    let rest = 0n;
    for (const { name: opcode, start } of [...instructions].reverse()) {
      if (ENDS.test(opcode) || DELIMITERS.has(opcode)) rest = 0n;
      rests.set(start, rest);
      rest = opcode === 'loop' ? 0n : rest + BigInt(weightOf(opcode, weights));
    }
  }
  return rests;
}
