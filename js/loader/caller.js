// Who called WebAssembly.*: the first stack frame outside this folder. The glue that loads a module often knows its names,
// and what the engine's host compiles for itself is not the user's. Only V8 offers structured frames; elsewhere nobody is
// known to be the caller.

import { readStack } from './engine-stack.js';

/**
 * @typedef {object} Caller
 * @property {string} [file] as the engine names it: a URL or a path
 * @property {boolean} internal the host's own library, such as the HTTP parser of Node's fetch
 */

const FRAMES = 16;

/** Node's own dependencies; its module loader is not among them: that compiles what the user imports. */
const HOST_LIBRARY = /^node:internal\/deps\//;

/** @returns {Caller} */
export function findCaller() {
  const [own = '', ...files] = frameFiles();
  const here = own.slice(0, own.search(/[^\\/]*$/));
  const file = files.find((name) => !name.startsWith(here));
  return { file: file?.startsWith('node:') ? undefined : file, internal: file !== undefined && HOST_LIBRARY.test(file) };
}

/** @returns {string[]} files of the frames, innermost first; frames of wasm and of the engine have none */
function frameFiles() {
  const stack = readStack(FRAMES, takeFiles);
  return Array.isArray(stack) ? stack : [];
}

/** @param {unknown} _ @param {{getFileName(): string | null | undefined}[]} frames */
function takeFiles(_, frames) {
  return frames.map((frame) => frame.getFileName() ?? '').filter((name) => name !== '' && !name.startsWith('wasm:'));
}
