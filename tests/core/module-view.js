// What the tests look at in a module: its sections, imports, exports, names and bodies.
import { Cursor } from './cursor.js';
import { readInstructions, valueType } from './disassembler.js';

const SECTIONS = [
  'custom', 'type', 'import', 'function', 'table', 'memory', 'global', 'export', 'start', 'element', 'code', 'data',
  'datacount', 'tag',
];
const KINDS = ['func', 'table', 'memory', 'global', 'tag'];

/**
 * @typedef {object} Section
 * @property {number} id
 * @property {string} name of a custom section its own, else the kind's
 * @property {number} start of the id byte
 * @property {Cursor} content of a custom section: behind its name
 *
 * @typedef {object} Body
 * @property {{text: string, start: number}[]} locals
 * @property {number} start where offsets in code metadata count from
 * @property {import('./disassembler.js').Instruction[]} instructions
 */

export class ModuleView {
  /** @type {Section[]} */
  sections = [];

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    const c = new Cursor(bytes, 8);
    while (c.more) this.sections.push(readSection(c));
  }

  /** @param {string} name @returns {Cursor | null} at the content of the first section of that name */
  find(name) {
    const content = this.sections.find((section) => section.name === name)?.content;
    return content ? new Cursor(content.bytes, content.at, content.end) : null;
  }

  /** @returns {{name: string, kind: string, index: number}[]} */
  get exports() {
    const c = this.find('export');
    return c?.list(() => ({ name: c.name(), kind: KINDS[c.u8()], index: c.u32() })) ?? [];
  }

  /** How many of a kind are imported. @param {string} kind */
  imported(kind) {
    const c = this.find('import');
    return c?.list(() => readImport(c)).flat().filter((one) => one === kind).length ?? 0;
  }

  /** Number of imported functions. */
  get importedFunctions() {
    return this.imported('func');
  }

  /** Function names by index. @returns {Map<number, string>} */
  get names() {
    const c = this.find('name');
    while (c?.more) {
      const id = c.u8();
      const part = c.part(c.u32());
      if (id === 1) return new Map(part.list(() => [part.u32(), part.name()]));
    }
    return new Map();
  }

  /** Branch hints and the like: by function index, by byte offset in the file. @returns {Map<number, string>[]} */
  get hints() {
    const bodies = this.bodies;
    const imports = this.importedFunctions;
    /** @type {Map<number, string>[]} */
    const hints = [];
    const c = this.find('metadata.code.branch_hint');
    c?.list(() => {
      const func = c.u32();
      const { start } = bodies[func - imports];
      hints[func] = new Map(c.list(() => [start + c.u32(), Buffer.from(c.take(c.u32())).toString('hex')]));
    });
    return hints;
  }

  /** Defined functions in order. @returns {Body[]} */
  get bodies() {
    const c = this.find('code');
    return c?.list(() => readBody(c.part(c.u32()))) ?? [];
  }
}

/** @param {Cursor} c @returns {Section} */
function readSection(c) {
  const start = c.at;
  const id = c.u8();
  const content = c.part(c.u32());
  return { id, name: id === 0 ? content.name() : SECTIONS[id], start, content };
}

const COMPACT_TYPES = 0x7f;
const COMPACT_ONE_TYPE = 0x7e;

/** One import, or several in a compact encoding. @param {Cursor} c @returns {string[]} their kinds */
function readImport(c) {
  c.name();
  const name = c.name();
  const encoding = name === '' ? c.bytes[c.at] : 0;
  if (encoding !== COMPACT_TYPES && encoding !== COMPACT_ONE_TYPE) return [readImportType(c)];
  c.u8();
  if (encoding === COMPACT_TYPES) return c.list(() => (c.name(), readImportType(c)));
  const kind = readImportType(c);
  return c.list(() => (c.name(), kind));
}

/** @param {Cursor} c @returns {string} kind */
function readImportType(c) {
  const kind = KINDS[c.u8()];
  const skip = {
    func: () => c.u32(),
    table: () => [valueType(c), readLimits(c)],
    memory: () => readLimits(c),
    global: () => [valueType(c), c.u8()],
    tag: () => [c.u8(), c.u32()],
  };
  skip[kind]();
  return kind;
}

/** @param {Cursor} c */
function readLimits(c) {
  const flags = c.u8();
  c.u64();
  if (flags & 1) c.u64();
}

/** @param {Cursor} c @returns {Body} */
function readBody(c) {
  const start = c.at;
  const locals = c.list(() => {
    const at = c.at;
    const count = c.u32();
    return { start: at, text: `${valueType(c)} x ${count}` };
  });
  return { start, locals, instructions: readInstructions(c) };
}
