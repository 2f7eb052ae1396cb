#include "layout.h"

#include <stddef.h>

/* Fresh memory costs about 3 us a page when it is first touched, so regions are as small as they can be; the kernel gives
   pages only as they are used, so a large tree costs nothing until it grows. */
#define DEFAULT_RING_BYTES (UINT64_C(1) << 20)
#define TRAP_RING_BYTES (UINT64_C(64) << 10)
/* Where the ring is not simply overwritten, it is full when the longest record would not fit: it must hold a few of these. */
#define LEAST_CHECKED_BYTES (UINT64_C(8) * WTR_MOST_RECORD_WORDS * sizeof(uint64_t))
#define FIRST_HASH_SLOTS UINT32_C(256)

/* Of wtr_state; behind these all is zero at first. */
#define WRITTEN_BYTES offsetof(wtr_state, kept_words)

static uint64_t power_of_two(uint64_t least) {
  uint64_t power = 8;
  while (power < least)
    power *= 2;
  return power;
}

/* `traps` alone wants only the last few calls, a log or a nested log as many as fit. */
static uint64_t ring_bytes(const wt_plan *plan, uint64_t buffer_size) {
  if (!plan->ring)
    return sizeof(uint64_t);
  uint64_t least = plan->full == WTR_FULL_OVERWRITE ? 0 : LEAST_CHECKED_BYTES;
  if (buffer_size)
    return power_of_two(buffer_size > least ? buffer_size : least);
  return plan->traps ? TRAP_RING_BYTES : DEFAULT_RING_BYTES;
}

/* The place of the next region. */
static uint32_t take(uint64_t *at, uint64_t bytes) {
  uint32_t base = (uint32_t)*at;
  *at += bytes;
  return base;
}

wtr_state wt_layout_state(const wt_plan *plan, uint64_t buffer_size, uint32_t *pages) {
  uint64_t ring = ring_bytes(plan, buffer_size);
  uint32_t nodes = plan->tree ? plan->nodes : WTR_NODE_FIRST;
  uint32_t inside = plan->closed ? WTR_SHUT : WTR_NODE_ROOT;
  wtr_state state = {.magic = WTR_MAGIC,
                     .flags = (plan->tree ? WTR_FLAG_TREE : 0) | (plan->ring ? WTR_FLAG_RING : 0) |
                              (wt_plan_timed(plan) ? WTR_FLAG_TIMED : 0),
                     .position = plan->only ? WTR_OUTSIDE : inside,
                     .only = plan->only,
                     .closed = plan->closed,
                     .base = plan->only ? WTR_BASE_POSITION : WTR_NODE_ROOT,
                     .ring_mask = (uint32_t)(ring / sizeof(uint64_t) - 1),
                     .tree_capacity = nodes,
                     .tree_count = WTR_NODE_FIRST,
                     .hash_mask = FIRST_HASH_SLOTS - 1,
                     .hist_count = plan->histogram_count,
                     .duration_count = plan->duration_count,
                     .skip = plan->skip,
                     .most = plan->most,
                     .full = plan->full,
                     .ring_end = ring / sizeof(uint64_t)};
  uint64_t sink = plan->full == WTR_FULL_AGGREGATE ? WTR_SINK_WORDS * sizeof(uint64_t) : 0;
  uint64_t at = WTR_TREE_ADDRESS;
  state.tree_base = take(&at, (uint64_t)nodes * sizeof(wtr_node));
  state.span_base = take(&at, wt_plan_timed(plan) ? (uint64_t)nodes * sizeof(wtr_span) : 0);
  state.hash_base = take(&at, plan->tree ? (uint64_t)nodes * 2 * sizeof(uint32_t) : 0);
  state.ring_base = take(&at, ring + sink);
  state.hist_base = take(&at, (uint64_t)plan->histogram_count * WTR_HISTOGRAM_BYTES);
  state.duration_base = take(&at, (uint64_t)plan->duration_count * WTR_DURATION_BUCKETS * sizeof(uint64_t));
  *pages = (uint32_t)((at + WT_PAGE_BYTES - 1) / WT_PAGE_BYTES);
  return state;
}

static void write_clock(const wtr_state *state, wt_buf *bytes) {
  const uint32_t halves[] = {state->closed,        state->only,           state->span_base,
                             state->duration_base, state->duration_count, state->full};
  const uint64_t words[] = {state->events, state->skip, state->most, state->ring_end};
  wt_buf_fixed64(bytes, state->last);
  for (size_t i = 0; i < WT_COUNT_OF(halves); i++)
    wt_buf_fixed32(bytes, halves[i]);
  for (size_t i = 0; i < WT_COUNT_OF(words); i++)
    wt_buf_fixed64(bytes, words[i]);
}

/* Behind the state, up to the function of the root. */
static void write_root(wt_buf *bytes) {
  for (uint32_t at = WTR_STATE_ADDRESS + WRITTEN_BYTES; at < WTR_TREE_ADDRESS + offsetof(wtr_node, func); at += 4)
    wt_buf_fixed32(bytes, 0);
  wt_buf_fixed32(bytes, WTR_NO_FUNCTION);
}

/* Field by field, so that the layout holds on a big-endian build machine too. The order is that of wtr_state. */
void wt_layout_write(const wtr_state *state, wt_buf *bytes) {
  const uint32_t first[] = {state->magic,     state->flags,     state->position,
                            state->ring_base, state->ring_mask, state->base};
  const uint32_t second[] = {state->tree_base, state->tree_capacity, state->tree_count,
                             state->hash_base, state->hash_mask,     state->hist_base};
  for (size_t i = 0; i < WT_COUNT_OF(first); i++)
    wt_buf_fixed32(bytes, first[i]);
  wt_buf_fixed64(bytes, state->ring_words);
  wt_buf_fixed64(bytes, state->ring_payload);
  for (size_t i = 0; i < WT_COUNT_OF(second); i++)
    wt_buf_fixed32(bytes, second[i]);
  wt_buf_fixed64(bytes, state->tree_dropped);
  wt_buf_fixed32(bytes, state->hist_count);
  wt_buf_fixed32(bytes, state->ring_reach);
  write_clock(state, bytes);
  write_root(bytes);
}
