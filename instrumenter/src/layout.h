/* Where everything stands in the runtime's memory. */
#ifndef WT_LAYOUT_H
#define WT_LAYOUT_H

#include "buf.h"
#include "plan.h"
#include "wtr_abi.h"

#define WT_PAGE_BYTES 65536u /* of a memory */

/* The initial state, with all regions laid out for what the plan keeps. buffer_size 0 means the default. */
wtr_state wt_layout_state(const wt_plan *plan, uint64_t buffer_size, uint32_t *pages);

/* Its bytes, as they stand from WTR_STATE_ADDRESS on. */
void wt_layout_write(const wtr_state *state, wt_buf *bytes);

#endif
