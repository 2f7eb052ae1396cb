/* The one block of state, at a fixed address of the runtime's own memory, and the helpers that every structure shares.
   Nothing here allocates: the instrumenter laid out all regions, and a full one counts what it drops.
   With WTR_HEAP there is no memory of its own: all addresses are relative to a block in the debuggee's, and wtr_block() tells where
   that is. It does not move while the runtime runs. */
#ifndef WTR_STATE_H
#define WTR_STATE_H

#include "wtr_abi.h"

#define WTR_EXPORT(name) __attribute__((export_name("wtr_" #name))) wtr_##name
#define WTR_IMPORT(name) __attribute__((import_module("wtr"), import_name(#name)))

/* Addresses are 32-bit on this target; the casts are the whole "allocator". */
#ifdef WTR_HEAP
WTR_IMPORT(block) __attribute__((const)) uintptr_t wtr_block(void);
#define WTR_AT(type, address) ((type *)(wtr_block() + (uintptr_t)(address)))
#define WTR_NODE_LIMIT (WTR_STATE->tree_capacity)
#define WTR_SPANS WTR_AT(wtr_span, WTR_STATE->span_base)
#else
#define WTR_AT(type, address) ((type *)(uintptr_t)(address))
#define WTR_NODE_LIMIT WTR_TREE_NODES
#define WTR_SPANS ((wtr_span *)(WTR_NODES + WTR_TREE_NODES))
#endif

#define WTR_STATE WTR_AT(wtr_state, WTR_STATE_ADDRESS)
#define WTR_NODES WTR_AT(wtr_node, WTR_TREE_ADDRESS)

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

/* Puts the time in front of the header; `words` of the header counts it. */
static inline void wtr_ring_close_timed(wtr_state *state, uint64_t header, uint32_t position) {
  uint64_t words = header >> WTR_WORDS_SHIFT & ((1u << WTR_WORDS_BITS) - 1);
  *wtr_ring_word(state, (uint32_t)(state->ring_words + words - 1)) = state->last;
  wtr_ring_close(state, header, position);
}

/* A record without values of its own, at the position (position.c). */
void wtr_append(wtr_state *state, uint32_t kind, uint32_t id);

/* Nothing is recorded from here on (window.c). */
void wtr_close(wtr_state *state, uint32_t why);

/* Probes have asked the same before, in the same words: engines leave it out then. */
static inline int wtr_is_nowhere(uint32_t position) { return (int32_t)position < 0; }

/* The whole of what follows (window.c). */
void wtr_go_back_slowly(wtr_state *state, uint32_t position);

/* Execution goes on where it stood once; what was opened or closed meanwhile stays so, also where another thread has closed it in the
   middle of an event, which then stored its position once more. */
static inline void wtr_go_back(wtr_state *state, uint32_t position) {
  if (wtr_is_nowhere(position))
    wtr_go_back_slowly(state, position);
  else
    state->position = state->closed ? WTR_SHUT : position;
}

static inline void wtr_reopen(wtr_state *state, uint32_t why) {
  state->closed &= ~why;
  wtr_go_back(state, state->position);
}

/* The frame that keeps this was entered while recording was off: nothing is known of it. */
static inline int wtr_unseen(uint32_t caller) { return caller == WTR_SHUT || caller == WTR_OUTSIDE_UNSEEN; }

/* Enters a node below the position (call_tree.c); returns the position before. */
uint32_t wtr_enter_tree(uint32_t func);

/* The part of it off the common path: below the dropped node, or another child than last time. */
uint32_t wtr_enter_slowly(wtr_state *state, uint32_t caller, uint32_t func);

/* The host, which the instrumenter or the loader connects: wtr_abi.h tells what they do. */
WTR_IMPORT(now) double wtr_hook_now(void);
WTR_IMPORT(full) void wtr_hook_full(void);

#endif
