'use strict';
// The preload: node -r wasm-tracing/register, or --import. Most programs never touch WebAssembly, so nothing is loaded
// until this one does, or starts a worker. CommonJS, because only that reaches every kind of worker.

const { subscribe, unsubscribe } = require('node:diagnostics_channel');

const KEY = Symbol.for('wasm-trace');

/** Once it is loaded. */
let preload;

if (globalThis[KEY] === undefined) arm();

function arm() {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'WebAssembly');
  if (descriptor === undefined) return;
  const engine = descriptor.value;
  const disarm = (value) => Object.defineProperty(globalThis, 'WebAssembly', { ...descriptor, value });
  Object.defineProperty(globalThis, KEY, { value: { engine }, configurable: true });
  Object.defineProperty(globalThis, 'WebAssembly', {
    configurable: true,
    enumerable: descriptor.enumerable,
    get() {
      if (isNodeItself()) return engine;
      disarm(engine);
      withPreload((preload) => preload.start());
      return engine;
    },
    set: disarm,
  });
  // Node 20 and 22 do not come by again when a program imports a .wasm file.
  if (nodeFlags().includes('--experimental-wasm-modules')) void globalThis.WebAssembly;
  // Who comes first has the file; processes that the program starts have files of their own.
  if (/--(on-full[ =]drain|save|diff)\b/.test(process.env.WASM_TRACE ?? '')) process.env.WASM_TRACE_FIRST ??= String(process.pid);
  // A program may wait for its worker, and hear of nothing else meanwhile: what that one says is kept from the moment it is made.
  const listen = () => {
    unsubscribe('worker_threads', listen);
    const { BroadcastChannel, isMainThread } = require('node:worker_threads');
    if (!isMainThread) return;
    const channel = new BroadcastChannel('wasm-trace'); // worker-link.js goes on with it
    channel.unref();
    globalThis[KEY].fromWorkers = channel;
  };
  subscribe('worker_threads', listen);
  process.once('worker', () => {
    if (!Object.getOwnPropertyDescriptor(globalThis, 'WebAssembly').value) disarm(engine);
    withPreload((preload) => preload.watchWorkers());
  });
}

function loadPreload() {
  const { join } = require('node:path');
  return require('./kept-code.cjs').loadKept(join(__dirname, '../build/preload/preload.cjs'));
}

/** Whatever goes wrong here, the program runs. */
function withPreload(use) {
  try {
    if (preload) return use(preload);
    const { exports, keep } = loadPreload();
    use((preload = exports));
    keep(); // behind the report in the order of what is done at the end: then the code of that is made, too
  } catch (error) {
    process.stderr.write(`wasm-trace: nothing is traced: ${error.message}\n`);
  }
}

function nodeFlags() {
  return [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ');
}

/** The parser behind fetch is a module too, but not the program's; and Node 20 and 22 take the global when they set up. */
function isNodeItself() {
  if (Object.isFrozen(Error)) return false; // it cannot be asked, and the program must not end for that
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 4;
    Error.prepareStackTrace = (_, frames) => frames.map((frame) => frame.getFileName() ?? '');
    const [, , file = '', loader = ''] = new Error().stack;
    return file.startsWith('node:internal/deps/') || loader.startsWith('node:internal/bootstrap/');
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}
