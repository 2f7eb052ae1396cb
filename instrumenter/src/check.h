/* A reading without a rewrite. */
#ifndef WT_CHECK_H
#define WT_CHECK_H

#include "job.h"

/* Structure, indices and opcodes of a whole module, an instrumented one included. */
bool wt_check_module(wt_job *job, wt_slice file);

#endif
