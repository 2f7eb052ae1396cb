/* A growing text in the arena that is used again and again; always ends in NUL. Sticky: past its limit or out of
   memory it takes no more and `failed` is set until it is cleared. */
#ifndef WT_SCRATCH_H
#define WT_SCRATCH_H

#include "arena.h"

typedef struct wt_scratch {
  wt_arena *arena;
  char *data;
  size_t size;
  size_t capacity; /* without the NUL */
  size_t limit;
  bool failed;
} wt_scratch;

void wt_scratch_init(wt_scratch *scratch, wt_arena *arena, size_t limit);

/* Makes it empty; slices of it are void from now on. */
void wt_scratch_clear(wt_scratch *scratch);

/* Shortens it to `size` bytes. */
void wt_scratch_cut(wt_scratch *scratch, size_t size);

/* data may be NULL when size is 0. */
void wt_scratch_bytes(wt_scratch *scratch, const void *data, size_t size);
void wt_scratch_slice(wt_scratch *scratch, wt_slice slice);
void wt_scratch_text(wt_scratch *scratch, const char *text);
void wt_scratch_char(wt_scratch *scratch, char c);
void wt_scratch_number(wt_scratch *scratch, uint64_t number); /* decimal */

/* UTF-8; false, and nothing is written, when `code` is no Unicode scalar value. */
bool wt_scratch_unicode(wt_scratch *scratch, uint32_t code);

/* Text of untrusted files for a terminal: control characters and broken UTF-8 become U+FFFD. */
void wt_scratch_printable(wt_scratch *scratch, wt_slice text);

/* What was written; borrowed until the next write. */
wt_slice wt_scratch_view(const wt_scratch *scratch);

#endif
