// The child process of wasm-trace-node: its standard streams are ours, signals reach it, and its end becomes ours.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { guardPath, PROGRAMS_OWN, SIGNALS, TOGGLE_SIGNAL } from './signals.js';

/** @import {ChildProcess} from 'node:child_process' */

/** How long a child may take to end by a signal of which it would have died at once without us, in milliseconds. */
const GRACE = 700;

/**
 * @typedef {object} Ended
 * @property {number} pid
 * @property {number} status
 * @property {NodeJS.Signals | null} signal that ended the child
 */

/**
 * @param {readonly string[]} argv for node
 * @param {NodeJS.ProcessEnv} env
 * @param {string} folder where the child leaves its report
 * @param {number} inspectorPort for a child that hangs
 * @returns {Promise<Ended>}
 */
export function runChild(argv, env, folder, inspectorPort) {
  const child = spawn(process.execPath, argv, { env, stdio: 'inherit' });
  const pid = child.pid ?? 0;
  const forwarding = new SignalForwarding(child, folder, inspectorPort);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status, signal) => {
      forwarding.stop();
      const cause = signal === 'SIGKILL' ? (forwarding.asked ?? signal) : signal;
      resolve({ pid, status: status ?? 1, signal: cause });
    });
  });
}

class SignalForwarding {
  /** The last signal that was to end the child. @type {NodeJS.Signals | null} */
  asked = null;
  #child;
  #folder;
  #inspectorPort;
  #isRescuing = false;
  /** @type {(() => void)[]} */
  #undo = [];

  /** @param {ChildProcess} child @param {string} folder @param {number} inspectorPort */
  constructor(child, folder, inspectorPort) {
    this.#child = child;
    this.#folder = folder;
    this.#inspectorPort = inspectorPort;
    for (const signal of SIGNALS) {
      const handler = () => this.#forward(signal);
      process.on(signal, handler);
      this.#undo.push(() => process.off(signal, handler));
    }
    const toggle = () => void this.#toggle();
    process.on(TOGGLE_SIGNAL, toggle);
    this.#undo.push(() => process.off(TOGGLE_SIGNAL, toggle));
  }

  /** Recording stops, or begins again. Without a handler the child would die of the signal. */
  async #toggle() {
    const guard = guardPath(this.#folder, this.#child.pid ?? 0, TOGGLE_SIGNAL);
    if (!existsSync(guard)) return void process.stderr.write('wasm-trace-node: nothing is traced that could be stopped or started\n');
    const before = readFileSync(guard, 'utf8');
    this.#child.kill(TOGGLE_SIGNAL);
    if (before === PROGRAMS_OWN) return;
    await sleep(GRACE, undefined, { ref: false });
    if (!existsSync(guard) || readFileSync(guard, 'utf8') !== before || this.#isRescuing) return;
    const { interruptChild } = await import('./rescue.js');
    await interruptChild(this.#child, this.#inspectorPort, `toggle(${Number(before)})`);
  }

  stop() {
    for (const undo of this.#undo) undo();
  }

  /** @param {NodeJS.Signals} signal */
  #forward(signal) {
    this.asked = signal;
    // A terminal sends Ctrl-C to both of us.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) this.#child.kill(signal);
    setTimeout(() => this.#endIfHanging(signal), GRACE).unref();
  }

  /** A child that is busy inside wasm cannot run the handler that the preload put in the signal's way. @param {NodeJS.Signals} signal */
  async #endIfHanging(signal) {
    const { pid = 0, exitCode, signalCode } = this.#child;
    const guard = guardPath(this.#folder, pid, signal);
    if (this.#isRescuing || exitCode !== null || signalCode !== null || !existsSync(guard)) return;
    this.#isRescuing = true;
    const { interruptChild } = await import('./rescue.js');
    await interruptChild(this.#child, this.#inspectorPort, 'finish()');
    // Without it the handler runs after all, and may still be writing the report.
    if (existsSync(guard)) this.#child.kill('SIGKILL');
    this.#isRescuing = false;
  }
}
