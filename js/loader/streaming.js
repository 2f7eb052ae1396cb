// compileStreaming and instantiateStreaming take a Response. Ours must read it whole before it can instrument, so it first
// makes the engine's checks (WebAssembly Web API, "compile a potential WebAssembly response"). What does not pass them
// goes to the engine, which knows best how to complain.

const WASM_TYPE = 'application/wasm';

/** @param {unknown} value @returns {value is Response} that the engine would accept */
export function isStreamable(value) {
  if (typeof Response !== 'function' || !(value instanceof Response)) return false;
  const { ok, bodyUsed, type, headers } = value;
  return ok && !bodyUsed && type !== 'opaque' && type !== 'error' && headers.get('Content-Type') === WASM_TYPE;
}

/** A response with the same bytes, to be streamed by the engine. @param {Uint8Array} bytes @returns {Response} */
export function responseOf(bytes) {
  return new Response(/** @type {Uint8Array<ArrayBuffer>} */ (bytes), { headers: { 'Content-Type': WASM_TYPE } });
}

/** Last part of the address, for titles. @param {string} url @returns {string | undefined} */
export function fileName(url) {
  return /([^/\\?#]+)(?:[?#].*)?$/.exec(url)?.[1];
}
