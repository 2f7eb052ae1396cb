// Ctrl-C and its kin end a program before any 'exit' event. While the program has no handler of its own for such a signal,
// ours writes the report first and then lets the signal do what it would have done. As soon as the program adds one, ours
// steps aside, so that libraries which count handlers see what they would see untraced.

import { constants, join, rmSync, writeFileSync } from './builtins.js';

export const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * While this file is there, the process would die of the signal at once if it were not for us: wasm-trace-node may end it
 * when it is too busy to run our handler.
 * @param {string} folder
 * @param {number} pid
 * @param {string} signal
 */
export function guardPath(folder, pid, signal) {
  return join(folder, `${pid}.${signal}`);
}

/** @param {() => void} write the report */
export function holdSignals(write) {
  const holds = SIGNALS.filter((signal) => process.listenerCount(signal) === 0).map((signal) => new SignalHold(signal, write));
  for (const hold of holds) hold.take();
  watchOwnKill(holds);
}

class SignalHold {
  #write;
  #handler = () => this.end();
  #guard;

  /** @param {NodeJS.Signals} signal @param {() => void} write */
  constructor(signal, write) {
    const { WASM_TRACE_OUTPUT: folder } = process.env;
    this.signal = signal;
    this.#write = write;
    this.#guard = folder ? guardPath(folder, process.pid, signal) : null;
    process.on('newListener', (name, listener) => {
      // Later, when it has been added: without any listener Node would stop to listen for the signal.
      if (name === signal && listener !== this.#handler) queueMicrotask(() => this.#release());
    });
    process.on('removeListener', (name, listener) => {
      if (name === signal && listener !== this.#handler && process.listenerCount(signal) === 0) this.take();
    });
  }

  /** Whether the program would die of the signal. */
  get isHeld() {
    const listeners = process.listeners(this.signal);
    return listeners.length === 1 && listeners[0] === this.#handler;
  }

  take() {
    process.on(this.signal, this.#handler);
    if (this.#guard) writeFileSync(this.#guard, '');
  }

  end() {
    this.#release();
    this.#write();
    process.kill(process.pid, this.signal);
  }

  #release() {
    process.off(this.signal, this.#handler);
    if (this.#guard) rmSync(this.#guard, { force: true });
  }
}

/**
 * A program that kills itself is gone when process.kill returns; with a handler in the way it would go on.
 * @param {SignalHold[]} holds
 */
function watchOwnKill(holds) {
  process.kill = new Proxy(process.kill, {
    apply(kill, self, args) {
      const [pid, signal = 'SIGTERM'] = args;
      const hold = holds.find((one) => one.signal === signal || constants.signals[one.signal] === signal);
      if (pid === process.pid && hold?.isHeld) hold.end();
      return Reflect.apply(kill, self, args);
    },
  });
}
