#include "inlining.h"

#include "limits.h"

static uint64_t small_of(const wt_link *link) {
  wt_slice bodies = {link->bodies.data, link->bodies.size};
  wt_reader reader = wt_reader_new(link->job, bodies.data, bodies);
  uint64_t small = 0;
  while (wt_reader_ok(&reader) && wt_reader_left(&reader)) {
    uint32_t size = wt_reader_u32(&reader);
    wt_reader_part(&reader, size, "function body");
    small += wt_inlining_is_small(size);
  }
  return small;
}

/* The least n for which (small + n) / (all + n) is what it was before. Shares above a half are all the same, and those below a quarter. */
static uint64_t missing(uint64_t small_before, uint64_t all_before, uint64_t small, uint64_t all) {
  if (4 * small_before <= all_before)
    return 0;
  if (2 * small_before > all_before)
    return 2 * small < all ? all - 2 * small : 0;
  uint64_t wanted = small_before * all, given = small * all_before, large_before = all_before - small_before;
  return given < wanted ? (wanted - given + large_before - 1) / large_before : 0;
}

/* These functions are never what makes a module too large. */
static uint32_t room_for(const wt_link *link) {
  uint32_t count = link->module->func_count + link->func_count;
  return count < WT_MOST_FUNCTIONS ? WT_MOST_FUNCTIONS - count : 0;
}

void wt_inlining_keep(wt_link *link, const wt_code *code) {
  static const uint8_t empty[] = {2, 0, WT_OP_END}; /* with its size in front */
  if (link->job->options.heap || link->bodies.failed)
    return;
  uint32_t all_before = link->module->func_count - link->module->func_imports;
  uint64_t wanted =
      missing(code->small_before, all_before, code->small + small_of(link), (uint64_t)all_before + link->func_count);
  uint32_t n = wanted < room_for(link) ? (uint32_t)wanted : room_for(link);
  uint32_t type = n ? wt_link_nullary_type(link, false) : 0;
  for (uint32_t i = 0; i < n; i++) {
    wt_buf_u32(&link->func_types, type);
    wt_buf_bytes(&link->bodies, empty, sizeof empty);
  }
  link->func_count += n;
}
