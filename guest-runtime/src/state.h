/* The one block of state, at a fixed address of the runtime's own memory, and the helpers that every structure shares.
   Nothing here allocates: the instrumenter laid out all regions, and a full one counts what it drops. */
#ifndef WTR_STATE_H
#define WTR_STATE_H

#include "wtr_abi.h"

#define WTR_STATE ((wtr_state *)WTR_STATE_ADDRESS)
#define WTR_EXPORT(name) __attribute__((export_name("wtr_" #name))) wtr_##name

/* Addresses are 32-bit on this target; the casts are the whole "allocator". */
#define WTR_AT(type, address) ((type *)(uintptr_t)(address))

/* Appends one word to the ring, over the oldest one when it is full. */
static inline void wtr_ring_append(wtr_state *state, uint64_t word) {
  uint64_t at = state->ring_words;
  WTR_AT(uint64_t, state->ring_base)[(uint32_t)at & state->ring_mask] = word;
  state->ring_words = at + 1;
}

static inline void wtr_ring_append_header(wtr_state *state, uint64_t header, uint32_t position) {
  wtr_ring_append(state, header | (uint64_t)position << WTR_POSITION_SHIFT);
}

/* Enters a node below the position (call_tree.c); returns the position before. */
uint32_t wtr_enter_tree(uint32_t func);

#endif
