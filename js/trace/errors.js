// What the readers of recorded data throw: data that is not what the runtime and the instrumenter write.

/** Malformed trace data. `offset` is the byte in the section or in the runtime's memory where it stops making sense; null: it is no place's fault. */
export class TraceError extends Error {
  /**
   * @param {'metadata' | 'snapshot'} code which data it is
   * @param {string} reason a sentence without a full stop
   * @param {number | null} offset
   */
  constructor(code, reason, offset) {
    super(offset === null ? reason : `${reason} at byte ${offset}`);
    this.name = 'TraceError';
    /** @type {'metadata' | 'snapshot'} */
    this.code = code;
    this.offset = offset;
  }
}
