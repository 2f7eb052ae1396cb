// How a call ended.

export const RUNNING = 0; // not yet
export const RETURNED = 1;
export const UNWOUND = 2; // left by an exception or a trap
export const TAIL = 3; // in a tail call
export const THROWN = 4; // a host call, by an exception
export const CUT = 5; // not known: it was still open when recording stopped
