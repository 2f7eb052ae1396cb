/* When events are recorded: between the calls that --from and --until name, and as many as --skip and --max-events say. While a window is
   closed the position is WTR_OUTSIDE, so each probe ends at its first look. Frames below which it opens were not seen: they return to the
   root. */
#include "state.h"

/* Readers are told where execution stands then: those frames go on, though nothing more may be heard of them. A ring of which nothing is
   in use stays so. */
void wtr_close(wtr_state *state, uint32_t why) {
  if (!state->closed && state->ring_words) {
    if (state->position == WTR_OUTSIDE)
      state->position = WTR_NODE_ROOT;
    wtr_append(state, WTR_RECORD_CLOSED, why);
  }
  state->closed |= why;
  state->position = WTR_OUTSIDE;
}

void WTR_EXPORT(window_open)(void) { wtr_reopen(WTR_STATE, WTR_CLOSED_WINDOW); }

void WTR_EXPORT(window_close)(void) { wtr_close(WTR_STATE, WTR_CLOSED_WINDOW); }

/* Before each call and return that would be recorded. Those outside of the subtree that --only selects would not, as far as that is known:
   while --skip lasts, it is not. */
void WTR_EXPORT(tally)(void) {
  wtr_state *state = WTR_STATE;
  uint32_t outside = state->position == WTR_OUTSIDE && !state->closed;
  if (outside || (state->closed & ~WTR_CLOSED_EVENTS))
    return;
  uint64_t event = state->events++;
  if (event == state->skip)
    wtr_reopen(state, WTR_CLOSED_EVENTS);
  if (event == state->most)
    wtr_close(state, WTR_CLOSED_EVENTS);
}
