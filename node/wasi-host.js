// Runs one .wasm file in a process of its own, under the preload: a WASI preview 1 command or reactor, or a module without
// imports of which one export is called. wasm-trace-node starts it as `node wasi-host.js FILE ARGS`; the name of the export
// comes in WASM_TRACE_INVOKE.

import { basename } from 'node:path';
import { WASI } from 'node:wasi';

import { FileError, readModule } from './files.js';
import { noteUncaught } from './preload.js';

const WASI_VERSIONS = /** @type {const} */ ({ wasi_snapshot_preview1: 'preview1', wasi_unstable: 'unstable' });

const [, , file, ...args] = process.argv;
const invoke = process.env.WASM_TRACE_INVOKE;

try {
  process.exitCode = run(compile());
} catch (error) {
  process.exitCode = fail(error);
}

function compile() {
  const bytes = /** @type {Uint8Array<ArrayBuffer>} */ (readModule(file).bytes);
  const module = new WebAssembly.Module(bytes);
  const foreign = WebAssembly.Module.imports(module).filter((one) => !Object.hasOwn(WASI_VERSIONS, one.module));
  if (foreign.length > 0) throw new FileError(file, needsLoader(foreign));
  return module;
}

/** @param {WebAssembly.Module} module @returns {number} exit status */
function run(module) {
  const { wasi, imports } = prepareWasi(module);
  const instance = new WebAssembly.Instance(module, imports);
  const { _start, _initialize, memory } = /** @type {Record<string, any>} */ (instance.exports);
  if (_start && invoke === undefined) return memory ? Number(wasi.start(instance)) : Number(_start() ?? 0);
  if (_initialize) memory ? wasi.initialize(instance) : _initialize();
  if (invoke !== undefined) printResults(callExport(instance, invoke));
  else if (!_initialize) throw new FileError(file, nothingToRun(instance));
  return 0;
}

/** @param {WebAssembly.Module} module */
function prepareWasi(module) {
  const from = WebAssembly.Module.imports(module).some((one) => one.module === 'wasi_unstable') ? 'wasi_unstable' : 'wasi_snapshot_preview1';
  const wasi = new WASI({ version: WASI_VERSIONS[from], args: [file, ...args], env: userEnvironment(), preopens: { '/': '/', '.': '.' } });
  return { wasi, imports: { [from]: wasi.wasiImport } };
}

/** What the user gave, without what wasm-trace-node added. */
function userEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('WASM_TRACE')));
}

/** @param {WebAssembly.Instance} instance @param {string} name */
function callExport(instance, name) {
  const call = instance.exports[name];
  if (typeof call !== 'function') throw new FileError(file, `exports no function ${name}${exportHint(instance)}`);
  const notNumber = args.find((text) => Number.isNaN(Number(text)) && text !== 'NaN');
  if (notNumber !== undefined) throw new FileError(file, `${name} takes numbers, not '${notNumber}'`);
  // Text converts to every numeric type, i64 included, where a number would not.
  return /** @type {Function} */ (call)(...args);
}

/** @param {unknown} results none, one, or an array of them */
function printResults(results) {
  for (const result of [results].flat()) if (result !== undefined) process.stdout.write(`${result}\n`);
}

/** @param {WebAssembly.Instance} instance */
function nothingToRun(instance) {
  return `has no _start to run; --invoke NAME calls an export${exportHint(instance)}`;
}

/** @param {WebAssembly.Instance} instance */
function exportHint(instance) {
  const names = Object.keys(instance.exports).filter((name) => typeof instance.exports[name] === 'function');
  if (names.length === 0) return ' (it exports no functions)';
  return ` (${names.slice(0, 8).join(', ')}${names.length > 8 ? ', ...' : ''})`;
}

/** @param {WebAssembly.ModuleImportDescriptor[]} foreign imports that are not WASI's */
function needsLoader(foreign) {
  const { module, name } = foreign[0];
  const options = process.env.WASM_TRACE?.replace(/ ?--$/, '');
  const command = ['wasm-trace-node', options, 'app.mjs'].filter(Boolean).join(' ');
  return `imports ${module}.${name}${madeBy(foreign)}, which is not WASI: trace the program that loads it:\n  ${command}`;
}

/** @param {WebAssembly.ModuleImportDescriptor[]} imports */
function madeBy(imports) {
  if (imports.some(({ name }) => name.startsWith('__wbindgen') || name.startsWith('__wbg_'))) return ' from its wasm-bindgen glue';
  if (imports.some(({ module }) => module === 'go' || module === 'gojs')) return " from Go's wasm_exec.js";
  if (imports.every(({ module }) => ['env', 'a', 'GOT.mem', 'GOT.func'].includes(module))) return ' from its Emscripten glue';
  return '';
}

/** @param {unknown} error @returns {number} exit status */
function fail(error) {
  const { name, message } = /** @type {Error} */ (error);
  process.stderr.write(error instanceof FileError ? `wasm-trace-node: ${message}\n` : `wasm-trace-node: ${basename(file)}: ${name}: ${message}\n`);
  if (!(error instanceof FileError)) noteUncaught(error);
  return 1;
}
