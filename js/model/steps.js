// What calls come to, and what a trace tells of them step by step.

/** How a call ended: not yet; returned; left by an exception or a trap; in a tail call; a host call by an exception; not known, as
 * it was still open when recording stopped. */
export const END = Object.freeze({ RUNNING: 0, RETURNED: 1, UNWOUND: 2, TAIL: 3, THROWN: 4, CUT: 5 });

/** What happened, in order. RESUMED: the stack of the call runs again. OPEN: a call whose enter is lost is there; NOTHING: taken back by later evidence.
 * CUT: recording stops in the call and those around it. */
export const STEP = Object.freeze({
  NOTHING: 0,
  OPEN: 1,
  ENTER: 2,
  LEAVE: 3,
  UNWOUND: 4,
  TAIL: 5,
  GROW: 6,
  TRAP: 7,
  THROWN: 8,
  RESUMED: 9,
  CUT: 10,
});
