/* Link mode split: for each entry point a function that calls it through a table, which the loader fills. */
#ifndef WT_TRAMPOLINES_H
#define WT_TRAMPOLINES_H

#include "link.h"

/* Appends them, those that the plan needs, and makes them the entry points. */
void wt_trampolines_add(wt_link *link);

#endif
