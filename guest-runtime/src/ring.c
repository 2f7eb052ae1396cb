/* The ring of records, and the position of execution while only the ring is kept: the depth of the stack.
   Payload words come first, the header closes the record (docs/ARCHITECTURE.md). Until then they are not counted, so a record
   that is never closed leaves no trace: the stack may end, or the thread, between any two words. */
#include "state.h"

/* Payload word `index` of the record that the next header closes. */
void WTR_EXPORT(put)(uint64_t value, uint32_t index) {
  wtr_state *state = WTR_STATE;
  if (state->position == WTR_OUTSIDE)
    return;
  uint32_t at = (uint32_t)state->ring_words + index;
  state->ring_reach = at + 1;
  *wtr_ring_word(state, at) = value;
}

/* Closes a record at the position where execution stands. */
void WTR_EXPORT(event)(uint64_t header) {
  wtr_state *state = WTR_STATE;
  uint32_t position = state->position;
  if (position != WTR_OUTSIDE)
    wtr_ring_close(state, header, position);
}

/* A function is entered: one level deeper. Returns the caller's position, which `leave` wants back. */
uint32_t WTR_EXPORT(enter)(uint64_t header) {
  wtr_state *state = WTR_STATE;
  uint32_t caller = state->position;
  if (caller == WTR_OUTSIDE)
    return caller;
  state->position = caller + 1;
  wtr_ring_close(state, header, caller + 1);
  return caller;
}

/* A function is left, by whatever way its callees were left before. */
void WTR_EXPORT(leave)(uint32_t caller, uint64_t header) {
  wtr_state *state = WTR_STATE;
  uint32_t position = state->position;
  state->position = caller;
  if (position != WTR_OUTSIDE)
    wtr_ring_close(state, header, position);
}
