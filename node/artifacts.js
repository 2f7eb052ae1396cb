// The wasm files that the preload needs, as the build has made them: in the place of js/loader/artifacts.js.

import { fileURLToPath, readFileSync } from './builtins.js';

/** @returns {Uint8Array<ArrayBuffer>} the instrumenter, a wasm module */
export function instrumenterBytes() {
  return readBuilt('wasm-trace.wasm');
}

/** @returns {Uint8Array<ArrayBuffer>} what is linked into modules, a wasm module */
export function runtimeBytes() {
  return readBuilt('guest-runtime.wasm');
}

/** @param {string} name */
function readBuilt(name) {
  return /** @type {Uint8Array<ArrayBuffer>} */ (readFileSync(fileURLToPath(new URL(`../build/${name}`, import.meta.url))));
}
