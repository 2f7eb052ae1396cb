/* Memory with the lifetime of a job: allocated in blocks, freed at once. Every allocation may fail (NULL). */
#ifndef WT_ARENA_H
#define WT_ARENA_H

#include "base.h"
#include "wasm_trace.h"

typedef struct wt_arena_block wt_arena_block;

struct wt_arena {
  wt_allocator allocator;
  wt_arena_block *blocks;
  uint8_t *next;
  size_t left;
  bool failed; /* sticky: some allocation returned NULL */
};

void wt_arena_init(wt_arena *arena, const wt_allocator *allocator);
void wt_arena_free(wt_arena *arena);

/* size bytes, zeroed, aligned for any type; NULL when out of memory. */
void *wt_arena_alloc(wt_arena *arena, size_t size);

/* count zeroed items; NULL on overflow or when out of memory. */
void *wt_arena_array(wt_arena *arena, size_t count, size_t item_size);

/* A copy with a NUL behind it. */
char *wt_arena_copy(wt_arena *arena, const void *data, size_t size);

/* printf into the arena; NULL when out of memory. */
char *wt_arena_format(wt_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
