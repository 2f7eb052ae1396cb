// One case: a program and a question. Runs it plain and traced; what the program noted must be the same, and the trace must
// say what the notes say.
import { instrument } from '../../../js/index.js';
import { runProgram } from './host.js';
import { lineFacts, withoutLastUnwound } from './lines.js';
import { moduleOf } from './program-code.js';
import { recordedOf } from './recorded.js';
import { Skip, truthOf } from './truth.js';

/**
 * @import {Plan} from './plan.js'
 * @import {Program} from './program.js'
 * @import {Line, Truth} from './truth.js'
 *
 * @typedef {{program: Program, plan: Plan}} Case
 * @typedef {{kind: string, text: string}} Disagreement kind: cases of one kind have one cause, as far as can be told
 */

/** Whether the trace itself says that it does not know what this line tells. @param {string | undefined} _line */
const isMarkedUncertain = (_line) => false;

/** @param {readonly {kind: number, index: number, words: bigint[]}[]} notes */
const noteTexts = (notes) => notes.map(({ kind, index, words }) => `${kind} ${index} ${words.join(' ')}`);

/** @param {readonly string[]} a @param {readonly string[]} b @returns {number} index of the first difference; -1 for none */
function firstDifference(a, b) {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return i;
  return -1;
}

/** @param {Truth} truth @param {readonly string[]} got @returns {Disagreement | null} */
function compareLines({ lines }, got) {
  const expected = withoutLastUnwound(lines.map(({ text }) => text));
  const found = withoutLastUnwound(got);
  const at = firstDifference(expected, found);
  if (at < 0 || isMarkedUncertain(found[at])) return null;
  return { kind: kindOf(lines.slice(at), expected[at], found[at]), text: around(expected, found, at) };
}

/** What the first event from here on is about decides: what was unwound before it is only known by it.
 * @param {readonly Line[]} lines @param {string | undefined} expected @param {string | undefined} found */
function kindOf(lines, expected, found) {
  const [should, is] = [lineFacts(expected), lineFacts(found)];
  const what = should.kind === is.kind ? `${should.kind}, ${depthText(should.depth, is.depth)}` : `${is.kind} for ${should.kind}`;
  const event = lines.find(({ text }) => lineFacts(text).kind !== 'unwound');
  const next = event ? `at ${lineFacts(event.text).kind}${event.entered && `, entered by ${event.entered}`}` : 'at the end';
  return [what, next, event?.after && `after ${event.after}`].filter(Boolean).join('; ');
}

/** @param {number} should @param {number} is */
const depthText = (should, is) => (is === should ? 'as deep' : is > should ? 'too deep' : 'not deep enough');

const SHOWN_BEFORE = 8;

/** @param {readonly string[]} expected @param {readonly string[]} found @param {number} at */
function around(expected, found, at) {
  const before = expected.slice(Math.max(0, at - SHOWN_BEFORE), at).map((line) => `  ${line}`);
  const show = (/** @type {string} */ sign, /** @type {readonly string[]} */ lines) => lines.slice(at, at + 3).map((line) => `${sign} ${line}`);
  return [...before, ...show('-', expected), ...show('+', found)].join('\n');
}

/** @param {Map<string, number>} expected @param {Map<string, number>} found @returns {Disagreement | null} */
function comparePaths(expected, found) {
  const texts = (/** @type {Map<string, number>} */ paths) => [...paths].map(([path, count]) => `${path}: ${count}`).sort();
  const [should, is] = [texts(expected), texts(found)];
  const at = firstDifference(should, is);
  return at < 0 ? null : { kind: 'the call tree', text: around(should, is, at) };
}

/** The same case, linked so. @param {Case} one @param {'split' | 'merged'} link @returns {Case} */
export function linked({ program, plan }, link) {
  return { program, plan: { ...plan, options: { ...plan.options, link, deferStart: link === 'split' } } };
}

/**
 * @param {Case} one
 * @returns {Disagreement | null}
 * @throws {Skip} when the case tells nothing
 */
export function check({ program, plan }) {
  const bytes = moduleOf(program);
  const plain = runProgram(program, bytes);
  const { notes, session } = runProgram(program, instrument(bytes, plan.options), { traced: true });
  const at = firstDifference(noteTexts(plain.notes), noteTexts(notes));
  if (at >= 0) return { kind: 'the program runs differently', text: around(noteTexts(plain.notes), noteTexts(notes), at) };
  if (!session) throw new Skip('the start function failed');
  const truth = truthOf(notes, program, plan);
  const recorded = recordedOf(session);
  const byLines = plan.ring ? compareLines(truth, recorded.lines) : null;
  return byLines ?? (plan.tree ? comparePaths(truth.paths, recorded.paths) : null);
}
