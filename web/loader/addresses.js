// Which address a buffer of bytes came from, for the names of modules: most pages fetch a module, take its bytes and give these
// to WebAssembly.

import { fileName } from '../../js/loader/streaming.js';

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
  const { prototype } = Response;
  const native = prototype.arrayBuffer;
  prototype.arrayBuffer = new Proxy(native, {
    apply: async (target, self, args) => {
      const buffer = await Reflect.apply(target, self, args);
      if (self.url) addresses.set(buffer, self.url);
      return buffer;
    },
  });
  return () => void (prototype.arrayBuffer = native);
}

/** @param {WeakMap<ArrayBufferLike, string>} addresses */
function watchRequests(addresses) {
  const { prototype } = XMLHttpRequest;
  const native = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(prototype, 'response'));
  Object.defineProperty(prototype, 'response', {
    ...native,
    get() {
      const response = native.get?.call(this);
      if (response instanceof ArrayBuffer && this.responseURL) addresses.set(response, this.responseURL);
      return response;
    },
  });
  return () => Object.defineProperty(prototype, 'response', native);
}
