// What the readers of a trace must know of an instrumented module: our custom section and the names. All instances of a
// module share one; everything is decoded when it is first asked for, most of it only when a report is made. The same
// facts can be made from plain data, which is how those of a worker reach another thread.

import { parseMetadata } from '../trace/metadata.js';
import { FunctionNames, moduleName } from '../trace/names.js';
import { natives } from './engine.js';
import { traceSection } from './hidden.js';
import { Instrumenter } from './instrumenter.js';

/** @import {ModuleIdentity} from '../model/baseline.js' */

/**
 * @typedef {object} RawFacts
 * @property {string} name of the module, for titles
 * @property {Uint8Array} section content of the custom section "wasm-trace"
 * @property {Uint8Array | undefined} nameSection
 * @property {{module: string, name: string}[]} imports the imported functions, in order
 *
 * @typedef {RawFacts | {name: string, module: WebAssembly.Module, identity: ModuleIdentity | null}} PostedFacts as another thread gets them: the module itself, which
 *   costs nothing, where there is one
 */

export class ModuleFacts {
  /** @type {RawFacts | undefined} */
  #raw;
  #read;
  #name;
  /** @type {import('../trace/metadata.js').Metadata | undefined} */
  #metadata;
  /** @type {FunctionNames | undefined} */
  #names;
  /** Of the original, where somebody wants to know it. @type {ModuleIdentity | null} */
  identity = null;

  /** @param {string} name @param {() => RawFacts} read called once, when needed @param {WebAssembly.Module} [module] where it is at hand */
  constructor(name, read, module) {
    this.#name = name;
    this.#read = read;
    this.module = module;
  }

  /** @param {WebAssembly.Module} module an instrumented one @param {string} [name] @returns {ModuleFacts} */
  static ofModule(module, name = nameIn(module) ?? 'module') {
    return new ModuleFacts(name, () => readModule(module, name), module);
  }

  /** @param {PostedFacts} posted */
  static fromPosted(posted) {
    if (!('module' in posted)) return new ModuleFacts(posted.name, () => posted);
    const facts = ModuleFacts.ofModule(posted.module, posted.name);
    facts.identity = posted.identity;
    return facts;
  }

  /** Fit for postMessage, within an agent cluster. @returns {PostedFacts} */
  get posted() {
    return this.module ? { name: this.name, module: this.module, identity: this.identity } : this.raw;
  }

  /** Plain data. @returns {RawFacts} */
  get raw() {
    return (this.#raw ??= this.#read());
  }

  get name() {
    return this.#name;
  }

  /** Whether they are about the same module, as far as a report can tell. @param {ModuleFacts} other */
  equals(other) {
    const [own, its] = [this.raw, other.raw];
    return own === its || (isSame(own.section, its.section) && isSame(own.nameSection, its.nameSection));
  }

  get metadata() {
    return (this.#metadata ??= parseMetadata(this.raw.section));
  }

  get names() {
    const { nameSection, imports } = this.raw;
    return (this.#names ??= new FunctionNames({ nameSection, imports, metadata: this.metadata, demangle }));
  }
}

/** @param {Uint8Array} [one] @param {Uint8Array} [other] */
function isSame(one, other) {
  return one?.length === other?.length && (one ?? []).every((byte, at) => byte === other?.[at]);
}

/** @param {WebAssembly.Module} module */
function nameIn(module) {
  const [section] = natives.customSections(module, 'name');
  return section && moduleName(new Uint8Array(section));
}

/** @param {string} name */
function demangle(name) {
  return Instrumenter.create().demangle(name);
}

/** @param {WebAssembly.Module} module @param {string} name @returns {RawFacts} */
function readModule(module, name) {
  const [section] = natives.customSections(module, 'name');
  const nameSection = section && new Uint8Array(section);
  const imports = natives.moduleImports(module).filter(({ kind }) => kind === 'function');
  return {
    name,
    section: traceSection(module) ?? new Uint8Array(0),
    nameSection,
    imports: imports.map((one) => ({ module: one.module, name: one.name })),
  };
}
