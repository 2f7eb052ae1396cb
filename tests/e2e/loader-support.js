// What the tests of the loader and of wasm-trace-node share: small modules, written down as bytes.

const text = (/** @type {string} */ string) => [string.length, ...Buffer.from(string)];
const section = (/** @type {number} */ id, /** @type {number[]} */ ...content) => [id, content.length, ...content];
const code = (/** @type {number[]} */ ...body) => [body.length + 2, 0, ...body, 0x0b];

/** Instructions that do nothing: a function with them is too large to be left out as tiny. */
const PADDING = Array.from({ length: 16 }, () => 0x01);

const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const I32 = 0x7f;

const NAMES = (/** @type {string[]} */ ...names) =>
  section(0, ...text('name'), ...section(1, names.length, ...names.flatMap((name, index) => [index, ...text(name)])));

/** add(i32, i32) -> i32, exported after the memory "mem"; twice(i32) -> i32, exported, calls it. */
export const MODULE = Uint8Array.from([
  ...HEADER,
  ...section(1, 2, 0x60, 2, I32, I32, 1, I32, 0x60, 1, I32, 1, I32),
  ...section(3, 2, 0, 1),
  ...section(5, 1, 0, 1),
  ...section(7, 3, ...text('twice'), 0, 1, ...text('mem'), 2, 0, ...text('add'), 0, 0),
  ...section(10, 2, ...code(0x20, 0, 0x20, 1, 0x6a), ...code(...PADDING, 0x20, 0, 0x20, 0, 0x10, 0)),
  ...NAMES('add', 'twice'),
]);

/** Imports env.tell() and calls it from its start function "begin". */
export const START_MODULE = Uint8Array.from([
  ...HEADER,
  ...section(1, 1, 0x60, 0, 0),
  ...section(2, 1, ...text('env'), ...text('tell'), 0, 0),
  ...section(3, 1, 0),
  ...section(8, 1),
  ...section(10, 1, ...code(0x10, 0)),
  ...NAMES('tell', 'begin'),
]);

/** fail(), exported, calls broken(), which traps. */
export const TRAP_MODULE = Uint8Array.from([
  ...HEADER,
  ...section(1, 1, 0x60, 0, 0),
  ...section(3, 2, 0, 0),
  ...section(7, 1, ...text('fail'), 0, 1),
  ...section(10, 2, ...code(0x00), ...code(...PADDING, 0x10, 0)),
  ...NAMES('broken', 'fail'),
]);

/** spin(), exported, never returns. */
export const SPIN_MODULE = Uint8Array.from([
  ...HEADER,
  ...section(1, 1, 0x60, 0, 0),
  ...section(3, 1, 0),
  ...section(7, 1, ...text('spin'), 0, 0),
  ...section(10, 1, ...code(0x03, 0x40, 0x0c, 0, 0x0b)),
  ...NAMES('spin'),
]);

/** measure(externref) -> i32 is the js-string builtin "length", exported through a function. */
export const BUILTIN_MODULE = Uint8Array.from([
  ...HEADER,
  ...section(1, 1, 0x60, 1, 0x6f, 1, I32),
  ...section(2, 1, ...text('wasm:js-string'), ...text('length'), 0, 0),
  ...section(3, 1, 0),
  ...section(7, 1, ...text('measure'), 0, 1),
  ...section(10, 1, ...code(0x20, 0, 0x10, 0)),
  ...NAMES('length', 'measure'),
]);

/** A module that its JavaScript glue must load. */
export const BINDGEN_MODULE = Uint8Array.from([
  ...HEADER,
  ...section(1, 1, 0x60, 0, 0),
  ...section(2, 1, ...text('./app_bg.js'), ...text('__wbindgen_throw'), 0, 0),
]);

/** A response that the engine would compile. @param {Uint8Array} bytes */
export function wasmResponse(bytes, type = 'application/wasm', status = 200) {
  return new Response(bytes.slice(), { status, headers: { 'Content-Type': type } });
}
