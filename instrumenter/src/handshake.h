/* How a function that the host can call past any shim tells a call of the module's own from one of the host: before a call that
   may reach such a function, the module announces it in a global, and the function takes that back. A call through a table
   announces the place in it, and the type: only a function that stands there takes it for its own (of one that stands in several
   places, only table and type are known). So it cannot mistake what is left of a
   call that trapped, because the place was empty or held another type, nor what a host function calls that stands there. */
#ifndef WT_HANDSHAKE_H
#define WT_HANDSHAKE_H

#include "instr.h"
#include "link.h"

/* A direct call of a function that arrives. */
void wt_handshake_call(const wt_link *link, wt_buf *code, uint32_t func);

/* A call through a table; the index stands on the operand stack, and again afterwards. `local` is an i32 to use. */
void wt_handshake_table(const wt_link *link, wt_buf *code, const wt_instr *instr, uint32_t local, bool tail);

/* A call of a reference, which stands on the operand stack, and again afterwards; null is not announced. `local` is one of its
   type, nullable. */
void wt_handshake_reference(const wt_link *link, wt_buf *code, uint32_t local, bool tail);

/* Nothing is announced any more. */
void wt_handshake_clear(const wt_link *link, wt_buf *code);

/* Locals of a function that arrives, of type i32. */
typedef struct wt_handshake_locals {
  uint32_t entered; /* whether the others are set: the call was not meant for this function alone */
  uint32_t before;  /* what was announced */
  uint32_t place;   /* the position */
  uint32_t base;
} wt_handshake_locals;

/* At the beginning of a function that arrives, and at its end: then all that it found holds again, since the host may call once more
   before the call that was announced returns. */
void wt_handshake_arrive(const wt_link *link, wt_buf *code, uint32_t func, wt_handshake_locals locals);
void wt_handshake_restore(const wt_link *link, wt_buf *code, wt_handshake_locals locals);

/* Before a tail call, in place of wt_handshake_restore: position and base stay, so that who is called next is doubted as much. */
void wt_handshake_leave(const wt_link *link, wt_buf *code, wt_handshake_locals locals);

#endif
