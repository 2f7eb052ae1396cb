/* Reading and restoring the position: what makes the stack heal itself after exceptions, traps and host calls.
   The base is the position at which a call from the host begins: the root, or, while an import is running, that import's
   caller. A frame that a trap left behind is above the base, so the next call from the host starts right all the same. */
#include "state.h"

uint32_t WTR_EXPORT(position)(void) { return WTR_STATE->position; }

uint32_t WTR_EXPORT(base)(void) { return WTR_STATE->base; }

void WTR_EXPORT(restore)(uint32_t position) { WTR_STATE->position = position; }

/* Enters the subtree that --only selected: from outside, recording begins at the root. Returns the position before. */
uint32_t WTR_EXPORT(open)(void) {
  wtr_state *state = WTR_STATE;
  uint32_t before = state->position;
  if (before == WTR_OUTSIDE)
    state->position = WTR_NODE_ROOT;
  return before;
}

/* An import is about to be called: what the host calls from there on belongs below the position. Returns the base before. */
uint32_t WTR_EXPORT(host_call)(void) {
  wtr_state *state = WTR_STATE;
  uint32_t before = state->base;
  state->base = state->position;
  return before;
}

/* The import returned, or an exception handler runs: position and base are what the caller kept. */
void WTR_EXPORT(host_return)(uint32_t position, uint32_t base) {
  wtr_state *state = WTR_STATE;
  state->position = position;
  state->base = base;
}

/* The host calls an exported function. */
void WTR_EXPORT(host_enter)(void) {
  wtr_state *state = WTR_STATE;
  state->position = state->base;
}
