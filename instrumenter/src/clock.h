/* What the probes read as the time: which clock a job asks for, and the code that pushes what it shows. */
#ifndef WT_CLOCK_H
#define WT_CLOCK_H

#include "link.h"

/* Decides which clock the plan uses, and finds the import where that is one. false on an error. */
bool wt_clock_choose(wt_plan *plan, wt_job *job, const wt_module *module, bool asked);

/* Whether it counts nanoseconds. */
bool wt_clock_in_ns(const wt_plan *plan);

/* Appends the function that reads an import as a clock, where that is the clock. */
void wt_clock_link(wt_link *link);

/* Pushes the clock, an i64; nothing for a ticker, which the runtime reads itself. */
void wt_clock_push(const wt_link *link, wt_buf *code);

/* What has passed since the last event belongs to the position: before that is changed without an event. Nothing without a clock. */
void wt_clock_account(const wt_link *link, wt_buf *code);

/* What has passed since the last event is nobody's: recording begins here. Nothing without a clock. */
void wt_clock_skip(const wt_link *link, wt_buf *code);

/* As wt_clock_account where the host begins to call or a call of it ends, for a clock that stands still outside of the module: what a trap left behind
   has passed, too, and not for who is called next. */
void wt_clock_account_crossing(const wt_link *link, wt_buf *code);

#endif
