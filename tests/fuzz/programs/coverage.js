// Which rows of opcodes.def the modules that were run had in their bodies.
import { opcodeNames } from '../../core/disassembler.js';
import { ModuleView } from '../../core/module-view.js';

export class Coverage {
  /** @type {Set<number>} */
  #seen = new Set();

  /** @param {Uint8Array} bytes a module that was rewritten and run */
  add(bytes) {
    for (const { instructions } of new ModuleView(bytes).bodies) for (const { opcode } of instructions) this.#seen.add(opcode);
  }

  get text() {
    return `${this.#seen.size} of ${opcodeNames.size} rows of the opcode table`;
  }

  /** Names of the rows that were not there. */
  get missing() {
    return [...opcodeNames].filter(([opcode]) => !this.#seen.has(opcode)).map(([, name]) => name);
  }
}
