// Binaryen's wasm-opt, many times in one process: its script is read and its wasm compiled once, and each run gets a fresh
// instance. As a process of its own a run takes a second, nearly all of it for that.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

const file = fileURLToPath(new URL('../../../node_modules/binaryen/bin/wasm-opt', import.meta.url));
const STDERR = 2;
const PARAMETERS = ['Module', 'module', 'require', '__filename', '__dirname', 'process', 'WebAssembly'];

/** @typedef {(info: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => void} InstantiateWasm */

const script = vm.compileFunction(fs.readFileSync(file, 'utf8').replace(/^#!.*/, ''), PARAMETERS, { filename: file });
/** @type {WebAssembly.Module | undefined} */
let compiled;

/** What the script takes for WebAssembly at its first run: keeps the module. */
const keeping = {
  ...Object.fromEntries(Object.getOwnPropertyNames(WebAssembly).map((name) => [name, /** @type {any} */ (WebAssembly)[name]])),
  /** @param {BufferSource} bytes @param {WebAssembly.Imports} imports */
  async instantiate(bytes, imports) {
    compiled = await WebAssembly.compile(bytes);
    return { module: compiled, instance: await WebAssembly.instantiate(compiled, imports) };
  },
};

const load = createRequire(file);

/** `require` as the script sees it: what goes to stderr is kept. @param {Buffer[]} errors */
const requireKeeping = (errors) => (/** @type {string} */ name) =>
  name === 'node:fs' || name === 'fs'
    ? {
        ...fs,
        writeSync: (/** @type {number} */ fd, /** @type {Uint8Array} */ bytes, /** @type {number} */ at, /** @type {number} */ size, /** @type {any} */ position) =>
          fd === STDERR ? errors.push(Buffer.from(bytes.slice(at, at + size))) && size : fs.writeSync(fd, bytes, at, size, position),
      }
    : load(name);

/**
 * @param {string[]} args
 * @returns {Promise<{status: number, errors: string}>}
 */
export function wasmOpt(args) {
  return new Promise((resolve) => {
    /** @type {Buffer[]} */
    const errors = [];
    const process = Object.create(globalThis.process, {
      argv: { value: ['node', file, ...args] },
      exitCode: { set: (/** @type {number} */ status) => resolve({ status, errors: Buffer.concat(errors).toString() }) }, // its last act
    });
    /** @type {InstantiateWasm} */
    const instantiateWasm = (info, done) => done(new WebAssembly.Instance(/** @type {WebAssembly.Module} */ (compiled), info));
    script(compiled ? { instantiateWasm } : {}, {}, requireKeeping(errors), file, '', process, keeping);
  });
}
