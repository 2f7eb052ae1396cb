// What this engine has, told by small modules that use it.
import { links } from '../core/run-module.js';

/** A module with one function of no parameters and results. @param {...number} body with its end */
const withBody = (...body) =>
  Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 10, body.length + 4, 1, body.length + 2, 0, ...body, 0x0b);

/** try ... catch_all ... end */
const legacy = WebAssembly.validate(withBody(0x06, 0x40, 0x19, 0x0b));
/** try_table ... end */
const exnref = WebAssembly.validate(withBody(0x1f, 0x40, 0, 0x0b));
/** ref.null, call_ref */
const typed = WebAssembly.validate(withBody(0xd0, 0, 0x14, 0));

export const engine = Object.freeze({ name: `Node ${process.versions.node}`, legacy, exnref, typed, links });
