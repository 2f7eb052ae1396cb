// The modules that were rewritten, for who wants to show them or to ask about their functions.

import { originalOf } from '../../js/loader/edits.js';
import { Instrumenter } from '../../js/loader/instrumenter.js';
import { hasNames } from '../../js/views/module-info.js';

/** @import {ModuleFacts} from '../../js/loader/module-facts.js' */
/** @import {Reversible} from '../../js/loader/edits.js' */
/** @import {ModuleInfo} from '../../js/views/recorded.js' */

/**
 * @typedef {object} Entry
 * @property {ModuleFacts} facts
 * @property {Omit<ModuleInfo, 'instances'>} info
 * @property {Reversible} [made] kept where somebody may ask about its functions
 */

export class ModuleList {
  /** @type {Entry[]} */
  entries = [];

  /** Whether questions about functions are to be answered: takes memory as large as the modules. */
  keepsOriginals = false;

  /** @param {ModuleFacts} facts @param {{reversible: Reversible, milliseconds: number}} made */
  add(facts, { reversible, milliseconds }) {
    const info = describe(facts, reversible.bytes.length, milliseconds);
    this.entries.push({ facts, info, made: this.keepsOriginals ? reversible : undefined });
  }

  /**
   * What a probe would match in the modules that were loaded.
   * @param {string} spec
   * @returns {{module: string, count: number, text: string}[]} text: the list of functions
   * @throws {import('../../js/loader/errors.js').WasmTraceError} for a probe that does not parse
   */
  matches(spec) {
    return this.entries.flatMap(({ info, made }) => (made ? [{ module: info.name, ...matchesIn(made, spec) }] : []));
  }

  /** @param {string} prefix @param {number} most @returns {string[]} names of functions and imports that begin with it, or have it inside */
  complete(prefix, most) {
    const wanted = prefix.toLowerCase();
    /** @type {[Set<string>, Set<string>]} */
    const found = [new Set(), new Set()];
    for (const { facts } of this.entries) {
      for (let func = 0; func < facts.metadata.functionCount && found[0].size < most; func++) {
        const at = facts.names.has(func) ? facts.names.name(func).toLowerCase().indexOf(wanted) : -1;
        if (at >= 0) found[at === 0 ? 0 : 1].add(facts.names.name(func));
      }
    }
    return [...found[0], ...found[1]].slice(0, most);
  }
}

/** @param {ModuleFacts} facts @param {number} tracedSize @param {number} milliseconds @returns {Entry['info']} */
function describe(facts, tracedSize, milliseconds) {
  const { metadata, name } = facts;
  const { originalSize, functionCount, importCount, tracedCount, tinyCount, split } = metadata;
  return {
    name,
    originalSize,
    tracedSize,
    milliseconds,
    functions: functionCount - importCount,
    imports: importCount,
    traced: tracedCount,
    tiny: tinyCount,
    link: split ? 'split' : 'merged',
    get named() {
      return hasNames(metadata, facts.names);
    },
  };
}

/** @param {Reversible} made @param {string} spec */
function matchesIn(made, spec) {
  try {
    const { list } = Instrumenter.create().run(originalOf(made), { trace: spec });
    const count = Number(/^traced: (\d+) /m.exec(list)?.[1] ?? 0);
    return { count, text: list };
  } catch (error) {
    if (/** @type {{code?: string}} */ (error).code !== 'no-match') throw error;
    return { count: 0, text: '' };
  }
}
