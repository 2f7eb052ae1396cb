/* What people are told about a run. */
#ifndef WT_TEXT_H
#define WT_TEXT_H

#include "rewrite.h"

/* Makes the text in the arena; NULL when out of memory. */
char *wt_text_make(wt_job *job, wt_run *run, wt_text which);

#endif
