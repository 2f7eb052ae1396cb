/* The probe code of one call: what stands at its beginning and at its end, whatever is kept of it and whichever clock is read. Bodies and
   thunks have it in common. */
#ifndef WT_EVENT_H
#define WT_EVENT_H

#include "link.h"

typedef struct wt_call_probe {
  const wt_link *link;
  uint32_t func;
  bool opener;             /* begins the subtree of --only */
  bool node;               /* enters a node of the call tree */
  bool selected;           /* was asked for: not only on the way to what was */
  bool events;             /* records ENTER and LEAVE */
  const wt_detail *detail; /* values to record, or NULL */
} wt_call_probe;

static inline bool wt_call_probe_keeps(const wt_call_probe *probe) {
  return probe->opener || probe->node || probe->events;
}

/* Its beginning and its end count for --skip and --max-events. */
static inline bool wt_call_probe_counts(const wt_call_probe *probe) {
  return probe->link->plan->counts_events && probe->selected;
}

/* No position is kept, but its results are only counted where its beginning was recorded, too. */
static inline bool wt_call_probe_remembers(const wt_call_probe *probe) {
  return !wt_call_probe_keeps(probe) && probe->detail && probe->detail->result_count &&
         wt_plan_is_partial(probe->link->plan);
}

/* It needs the local `saved`. */
static inline bool wt_call_probe_saves(const wt_call_probe *probe) {
  return wt_call_probe_keeps(probe) || wt_call_probe_remembers(probe);
}

/* At the beginning. The caller's position is kept in the local `saved`; arguments stand in the first locals. */
void wt_event_enter(const wt_call_probe *probe, wt_buf *code, uint32_t saved);

/* At the end: a record of `kind` where events are recorded, with values from locals `first_result` on where it is LEAVE and there are any to
   record. */
void wt_event_leave(const wt_call_probe *probe, wt_buf *code, uint32_t kind, uint32_t saved, uint32_t first_result);

/* What decides, before an event that is neither call nor return, whether it is recorded: it counts as they do. */
void wt_event_gates(const wt_link *link, wt_buf *code);

/* Where the ring is not simply overwritten: there is room for what is recorded next, and for the few words that the runtime and the host tell
   beside it. Stands before each event, and behind what may have told such words. */
void wt_event_room(const wt_link *link, wt_buf *code);

/* The host enters the module, with what was announced on the stack; readers may be told of it. */
static inline void wt_event_host_enter(const wt_link *link, wt_buf *code) {
  wt_link_entry(link, code, WTR_ENTRY_host_enter);
  wt_event_room(link, code);
}

/* Begins what is done only if the position on the stack is one: something is recorded. */
void wt_event_if_recorded(wt_buf *code);

/* Closes a record of its own that has `words` words of payload. */
void wt_event_record(const wt_link *link, wt_buf *code, uint32_t kind, uint32_t id, uint32_t words);

#endif
