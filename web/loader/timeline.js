// Loading of modules and calls of the host as tracks of their own in the Performance panel of Chromium's developer tools
// (https://developer.chrome.com/docs/devtools/performance/extension). Time inside of wasm is not measured yet.

const GROUP = 'wasm-trace';
const COLORS = Object.freeze({ rewrite: 'tertiary', compile: 'secondary', instantiate: 'secondary-light', host: 'primary' });

export class Timeline {
  /** @param {string} name of the module @param {'rewrite' | 'compile' | 'instantiate'} phase @param {number} start */
  add(name, phase, start) {
    measure(`${phase} ${name}`.trim(), 'modules', COLORS[phase], start);
  }

  /**
   * @param {any} imports import object of an instance
   * @returns {any} one that gives the same, with the host's functions measured
   */
  watchImports(imports) {
    if (typeof imports !== 'object' || imports === null) return imports;
    const watched = (/** @type {any} */ value, /** @type {string} */ name) => (isHostFunction(value) ? timed(value, name) : value);
    const watchModule = (/** @type {any} */ value, /** @type {string} */ module) =>
      isObject(value) ? readThrough(value, (one, name) => watched(one, `${module}.${name}`)) : value;
    return readThrough(imports, watchModule);
  }
}

/** @param {object} target @param {(value: unknown, key: string) => unknown} change */
function readThrough(target, change) {
  return new Proxy({}, { get: (_, key) => change(Reflect.get(target, key), String(key)) });
}

/** @param {unknown} value @returns {value is object} */
function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Exports of other modules look like the engine's own functions; a wrapper would take their quick way to each other. @param {unknown} value @returns {value is Function} */
function isHostFunction(value) {
  return typeof value === 'function' && !Function.prototype.toString.call(value).includes('[native code]');
}

/** @param {Function} func @param {string} name */
function timed(func, name) {
  return new Proxy(func, {
    apply: (target, self, args) => {
      const start = performance.now();
      try {
        return Reflect.apply(target, self, args);
      } finally {
        measure(name, 'calls of the host', COLORS.host, start);
      }
    },
  });
}

/** @param {string} name @param {string} track @param {string} color @param {number} start */
function measure(name, track, color, start) {
  const devtools = { dataType: 'track-entry', track, trackGroup: GROUP, color };
  performance.measure(name, { start, end: performance.now(), detail: { devtools } });
}
