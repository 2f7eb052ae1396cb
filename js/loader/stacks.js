// JavaScript promise integration: WebAssembly.promising runs an export on a stack of its own, which a WebAssembly.Suspending
// import may suspend; then the caller goes on, and calls other exports meanwhile. The runtime knows one place of execution,
// so it is told when the stack changes: here on the way onto a new stack and off it, in the import's thunk when it resumes.
// A suspended stack outlives its caller, so its calls begin at the root.
import * as ABI from '../generated/abi.js';

/** @import {RuntimeState, Place} from '../trace/runtime-state.js' */

/** Numbers of stacks that fit in the base; they are used again, since the engine does not tell when a stack has ended. */
const STACKS = 2 ** (32 - ABI.BASE_STACK_SHIFT) - 1;

/** @typedef {() => {state: RuntimeState, root: Place}[]} Runtimes those at work in this thread, and where calls begin in them */

export class Stacks {
  #runtimes;
  #last = 0;
  #suspensions = 0;

  /** @param {Runtimes} runtimes */
  constructor(runtimes) {
    this.#runtimes = runtimes;
  }

  /**
   * @param {unknown} run what WebAssembly.promising made
   * @returns {unknown} the same, on a stack of its own
   */
  promising(run) {
    if (typeof run !== 'function') return run;
    return new Proxy(run, {
      apply: (target, self, args) => {
        const leave = this.#enter();
        const before = this.#suspensions;
        try {
          return Reflect.apply(target, self, args);
        } finally {
          leave(this.#suspensions === before);
        }
      },
    });
  }

  /**
   * @param {unknown} func what WebAssembly.Suspending is to be made of
   * @returns {unknown} the same; the engine suspends the stack when it returns a promise
   */
  suspending(func) {
    if (typeof func !== 'function') return func;
    return new Proxy(func, {
      apply: (target, self, args) => {
        const result = Reflect.apply(target, self, args);
        if (result instanceof Promise) this.#leaveAll();
        return result;
      },
    });
  }

  /** @returns {(ended: boolean) => void} goes back to where execution is now; ended: nothing is suspended on the new stack */
  #enter() {
    this.#last = (this.#last % STACKS) + 1;
    const stack = (this.#last << ABI.BASE_STACK_SHIFT) >>> 0;
    const before = this.#runtimes().map(({ state, root }) => {
      const place = this.#settled(state, root);
      const bottom = { ...root, base: (root.base | stack) >>> 0 };
      state.switchTo(bottom);
      return { state, place, bottom };
    });
    return (ended) => {
      for (const { state, place, bottom } of before) {
        if (ended) state.switchTo(bottom);
        state.switchTo(place);
      }
    };
  }

  /**
   * Where execution is now. At the bottom of a stack nothing runs: whatever ran there has ended, by an exception perhaps.
   * @param {RuntimeState} state @param {Place} root @returns {Place}
   */
  #settled(state, root) {
    const { place } = state;
    if (place.position !== root.position) return place;
    state.switchTo(place);
    return root;
  }

  /** The engine goes back to its loop, or to the caller of what `promising` made, who knows his own place. */
  #leaveAll() {
    this.#suspensions++;
    for (const { state, root } of this.#runtimes()) state.switchTo(root);
  }
}
