// The one error class of the package. The loader catches it and runs the untouched module; commands print it.

/**
 * What went wrong; the codes are those of wt_status in wasm_trace.h.
 * @typedef {'module' | 'component' | 'traced' | 'probe' | 'no-match' | 'limit' | 'memory'} ErrorCode
 */

/** By wt_status. @type {readonly (ErrorCode | null)[]} */
export const ERROR_CODES = Object.freeze([null, 'module', 'component', 'traced', 'probe', 'no-match', 'limit', 'memory']);

export class WasmTraceError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message a sentence without a full stop
   * @param {number} [offset] byte offset in the module, or column in the option's text, where there is one
   * @param {{option: string, text: string}} [source] the option that does not parse, and what it said
   */
  constructor(code, message, offset, source) {
    super(message);
    this.name = 'WasmTraceError';
    /** @type {ErrorCode} */
    this.code = code;
    /** @type {number | undefined} */
    this.offset = offset;
    /** @type {string | undefined} */
    this.option = source?.option;
    /** @type {string | undefined} */
    this.text = source?.text;
  }
}

/**
 * The message with the place, where that tells something: what a component is does not hang on a byte.
 * @param {WasmTraceError} error
 */
export function describeError({ code, message, offset }) {
  return offset === undefined || code === 'component' ? message : `${message} at byte ${offset}`;
}
