/* Rewrites the bodies: reads every instruction once, checks its indices, and collects the edits that splice probes in. */
#ifndef WT_CODE_H
#define WT_CODE_H

#include "link.h"

/* Where a body stands among the edits; kept only when metadata.code.* sections must be re-based. */
typedef struct wt_body_place {
  uint32_t locals;     /* offset of the body, behind its size, in the original file */
  uint32_t first_edit; /* of the body, in wt_code.edits */
  uint32_t edit_count;
  int32_t size_growth; /* bytes by which the size field in front of the body grew */
} wt_body_place;

typedef struct wt_code {
  wt_job *job;
  wt_module *module;
  const wt_plan *plan;
  wt_link *link;         /* NULL for a reading that only checks; then there are no edits */
  wt_buf edits;          /* wt_edit items inside the code section, in order */
  wt_buf inserts;        /* their bytes */
  int64_t growth;        /* of the bodies together, their size fields included */
  uint32_t traced;       /* functions of the module whose calls or values are recorded */
  uint32_t tiny;         /* left out because they are smaller than min_size */
  uint32_t small_before; /* bodies that are small as inlining.h has it */
  uint32_t small;        /* the same when they have been rewritten */
  uint32_t left_alone;   /* not instrumented because the result would pass a limit of the engines */
  wt_body_place *places; /* by defined function, or NULL */
} wt_code;

/* plan and link are NULL for a reading that only checks. Call wt_code_free whatever the result. */
bool wt_code_rewrite(wt_code *code, wt_job *job, wt_module *module, const wt_plan *plan, wt_link *link,
                     bool keep_places);
void wt_code_free(wt_code *code);

#endif
