// Names that stay when a module is built once more: those of compilers and generators end in hashes of what was compiled.
// Symbols lose theirs when they are made readable; these are in names that were made readable before we see them.

/** What is cut, in this order. @type {readonly RegExp[]} */
const HASHES = [
  /\.llvm\.[0-9]+$/, // LLVM's, of local symbols it had to tell apart
  /(?:::|__)h[0-9a-f]{16}$/, // Rust's; wasm-bindgen writes them with underscores
  /(?<=__(?:wbg|wbindgen)_.*)_[0-9a-f]{16}$/, // of what wasm-bindgen imports
  /(?<=[A-Za-z0-9_])\[[0-9a-f]{6,16}\](?=::)/g, // a crate's, in Rust's newer mangling
];

/** @param {string} name readable @returns {string} */
export function stableName(name) {
  return HASHES.reduce((text, hash) => text.replace(hash, ''), name) || name;
}
