/* Link modes merged and heap: the functions of the runtime, as far as the plan needs them, in the module itself. */
#ifndef WT_RUNTIME_H
#define WT_RUNTIME_H

#include "link.h"

/* Reads the runtime, appends its types and functions, and makes them the entry points. false on an error. */
bool wt_runtime_add(wt_link *link, wt_slice bytes);

#endif
