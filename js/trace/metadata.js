// The custom section `wasm-trace` -> plain data. docs/ARCHITECTURE.md has the table of subsections; one reader
// function for each is below, and a table that says which id is read by which. Malformed sections throw TraceError
// with the offset.
import { Reader } from './reader.js';
import { typeOfByte } from './types.js';

/** @import {ValueType} from './types.js' */

/**
 * What is recorded at a function that has values or a stack.
 * @typedef {object} Probe
 * @property {boolean} calls every call and return is recorded, values or not
 * @property {{index: number, type: ValueType}[] | null} args arguments that an ENTER record carries
 * @property {ValueType[] | null} results that a LEAVE record carries
 * @property {boolean} stack its events show the stack
 *
 * @typedef {object} HistogramSource which values a histogram counts
 * @property {number} func
 * @property {'arg' | 'ret' | 'grow'} what
 * @property {number} index of the argument or the result
 * @property {ValueType} type
 *
 * @typedef {object} Clock
 * @property {'ticker' | 'instructions' | 'host' | 'import'} kind
 * @property {string} name of the import, as `module.name`; of others ''
 * @property {'ns' | 'instructions' | 'units'} unit
 * @property {boolean} wall beside it, nanoseconds of the host's clock around calls of the host
 * @property {string} weights name of the table that instructions are weighed by; '': each counts one
 *
 * @typedef {object} Metadata
 * @property {number} version of the section's format
 * @property {boolean} split linked by a table instead of merged
 * @property {boolean} tree positions are nodes of the call tree
 * @property {boolean} ring events are recorded
 * @property {boolean} deferredStart the start function is the export `__wasm_trace_start`
 * @property {boolean} onlyGate `--only`: recording begins and ends with selected calls
 * @property {boolean} stacks every event shows its stack
 * @property {boolean} heap the runtime's state is a block of the debuggee's heap, of `pages`
 * @property {number} importCount imported functions; function indices below it are calls to the host
 * @property {number} functionCount with the imported ones
 * @property {number} originalSize bytes of the module before instrumentation
 * @property {number} tracedCount functions traced
 * @property {number} tinyCount functions left out for being tiny
 * @property {string[]} trace what `--trace` said
 * @property {string[]} display what `--display` said
 * @property {Uint8Array} config first bytes of the runtime's memory, from ABI.STATE_ADDRESS on (a copy)
 * @property {number} pages of memory that the runtime needs
 * @property {Map<number, Probe>} probes by function index
 * @property {HistogramSource[]} histograms item i is about table i
 * @property {Map<number, string>} names of traced functions that the name section does not have
 * @property {Uint32Array} codeMap three numbers for an edit, in order: originalEnd, newStart, newEnd. The new bytes
 *   newStart..newEnd stand for the original bytes before originalEnd, back to where the previous edit left off
 * @property {string[]} entries split link: runtime export for slot i of the table
 * @property {Clock | null} clock what is read as the time; null: nothing is
 * @property {number[]} durations functions whose durations are counted: item i is about table i
 * @property {Map<number, number>} shims functions that stand in for others among the exports -> those others
 */

const VERSION = 1;
const WHAT = /** @type {const} */ (['arg', 'ret', 'grow']);

/** @returns {Metadata} */
function emptyMetadata() {
  return {
    version: VERSION,
    split: false,
    tree: false,
    ring: false,
    deferredStart: false,
    onlyGate: false,
    stacks: false,
    heap: false,
    importCount: 0,
    functionCount: 0,
    originalSize: 0,
    tracedCount: 0,
    tinyCount: 0,
    trace: [],
    display: [],
    config: new Uint8Array(0),
    pages: 0,
    probes: new Map(),
    histograms: [],
    names: new Map(),
    codeMap: new Uint32Array(0),
    entries: [],
    shims: new Map(),
    clock: null,
    durations: [],
  };
}

/**
 * @template T
 * @param {Reader} reader
 * @param {number} itemSize least bytes of an item
 * @param {() => T} readItem
 * @returns {T[]}
 */
function vec(reader, itemSize, readItem) {
  const items = [];
  for (let left = reader.count(itemSize); left > 0; left--) items.push(readItem());
  return items;
}

/** @param {Reader} reader @returns {ValueType} */
function valueType(reader) {
  const start = reader.offset;
  const byte = reader.byte();
  return typeOfByte(byte) ?? reader.fail(`unknown value type 0x${byte.toString(16)}`, start);
}

/** @param {Reader} reader @param {Metadata} metadata */
function readModule(reader, metadata) {
  const flags = reader.u32();
  const flag = (/** @type {number} */ bit) => (flags & (1 << bit)) !== 0;
  metadata.split = flag(0);
  metadata.tree = flag(1);
  metadata.ring = flag(2);
  metadata.deferredStart = flag(3);
  metadata.onlyGate = flag(4);
  metadata.stacks = flag(5);
  metadata.heap = flag(6);
  metadata.importCount = reader.u32();
  metadata.functionCount = reader.u32();
  metadata.originalSize = reader.u32();
  metadata.tracedCount = reader.u32();
  metadata.tinyCount = reader.u32();
}

/** @param {Reader} reader @param {Metadata} metadata */
function readOptions(reader, metadata) {
  metadata.trace = vec(reader, 1, () => reader.name());
  metadata.display = vec(reader, 1, () => reader.name());
}

/** @param {Reader} reader @param {Metadata} metadata */
function readConfig(reader, metadata) {
  metadata.config = reader.bytes(reader.count(1)).slice();
  metadata.pages = reader.u32();
}

/** @param {Reader} reader @returns {[number, Probe]} */
function readProbe(reader) {
  const func = reader.u32();
  const flags = reader.byte();
  const args = flags & 2 ? vec(reader, 2, () => ({ index: reader.u32(), type: valueType(reader) })) : null;
  const results = flags & 4 ? vec(reader, 1, () => valueType(reader)) : null;
  return [func, { calls: (flags & 1) !== 0, args, results, stack: (flags & 8) !== 0 }];
}

/** @param {Reader} reader @param {Metadata} metadata */
function readProbes(reader, metadata) {
  metadata.probes = new Map(vec(reader, 2, () => readProbe(reader)));
}

/** @param {Reader} reader @returns {HistogramSource} */
function readHistogram(reader) {
  const func = reader.u32();
  const start = reader.offset;
  const byte = reader.byte();
  const what = WHAT[byte] ?? reader.fail(`a histogram of kind ${byte}`, start);
  return { func, what, index: reader.u32(), type: valueType(reader) };
}

/** @param {Reader} reader @param {Metadata} metadata */
function readHistograms(reader, metadata) {
  metadata.histograms = vec(reader, 4, () => readHistogram(reader));
}

/** @param {Reader} reader @param {Metadata} metadata */
function readNames(reader, metadata) {
  metadata.names = new Map(vec(reader, 2, () => /** @type {[number, string]} */ ([reader.u32(), reader.name()])));
}

/** @param {Reader} reader @param {Metadata} metadata */
function readCodeMap(reader, metadata) {
  const count = reader.count(3);
  const map = new Uint32Array(count * 3);
  let original = 0;
  let now = 0;
  for (let i = 0; i < map.length; i += 3) {
    const distance = reader.u32();
    map[i] = original += distance + reader.u32();
    map[i + 1] = now += distance;
    map[i + 2] = now += reader.u32();
    if (original > 0xffffffff || now > 0xffffffff) reader.fail('an offset of more than 32 bits');
  }
  metadata.codeMap = map;
}

/** @param {Reader} reader @param {Metadata} metadata */
function readEntries(reader, metadata) {
  metadata.entries = vec(reader, 1, () => reader.name());
}

/** @param {Reader} reader @param {Metadata} metadata */
function readShims(reader, metadata) {
  const first = reader.u32();
  const functions = vec(reader, 1, () => reader.u32());
  metadata.shims = new Map(functions.map((func, i) => [first + i, func]));
}

const CLOCKS = /** @type {const} */ ({ 1: 'ticker', 2: 'instructions', 3: 'host', 4: 'import' });

/** @param {Reader} reader @param {Metadata} metadata */
function readClock(reader, metadata) {
  const start = reader.offset;
  const byte = reader.byte();
  const kind = CLOCKS[/** @type {1} */ (byte)] ?? reader.fail(`a clock of kind ${byte}`, start);
  const flags = reader.byte();
  const name = reader.name();
  const weights = reader.name();
  metadata.clock = { kind, name, unit: unitOf(kind, flags), wall: (flags & 1) !== 0, weights };
}

/** @param {Clock['kind']} kind @param {number} flags @returns {Clock['unit']} */
function unitOf(kind, flags) {
  if (kind === 'instructions') return flags & 2 ? 'units' : 'instructions';
  return kind === 'import' && !(flags & 4) ? 'units' : 'ns';
}

/** @param {Reader} reader @param {Metadata} metadata */
function readDurations(reader, metadata) {
  metadata.durations = vec(reader, 1, () => reader.u32());
}

/** Item i reads subsection i. @type {readonly [string, (reader: Reader, metadata: Metadata) => void][]} */
const SUBSECTIONS = [
  ['module', readModule],
  ['options', readOptions],
  ['config', readConfig],
  ['probes', readProbes],
  ['histograms', readHistograms],
  ['names', readNames],
  ['code map', readCodeMap],
  ['entries', readEntries],
  ['shims', readShims],
  ['clock', readClock],
  ['durations', readDurations],
];

/**
 * @param {Uint8Array} section content of the custom section, without its name; borrowed for the call
 * @returns {Metadata}
 * @throws {TraceError} code 'metadata', offset in `section`
 */
export function parseMetadata(section) {
  return parseSubsections(section, SUBSECTIONS);
}

/**
 * Only `shims`, which are needed at once; the rest can wait until a report is made.
 * @param {Uint8Array} section as above
 * @returns {Map<number, number>}
 * @throws {TraceError}
 */
export function parseShims(section) {
  return parseSubsections(section, SUBSECTIONS.map((row) => (row[0] === 'shims' ? row : undefined))).shims;
}

/** @param {Uint8Array} section @param {readonly (typeof SUBSECTIONS[number] | undefined)[]} rows */
function parseSubsections(section, rows) {
  const reader = new Reader(section);
  const version = reader.byte();
  if (version !== VERSION) reader.fail(`format version ${version} where ${VERSION} is known`, 0);
  const metadata = emptyMetadata();
  while (reader.left > 0) {
    const subsection = rows[reader.byte()];
    const content = reader.sub(reader.count(1));
    if (!subsection) continue;
    const [name, read] = subsection;
    read(content, metadata);
    content.end(`the subsection "${name}"`);
  }
  return metadata;
}

/**
 * Where a byte of the instrumented file stands in the original one. A byte that replaced an instruction counts as the first
 * byte of what it replaced.
 * @param {Pick<Metadata, 'codeMap'>} metadata
 * @param {number} instrumentedOffset from the start of the file
 * @returns {number | null} null for a byte that was only added
 */
export function originalOffset(metadata, instrumentedOffset) {
  const { offset, added } = originalPlace(metadata, instrumentedOffset);
  return added ? null : offset;
}

/**
 * As originalOffset(); of a byte that was only added, the place where it stands: before which byte of the original.
 * @param {Pick<Metadata, 'codeMap'>} metadata
 * @param {number} instrumentedOffset
 * @returns {{offset: number, added: boolean}}
 */
export function originalPlace({ codeMap }, instrumentedOffset) {
  const edit = lastEditFrom(codeMap, instrumentedOffset);
  if (edit < 0) return { offset: instrumentedOffset, added: false };
  const [originalEnd, newStart, newEnd] = codeMap.subarray(edit, edit + 3);
  if (instrumentedOffset >= newEnd) return { offset: originalEnd + (instrumentedOffset - newEnd), added: false };
  const [previousOriginal, previousNew] = edit > 0 ? [codeMap[edit - 3], codeMap[edit - 1]] : [0, 0];
  const originalStart = previousOriginal + (newStart - previousNew);
  return { offset: originalStart, added: originalStart === originalEnd };
}

/** Index in the code map of the last edit that begins at or before the offset; -1 when none does.
 * @param {Uint32Array} codeMap @param {number} offset */
function lastEditFrom(codeMap, offset) {
  let low = 0;
  let high = codeMap.length / 3;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (codeMap[middle * 3 + 1] <= offset) low = middle + 1;
    else high = middle;
  }
  return low * 3 - 3;
}
