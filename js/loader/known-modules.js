// What is remembered of the modules that came by instrumented: how to make the original of them again, and what readers must know. Instances of
// one module share its facts, also when it was cloned or came from another thread.

import { originalOf } from './edits.js';
import { Instrumenter } from './instrumenter.js';
import { ModuleFacts } from './module-facts.js';

/** @import {Reversible} from './edits.js' */

/** What is larger is kept only until the module has its first instance: it is seldom made again, and costs most. Where instructions are counted
 * it is kept for good, to tell what a trap leaves in the count. */
const KEPT_MAX = 0x400000;

/** @param {Reversible} made */
export function isLarge({ bytes }) {
  return bytes.length > KEPT_MAX;
}

export class KnownModule {
  #reversible;
  #options;
  #weights;

  /**
   * @param {ModuleFacts} facts
   * @param {object} [made] where this hook has instrumented it
   * @param {Reversible} [made.reversible] left out: nobody will ask for the original
   * @param {unknown[]} [made.options] what was behind the bytes when it was compiled
   * @param {Uint8Array} [made.weights] of instructions
   */
  constructor(facts, { reversible, options = [], weights } = {}) {
    this.facts = facts;
    this.#reversible = reversible;
    this.#options = options;
    this.#weights = weights;
  }

  /** Arguments to compile the original with; null: it cannot be made any more. @returns {[bytes: Uint8Array, ...options: unknown[]] | null} */
  get original() {
    return this.#reversible ? [originalOf(this.#reversible), ...this.#options] : null;
  }

  /** Whether the original can be made. */
  get isReversible() {
    return this.#reversible !== undefined;
  }

  /** It has its first instance. */
  forgetLarge() {
    if (this.#reversible && isLarge(this.#reversible)) this.#reversible = undefined;
  }

  /** See Session. @param {number} offset of a trap in the original */
  restOfBlock(offset) {
    return this.#reversible ? Instrumenter.create().restOfBlock(originalOf(this.#reversible), offset, this.#weights) : 0;
  }
}

export class KnownModules {
  /** @type {WeakMap<WebAssembly.Module, KnownModule>} */
  #known = new WeakMap();
  /** Those of all modules, to tell a clone by. @type {Set<WeakRef<ModuleFacts>>} */
  #facts = new Set();

  /** @param {WebAssembly.Module} module */
  get(module) {
    return this.#known.get(module);
  }

  /** @param {WebAssembly.Module} module @param {KnownModule} known */
  add(module, known) {
    this.#known.set(module, known);
    this.#facts.add(new WeakRef(known.facts));
  }

  /** The same for one that another thread, or nobody here, has instrumented. @param {WebAssembly.Module} module @returns {KnownModule} */
  find(module) {
    const known = this.#known.get(module) ?? new KnownModule(this.sharedFacts(ModuleFacts.ofModule(module)));
    this.#known.set(module, known);
    return known;
  }

  /** Those that are known already, if the module is. @param {ModuleFacts} facts */
  sharedFacts(facts) {
    for (const known of this.#facts) {
      const same = known.deref();
      if (!same?.equals(facts)) continue;
      same.identity ??= facts.identity;
      return same;
    }
    this.#facts.add(new WeakRef(facts));
    return facts;
  }
}
