// Runs one .wasm file in a process of its own, under the preload: a WASI preview 1 command or reactor, or a module without
// imports of which one export is called. wasm-trace-node starts it as `node wasi-host.js FILE ARGS`; the name of the export
// comes in WASM_TRACE_INVOKE.

import { basename } from 'node:path';
import { WASI } from 'node:wasi';

import { shared } from '../js/loader/engine.js';
import { WasmTraceError, describeError } from '../js/loader/errors.js';
import { createRequire } from './builtins.js';
import { FileError, readModule } from './files.js';
import { readArguments } from './invoke-arguments.js';

const require = createRequire(import.meta.url);

const WASI_VERSIONS = /** @type {const} */ ({ wasi_snapshot_preview1: 'preview1', wasi_unstable: 'unstable' });

/** By what a module imports, as "module name", who made it; a minified Emscripten module has one import module, "a". */
const MAKERS = [
  { name: 'wasm-bindgen', glue: /^wbg |__wbindgen_|__wbg_/ },
  { name: 'Go', glue: /^(go|gojs) / },
  { name: 'Emscripten', glue: /^(env _*(emscripten_|embind_|emval_|invoke_|syscall|cxa_|abort_js)|GOT\.(mem|func) |a \w{1,2}$)/ },
];

/** How many imports an error names. */
const IMPORTS_TOLD = 3;

const [, , file, ...args] = process.argv;
const invoke = process.env.WASM_TRACE_INVOKE;

try {
  process.exitCode = run(compile());
} catch (error) {
  process.exitCode = fail(error);
}

function compile() {
  const module = compileBytes(/** @type {Uint8Array<ArrayBuffer>} */ (readModule(file).bytes));
  const foreign = WebAssembly.Module.imports(module).filter((one) => !Object.hasOwn(WASI_VERSIONS, one.module));
  if (foreign.length > 0) throw new FileError(file, needsLoader(foreign));
  return module;
}

/** What is no module is told as wasm-trace does; else the engine knows best. @param {Uint8Array<ArrayBuffer>} bytes */
function compileBytes(bytes) {
  try {
    return new WebAssembly.Module(bytes);
  } catch (error) {
    throw faultOf(bytes) ?? error;
  }
}

/** @param {Uint8Array} bytes @returns {FileError | null} */
function faultOf(bytes) {
  try {
    require('../js/loader/instrumenter.js').Instrumenter.create().check(bytes);
  } catch (error) {
    if (error instanceof WasmTraceError) return new FileError(file, describeError(error));
  }
  return null;
}

/** @param {WebAssembly.Module} module @returns {number} exit status */
function run(module) {
  const { wasi, imports } = prepareWasi(module);
  const instance = new WebAssembly.Instance(module, imports);
  const { _start, _initialize, memory } = /** @type {Record<string, any>} */ (instance.exports);
  if (_start && invoke === undefined) return memory ? Number(wasi.start(instance)) : Number(_start() ?? 0);
  if (_initialize && invoke !== '_initialize') memory ? wasi.initialize(instance) : _initialize();
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
  return call(...readArguments(file, call, args));
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
  const names = foreign.slice(0, IMPORTS_TOLD).map(({ module, name }) => `${module}.${name}`);
  const more = foreign.length > names.length ? ` and ${foreign.length - names.length} more` : '';
  const options = process.env.WASM_TRACE?.replace(/ ?--$/, '');
  const command = ['wasm-trace-node', options, 'app.mjs'].filter(Boolean).join(' ');
  return `imports ${names.join(', ')}${more}, which WASI does not have${madeBy(foreign)}: trace the program that loads it:\n  ${command}`;
}

/** @param {WebAssembly.ModuleImportDescriptor[]} imports */
function madeBy(imports) {
  const maker = MAKERS.find(({ glue }) => imports.some(({ module, name }) => glue.test(`${module} ${name}`)));
  return maker ? ` (it looks made by ${maker.name})` : '';
}

/** @param {unknown} error @returns {number} exit status */
function fail(error) {
  const { name, message } = /** @type {Error} */ (error);
  process.stderr.write(error instanceof FileError ? `wasm-trace-node: ${message}\n` : `wasm-trace-node: ${basename(file)}: ${name}: ${message}\n`);
  if (!(error instanceof FileError)) shared.noteUncaught?.(error);
  return 1;
}
