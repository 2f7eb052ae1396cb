// The loader through which webpack reads .wasm files in a build with `instrument`.

import { rewriteFile } from './modules.js';

/** Bytes, not text. */
export const raw = true;

/** @this {any} @param {Uint8Array} content @returns {Uint8Array} */
export default function instrument(content) {
  const { bytes, warnings } = rewriteFile(this.resourcePath, this.getOptions(), content);
  for (const warning of warnings) this.emitWarning(new Error(warning));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
