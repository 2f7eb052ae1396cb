// compileStreaming and instantiateStreaming take a Response. Ours must read it whole before it can instrument, so it first
// makes the engine's checks (WebAssembly Web API, "compile a potential WebAssembly response"). What does not pass them
// goes to the engine, which knows best how to complain.

const WASM_TYPE = 'application/wasm';

/** @param {unknown} value @returns {value is Response} that the engine would accept */
export function isStreamable(value) {
  if (!isResponse(value)) return false;
  const { ok, body, bodyUsed, type, headers } = value;
  return ok && !bodyUsed && !body?.locked && type !== 'opaque' && type !== 'error' && headers.get('Content-Type') === WASM_TYPE;
}

/** @param {unknown} value @returns {value is Response} of any realm: a getter takes no other object */
function isResponse(value) {
  if (typeof Response !== 'function') return false;
  if (value instanceof Response) return true;
  try {
    return typeof Reflect.get(Response.prototype, 'bodyUsed', value) === 'boolean';
  } catch {
    return false;
  }
}

/** A response with the same bytes, to be streamed by the engine. @param {Uint8Array} bytes @returns {Response} */
export function responseOf(bytes) {
  return new Response(/** @type {Uint8Array<ArrayBuffer>} */ (bytes), { headers: { 'Content-Type': WASM_TYPE } });
}

/** Last part of the address, for titles; one that holds the content has none. @param {string} url @returns {string | undefined} */
export function fileName(url) {
  return /^(data|blob):/.test(url) ? undefined : /([^/\\?#]+)(?:[?#].*)?$/.exec(url)?.[1];
}
