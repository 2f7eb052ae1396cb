// One case: a program and a question. Runs it plain and traced; what the program noted must be the same, and the trace must
// say what the notes say.
import { instrument } from '../../../js/index.js';
import { compareCourses, comparePaths, withoutDoubted } from './compare.js';
import { runProgram } from './host.js';
import { moduleOf } from './program-code.js';
import { modelOf, recordedOf } from './recorded.js';
import { compareTimes } from './times.js';
import { Skip, truthOf } from './truth.js';
import { compareWindow, compareWindowTime } from './windows.js';

/**
 * @import {Course} from './course.js'
 * @import {Disagreement} from './compare.js'
 * @import {Note} from './notes.js'
 * @import {Plan, Window} from './plan.js'
 * @import {Program} from './program.js'
 * @import {TraceModel} from '../../../js/model/trace-model.js'
 *
 * @typedef {{program: Program, plan: Plan}} Case
 *
 * @typedef {object} Tally of recorded calls
 * @property {number} calls
 * @property {number} uncertain marked as having an uncertain caller
 * @property {number} right of these: the caller that is shown is the true one
 */

/** @param {readonly Note[]} plain @param {readonly Note[]} traced @returns {Disagreement | null} */
function compareNotes(plain, traced) {
  const [should, is] = [plain, traced].map((notes) => notes.map(({ kind, index, words }) => `${kind} ${index} ${words.join(' ')}`));
  const length = Math.max(should.length, is.length);
  for (let i = 0; i < length; i++)
    if (should[i] !== is[i]) return { kind: 'the program runs differently', text: `note ${i}\n- ${should[i]}\n+ ${is[i]}` };
  return null;
}

/** The same case, linked so. @param {Case} one @param {'split' | 'merged'} link @returns {Case} */
export function linked({ program, plan }, link) {
  return { program, plan: { ...plan, options: { ...plan.options, link, deferStart: link === 'split' } } };
}

/** @param {Tally} tally @param {Course} truth @param {Course} recorded */
function count(tally, truth, recorded) {
  tally.calls += recorded.calls.length;
  const uncertain = recorded.calls.flatMap((call, i) => (call.uncertain ? [{ call, i }] : []));
  tally.uncertain += uncertain.length;
  tally.right += uncertain.filter(({ call, i }) => truth.calls[i]?.parent === call.parent).length;
}

/** Whether each run takes the same. How deep the stack goes depends on what the engine has compiled by then. @param {Program} program @param {Plan} plan */
function isRepeatable(program, { options, only }) {
  return options.clock === 'instructions' && !only && !JSON.stringify(program).includes('"exhaustion"');
}

/** The same run, of which only a part is recorded. @param {Program} program @param {Plan} plan @param {Window} window @param {TraceModel} whole */
function checkWindow(program, plan, window, whole) {
  const { from, until, skip, maxEvents } = window;
  const named = Object.entries({ from, until }).flatMap(([name, func]) => (func === undefined ? [] : [[name, [`#${func}`]]]));
  const output = instrument(moduleOf(program), { ...plan.options, ...Object.fromEntries(named), skip, maxEvents });
  const { session } = runProgram(program, output, { traced: true });
  if (!session) return null;
  const part = modelOf(session);
  return compareWindow(whole, part, window) ?? (isRepeatable(program, plan) ? compareWindowTime(whole, part, window) : null);
}

/**
 * @param {Case} one
 * @param {Tally} [tally] is added to
 * @param {{all?: boolean}} [options] all: also where a trace cannot always be right
 * @returns {Disagreement | null}
 * @throws {Skip} when the case tells nothing
 */
export function check({ program, plan }, tally, { all = false } = {}) {
  const bytes = moduleOf(program);
  const plain = runProgram(program, bytes);
  const output = instrument(bytes, plan.options);
  if (output === bytes) throw new Skip('everything is hidden');
  const { notes, session, blurred } = runProgram(program, output, { traced: true });
  const other = compareNotes(plain.notes, notes);
  if (other) return other;
  if (!session) throw new Skip('the start function failed');
  if (blurred && !all) throw new Skip('what is documented not to be known');
  const truth = truthOf(notes, program, plan);
  const model = modelOf(session);
  const everything = recordedOf(model, plan);
  const recorded = plan.only ? withoutDoubted(truth, everything) : everything;
  if (tally) count(tally, truth, recorded);
  const wrong = plan.ring ? compareCourses(truth, recorded) : null;
  const windowed = wrong || !plan.window ? null : checkWindow(program, plan, plan.window, model);
  return wrong ?? windowed ?? compareTimes(model, session.metadata) ?? (plan.tree && !plan.only ? comparePaths(truth.paths, recorded.paths) : null);
}
