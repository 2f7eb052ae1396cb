// Two runs of a program held against each other, only what changed, what changed most first: as text, and as Markdown for comments in
// code reviews. Figures of clocks that count are written out: a difference of three digits would be lost in them.
//                 Self | Change |     % | Total % |    Calls | Function
//     -----------------+--------+-------+---------+----------+------------------------
//       1,204 -> 1,309 |   +105 |  +8.7 |    +4.1 | 12 -> 13 | parse_value
import { HOST_SUFFIX } from '../model/baseline.js';
import { conditionsThatDiffer, differenceOf, figureOf, haveSameUnit } from '../model/compare.js';
import { styles } from './ansi.js';
import { tableLines } from './table.js';
import { counted, grouped, joinLines } from './text.js';
import { amount, clockLine } from './units.js';

/** @import {Comparison, Figure, FunctionChange, ModuleChange} from '../model/compare.js' */
/** @import {Baseline} from '../model/baseline.js' */
/** @import {Clock} from '../trace/metadata.js' */
/** @import {Judgement, Regression} from './rules.js' */

/** @typedef {{limit?: number, color?: boolean}} DiffOptions limit: functions */

const DIFF_LIMIT = 50;

/** How a pair of figures stands in text and in Markdown. */
const ARROWS = Object.freeze({ text: ' -> ', markdown: ' → ' });

/** @typedef {keyof typeof ARROWS} DiffForm */

/** @param {number} value @param {Comparison} comparison */
function figureText(value, { now: { clock } }) {
  return clock?.unit === 'ns' ? amount(value, 'ns') : grouped(value);
}

/** @param {number} difference @param {(value: number) => string} text */
function signed(difference, text) {
  if (difference === 0) return '0';
  return (difference > 0 ? '+' : '-') + text(Math.abs(difference));
}

/** "+8.7"; small ones with more digits, so that none that changed seems not to have. @param {number} old @param {number} now */
function growth(old, now) {
  if (old === now) return '0';
  if (old === 0) return 'new';
  const percent = (100 * (now - old)) / old;
  const digits = Math.abs(percent) >= 0.095 ? 1 : Math.min(6, 1 - Math.floor(Math.log10(Math.abs(percent))));
  return signed(percent, (value) => (value >= 1e6 ? '> 1,000,000' : value.toFixed(digits)));
}

/** @param {number} old @param {number} now @param {(value: number) => string} text @param {DiffForm} form */
function pairText(old, now, text, form) {
  return old === now ? text(now) : text(old) + ARROWS[form] + text(now);
}

/** @param {FunctionChange} change */
function stateOf({ old, now }) {
  if (!old) return 'new';
  return now ? '' : 'gone';
}

/**
 * @param {Comparison} comparison
 * @param {readonly FunctionChange[]} changes
 * @param {DiffForm} form
 * @returns {{heading: string, cells: string[]}[]}
 */
function columnsOf(comparison, changes, form) {
  const text = (/** @type {number} */ value) => figureText(value, comparison);
  const pair = (/** @type {FunctionChange} */ { old, now }, /** @type {Figure} */ figure) => /** @type {const} */ ([figureOf(old, figure), figureOf(now, figure)]);
  const share = (/** @type {FunctionChange} */ change, /** @type {Figure} */ figure) => stateOf(change) || growth(...pair(change, figure));
  const column = (/** @type {string} */ heading, /** @type {(change: FunctionChange) => string} */ cell) => ({ heading, cells: changes.map(cell) });
  const calls = column('Calls', (change) => pairText(...pair(change, 'calls'), grouped, form));
  if (!comparison.now.clock) return [calls, column('%', (change) => share(change, 'calls'))];
  return [
    column('Self', (change) => pairText(...pair(change, 'self'), text, form)),
    column('Change', (change) => signed(differenceOf(change, 'self'), text)),
    column('%', (change) => share(change, 'self')),
    column('Total %', (change) => share(change, 'total')),
    calls,
  ];
}

/** @param {FunctionChange} change @param {boolean} several modules */
function nameText({ module, name, host }, several) {
  return name + (host ? HOST_SUFFIX : '') + (several ? ` (${module})` : '');
}

/** @param {Baseline} baseline */
function unitOf({ clock }) {
  return clock ? (clock.unit === 'ns' ? 'time' : clock.unit) : 'calls';
}

/** "instructions: 1,204 -> 1,309 (+8.7 %)". @param {Comparison} comparison @param {DiffForm} form */
function totalText(comparison, form) {
  const { total: { old, now }, now: baseline } = comparison;
  const text = (/** @type {number} */ value) => figureText(value, comparison);
  const how = old === now ? 'no change' : old === 0 ? 'new' : `${signed(now - old, text)}, ${growth(old, now)} %`;
  return `${unitOf(baseline)}: ${pairText(old, now, text, form)} (${how})`;
}

/** @param {ModuleChange} change @param {DiffForm} form */
function moduleText({ old, now, identical }, form) {
  if (!old || !now) return `${(now ?? old)?.name}: ${old ? 'gone' : 'new'}`;
  const name = old.name === now.name ? now.name : `${old.name}${ARROWS[form]}${now.name}`;
  if (identical) return `${name}: the same module, byte by byte`;
  const size = `${pairText(old.size, now.size, grouped, form)} bytes, ${pairText(old.defined, now.defined, grouped, form)} functions`;
  return `${name}: ${identical === null ? 'not known to be the same module' : 'another module'}, ${size}${producersText(old, now)}`;
}

/** Another compiler is a reason, too. @param {import('../model/baseline.js').BaselineModule} old @param {import('../model/baseline.js').BaselineModule} now */
function producersText(old, now) {
  const [before, after] = [old, now].map(({ producers }) => Object.values(producers).flat().sort());
  if (before.join() === after.join()) return '';
  const [gone, come] = [before.filter((one) => !after.includes(one)), after.filter((one) => !before.includes(one))];
  return `; made by ${come.join(', ') || 'others'} instead of ${gone.join(', ') || 'none that is told'}`;
}

/** @param {unknown} value */
function conditionText(value) {
  if (value === undefined || value === null) return 'none';
  return [value].flat().join(', ');
}

/** What is to be known of the figures, and of rules. @param {Comparison} comparison @param {Judgement} judgement */
function warningsOf({ old, now }, { problems }) {
  const differing = conditionsThatDiffer(old, now).map(({ what, old: before, now: after }) => `${what} differs: ${conditionText(before)}, now ${conditionText(after)}`);
  const versions = old.wasmTrace === now.wasmTrace ? [] : [`the baseline was made by wasm-trace ${old.wasmTrace}, this is ${now.wasmTrace}`];
  const varies = now.clock?.unit === 'ns' ? ['times vary from run to run; --clock instructions counts the same every time'] : [];
  return [...differing, ...versions, ...varies, ...problems.map(({ rule, problem }) => `--fail-if "${rule.text}": ${problem}`)];
}

/** @param {Comparison} comparison @param {number} left */
function notesOf({ modules, changes }, left) {
  const functions = modules.flatMap((module) => module.functions);
  return [
    ...(left > 0 ? [`${counted(left, 'more function')} changed; a larger --limit shows more`] : []),
    ...(changes.length < functions.length ? [`${counted(functions.length - changes.length, 'function')} did not change`] : []),
  ];
}

/** "malloc +5 %: total of malloc 1,204 -> 1,309 (+8.7 %)". @param {Regression} regression @param {Comparison} comparison @param {DiffForm} form */
function regressionText({ rule, change, old, now }, comparison, form) {
  const text = (/** @type {number} */ value) => (rule.figure === 'calls' ? grouped(value) : figureText(rule.figure === 'avg' ? Math.round(value * 10) / 10 : value, comparison));
  const of = change ? `${rule.figure} of ${nameText(change, comparison.modules.length > 1)}` : rule.figure === 'calls' ? 'all calls' : `all ${unitOf(comparison.now)}`;
  const share = old === 0 ? 'new' : `${growth(old, now)} %`;
  return `${of}: ${pairText(old, now, text, form)} (${signed(now - old, text)}, ${share})`;
}

/** Why figures of the two cannot be held against each other; null: they can. @param {Baseline} old @param {Baseline} now */
export function unitProblem(old, now) {
  return haveSameUnit(old, now) ? null : `the baseline counts ${unitOf(old)}, this run ${unitOf(now)}: they cannot be compared`;
}

/**
 * @param {Comparison} comparison
 * @param {Judgement} judgement
 * @param {DiffOptions} [options]
 * @returns {string} lines, each with its end
 */
export function renderDiff(comparison, judgement, { limit = DIFF_LIMIT, color } = {}) {
  const style = styles(color);
  const { changes, modules, now: { clock } } = comparison;
  const shown = changes.slice(0, limit);
  const last = { heading: 'Function', cells: shown.map((change) => style.name(nameText(change, modules.length > 1))) };
  return joinLines([
    style.heading(totalText(comparison, 'text')),
    ...modules.map((module) => moduleText(module, 'text')),
    '',
    ...(shown.length > 0 ? tableLines(columnsOf(comparison, shown, 'text'), last, style) : ['no function changed']),
    ...notesOf(comparison, changes.length - shown.length).map((note) => style.dim(`(${note})`)),
    ...warningsOf(comparison, judgement).map((warning) => style.dim(`(${warning})`)),
    ...(clock ? [style.dim(clockLine(/** @type {Clock} */ ({ ...clock, wall: false })))] : []),
    ...judgement.regressions.map((one) => `regression: ${one.rule.text}: ${regressionText(one, comparison, 'text')}`),
  ]);
}

/** As code, whatever is in it. @param {string} text */
function code(text) {
  const fence = '`'.repeat((text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0) + 1);
  const pad = fence.length > 1 ? ' ' : '';
  return fence + pad + text + pad + fence;
}

/** @param {readonly string[]} cells */
function row(cells) {
  return `| ${cells.join(' | ')} |`;
}

/** @param {Comparison} comparison @param {readonly FunctionChange[]} shown */
function markdownTable(comparison, shown) {
  const columns = columnsOf(comparison, shown, 'markdown');
  const names = shown.map((change) => code(nameText(change, comparison.modules.length > 1)).replaceAll('|', '\\|')); // in code, too, it would end the cell
  return [
    row(['Function', ...columns.map(({ heading }) => heading)]),
    row([':--', ...columns.map(() => '--:')]),
    ...names.map((name, i) => row([name, ...columns.map(({ cells }) => cells[i])])),
  ];
}

/** What is no code may hold signs that mean something. @param {string} text */
function plain(text) {
  return text.replace(/[\\`*_{}[\]<>#|]/g, '\\$&');
}

/**
 * As GitHub and others show it in comments.
 * @param {Comparison} comparison
 * @param {Judgement} judgement
 * @param {DiffOptions} [options]
 * @returns {string} lines, each with its end
 */
export function renderDiffMarkdown(comparison, judgement, { limit = DIFF_LIMIT } = {}) {
  const { changes, modules } = comparison;
  const shown = changes.slice(0, limit);
  const { regressions } = judgement;
  const told = regressions.map((one) => `- ${code(one.rule.text)}: ${plain(regressionText(one, comparison, 'markdown'))}`);
  return joinLines([
    `### ${regressions.length > 0 ? '❌' : '✅'} ${totalText(comparison, 'markdown')}`,
    '',
    ...(told.length > 0 ? [`${counted(told.length, 'regression')}:`, '', ...told, ''] : []),
    ...modules.map((module) => `${plain(moduleText(module, 'markdown'))}  `),
    '',
    ...(shown.length > 0 ? markdownTable(comparison, shown) : ['No function changed.']),
    ...[...notesOf(comparison, changes.length - shown.length), ...warningsOf(comparison, judgement)].flatMap((note) => ['', plain(note)]),
  ]);
}
