// The engine's own stack, read with settings of ours in the place of the program's (V8: Error.stackTraceLimit and
// Error.prepareStackTrace; elsewhere they change nothing).

/** @typedef {{prepareStackTrace?: unknown, stackTraceLimit?: number}} Settings */

/**
 * @param {number} limit frames
 * @param {unknown} prepare what makes the stack of its frames; undefined: the engine does
 * @returns {unknown} the stack of a new error: text, or what `prepare` made; undefined where Error is frozen
 */
export function readStack(limit, prepare) {
  const settings = /** @type {Settings} */ (/** @type {unknown} */ (Error));
  if (Object.isFrozen(settings)) return undefined;
  const { prepareStackTrace, stackTraceLimit } = settings;
  try {
    settings.stackTraceLimit = limit;
    settings.prepareStackTrace = prepare;
    return new Error().stack;
  } finally {
    settings.prepareStackTrace = prepareStackTrace;
    settings.stackTraceLimit = stackTraceLimit;
  }
}
