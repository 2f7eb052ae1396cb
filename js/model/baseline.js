// What functions took in one run of a program, to be held against another run, perhaps of another build: so functions are known by
// names that stay, and functions of one name are one. A baseline is plain data. How fast the host was is not in it, nor how the
// runtime was linked: with a clock that counts, the same program makes the same baseline everywhere.
import * as ABI from '../generated/abi.js';
import { lesser } from './call-tree.js';
import { profileOf } from './profile.js';
import { stableName } from './stable-name.js';
import { TraceModel } from './trace-model.js';

/** @import {Clock, Metadata} from '../trace/metadata.js' */
/** @import {FunctionNames} from '../trace/names.js' */
/** @import {Snapshot} from '../trace/snapshot.js' */
/** @import {FunctionProfile} from './profile.js' */

/**
 * @typedef {object} Baseline
 * @property {string} wasmTrace version that made it
 * @property {BaselineClock | null} clock null: calls only
 * @property {BaselineOptions} options
 * @property {BaselineModule[]} modules in the order of their names
 *
 * @typedef {Pick<Clock, 'kind' | 'name' | 'unit' | 'weights'>} BaselineClock
 *
 * @typedef {Readonly<Record<string, string | number | readonly string[]>>} BaselineOptions those that were given, of those that
 *   decide what is recorded
 *
 * @typedef {object} BaselineModule
 * @property {string} name
 * @property {string | null} sha256 of the original's bytes; null: they were not there
 * @property {number} size bytes of the original
 * @property {number} defined functions of its own
 * @property {number} traced of these
 * @property {Producers} producers
 * @property {number} total time in traced calls
 * @property {BaselineFunction[]} functions in the order of their names
 *
 * @typedef {Readonly<Record<string, readonly string[]>>} Producers what its section of that name says, each with its version
 *
 * @typedef {object} BaselineFunction
 * @property {string} name
 * @property {boolean} host an import
 * @property {number} calls
 * @property {number} [total] calls within calls of it are part of those; this and the others are missing without a clock
 * @property {number} [self]
 * @property {number | null} [min] of single calls; null: none returned; missing where times vary
 * @property {number | null} [max]
 *
 * @typedef {{sha256: string, producers: Producers}} ModuleIdentity
 *
 * @typedef {object} BaselineSource one instance
 * @property {string} name of the module
 * @property {ModuleIdentity | null} identity
 * @property {Metadata} metadata
 * @property {Pick<FunctionNames, 'name'>} names
 * @property {Snapshot} snapshot
 */

/** @param {string} one @param {string} other by code units: no locale orders them otherwise */
export function compareText(one, other) {
  return one < other ? -1 : Number(one > other);
}

/** Behind the names of imports, as in displays. */
export const HOST_SUFFIX = ' (host)';

/** An import is never one with a function of its name. @param {Pick<BaselineFunction, 'name' | 'host'>} row */
export function functionKey({ name, host }) {
  return host ? name + HOST_SUFFIX : name;
}

/** Functions of one name as one, so that calls between them count as recursion. @param {BaselineSource} source */
function foldNames({ metadata, names }) {
  /** @type {Map<string, number>} */
  const first = new Map();
  return (/** @type {number} */ func) => {
    if (func === ABI.UNCERTAIN) return func;
    const key = functionKey({ name: stableName(names.name(func)), host: func < metadata.importCount });
    const known = first.get(key) ?? func;
    first.set(key, known);
    return known;
  };
}

/** @param {FunctionProfile} row @param {string} name @param {boolean} varies @returns {BaselineFunction} */
function functionOf({ host, calls, time }, name, varies) {
  if (!time) return { name, host, calls };
  const { total, self, min, max } = time;
  const single = (/** @type {number} */ value) => (Number.isNaN(value) ? null : value);
  return { name, host, calls, total, self, ...(varies ? {} : { min: single(min), max: single(max) }) };
}

/** @param {BaselineSource} source @returns {BaselineModule} */
function moduleOf(source) {
  const { name, identity, metadata, names, snapshot } = source;
  const { paths, clock } = new TraceModel(snapshot, metadata);
  const func = paths.func.map(foldNames(source));
  const { rows, whole } = profileOf({ paths: { ...paths, func }, metadata: { ...metadata, durations: [] }, durations: [] });
  const { originalSize: size, functionCount, importCount, tracedCount: traced } = metadata;
  return {
    ...{ name, sha256: identity?.sha256 ?? null, size, defined: functionCount - importCount, traced },
    producers: identity?.producers ?? {},
    total: whole,
    functions: rows.map((row) => functionOf(row, stableName(names.name(row.func)), clock?.unit === 'ns')),
  };
}

/** @param {number | null | undefined} one @param {number | null | undefined} other @param {(one: number, other: number) => number} choose */
function single(one, other, choose) {
  const value = choose(one ?? NaN, other ?? NaN);
  return Number.isNaN(value) ? null : value;
}

/** @param {number} one @param {number} other what is not known is neither */
function greater(one, other) {
  return Number.isNaN(one) || other > one ? other : one;
}

/** @param {BaselineFunction} one @param {BaselineFunction} other of the same name @returns {BaselineFunction} */
function addFunctions(one, other) {
  const { name, host, calls, total, self, min, max } = one;
  const sum = { name, host, calls: calls + other.calls };
  if (total === undefined || self === undefined) return sum;
  const times = { ...sum, total: total + (other.total ?? 0), self: self + (other.self ?? 0) };
  return min === undefined ? times : { ...times, min: single(min, other.min, lesser), max: single(max, other.max, greater) };
}

/** @param {readonly BaselineModule[]} parts what several instances did, in threads or processes @returns {BaselineModule} */
function addModules(parts) {
  /** @type {Map<string, BaselineFunction>} */
  const functions = new Map();
  for (const row of parts.flatMap((part) => part.functions)) {
    const known = functions.get(functionKey(row));
    functions.set(functionKey(row), known ? addFunctions(known, row) : row);
  }
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  const sorted = [...functions.values()].sort((one, other) => compareText(functionKey(one), functionKey(other)));
  return { ...parts[0], total, functions: sorted };
}

/** The same bytes are the same module, whatever it is called. @param {readonly BaselineModule[]} parts */
function groupModules(parts) {
  /** @type {Map<string, BaselineModule[]>} */
  const groups = new Map();
  for (const part of parts) {
    const key = part.sha256 ?? `name ${part.name}`;
    groups.set(key, [...(groups.get(key) ?? []), part]);
  }
  return [...groups.values()].map(addModules).sort((one, other) => compareText(one.name, other.name));
}

/** @param {Clock | null | undefined} clock @returns {BaselineClock | null} */
function clockOf(clock) {
  return clock ? { kind: clock.kind, name: clock.name, unit: clock.unit, weights: clock.weights } : null;
}

/**
 * @param {readonly BaselineSource[]} sources
 * @param {Pick<Baseline, 'wasmTrace' | 'options'>} about
 * @returns {Baseline}
 */
export function makeBaseline(sources, { wasmTrace, options }) {
  const timed = sources.find(({ metadata, snapshot }) => metadata.clock && snapshot.clock);
  return { wasmTrace, clock: clockOf(timed?.metadata.clock), options, modules: groupModules(sources.map(moduleOf)) };
}

/** Of several processes as one. @param {readonly Baseline[]} parts at least one @returns {Baseline} */
export function mergeBaselines(parts) {
  const clock = parts.find((part) => part.clock)?.clock ?? null;
  return { ...parts[0], clock, modules: groupModules(parts.flatMap(({ modules }) => modules)) };
}
