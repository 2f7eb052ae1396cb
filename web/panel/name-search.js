// What the search of a chart looks for.

/** @param {string} text @returns {(name: string) => boolean} */
function matcher(text) {
  const expression = /^\/(.+)\/(i?)$/.exec(text);
  if (!expression) {
    const part = text.toLowerCase();
    return (name) => name.toLowerCase().includes(part);
  }
  try {
    const pattern = new RegExp(expression[1], expression[2]);
    return (name) => pattern.test(name);
  } catch {
    return () => false; // not complete yet: it is being typed
  }
}

/**
 * Each function's name is looked at once.
 * @param {string} text a part of the name without regard to case, or a regular expression between slashes
 * @param {(func: number) => string} name
 * @returns {(func: number) => boolean}
 */
export function functionSearch(text, name) {
  const matches = matcher(text);
  /** @type {Map<number, boolean>} */
  const known = new Map();
  return (func) => {
    let found = known.get(func);
    if (found === undefined) known.set(func, (found = matches(name(func))));
    return found;
  };
}
