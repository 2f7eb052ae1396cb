/* The custom section "wasm-trace", by which a reader of the trace understands it: docs/ARCHITECTURE.md tells the format. */
#ifndef WT_METADATA_H
#define WT_METADATA_H

#include "rewrite.h"

typedef struct wt_metadata {
  const wt_run *run;
  const wt_link *link;
  const wt_buf *config; /* initial state of the runtime's memory */
  uint32_t pages;
  bool deferred_start;
  const wt_edit *edits; /* up to the end of the code section */
  size_t edit_count;
} wt_metadata;

/* Appends the whole section. */
void wt_metadata_write(wt_job *job, const wt_metadata *metadata, wt_buf *out);

#endif
