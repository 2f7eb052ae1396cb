// Frames of wasm functions in stacks as people paste them: one line -> function index, byte offset, name, and how to write
// the line anew. Engines and tools differ in the shape of a frame, a row each below; what has none of these shapes is no
// frame. Which module a frame belongs to, and what its numbers mean, is left to the caller.

/**
 * @typedef {object} StackFrame
 * @property {number | null} func function index, where the frame tells it
 * @property {number | null} offset byte in the file that ran, where the frame tells it
 * @property {string} name what the frame calls the function; '' when nothing
 * @property {(name: string, offset: number | null) => string} write the line with another name and offset; '' leaves the
 *   name as it is
 *
 * @typedef {Record<string, string | undefined>} Parts of a line
 *
 * @typedef {object} Shape
 * @property {RegExp} pattern its groups are the parts; `func`, `offset` and `name` have a meaning for all shapes
 * @property {(parts: Parts, name: string, offset: string) => string} write
 */

/** What Firefox puts in front of the first frame of an asynchronous part. */
const ASYNC_CAUSE = '(?:(?:async|promise callback|[A-Za-z.]+ handler|EventListener\\.handleEvent|FrameRequestCallback)\\*)?';

/** @type {readonly Shape[]} */
const SHAPES = [
  {
    // V8: "at name (URL:wasm-function[12]:0x34)", "at URL:wasm-function[12]:0x34"; Wasmer: "at name (<module>[12]:0x34)"
    pattern: /^(?<lead>\s*at (?:async )?)(?:(?<name>.+) \((?<url>\S*)|(?<bare>\S*))\[(?<func>\d+)\]:(?<offset>0x[\da-f]+)(?<tail>.*)$/i,
    write: ({ lead, url, bare, func, tail }, name, offset) => {
      const place = `${url ?? bare}[${func}]:${offset}`;
      if (url !== undefined) return `${lead}${name} (${place}${tail}`;
      return name ? `${lead}${name} (${place})${tail}` : `${lead}${place}${tail}`;
    },
  },
  {
    // Firefox: "name@URL:wasm-function[12]:0x34", "name@URL line 1 > WebAssembly.Module:wasm-function[12]:0x34"
    pattern: new RegExp(
      `^(?<lead>\\s*${ASYNC_CAUSE})(?<name>[^@]*)@(?<url>.*wasm-function)\\[(?<func>\\d+)\\]:(?<offset>0x[\\da-f]+)(?<tail>.*)$`,
      'i',
    ),
    write: ({ lead, url, func, tail }, name, offset) => `${lead}${name}@${url}[${func}]:${offset}${tail}`,
  },
  {
    // JavaScriptCore: "<?>.wasm-function[12]@[wasm code]"; with names, "module.wasm-function[name]@[wasm code]"
    pattern: /^(?<lead>\s*)(?<module>[^\s"]*\.)?wasm-function\[(?:(?<func>\d+)|(?<name>.*))\](?<tail>@\[wasm code\].*)$/,
    write: ({ lead, module = '', func, name: was, tail }, name) =>
      `${lead}${name && name !== was ? name : `${module}wasm-function[${func ?? was}]`}${tail}`,
  },
  {
    // Old JavaScriptCore, and what tools make of its frames: "name@[wasm code]"
    pattern: /^(?<lead>\s*)(?<name>(?!wasm-stub@|.*wasm-function\[)[^@"]+)(?<tail>@\[wasm code\].*)$/,
    write: ({ lead, tail }, name) => `${lead}${name}${tail}`,
  },
  {
    // Wasmtime: "0: 0x34 - module!name"; WAMR: "#00: 0x0034 - name"
    pattern: /^(?<lead>\s*#?\d+:\s+)(?<offset>0x[\da-f]+) - (?<module>[^!]*!)?(?<name>.*?)(?<tail>\s*)$/i,
    write: ({ lead, module = '', tail }, name, offset) => `${lead}${offset} - ${module}${name}${tail}`,
  },
  {
    // Developer tools of Chromium: "name @ a.wasm:0x34", "name (http://host/a.wasm:0x34)"
    pattern: /^(?<lead>\s*(?:at )?(?:async )?)(?:(?<name>.+?)(?<link> @ | \())?(?<url>\S*(?:\.wasm|wasm:\/\/\S+|\bwasm-[\da-f]{8})):(?<offset>0x[\da-f]+)(?<tail>.*)$/i,
    write: ({ lead, link, url, tail }, name, offset) =>
      link || !name ? `${lead}${name}${link ?? ''}${url}:${offset}${tail}` : `${lead}${name} (${url}:${offset})${tail}`,
  },
];

/** Names that runtimes make up from the index: Wasmtime, WAMR. */
const MADE_UP = /^(?:<wasm function (\d+)>|\$f(\d+))$/;

/** @param {Parts} parts @returns {number | null} */
function functionIndex({ func, name = '' }) {
  const [, wasmtime, wamr] = MADE_UP.exec(name) ?? [];
  const digits = func ?? wasmtime ?? wamr;
  return digits === undefined ? null : Number(digits);
}

/** As many digits as there were, at least: columns stay columns. @param {number} offset @param {string} was */
function hexLike(offset, was) {
  return `0x${offset.toString(16).padStart(/^0x0/.test(was) ? was.length - 2 : 0, '0')}`;
}

/** @param {Shape} shape @param {Parts} parts @returns {StackFrame} */
function frameOf({ write }, parts) {
  const { name = '', offset = '' } = parts;
  return {
    func: functionIndex(parts),
    offset: offset ? parseInt(offset, 16) : null,
    name,
    write: (newName, newOffset) => write(parts, newName || name, newOffset === null ? offset : hexLike(newOffset, offset)),
  };
}

/** How functions of ours are named, behind the name that V8 puts in front: the module's. In split mode they are another module's, whose
 * indices mean nothing in the debuggee. */
const OURS = /(?:^|\.)wtr_\w+$/;

/** @param {string} name of a frame */
export const isOurName = (name) => OURS.test(name);

/**
 * @param {string} line without its end
 * @returns {StackFrame | null} null when the line is no frame of a wasm function
 */
export function readFrame(line) {
  for (const shape of SHAPES) {
    const parts = shape.pattern.exec(line)?.groups;
    if (parts) return frameOf(shape, parts);
  }
  return null;
}
