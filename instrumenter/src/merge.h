/* Re-encodes the bodies of guest-runtime.wasm for their place in the debuggee: clang cannot emit a memory index other than
   0, so every memory access gets the new one here. */
#ifndef WT_MERGE_H
#define WT_MERGE_H

#include "module.h"

typedef struct wt_merge_map {
  uint32_t first_func;
  uint32_t first_type;
  uint32_t memory;
} wt_merge_map;

/* Appends each body of the runtime with its size, and notes in `features` what they use. */
bool wt_merge_bodies(wt_job *job, const wt_module *runtime, const wt_merge_map *map, wt_buf *bodies,
                     uint64_t *features);

#endif
