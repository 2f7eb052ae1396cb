// A worker that was started from a blob, for a program at another address: makes `location` and relative addresses mean that one.

/** What a WorkerLocation has. */
const LOCATION_PARTS = /** @type {const} */ (['href', 'origin', 'protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash']);

/** @param {string} base address of the worker's program */
export function standInFor(base) {
  const resolve = (/** @type {unknown} */ url) => resolveAgainst(base, url);
  Object.defineProperty(globalThis, 'location', { value: makeLocation(base), configurable: true, enumerable: true });
  replace(globalThis, 'importScripts', (native) => ({ apply: (_, self, urls) => Reflect.apply(native, self, urls.map(resolve)) }));
  replace(globalThis, 'fetch', (native) => ({ apply: (_, self, [url, ...rest]) => Reflect.apply(native, self, [resolve(url), ...rest]) }));
  replace(XMLHttpRequest.prototype, 'open', (native) => ({
    apply: (_, self, [method, url, ...rest]) => Reflect.apply(native, self, [method, resolve(url), ...rest]),
  }));
  for (const name of ['Request', 'EventSource', 'WebSocket', 'SharedWorker']) {
    replace(globalThis, name, (native) => ({
      construct: (_, [url, ...rest], newTarget) => Reflect.construct(native, [resolve(url), ...rest], newTarget),
    }));
  }
}

/** @param {string} base @param {unknown} url @returns {unknown} what is no address, a Request for one, stays as it is */
function resolveAgainst(base, url) {
  if (typeof url !== 'string') return url;
  try {
    return new URL(url, base).href;
  } catch {
    return url;
  }
}

/** @param {string} base */
function makeLocation(base) {
  const url = new URL(base);
  const location = Object.create(WorkerLocation.prototype);
  for (const part of LOCATION_PARTS) Object.defineProperty(location, part, { value: url[part], enumerable: true });
  Object.defineProperty(location, 'toString', { value: () => url.href });
  return location;
}

/** @param {any} owner @param {string} name @param {(native: any) => ProxyHandler<any>} handler */
function replace(owner, name, handler) {
  const native = owner[name];
  if (typeof native === 'function') Object.defineProperty(owner, name, { value: new Proxy(native, handler(native)), configurable: true, writable: true });
}
