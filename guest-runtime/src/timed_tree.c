/* Time, or what else the clock counts, in the calling-context tree. At each event what has passed since the last one belongs to the
   node in which execution stood: so all that passes is counted once, whatever way frames are left. What a call took, from its enter to
   its leave, is only for the shortest and the longest.
   The clock comes with the call, or is the word that a ticker stores. */
#include "state.h"

#define STACK_MASK ((1u << WTR_SPAN_SHIFT) - 1)

static inline uint64_t ticker_now(void) {
  return __atomic_load_n(WTR_AT(uint64_t, WTR_TICKER_ADDRESS), __ATOMIC_RELAXED);
}

static inline uint32_t running_stack(const wtr_state *state) { return state->base >> WTR_BASE_STACK_SHIFT; }

static inline void pass(wtr_state *state, uint32_t position, uint64_t now) {
  WTR_NODES[position].self += now - state->last;
  state->last = now;
}

static inline uint64_t started(const wtr_state *state, uint64_t now) {
  return now << WTR_SPAN_SHIFT | running_stack(state);
}

static inline void begin(const wtr_state *state, uint32_t node, uint64_t now) {
  WTR_SPANS[node].start = started(state, now);
}

static inline void go_into(wtr_state *state, uint32_t node, uint64_t now) {
  WTR_NODES[node].count++;
  state->position = node;
  begin(state, node, now);
}

static __attribute__((noinline)) uint32_t wtr_enter_timed_slowly(wtr_state *state, uint32_t caller, uint32_t func,
                                                                 uint64_t now) {
  wtr_enter_slowly(state, caller, func);
  begin(state, state->position, now);
  return caller;
}

static inline uint32_t enter(uint32_t func, uint64_t now) {
  wtr_state *state = WTR_STATE;
  wtr_node *nodes = WTR_NODES;
  uint32_t caller = state->position;
  pass(state, caller, now);
  uint32_t node = nodes[caller].last_child;
  if (nodes[node].func != func)
    return wtr_enter_timed_slowly(state, caller, func, now);
  go_into(state, node, now);
  return caller;
}

/* What the call at the position took, unless another activation of the same path has begun since, on another stack. */
static inline int took(const wtr_state *state, uint32_t position, uint64_t now, uint64_t *duration) {
  uint64_t start = WTR_SPANS[position].start;
  *duration =
      ((now << WTR_SPAN_SHIFT) - (start & ~(uint64_t)STACK_MASK)) >> WTR_SPAN_SHIFT; /* a ticker's word has high bits */
  return (start & STACK_MASK) == running_stack(state);
}

static __attribute__((noinline)) void wtr_new_extreme(wtr_span *span, uint64_t duration) {
  if (duration > span->max)
    span->max = duration;
  if (~duration > span->min_inverse)
    span->min_inverse = ~duration;
}

static inline void leave(wtr_state *state, uint32_t position, uint64_t now) {
  pass(state, position, now);
  wtr_span *span = &WTR_SPANS[position];
  uint64_t duration;
  if (took(state, position, now, &duration) && (duration > span->max || ~duration > span->min_inverse))
    wtr_new_extreme(span, duration);
}

/* The frame was entered while nothing was recorded, or from outside of the subtree that --only selects. Returns whether it is to be told of. */
static __attribute__((noinline)) int wtr_leave_outward(wtr_state *state, uint32_t caller, uint64_t now) {
  int seen = !wtr_unseen(caller);
  if (seen)
    leave(state, state->position, now);
  else
    pass(state, state->position, now);
  wtr_go_back(state, caller);
  return seen;
}

/* The function at the position is left. Returns whether that is to be recorded. */
static inline int leave_to(wtr_state *state, uint32_t caller, uint64_t now) {
  if (wtr_is_nowhere(caller))
    return wtr_leave_outward(state, caller, now);
  leave(state, state->position, now);
  state->position = caller;
  return 1;
}

static inline void leave_event(uint32_t caller, uint64_t header, uint64_t now) {
  wtr_state *state = WTR_STATE;
  uint32_t position = state->position;
  if (leave_to(state, caller, now))
    wtr_ring_close_timed(state, header, position);
}

/* Nothing is recorded: the frame is left all the same, unless that is so until further notice; leave_only follows where that is not all. */
static inline int leaves_nowhere(uint32_t caller) {
  wtr_state *state = WTR_STATE;
  if (!wtr_is_nowhere(state->position))
    return 0;
  if (!state->closed)
    state->position = caller;
  return 1;
}

static inline void account(uint64_t now) {
  wtr_state *state = WTR_STATE;
  if (!wtr_is_nowhere(state->position))
    pass(state, state->position, now);
}

/* Recording begins: what has passed since the last event is nobody's. */
static inline void skip_time(uint64_t now) {
  wtr_state *state = WTR_STATE;
  if (!wtr_is_nowhere(state->position))
    state->last = now;
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
  if (position - WTR_NODE_FIRST >= WTR_NODE_LIMIT || !took(state, position, now, &duration))
    return;
  WTR_AT(uint64_t, state->duration_base)[histogram * WTR_DURATION_BUCKETS + duration_bucket(duration)]++;
}

/* ---- entry points ---- */

uint32_t WTR_EXPORT(enter_timed)(uint32_t func, uint64_t now) {
  uint32_t caller = WTR_STATE->position;
  return wtr_is_nowhere(caller) ? caller : enter(func, now);
}

void WTR_EXPORT(leave_timed)(uint32_t caller, uint64_t now) {
  if (!leaves_nowhere(caller))
    leave_to(WTR_STATE, caller, now);
}

void WTR_EXPORT(leave_event_timed)(uint32_t caller, uint64_t header, uint64_t now) {
  if (!leaves_nowhere(caller))
    leave_event(caller, header, now);
}

/* ---- the same with a ticker ---- */

/* It stands still between most events: then nothing has passed, and a call that took nothing is rarely the first such on its path. */

static __attribute__((noinline)) uint32_t wtr_enter_ticked(uint32_t func, uint64_t now) { return enter(func, now); }

static __attribute__((noinline)) void wtr_leave_ticked(uint32_t caller, uint64_t now) {
  leave_to(WTR_STATE, caller, now);
}

uint32_t WTR_EXPORT(enter_ticker)(uint32_t func) {
  wtr_state *state = WTR_STATE;
  wtr_node *nodes = WTR_NODES;
  uint32_t caller = state->position;
  if (wtr_is_nowhere(caller))
    return caller;
  uint64_t now = ticker_now();
  uint32_t node = nodes[caller].last_child;
  if (now != state->last || nodes[node].func != func)
    return wtr_enter_ticked(func, now);
  go_into(state, node, now);
  return caller;
}

static inline int took_nothing(const wtr_state *state, uint32_t position, uint64_t now) {
  const wtr_span *span = &WTR_SPANS[position];
  return now == state->last && span->start == started(state, now) && span->min_inverse == UINT64_MAX;
}

static inline void leave_ticked(uint32_t caller, uint64_t now) {
  wtr_state *state = WTR_STATE;
  if (took_nothing(state, state->position, now))
    state->position = caller;
  else
    wtr_leave_ticked(caller, now);
}

void WTR_EXPORT(leave_ticker)(uint32_t caller) {
  if (!leaves_nowhere(caller))
    leave_ticked(caller, ticker_now());
}

void WTR_EXPORT(leave_counted_ticker)(uint32_t caller, uint32_t histogram) {
  if (leaves_nowhere(caller))
    return;
  uint64_t now = ticker_now();
  count_duration(histogram, now);
  leave_ticked(caller, now);
}

void WTR_EXPORT(leave_event_ticker)(uint32_t caller, uint64_t header, uint32_t histogram) {
  if (leaves_nowhere(caller))
    return;
  uint64_t now = ticker_now();
  if (histogram != WTR_NO_HISTOGRAM)
    count_duration(histogram, now);
  leave_event(caller, header, now);
}

/* What has passed belongs to the position; it is about to be changed in some other way. */
void WTR_EXPORT(account)(uint64_t now) { account(now); }
void WTR_EXPORT(account_ticker)(void) { account(ticker_now()); }

void WTR_EXPORT(skip_time)(uint64_t now) { skip_time(now); }
void WTR_EXPORT(skip_time_ticker)(void) { skip_time(ticker_now()); }

/* Just before a leave, which takes the clock that comes back. */
uint64_t WTR_EXPORT(duration)(uint32_t histogram, uint64_t now) {
  count_duration(histogram, now);
  return now;
}

/* Closes a record whose last payload word is the time of the last event. */
void WTR_EXPORT(event_timed)(uint64_t header) {
  wtr_state *state = WTR_STATE;
  uint32_t position = state->position;
  if (!wtr_is_nowhere(position))
    wtr_ring_close_timed(state, header, position);
}

/* ---- the host's clock ---- */

uint64_t WTR_EXPORT(now)(void) { return (uint64_t)wtr_hook_now(); }

/* Nanoseconds that were spent in the host, beside what the clock counts. */
void WTR_EXPORT(wall)(uint64_t nanoseconds) {
  wtr_state *state = WTR_STATE;
  if (!wtr_is_nowhere(state->position))
    WTR_SPANS[state->position].wall += nanoseconds;
}
