/* The one block of state, at a fixed address of the runtime's own memory, and the helpers that every structure shares.
   Nothing here allocates: the instrumenter laid out all regions, and a full one counts what it drops. */
#ifndef WTR_STATE_H
#define WTR_STATE_H

#include "wtr_abi.h"

#define WTR_STATE ((wtr_state *)WTR_STATE_ADDRESS)
#define WTR_EXPORT(name) __attribute__((export_name("wtr_" #name))) wtr_##name

/* Addresses are 32-bit on this target; the casts are the whole "allocator". */
#define WTR_AT(type, address) ((type *)(uintptr_t)(address))

/* What was stored before is there for a thread that reads what is stored after. The store order of wasm is the program's; this
   keeps the compiler to it. */
static inline void wtr_publish(void) { __atomic_signal_fence(__ATOMIC_RELEASE); }

/* Where word `at` of all words ever written stands, over the oldest one when the ring is full. */
static inline uint64_t *wtr_ring_word(const wtr_state *state, uint32_t at) {
  return &WTR_AT(uint64_t, state->ring_base)[at & state->ring_mask];
}

/* Puts the header behind the payload words that it tells of; only then is the record there. */
static inline void wtr_ring_close(wtr_state *state, uint64_t header, uint32_t position) {
  uint64_t words = header >> WTR_WORDS_SHIFT & ((1u << WTR_WORDS_BITS) - 1);
  uint64_t at = state->ring_words + words;
  *wtr_ring_word(state, (uint32_t)at) = header | (uint64_t)position << WTR_POSITION_SHIFT;
  if (words)
    state->ring_payload += words;
  wtr_publish();
  state->ring_words = at + 1;
}

/* Enters a node below the position (call_tree.c); returns the position before. */
uint32_t wtr_enter_tree(uint32_t func);

#endif
