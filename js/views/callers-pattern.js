// The one display that is about a pattern.

const DISPLAY = /^callers(?:\((.+)\)|:(.+))$/s;

/** What `callers(PATTERN)` is about; null for another display. @param {string} display */
export function callersPattern(display) {
  const match = DISPLAY.exec(display.trim());
  return match && (match[1] ?? match[2]).trim();
}
