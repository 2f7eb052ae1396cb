// Which address a buffer of bytes came from, for the names of modules: most pages fetch a module, take its bytes and give these
// to WebAssembly.

import { fileName } from '../../js/loader/streaming.js';
import { replace } from './replace.js';

/**
 * @returns {{originOf: (bytes: Uint8Array) => {name?: string}, undo: () => void}}
 */
export function rememberAddresses() {
  /** @type {WeakMap<ArrayBufferLike, string>} */
  const addresses = new WeakMap();
  const undo = typeof Response === 'function' ? watchResponses(addresses) : () => {};
  const undoRequests = typeof XMLHttpRequest === 'function' ? watchRequests(addresses) : () => {};
  return {
    originOf: ({ buffer }) => ({ name: fileName(addresses.get(buffer) ?? '') }),
    undo: () => [undo, undoRequests].forEach((one) => one()),
  };
}

/** @param {WeakMap<ArrayBufferLike, string>} addresses */
function watchResponses(addresses) {
  return replace(Response.prototype, 'arrayBuffer', (native) => new Proxy(native, {
    apply: async (target, self, args) => {
      const buffer = await Reflect.apply(target, self, args);
      if (self.url) addresses.set(buffer, self.url);
      return buffer;
    },
  }));
}

/** @param {WeakMap<ArrayBufferLike, string>} addresses */
function watchRequests(addresses) {
  return replace(XMLHttpRequest.prototype, 'response', (native) => new Proxy(native, {
    apply: (target, self, args) => {
      const response = Reflect.apply(target, self, args);
      if (response instanceof ArrayBuffer && self.responseURL) addresses.set(response, self.responseURL);
      return response;
    },
  }));
}
