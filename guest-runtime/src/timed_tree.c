/* Time, or what else the clock counts, in the calling-context tree. At each event what has passed since the last one belongs to the
   node in which execution stood: so all that passes is counted once, whatever way frames are left. What a call took, from its enter to
   its leave, is only for the shortest and the longest.
   The clock comes with the call, or is the word that a ticker stores. */
#include "state.h"

#define WTR_SPANS(state) WTR_AT(wtr_span, (state)->span_base)
#define STACK_MASK ((1u << WTR_SPAN_SHIFT) - 1)

static inline uint64_t ticker_now(void) { return __atomic_load_n(WTR_AT(uint64_t, WTR_TICKER_ADDRESS), __ATOMIC_RELAXED); }

static inline uint32_t running_stack(const wtr_state *state) { return state->base >> WTR_BASE_STACK_SHIFT; }

static inline void pass(wtr_state *state, wtr_node *nodes, uint32_t position, uint64_t now) {
  nodes[position].self += now - state->last;
  state->last = now;
}

static inline uint32_t enter(uint32_t func, uint64_t now) {
  wtr_state *state = WTR_STATE;
  wtr_node *nodes = WTR_AT(wtr_node, state->tree_base);
  uint32_t caller = state->position;
  if (caller == WTR_OUTSIDE)
    return caller;
  pass(state, nodes, caller, now);
  uint32_t node = nodes[caller].last_child;
  if (nodes[node].func != func || node == WTR_NODE_ROOT) {
    wtr_enter_slowly(state, nodes, caller, func);
    node = state->position;
  } else {
    nodes[node].count++;
    state->position = node;
  }
  WTR_SPANS(state)[node].start = now << WTR_SPAN_SHIFT | running_stack(state);
  return caller;
}

/* What the call at the position took; 0 where that is not known: the dropped node stands for many, and on another stack another
   activation of the same path has begun. */
static inline int took(const wtr_state *state, uint32_t position, uint64_t now, uint64_t *duration) {
  uint64_t start = WTR_SPANS(state)[position].start;
  *duration = now - (start >> WTR_SPAN_SHIFT);
  return position >= WTR_NODE_FIRST && (start & STACK_MASK) == running_stack(state);
}

static inline void leave(wtr_state *state, uint32_t position, uint64_t now) {
  pass(state, WTR_AT(wtr_node, state->tree_base), position, now);
  wtr_span *span = &WTR_SPANS(state)[position];
  uint64_t duration;
  if (!took(state, position, now, &duration))
    return;
  if (duration > span->max)
    span->max = duration;
  if (~duration > span->min_inverse)
    span->min_inverse = ~duration;
}

/* The function at the position is left. Returns whether that is to be recorded. */
static inline int leave_to(uint32_t caller, uint64_t now) {
  wtr_state *state = WTR_STATE;
  uint32_t position = state->position;
  if (position == WTR_OUTSIDE) {
    wtr_go_back(state, caller);
    return 0;
  }
  if (wtr_unseen(state, caller)) {
    pass(state, WTR_AT(wtr_node, state->tree_base), position, now);
    state->position = state->outside;
    return 0;
  }
  leave(state, position, now);
  state->position = caller;
  return 1;
}

static inline void leave_event(uint32_t caller, uint64_t header, uint64_t now) {
  wtr_state *state = WTR_STATE;
  uint32_t position = state->position;
  if (leave_to(caller, now))
    wtr_ring_close_timed(state, header, position);
}

static inline void account(uint64_t now) {
  wtr_state *state = WTR_STATE;
  if (state->position != WTR_OUTSIDE)
    pass(state, WTR_AT(wtr_node, state->tree_base), state->position, now);
}

/* ---- log-linear buckets: wtr_abi.h ---- */

enum { EXACT = 16, FIRST_EXPONENT = 4, PART_BITS = 3, PARTS = 1 << PART_BITS };

static inline uint32_t duration_bucket(uint64_t value) {
  if (value < EXACT)
    return (uint32_t)value;
  uint32_t exponent = 63 - (uint32_t)__builtin_clzll(value);
  return EXACT + (exponent - FIRST_EXPONENT) * PARTS + (uint32_t)(value >> (exponent - PART_BITS) & (PARTS - 1));
}

static inline void count_duration(uint32_t histogram, uint64_t now) {
  wtr_state *state = WTR_STATE;
  uint32_t position = state->position;
  uint64_t duration;
  if (position == WTR_OUTSIDE || histogram >= state->duration_count || !took(state, position, now, &duration))
    return;
  WTR_AT(uint64_t, state->duration_base)[histogram * WTR_DURATION_BUCKETS + duration_bucket(duration)]++;
}

/* ---- entry points ---- */

uint32_t WTR_EXPORT(enter_timed)(uint32_t func, uint64_t now) { return enter(func, now); }
uint32_t WTR_EXPORT(enter_ticker)(uint32_t func) { return enter(func, ticker_now()); }

void WTR_EXPORT(leave_timed)(uint32_t caller, uint64_t now) { leave_to(caller, now); }
void WTR_EXPORT(leave_ticker)(uint32_t caller) { leave_to(caller, ticker_now()); }

void WTR_EXPORT(leave_event_timed)(uint32_t caller, uint64_t header, uint64_t now) { leave_event(caller, header, now); }
void WTR_EXPORT(leave_event_ticker)(uint32_t caller, uint64_t header) { leave_event(caller, header, ticker_now()); }

/* What has passed belongs to the position; it is about to be changed in some other way. */
void WTR_EXPORT(account)(uint64_t now) { account(now); }
void WTR_EXPORT(account_ticker)(void) { account(ticker_now()); }

/* Just before a leave. */
void WTR_EXPORT(duration)(uint32_t histogram, uint64_t now) { count_duration(histogram, now); }
void WTR_EXPORT(duration_ticker)(uint32_t histogram) { count_duration(histogram, ticker_now()); }

/* Closes a record whose last payload word is the time of the last event. */
void WTR_EXPORT(event_timed)(uint64_t header) {
  wtr_state *state = WTR_STATE;
  uint32_t position = state->position;
  if (position != WTR_OUTSIDE)
    wtr_ring_close_timed(state, header, position);
}

/* ---- the host's clock ---- */

uint64_t WTR_EXPORT(now)(void) { return (uint64_t)wtr_hook_now(); }

/* Nanoseconds that were spent in the host, beside what the clock counts. */
void WTR_EXPORT(wall)(uint64_t nanoseconds) {
  wtr_state *state = WTR_STATE;
  if (state->position != WTR_OUTSIDE)
    WTR_SPANS(state)[state->position].wall += nanoseconds;
}
