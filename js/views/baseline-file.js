// A baseline as a file: JSON, a line for each function, in the order of their names, so that differences of two files read well. An
// import has " (host)" behind its name, as in displays.
import { HOST_SUFFIX, compareText, functionKey } from '../model/baseline.js';

/** @import {Baseline, BaselineFunction, BaselineModule} from '../model/baseline.js' */

const BASELINE_FORMAT = 'wasm-trace-baseline';
const BASELINE_VERSION = 1;

/** Text that is no baseline, or one of a version that is not known. */
export class BaselineError extends Error {
  /** @param {string} reason a sentence without a full stop */
  constructor(reason) {
    super(reason);
    this.name = 'BaselineError';
  }
}

/** @param {Record<string, any>} data @returns {Record<string, any>} with its properties in the order of their names */
function sorted(data) {
  return Object.fromEntries(Object.entries(data).sort(([one], [other]) => compareText(one, other)));
}

/** On one line, a space behind what JSON.stringify sets close. @param {unknown} data @returns {string} */
function line(data) {
  if (Array.isArray(data)) return `[${data.map(line).join(', ')}]`;
  if (typeof data !== 'object' || data === null) return JSON.stringify(data);
  return `{${Object.entries(data).map(([key, value]) => `${JSON.stringify(key)}: ${line(value)}`).join(', ')}}`;
}

/** @param {string} indent @param {readonly string[]} items @param {string} open @param {string} close */
function block(indent, items, open, close) {
  return items.length > 0 ? `${open}\n${items.map((item) => `${indent}  ${item}`).join(',\n')}\n${indent}${close}` : open + close;
}

/** @param {BaselineFunction} row */
function functionLine(row) {
  const { name, host, ...figures } = row;
  return `${JSON.stringify(functionKey(row))}: ${line(figures)}`;
}

/** @param {BaselineModule} module */
function moduleBlock({ functions, producers, ...facts }) {
  const lines = Object.entries({ ...facts, producers: sorted(producers) }).map(([key, value]) => `${JSON.stringify(key)}: ${line(value)}`);
  return block('    ', [...lines, `"functions": ${block('      ', functions.map(functionLine), '{', '}')}`], '{', '}');
}

/** @param {Baseline} baseline @returns {string} the same for the same figures, byte by byte */
export function baselineText({ wasmTrace, clock, options, modules }) {
  const head = { format: BASELINE_FORMAT, version: BASELINE_VERSION, wasmTrace, clock, options: sorted(options) };
  const lines = Object.entries(head).map(([key, value]) => `${JSON.stringify(key)}: ${line(value)}`);
  return `${block('', [...lines, `"modules": ${block('  ', modules.map(moduleBlock), '[', ']')}`], '{', '}')}\n`;
}

/** @param {[string, Omit<BaselineFunction, 'name' | 'host'>]} entry @returns {BaselineFunction} */
function readFunction([key, figures]) {
  const host = key.endsWith(HOST_SUFFIX);
  return { ...figures, name: host ? key.slice(0, -HOST_SUFFIX.length) : key, host };
}

/** @param {Omit<BaselineModule, 'functions'> & {functions: Record<string, Omit<BaselineFunction, 'name' | 'host'>>}} module @returns {BaselineModule} */
function readModule(module) {
  const functions = Object.entries(module.functions).map(readFunction);
  // A name of digits comes first, whatever the file says.
  return { ...module, functions: functions.sort((one, other) => compareText(functionKey(one), functionKey(other))) };
}

/** Whether a value that was read is what it is to be. @typedef {(value: any) => boolean} Check */

/** @type {Check} */
const isText = (value) => typeof value === 'string';
/** @type {Check} */
const isNumber = (value) => typeof value === 'number';
/** @type {Check} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** @param {...Check} checks @returns {Check} */
const either = (...checks) => (value) => checks.some((check) => check(value));
/** @param {unknown} constant @returns {Check} */
const only = (constant) => (value) => value === constant;
/** @param {Check} check @returns {Check} */
const listOf = (check) => (value) => Array.isArray(value) && value.every(check);
/** @param {Check} check @returns {Check} whatever the properties are called */
const mapOf = (check) => (value) => isObject(value) && Object.values(value).every(check);
/** @param {Record<string, Check>} checks @returns {Check} */
const withAll = (checks) => (value) => isObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]));

const isPart = either(isNumber, only(undefined));
const isExtreme = either(isPart, only(null));
const isModule = withAll({
  name: isText,
  sha256: either(isText, only(null)),
  size: isNumber,
  defined: isNumber,
  producers: mapOf(listOf(isText)),
  total: isNumber,
  functions: mapOf(withAll({ calls: isNumber, total: isPart, self: isPart, min: isExtreme, max: isExtreme })),
});
const isBaseline = withAll({
  wasmTrace: isText,
  clock: either(withAll({ kind: isText, name: isText, unit: isText, weights: isText }), only(null)),
  options: mapOf(either(isText, isNumber, listOf(isText))),
  modules: listOf(isModule),
});

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param {string} text @returns {Baseline} @throws {BaselineError} */
export function readBaseline(text) {
  const data = parse(text);
  if (data?.format !== BASELINE_FORMAT) throw new BaselineError('is no baseline that --save has written');
  if (data.version !== BASELINE_VERSION) throw new BaselineError(`is a baseline of version ${data.version}; this wasm-trace reads version ${BASELINE_VERSION}`);
  if (!isBaseline(data)) throw new BaselineError('is a baseline that is damaged');
  const { wasmTrace, clock, options, modules } = data;
  return { wasmTrace, clock, options, modules: modules.map(readModule) };
}
