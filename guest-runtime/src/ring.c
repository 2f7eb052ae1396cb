/* The ring of records, and the position of execution while only the ring is kept: the depth of the stack.
   Payload words come first, the header closes the record (docs/ARCHITECTURE.md). Until then they are not counted, so a record
   that is never closed leaves no trace: the stack may end, or the thread, between any two words. */
#include "state.h"

/* Payload word `index` of the record that the next header closes. */
void WTR_EXPORT(put)(uint64_t value, uint32_t index) {
  wtr_state *state = WTR_STATE;
  if (wtr_is_nowhere(state->position))
    return;
  uint32_t at = (uint32_t)state->ring_words + index;
  state->ring_reach = at + 1;
  *wtr_ring_word(state, at) = value;
}

/* Closes a record at the position where execution stands. */
void WTR_EXPORT(event)(uint64_t header) {
  wtr_state *state = WTR_STATE;
  uint32_t position = state->position;
  if (!wtr_is_nowhere(position))
    wtr_ring_close(state, header, position);
}

/* A function is entered: one level deeper. Returns the caller's position, which `leave` wants back. */
uint32_t WTR_EXPORT(enter)(uint64_t header) {
  wtr_state *state = WTR_STATE;
  uint32_t caller = state->position;
  if (wtr_is_nowhere(caller))
    return caller;
  state->position = caller + 1;
  wtr_ring_close(state, header, caller + 1);
  return caller;
}

/* A function is left, by whatever way its callees were left before. */
void WTR_EXPORT(leave)(uint32_t caller, uint64_t header) {
  wtr_state *state = WTR_STATE;
  uint32_t position = state->position;
  wtr_go_back(state, caller);
  if (!wtr_is_nowhere(position) && !wtr_unseen(caller))
    wtr_ring_close(state, header, position);
}

/* ---- a ring that is full ---- */

static void close_into_sink(wtr_state *state) {
  wtr_append(state, WTR_RECORD_CLOSED, WTR_CLOSED_FULL);
  state->kept_words = state->ring_words;
  state->kept_payload = state->ring_payload;
  state->kept_base = state->ring_base;
  state->kept_mask = state->ring_mask;
  state->ring_base += (state->ring_mask + 1) * (uint32_t)sizeof(uint64_t);
  state->ring_mask = WTR_SINK_WORDS - 1;
  state->ring_end = UINT64_MAX;
}

/* Where the host did not take the records, the oldest are overwritten; where the block is the debuggee's, there are no hooks. */
static void drain(wtr_state *state) {
  uint64_t end = state->ring_end;
#ifndef WTR_HEAP
  wtr_hook_full();
#endif
  if (state->ring_end == end)
    state->ring_end = state->ring_words + state->ring_mask + 1;
}

static __attribute__((noinline)) void wtr_full(wtr_state *state) {
  if (state->full == WTR_FULL_DRAIN)
    drain(state);
  else if (state->full == WTR_FULL_STOP)
    wtr_close(state, WTR_CLOSED_FULL);
  else
    close_into_sink(state);
}

/* Before each record, where the ring is not simply to be overwritten: sees to it that there is room for any. */
void WTR_EXPORT(room)(void) {
  wtr_state *state = WTR_STATE;
  if (state->ring_words + WTR_MOST_RECORD_WORDS > state->ring_end)
    wtr_full(state);
}
