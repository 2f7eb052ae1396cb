/* Link mode heap, for hosts that allow one memory, give no hooks and know of no second instance, as those of smart contracts do: the
   runtime is merged, and its state is a block that the module's own allocator hands out when --from first opens the window. Until then
   the runtime's entry points do nothing. */
#ifndef WT_HEAP_H
#define WT_HEAP_H

#include "link.h"

/* Bytes behind the block: an argument of the reader. */
#define WT_HEAP_SCRATCH_BYTES 8u

/* Finds the allocator, and checks that the plan needs nothing that such a host has not. false on an error. */
bool wt_heap_choose(wt_plan *plan, wt_job *job);

/* They are so many, and all i32. */
bool wt_heap_is_i32(wt_types types, uint32_t count);

/* Appends, in front of the thunks, the function that stands in the place of the entry point window_open. Its body is written by
   wt_heap_finish, when it is known which exceptions are used. */
void wt_heap_number(wt_link *link);
void wt_heap_finish(wt_link *link, wt_buf *body);

/* The beginning of an entry point: it returns while there is no block. */
void wt_heap_guard(const wt_link *link, int entry, wt_buf *code);

/* Appends the function by which the host gets at the block: the export is called wt_heap_export_name. */
void wt_heap_add_reader(wt_link *link, wt_buf *body);
const char *wt_heap_export_name(const wt_link *link);

#endif
