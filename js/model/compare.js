// Two baselines, held against each other: what changed, function by function.
import { compareText, functionKey } from './baseline.js';

/** @import {Baseline, BaselineFunction, BaselineModule} from './baseline.js' */

/**
 * @typedef {object} Comparison
 * @property {Baseline} old
 * @property {Baseline} now
 * @property {Figures} total of all modules
 * @property {ModuleChange[]} modules in the order of their names
 * @property {FunctionChange[]} changes of all modules, the biggest first
 *
 * @typedef {{old: number, now: number}} Figures
 *
 * @typedef {object} ModuleChange
 * @property {BaselineModule | null} old null: it is new
 * @property {BaselineModule | null} now null: it is gone
 * @property {boolean | null} identical byte by byte; null: not known
 * @property {FunctionChange[]} functions all of them, the same ones too
 *
 * @typedef {object} FunctionChange
 * @property {string} module
 * @property {string} name
 * @property {boolean} host
 * @property {BaselineFunction | null} old null: it is new, or was not called
 * @property {BaselineFunction | null} now null: it is gone, or was not called
 */

/** @typedef {'total' | 'self' | 'calls' | 'min' | 'max' | 'avg'} Figure */

/** What is compared of a function; the others are made of these. */
const COMPARED = /** @type {const} */ (['calls', 'total', 'self', 'min', 'max']);

/** @param {BaselineFunction | null} row @param {Figure} figure @returns {number} 0 where there is no such function */
export function figureOf(row, figure) {
  if (!row) return 0;
  if (figure === 'avg') return row.calls > 0 ? (row.total ?? 0) / row.calls : 0;
  return row[figure] ?? 0;
}

/** @param {FunctionChange} change @param {Figure} figure now, less what it was */
export function differenceOf({ old, now }, figure) {
  return figureOf(now, figure) - figureOf(old, figure);
}

/** @param {FunctionChange} change */
function isChanged({ old, now }) {
  return !old || !now || COMPARED.some((figure) => old[figure] !== now[figure]);
}

/** What changed itself is more telling than who calls it. @param {FunctionChange} one @param {FunctionChange} other */
function byDifference(one, other) {
  const size = (/** @type {FunctionChange} */ change, /** @type {Figure} */ figure) => Math.abs(differenceOf(change, figure));
  for (const figure of /** @type {const} */ (['self', 'total', 'calls']))
    if (size(one, figure) !== size(other, figure)) return size(other, figure) - size(one, figure);
  return compareText(functionKey(one), functionKey(other)) || compareText(one.module, other.module);
}

/**
 * By hash, then by name; a program with one module has one, whatever it is called.
 * @param {readonly BaselineModule[]} old
 * @param {readonly BaselineModule[]} now
 * @returns {[BaselineModule | null, BaselineModule | null][]}
 */
function pairModules(old, now) {
  if (old.length === 1 && now.length === 1) return [[old[0], now[0]]];
  const left = new Set(now);
  /** @type {Map<BaselineModule, BaselineModule>} */
  const partner = new Map();
  /** @param {(one: BaselineModule, other: BaselineModule) => boolean} isSame */
  const pair = (isSame) => {
    for (const one of old) {
      const other = partner.has(one) ? undefined : [...left].find((candidate) => isSame(one, candidate));
      if (!other) continue;
      partner.set(one, other);
      left.delete(other);
    }
  };
  pair((one, other) => one.sha256 !== null && one.sha256 === other.sha256);
  pair((one, other) => one.name === other.name);
  return [...old.map((one) => /** @type {[BaselineModule, BaselineModule | null]} */ ([one, partner.get(one) ?? null])),
    ...[...left].map((other) => /** @type {[null, BaselineModule]} */ ([null, other]))];
}

/** @param {BaselineModule | null} old @param {BaselineModule | null} now @returns {ModuleChange} */
function compareModules(old, now) {
  const module = (now ?? old)?.name ?? '';
  const before = new Map(old?.functions.map((row) => [functionKey(row), row]));
  const after = new Map(now?.functions.map((row) => [functionKey(row), row]));
  const functions = [...new Set([...before.keys(), ...after.keys()])].map((key) => {
    const [one, other] = [before.get(key) ?? null, after.get(key) ?? null];
    const { name, host } = /** @type {BaselineFunction} */ (other ?? one);
    return { module, name, host, old: one, now: other };
  });
  const known = old?.sha256 != null && now?.sha256 != null;
  return { old, now, identical: known ? old.sha256 === now.sha256 : null, functions };
}

/** @param {Baseline} baseline time in traced calls; without a clock, calls */
function totalOf({ clock, modules }) {
  const calls = (/** @type {BaselineModule} */ { functions }) => functions.reduce((sum, row) => sum + row.calls, 0);
  return modules.reduce((sum, module) => sum + (clock ? module.total : calls(module)), 0);
}

/** @param {Baseline} old @param {Baseline} now @returns {Comparison} */
export function compareBaselines(old, now) {
  const modules = pairModules(old.modules, now.modules).map(([one, other]) => compareModules(one, other));
  const changes = modules.flatMap(({ functions }) => functions.filter(isChanged)).sort(byDifference);
  return { old, now, total: { old: totalOf(old), now: totalOf(now) }, modules, changes };
}

/** Whether figures of the two mean the same. @param {Baseline} old @param {Baseline} now */
export function haveSameUnit(old, now) {
  return old.clock?.unit === now.clock?.unit;
}

/**
 * What was not done alike, and may be why figures differ.
 * @param {Baseline} old
 * @param {Baseline} now
 * @returns {{what: string, old: unknown, now: unknown}[]}
 */
export function conditionsThatDiffer(old, now) {
  const [before, after] = [old, now].map(({ clock, options }) => /** @type {Record<string, unknown>} */ ({
    'the clock': clock && [clock.kind, clock.name].filter(Boolean).join(' '),
    'the table of weights': clock?.weights || undefined,
    ...Object.fromEntries(Object.entries(options).map(([name, value]) => [`--${name}`, value])),
  }));
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((what) => JSON.stringify(before[what]) !== JSON.stringify(after[what])).map((what) => ({ what, old: before[what], now: after[what] }));
}
