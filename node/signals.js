// Ctrl-C and its kin end a program before any 'exit' event. While the program has no handler of its own for such a signal,
// ours writes the report first and then lets the signal do what it would have done. As soon as the program adds one, ours
// steps aside, so that libraries which count handlers see what they would see untraced.

import { constants, join, rmSync, writeFileSync } from './builtins.js';

export const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** Has recording stop, and begin again. Node itself has the other one, for its inspector. */
export const TOGGLE_SIGNAL = 'SIGUSR2';

/** In its guard file: the program has a handler of its own for the signal. */
export const PROGRAMS_OWN = 'own';

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
  const end = (/** @type {SignalHold} */ hold) => {
    hold.release();
    write();
    process.kill(process.pid, hold.signal);
  };
  const holds = SIGNALS.filter((signal) => process.listenerCount(signal) === 0).map((signal) => new SignalHold(signal, end));
  for (const hold of holds) hold.take();
  watchOwnKill(holds);
}

/**
 * As long as the program has no use of its own for the signal.
 * @param {() => void} toggle
 * @returns {SignalHold | null} to be marked when it was done; null: the program has a handler
 */
export function holdToggle(toggle) {
  if (process.listenerCount(TOGGLE_SIGNAL) > 0) return null;
  const hold = new SignalHold(TOGGLE_SIGNAL, toggle);
  hold.take();
  return hold;
}

class SignalHold {
  #act;
  #handler = () => this.act();
  #guard;

  /** How often what the signal asks for was done. */
  marks = 0;

  /** @param {NodeJS.Signals} signal @param {(hold: SignalHold) => void} act */
  constructor(signal, act) {
    const { WASM_TRACE_OUTPUT: folder } = process.env;
    this.signal = signal;
    this.#act = act;
    this.#guard = folder ? guardPath(folder, process.pid, signal) : null;
    process.on('newListener', (name, listener) => {
      // Later, when it has been added: without any listener Node would stop to listen for the signal.
      if (name === signal && listener !== this.#handler) queueMicrotask(() => this.#stepAside());
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
    if (this.#guard) writeFileSync(this.#guard, String(this.marks));
  }

  act() {
    this.#act(this);
  }

  /** Lets wasm-trace-node know that it was done. */
  mark() {
    this.marks++;
    if (this.#guard) writeFileSync(this.#guard, String(this.marks));
  }

  #stepAside() {
    this.release();
    if (this.#guard && this.signal === TOGGLE_SIGNAL) writeFileSync(this.#guard, PROGRAMS_OWN);
  }

  release() {
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
      if (pid === process.pid && hold?.isHeld) hold.act();
      return Reflect.apply(kill, self, args);
    },
  });
}
