// Whether this thread stands inside of wasm at this moment. The runtime cannot know when a trap, or an exception that nobody
// in wasm caught, has ended its frames: nothing of the module runs then. The engine's own stack can tell.

import { readStack } from './engine-stack.js';

/** Frames of wasm, as engines write them: wasm-function[12]; [wasm code] where JavaScriptCore knows a name. */
const WASM_FRAME = /wasm-function\[|\[wasm code\]/;

/** @returns {boolean} true also where the engine's stack cannot be had */
export function isInsideWasm() {
  try {
    const stack = readStack(Infinity, undefined);
    return typeof stack !== 'string' || WASM_FRAME.test(stack);
  } catch {
    return true;
  }
}
