/* The rewrite of a module from end to end, and the texts about it. */
#ifndef WT_REWRITE_H
#define WT_REWRITE_H

#include "code.h"

/* What is known after a run; lives in the job's arena. */
typedef struct wt_run {
  wt_module module;
  wt_plan plan;
  uint32_t traced;
  uint32_t tiny;
  uint32_t left_alone;
  uint64_t added_features; /* 1 << WT_FEATURE_..., that what was added uses */
  bool split;
  bool heap;
  bool has_relocations;
  bool relinked; /* split although merged is the default: it would pass a limit of the engines */
} wt_run;

/* Fills the job's edits. false on an error. */
bool wt_rewrite(wt_job *job, wt_slice file, wt_slice runtime);

#endif
