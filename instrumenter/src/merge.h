/* Re-encodes the bodies of guest-runtime.wasm for their place in the debuggee: clang cannot emit a memory index other than
   0, so every memory access gets the new one here. */
#ifndef WT_MERGE_H
#define WT_MERGE_H

#include "module.h"

typedef struct wt_merge_map {
  const uint32_t *funcs; /* the index in the debuggee by the runtime's own, imports included; WT_NO_INDEX: left out */
  uint32_t memory;
  uint32_t block; /* an import of the runtime: a call of it becomes a reading of `global`; WT_NO_INDEX: none */
  uint32_t global;
  void (*begin)(void *user, uint32_t func,
                wt_buf *code); /* writes what stands before a function of the runtime; or NULL */
  void *user;
} wt_merge_map;

/* Marks in `kept`, by function index, what the marked functions call, and what those call. */
bool wt_merge_mark(wt_job *job, const wt_module *runtime, uint8_t *kept);

/* Appends each body of the runtime that is not left out with its size, and notes in `features` what they use. */
bool wt_merge_bodies(wt_job *job, const wt_module *runtime, const wt_merge_map *map, wt_buf *bodies,
                     uint64_t *features);

#endif
