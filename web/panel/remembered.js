// What the panel remembers until the tab is closed. A page may forbid storage; then nothing is remembered.

const KEY = 'wasm-trace-panel';

/** @typedef {{dock?: string, size?: Record<string, number>, tab?: string, hidden?: boolean}} Remembered */

/** @returns {Remembered} */
export function remembered() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    return kept !== null && typeof kept === 'object' ? kept : {};
  } catch {
    return {};
  }
}

/** @param {Remembered} changes */
export function remember(changes) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...remembered(), ...changes }));
  } catch {
    // Without storage the panel comes up as it did the first time.
  }
}
