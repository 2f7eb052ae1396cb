// Where the browsers are that the tests drive: where an environment variable says, or under one of their usual names.
import { which } from './steps.mjs';

/** @type {Readonly<Record<string, {variable: string, commands: string[]}>>} */
const BROWSERS = Object.freeze({
  chromium: { variable: 'WASM_TRACE_CHROMIUM', commands: ['chromium', 'chromium-browser', 'google-chrome'] },
  firefox: { variable: 'WASM_TRACE_FIREFOX', commands: ['firefox-esr', 'firefox'] },
});

export const browserNames = Object.keys(BROWSERS);

/** @param {string} name one of `browserNames` @returns {string | null} path of its executable */
export function findBrowser(name) {
  const { variable, commands } = BROWSERS[name];
  if (process.env[variable]) return process.env[variable];
  for (const command of commands) {
    const file = which(command);
    if (file) return file;
  }
  return null;
}
