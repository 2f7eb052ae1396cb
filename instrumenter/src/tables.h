/* Which histogram of the runtime counts which value, and which the durations of which function. */
#ifndef WT_TABLES_H
#define WT_TABLES_H

#include "plan.h"

/* false on an error: there are too many, or there is nothing to count. */
bool wt_tables_number_values(wt_plan *plan, wt_job *job);
bool wt_tables_number_durations(wt_plan *plan, wt_job *job);

#endif
