/* A call that must be noticed when it throws. The exception is not ours to handle: it is thrown on at once. Traps are not
   seen. */
#ifndef WT_GUARD_H
#define WT_GUARD_H

#include "link.h"

/* Whether calls can be guarded at all: one module may not mix the two flavours of exceptions, and one that uses neither gets
   what the caller allows. Known when the bodies have been read. */
bool wt_guard_possible(const wt_link *link);

typedef void wt_guard_code(void *user);

/* Writes `call`, which leaves the results of the type, with `caught` run when it throws; the bare call where it cannot be
   guarded. */
void wt_guard_write(wt_link *link, wt_buf *body, uint32_t type, wt_guard_code *call, wt_guard_code *caught, void *user);

#endif
