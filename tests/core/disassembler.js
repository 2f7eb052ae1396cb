// wasm bytes -> text, one line an instruction. The names and the shapes of immediates are rows of opcodes.def; how a shape
// is read is here once more, so that a mistake in the C reader shows.
import { readFileSync } from 'node:fs';
import { Cursor } from './cursor.js';

const ROW = /^WT_OPCODE\((0x..), (0x\w+), \w+, "([^"]+)", (\w+), \w+\)$/gm;

/** @typedef {{name: string, immediate: string}} Opcode */

function readOpcodes() {
  const text = readFileSync(new URL('../../instrumenter/src/opcodes.def', import.meta.url), 'utf8');
  const rows = [...text.matchAll(ROW)];
  return new Map(rows.map(([, prefix, code, name, immediate]) => [opcodeKey(Number(prefix), Number(code)), { name, immediate }]));
}

const opcodeKey = (/** @type {number} */ prefix, /** @type {number} */ code) => prefix * 0x10000 + code;
const opcodes = readOpcodes();

/** Text names by number, as Instruction.opcode has it. @type {ReadonlyMap<number, string>} */
export const opcodeNames = new Map([...opcodes].map(([key, { name }]) => [key, name]));

const TYPES = Object.freeze({
  0x7f: 'i32', 0x7e: 'i64', 0x7d: 'f32', 0x7c: 'f64', 0x7b: 'v128', 0x70: 'funcref', 0x6f: 'externref', 0x6e: 'anyref',
  0x6d: 'eqref', 0x6c: 'i31ref', 0x6b: 'structref', 0x6a: 'arrayref', 0x69: 'exnref', 0x71: 'nullref', 0x72: 'nullexternref',
  0x73: 'nullfuncref', 0x74: 'nullexnref',
});

const BOTTOMS = Object.freeze({ 0x71: 'none', 0x72: 'noextern', 0x73: 'nofunc', 0x74: 'noexn' });

/** @param {Cursor} c */
function heapType(c) {
  const type = c.s33();
  return type >= 0 ? String(type) : (BOTTOMS[type & 0x7f] ?? TYPES[type & 0x7f].replace(/ref$/, ''));
}

/** @param {Cursor} c @returns {string} */
export function valueType(c) {
  const byte = c.u8();
  if (byte !== 0x63 && byte !== 0x64) return TYPES[byte] ?? `0x${byte.toString(16)}`;
  return `(ref ${byte === 0x63 ? 'null ' : ''}${heapType(c)})`;
}

/** @param {Cursor} c */
function blockType(c) {
  const byte = c.bytes[c.at];
  if (byte === 0x40) return void c.u8();
  return (byte & 0xc0) === 0x40 ? valueType(c) : `type ${c.s33()}`;
}

/** @param {Cursor} c */
function memoryArgument(c) {
  const flags = c.u32();
  const memory = flags & 0x40 ? `memory ${c.u32()}` : '';
  const offset = c.u64();
  return [memory, offset ? `offset=${offset}` : ''].filter(Boolean).join(' ');
}

const CATCHES = ['catch', 'catch_ref', 'catch_all', 'catch_all_ref'];

/** @param {Cursor} c */
function catchClause(c) {
  const kind = c.u8();
  return `(${CATCHES[kind]}${kind < 2 ? ` ${c.u32()}` : ''} ${c.u32()})`;
}

const two = (/** @type {Cursor} */ c) => `${c.u32()} ${c.u32()}`;
const one = (/** @type {Cursor} */ c) => c.u32();
const hex = (/** @type {number} */ size) => (/** @type {Cursor} */ c) => `0x${Buffer.from(c.take(size)).toString('hex')}`;

/** How the immediates of a shape are read and written. @type {Record<string, (c: Cursor) => unknown>} */
const IMMEDIATES = {
  NONE: () => '', BLOCK: blockType, LABEL: one, TYPE: one, LOCAL: one, GLOBAL: one, TABLE: one, MEMORY: one, TAG: one,
  DATA: one, ELEM: one, TABLE_TABLE: two, MEMORY_MEMORY: two, DATA_MEMORY: two, ELEM_TABLE: two, TYPE_FIELD: two,
  TYPE_TYPE: two, TYPE_DATA: two, TYPE_ELEM: two, TYPE_U32: two, CALL_INDIRECT: two, FUNC: one,
  BR_TABLE: (c) => [...c.list(() => c.u32()), c.u32()].join(' '),
  MEMARG: memoryArgument,
  MEMARG_LANE: (c) => `${memoryArgument(c)} ${c.u8()}`,
  I32: (c) => c.s64(), I64: (c) => c.s64(), F32: hex(4), F64: hex(8), V128: hex(16), SHUFFLE: hex(16),
  LANE: (c) => c.u8(), FENCE: (c) => void c.u8(),
  HEAP_TYPE: heapType,
  VALTYPES: (c) => c.list(() => valueType(c)).join(' '),
  TRY_TABLE: (c) => [blockType(c), ...c.list(() => catchClause(c))].filter(Boolean).join(' '),
  BR_CAST: (c) => `${c.u8()} ${c.u32()} ${heapType(c)} ${heapType(c)}`,
};

/**
 * @typedef {object} Instruction
 * @property {number} start byte in the file
 * @property {number} end
 * @property {number} opcode the prefix byte and the code behind it, as one number
 * @property {string} name
 * @property {string} operands
 * @property {number} depth open blocks around it
 */

/** @param {Cursor} c @returns {Omit<Instruction, 'depth'>} */
function readInstruction(c) {
  const start = c.at;
  const first = c.u8();
  const prefix = first >= 0xfb && first <= 0xfe ? first : 0;
  const opcode = opcodeKey(prefix, prefix ? c.u32() : first);
  const row = opcodes.get(opcode);
  if (!row) throw new Error(`unknown opcode at byte ${start}`);
  const operands = String(IMMEDIATES[row.immediate](c) ?? '');
  return { start, end: c.at, opcode, name: row.name, operands };
}

const OPENS = new Set(['block', 'loop', 'if', 'try', 'try_table']);
const CLOSES = new Set(['end', 'delegate']);
const BETWEEN = new Set(['else', 'catch', 'catch_all']);

/** @param {Cursor} c at the first instruction @returns {Instruction[]} */
export function readInstructions(c) {
  const list = [];
  let depth = 0;
  while (c.more) {
    const instruction = readInstruction(c);
    if (CLOSES.has(instruction.name)) depth--;
    list.push({ ...instruction, depth: Math.max(0, depth - (BETWEEN.has(instruction.name) ? 1 : 0)) });
    if (OPENS.has(instruction.name)) depth++;
  }
  return list;
}
