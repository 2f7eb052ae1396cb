/* Reading and restoring the position: what makes the stack heal itself after exceptions, traps and host calls.
   The base is the position at which a call from the host begins: the root, or, while an import is running, that import's
   place. A frame that a trap left behind is above the base, so the next call from the host starts right all the same. */
#include "state.h"

uint32_t WTR_EXPORT(position)(void) { return WTR_STATE->position; }

uint32_t WTR_EXPORT(base)(void) { return WTR_STATE->base; }

/* Of a frame that kept a position. It ends each call, so it is as short as can be. */
void WTR_EXPORT(restore)(uint32_t position) {
  wtr_state *state = WTR_STATE;
  state->position = state->closed ? WTR_SHUT : position;
}

/* Of a frame that may have entered the subtree that --only selected, and kept what stands for the outside. */
void WTR_EXPORT(leave_only)(uint32_t position) { wtr_go_back_slowly(WTR_STATE, position); }

/* Enters the subtree that --only selected: from outside, recording begins at the root, unless it is off. Returns the position before. */
uint32_t WTR_EXPORT(open)(void) {
  wtr_state *state = WTR_STATE;
  uint32_t before = state->position;
  if (before != WTR_OUTSIDE)
    return before;
  state->position = state->closed ? WTR_SHUT : WTR_NODE_ROOT;
  return state->closed ? WTR_OUTSIDE_UNSEEN : WTR_OUTSIDE;
}

/* ---- host crossings ---- */

#define STACK_BITS (~0u << WTR_BASE_STACK_SHIFT)

void wtr_append(wtr_state *state, uint32_t kind, uint32_t id) {
  uint64_t header = kind | (uint64_t)id << WTR_ID_SHIFT;
  if ((state->flags & WTR_FLAG_RING) == 0 || wtr_is_nowhere(state->position))
    return;
  if (state->flags & WTR_FLAG_TIMED)
    wtr_ring_close_timed(state, header | UINT64_C(1) << WTR_WORDS_SHIFT, state->position);
  else
    wtr_ring_close(state, header, state->position);
}

static uint32_t base_position(uint32_t base) {
  uint32_t position = base & WTR_BASE_POSITION, nowhere = position | ~WTR_BASE_POSITION;
  return nowhere >= WTR_SHUT ? nowhere : position;
}

/* The base of calls that the host makes from where execution stands. */
static uint32_t base_at(const wtr_state *state) {
  return (state->position & WTR_BASE_POSITION) | (state->base & STACK_BITS);
}

/* An import is about to be called: what the host calls from there on belongs below the position. Returns the base before. */
uint32_t WTR_EXPORT(host_call)(void) {
  wtr_state *state = WTR_STATE;
  uint32_t before = state->base;
  state->base = base_at(state);
  return before;
}

/* A suspended stack runs again (WebAssembly.Suspending): readers must pair its events with its own. */
static __attribute__((noinline)) void wtr_switch_stack(wtr_state *state, uint32_t base) {
  wtr_append(state, WTR_RECORD_STACK, base >> WTR_BASE_STACK_SHIFT);
}

/* The import returned, or threw, or an exception handler runs: position and base are what the caller kept. */
void WTR_EXPORT(host_return)(uint32_t position, uint32_t base) {
  wtr_state *state = WTR_STATE;
  wtr_go_back(state, position);
  if ((state->base ^ base) & STACK_BITS)
    wtr_switch_stack(state, base);
  state->base = base;
}

/* The frames at the position may have been left: what is called now stands below a frame of doubt. */
static __attribute__((noinline)) void wtr_enter_uncertain(wtr_state *state) {
  if (state->flags & WTR_FLAG_TREE)
    wtr_enter_tree(WTR_UNCERTAIN);
  else
    state->position++;
  wtr_append(state, WTR_RECORD_ENTER, WTR_UNCERTAIN);
}

/* Outside of --only nothing is told, and calls from the root have no caller to be wrong about. With --only who stands at the root is inside of
   a call that it selected. */
static int has_caller(const wtr_state *state) {
  return !wtr_is_nowhere(state->position) && (state->position != WTR_NODE_ROOT || state->only);
}

/* A function is called from outside of the module's own direct calls. Where a call through a table or a reference is on its
   way (`outgoing`), it probably came from there, through a function that is not ours. Otherwise the host made it, from the base. There,
   an earlier call that never ended was left by a trap, and so perhaps was the import itself: nobody tells. Readers are told of any
   other call of the host, too, since the import may have been left by a trap of the host's own. */
void WTR_EXPORT(host_enter)(uint32_t outgoing) {
  wtr_state *state = WTR_STATE;
  uint32_t base = state->base;
  uint32_t doubt = outgoing | (base & WTR_BASE_BUSY) | (state->flags & WTR_FLAG_BLIND);
  if (outgoing)
    base =
        base_at(state); /* until the caller by reference goes on: the host has more calls to make from there, perhaps */
  else
    wtr_go_back(state, base_position(base));
  state->base = base | WTR_BASE_BUSY;
  if (!has_caller(state))
    return;
  if (doubt)
    wtr_enter_uncertain(state);
  else
    wtr_append(state, WTR_RECORD_HOST, 0);
}
