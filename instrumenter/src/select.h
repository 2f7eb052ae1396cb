/* Which functions the probes mean: patterns and kinds of probes -> flags and values by function. */
#ifndef WT_SELECT_H
#define WT_SELECT_H

#include "plan.h"

/* Applies the probes, which are parsed, and --hide, --only, --from and --until. false on an error: WT_ERROR_NO_MATCH when a pattern names
   nothing. */
bool wt_select_functions(wt_plan *plan, wt_job *job);

#endif
