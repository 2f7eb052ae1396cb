/* When events are recorded: between the calls that --from and --until name, and as many as --skip and --max-events say. While a window is
   closed there is no position, so each probe ends at its first look; all that is still known is whether execution is inside of what --only
   selects (wtr_abi.h). */
#include "state.h"

/* Frames below which a window has opened were not seen: they go back to the root. */
__attribute__((noinline)) void wtr_go_back_slowly(wtr_state *state, uint32_t position) {
  uint32_t inside = position == WTR_SHUT ? WTR_NODE_ROOT : position;
  if (position == WTR_OUTSIDE || position == WTR_OUTSIDE_UNSEEN)
    state->position = WTR_OUTSIDE;
  else
    state->position = state->closed ? WTR_SHUT : inside;
}

/* Readers are told where execution stands then: those frames go on, though nothing more may be heard of them. A ring of which nothing is
   in use stays so. */
void wtr_close(wtr_state *state, uint32_t why) {
  uint32_t place = state->position;
  if (!state->closed && state->ring_words) {
    if (place == WTR_OUTSIDE)
      state->position = WTR_NODE_ROOT;
    wtr_append(state, WTR_RECORD_CLOSED, why);
  }
  state->closed |= why;
  wtr_go_back(state, place);
}

void WTR_EXPORT(window_open)(void) { wtr_reopen(WTR_STATE, WTR_CLOSED_WINDOW); }

void WTR_EXPORT(window_close)(void) { wtr_close(WTR_STATE, WTR_CLOSED_WINDOW); }

/* Not 0: it is closed. */
uint32_t WTR_EXPORT(window_closed)(void) { return WTR_STATE->closed & WTR_CLOSED_WINDOW; }

/* Before each event that would be recorded, if it were not for --skip and --max-events: a call that `opens` the subtree of --only is
   in it. Returns whether recording begins with it. */
uint32_t WTR_EXPORT(tally)(uint32_t opens) {
  wtr_state *state = WTR_STATE;
  if ((state->position == WTR_OUTSIDE && !opens) || (state->closed & ~WTR_CLOSED_EVENTS))
    return 0;
  uint64_t event = state->events++;
  if (event == state->most)
    wtr_close(state, WTR_CLOSED_EVENTS);
  if (event != state->skip || !state->closed)
    return 0;
  wtr_reopen(state, WTR_CLOSED_EVENTS);
  return 1;
}
