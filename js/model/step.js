// What happened, in order: what a trace tells of calls step by step.

export const NOTHING = 0; // taken back by later evidence
export const OPEN = 1; // a call whose enter is lost is there
export const ENTER = 2;
export const LEAVE = 3;
export const UNWOUND = 4;
export const TAIL = 5;
export const GROW = 6;
export const TRAP = 7;
export const THROWN = 8;
export const RESUMED = 9; // the stack of the call runs again
export const CUT = 10; // recording stops in the call and those around it
