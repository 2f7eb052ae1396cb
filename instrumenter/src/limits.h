/* The limits that engines put on modules. An instrumented module never passes one that the original keeps: a function that
   would is left alone, a module that would is refused. */
#ifndef WT_LIMITS_H
#define WT_LIMITS_H

#include "link.h"

/* Limits that V8, SpiderMonkey and JavaScriptCore share. */
#define WT_MOST_FUNCTIONS 1000000u
#define WT_MOST_LOCALS 50000u
#define WT_MOST_BODY_BYTES 7654321u
#define WT_MOST_MODULE_BYTES (UINT32_C(1) << 30)

/* Whether a module may get the memory and the data segment of merged linking. */
bool wt_limits_allow_merged(const wt_module *module);

/* Holds what `link` appends against the limits. false on an error. */
bool wt_limits_check(const wt_link *link);

/* The same of the size of the result. */
bool wt_limits_check_size(wt_job *job, size_t before, size_t after);

#endif
