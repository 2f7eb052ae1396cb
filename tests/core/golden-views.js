// The kinds of blocks in golden files: what each shows of a module and what the instrumenter makes of it.
import assert from 'node:assert/strict';
import * as ABI from '../../js/generated/abi.js';
import * as RECORD from '../../js/generated/record.js';
import { Instrumenter } from '../../js/loader/instrumenter.js';
import { parseMetadata } from '../../js/trace/metadata.js';
import { unbalanced } from './balance.js';
import { ModuleView } from './module-view.js';
import { links, runModule } from './run-module.js';

/** @typedef {import('./golden-file.js').Block} Block */
/** @typedef {{bytes: Uint8Array, calls: string[]}} Subject a module and the calls of its run block */

const BOOLEANS = ['stack', 'deferStart', 'legacyExceptions', 'stopped', 'wall'];

/** @param {Uint8Array} bytes @param {Block['options']} options */
function transform(bytes, options) {
  const booleans = BOOLEANS.filter((name) => name in options).map((name) => [name, true]);
  return Instrumenter.create().run(bytes, { link: 'split', ...options, ...Object.fromEntries(booleans) });
}

/** @param {ModuleView} view of an instrumented module */
function metadataOf(view) {
  const content = view.find('wasm-trace');
  assert.ok(content);
  return parseMetadata(content.take(content.end - content.at));
}

/** Bytes of the output that were inserted. */
class Inserted {
  /** @type {Uint8Array} */
  #flags;

  /** @param {{bytes: Uint8Array, edits: Uint32Array}} result */
  constructor({ bytes, edits }) {
    this.#flags = new Uint8Array(bytes.length);
    let at = 0;
    let cursor = 0;
    for (let i = 0; i < edits.length; i += 3) {
      at += edits[i] - cursor;
      this.#flags.fill(1, at, at + edits[i + 2]);
      at += edits[i + 2];
      cursor = edits[i + 1];
    }
  }

  /** "+" when all bytes are ours, "~" when some are. @param {number} start @param {number} end */
  mark(start, end) {
    const ours = this.#flags.subarray(start, end).reduce((sum, flag) => sum + flag, 0);
    return ours === 0 ? ' ' : ours === end - start ? '+' : '~';
  }
}

const KIND_NAMES = new Map(Object.entries(RECORD).map(([name, kind]) => [kind, name]));
const TAKES_HEADER = new Set(['wtr_event', 'wtr_enter', 'wtr_leave', 'wtr_event_timed', 'wtr_leave_event_ticker', 'wtr_leave_event_timed']);

/** "ENTER 3 (+1)": with one payload word in front @param {bigint} header */
function headerText(header) {
  const words = Number((header >> 28n) & 0xfffn);
  return `${KIND_NAMES.get(Number(header & 15n))} ${(header >> 4n) & 0xffffffn}${words ? ` (+${words})` : ''}`;
}

/**
 * Names of all functions; where there is no name section, those of the trampolines, which stand at every second index.
 * @param {ModuleView} view an instrumented module
 * @returns {Map<number, string>}
 */
function functionNames(view) {
  const { entries, functionCount } = metadataOf(view);
  return new Map([...entries.map((name, slot) => /** @type {[number, string]} */ ([functionCount + 2 * slot, `wtr_${name}`])), ...view.names]);
}

/** @param {Map<number, string>} names @param {import('./disassembler.js').Instruction[]} list @param {number} i */
function operandsText(names, list, i) {
  const { name, operands } = list[i];
  if (/^(call|return_call|ref\.func)$/.test(name)) return names.get(Number(operands)) ?? operands;
  const next = list[i + 1]?.name === 'global.get' ? list[i + 2] : list[i + 1]; // a clock that is a global stands between
  const callee = name === 'i64.const' && next?.name === 'call' ? names.get(Number(next.operands)) : undefined;
  return TAKES_HEADER.has(callee ?? '') ? headerText(BigInt(operands)) : operands;
}

/** @param {ModuleView} view @param {Inserted} inserted @param {number} index */
function bodyText(view, inserted, index) {
  const body = view.bodies[index - view.importedFunctions];
  const hints = view.hints[index] ?? new Map();
  const names = functionNames(view);
  const locals = body.locals.map(({ text, start }) => `${inserted.mark(start, start + 2)} local ${text}\n`).join('');
  const lines = body.instructions.map((instruction, i) => {
    const { start, end, name, depth } = instruction;
    const text = `${name} ${operandsText(names, body.instructions, i)}`.trim();
    const hint = hints.has(start) ? `   ;; hint ${hints.get(start)}` : '';
    return `${inserted.mark(start, end)} ${'  '.repeat(depth)}${text}${hint}\n`;
  });
  return `${names.get(index) ?? `#${index}`}:\n${locals}${lines.join('')}`;
}

/** Functions by name, or all of the debuggee. @param {Subject} subject @param {Block} block */
function code({ bytes }, { words, options }) {
  const result = transform(bytes, options);
  const view = new ModuleView(result.bytes);
  const inserted = new Inserted(result);
  const original = new ModuleView(bytes);
  const own = original.bodies.map((_, i) => original.importedFunctions + i);
  const named = [...view.names].filter(([, name]) => words.includes(name)).map(([index]) => index);
  return (words.length > 0 ? named : own).map((index) => bodyText(view, inserted, index)).join('');
}

/** Sections in order: new ones with "+", changed ones with "~". @param {Subject} subject @param {Block} block */
function sections({ bytes }, { options }) {
  const result = transform(bytes, options);
  const inserted = new Inserted(result);
  const { sections: list } = new ModuleView(result.bytes);
  return list.map(({ name, start, content }) => `${inserted.mark(start, content.end)} ${name}\n`).join('');
}

/** @param {Subject} subject @param {Block} block */
function exports({ bytes }, { options }) {
  const view = new ModuleView(transform(bytes, options).bytes);
  const names = view.names;
  return view.exports
    .map(({ name, kind, index }) => `${name}: ${kind} ${kind === 'func' ? (names.get(index) ?? `#${index}`) : index}\n`)
    .join('');
}

/** @param {Subject} subject @param {Block} block */
function names({ bytes }, { options }) {
  const view = new ModuleView(transform(bytes, options).bytes);
  return [...view.names].map(([index, name]) => `${index} ${name}\n`).join('');
}

/** Numbers of the runtime's layout and of the code map are left out: they are not the module's. */
const LAID_OUT = new Set(['config', 'pages', 'codeMap', 'entries', 'version']);

/** @param {unknown} value @returns {unknown} */
const plain = (value) => (value instanceof Map ? Object.fromEntries(value) : value);

/** Facts in the custom section that are not empty. @param {Subject} subject @param {Block} block */
function metadata({ bytes }, { options }) {
  return Object.entries(metadataOf(new ModuleView(transform(bytes, options).bytes)))
    .filter(([name]) => !LAID_OUT.has(name))
    .map(([name, value]) => [name, JSON.stringify(plain(value))])
    .filter(([, text]) => !['false', '[]', '{}', '0'].includes(text))
    .map(([name, text]) => `${name}: ${text}\n`)
    .join('');
}

/** Code, message and place of the refusal. @param {Subject} subject @param {Block} block */
function error({ bytes }, { options }) {
  try {
    transform(bytes, options);
  } catch (problem) {
    const { code: kind, message, offset } = /** @type {any} */ (problem);
    return `${kind}: ${message}${offset === undefined ? '' : ` at ${offset}`}\n`;
  }
  return 'no error\n';
}

/** Without the growth, which every change of ours changes. @param {Subject} subject @param {Block} block */
const list = ({ bytes }, { options }) => transform(bytes, options).list.replace(/^size: .*\n/m, '');
/** @param {Subject} subject @param {Block} block */
const warnings = ({ bytes }, { options }) => transform(bytes, options).warnings.map((line) => `${line}\n`).join('');
/** @param {Subject} subject */
const run = ({ bytes, calls }) => runModule(bytes, calls).results.map((line) => `${line}\n`).join('');

/** Nothing was thrown and nothing trapped. @param {readonly string[]} results */
const endedWell = (results) => results.every((line) => !/= (trap|exception|error)/.test(line));

/** Options by which recording may begin or end in the middle of calls. */
const PARTIAL = ['from', 'until', 'skip', 'maxEvents', 'onFull'];

/** @param {import('../../js/loader/session.js').Session} session @param {Block['options']} options */
function holdBalance(session, options) {
  const snapshot = session.snapshot();
  assert.equal(snapshot.position, session.metadata.onlyGate ? ABI.OUTSIDE : snapshot.closed ? ABI.SHUT : 0, 'the position is the host\'s');
  if (!PARTIAL.some((name) => name in options)) assert.deepEqual(unbalanced(snapshot), new Map(), 'every call ended');
}

const MOST_LINES = 100;

/**
 * The display in every link mode. Results and calls of the host must be those of the untouched module, and what began must have ended, where
 * all calls ended well and none threw inside.
 * @param {Subject} subject @param {Block} block
 */
function report({ bytes, calls }, { kind, options }) {
  const expected = runModule(bytes, calls);
  const throws = new ModuleView(bytes).find('tag') !== null || !endedWell(expected.results);
  const texts = links.map((link) => {
    const { results, heard, session } = runModule(transform(bytes, { ...options, link }).bytes, calls, { traced: true });
    assert.ok(session);
    assert.deepEqual({ results, heard }, { results: expected.results, heard: expected.heard }, `with ${link} linking`);
    if (!throws) holdBalance(session, options);
    return session.report(/** @type {any} */ (kind), { color: false, limit: Number(options.limit ?? MOST_LINES) }).replace(/^.*\n/, ''); // without the title
  });
  for (const text of texts) assert.equal(text, texts[0], 'both link modes show the same');
  return texts[0];
}

/** Blocks that make the engine run the module. */
export const RUNNING = new Set(['run', 'log', 'nested', 'tree', 'histogram', 'report']);

/** @type {Record<string, (subject: Subject, block: Block) => string | undefined>} */
export const VIEWS = {
  ...{ code, sections, exports, names, metadata, error, list, warnings, run },
  ...Object.fromEntries(['log', 'nested', 'tree', 'histogram', 'report'].map((kind) => [kind, report])),
};
