// Colour for terminals, as plain escape sequences; without it every style leaves its text as it is.

/** @typedef {(text: string) => string} Style */

/** @param {boolean} on @param {number} code @param {number} end @returns {Style} */
function style(on, code, end) {
  return on ? (text) => `\x1b[${code}m${text}\x1b[${end}m` : (text) => text;
}

/** @param {boolean} [on] */
export function styles(on = false) {
  return {
    name: style(on, 36, 39),
    value: style(on, 33, 39),
    bad: style(on, 31, 39),
    heading: style(on, 1, 22),
    dim: style(on, 2, 22),
  };
}

/** @typedef {ReturnType<typeof styles>} Styles */
