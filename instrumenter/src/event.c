#include "event.h"

#include <stddef.h>

#include "clock.h"

/* Word count of a record: its time is the last word of the payload. */
static uint32_t with_time(const wt_plan *plan, uint32_t words) { return words + wt_plan_timed(plan); }

static void emit_tally(const wt_link *link, wt_buf *code, bool opener) {
  wt_emit_i32(code, opener);
  wt_link_entry(link, code, WTR_ENTRY_tally);
  if (!wt_plan_timed(link->plan)) {
    wt_buf_u8(code, WT_OP_DROP);
    return;
  }
  wt_emit_if(code);
  wt_clock_skip(link, code);
  wt_buf_u8(code, WT_OP_END);
}

void wt_event_room(const wt_link *link, wt_buf *code) {
  if (wt_plan_makes_room(link->plan))
    wt_link_entry(link, code, WTR_ENTRY_room);
}

void wt_event_gates(const wt_link *link, wt_buf *code) {
  if (link->plan->counts_events)
    emit_tally(link, code, false);
  wt_event_room(link, code);
}

/* What decides, before a call or a return, whether that is recorded. Those that nobody asked for, which only keep their place in the tree, do
   not count. */
static void emit_gates(const wt_call_probe *probe, wt_buf *code) {
  if (wt_call_probe_counts(probe))
    emit_tally(probe->link, code, probe->opener);
  if (probe->events)
    wt_event_room(probe->link, code);
}

static void emit_window_open(const wt_link *link, wt_buf *code) {
  wt_link_entry(link, code, WTR_ENTRY_window_open);
  wt_clock_skip(link, code);
}

static void emit_window_close(const wt_link *link, wt_buf *code) {
  wt_clock_account(link, code);
  wt_link_entry(link, code, WTR_ENTRY_window_close);
}

/* A function of both --from and --until opens a window that is closed, and closes one that is open. */
static void emit_windows(const wt_call_probe *probe, wt_buf *code) {
  const wt_link *link = probe->link;
  bool from = link->plan->flags[probe->func] & WT_PLAN_FROM, until = link->plan->flags[probe->func] & WT_PLAN_UNTIL;
  bool looks = from && (until || wt_plan_timed(link->plan)); /* to open it twice is harmless, but for the time */
  if (looks) {
    wt_link_entry(link, code, WTR_ENTRY_window_closed);
    wt_emit_if(code);
  }
  if (from)
    emit_window_open(link, code);
  if (looks && until)
    wt_buf_u8(code, WT_OP_ELSE);
  if (until)
    emit_window_close(link, code);
  if (looks)
    wt_buf_u8(code, WT_OP_END);
}

static void keep_result(wt_buf *code, uint32_t saved, bool *kept) {
  if (*kept)
    wt_buf_u8(code, WT_OP_DROP);
  else
    wt_emit_local_set(code, saved);
  *kept = true;
}

static void emit_enter_node(const wt_call_probe *probe, wt_buf *code) {
  const wt_link *link = probe->link;
  wt_emit_i32(code, (int32_t)probe->func);
  wt_clock_push(link, code);
  switch (link->plan->clock.kind) {
  case WT_CLOCK_NONE: wt_link_entry(link, code, WTR_ENTRY_enter_tree); break;
  case WT_CLOCK_TICKER: wt_link_entry(link, code, WTR_ENTRY_enter_ticker); break;
  default: wt_link_entry(link, code, WTR_ENTRY_enter_timed); break;
  }
}

void wt_event_record(const wt_link *link, wt_buf *code, uint32_t kind, uint32_t id, uint32_t words) {
  wt_emit_header(code, kind, id, with_time(link->plan, words));
  wt_link_entry(link, code, wt_plan_timed(link->plan) ? WTR_ENTRY_event_timed : WTR_ENTRY_event);
}

/* Whether the probe itself looks if anything is recorded: that is cheaper than a call, even one that is inlined. Where the state is not in
   reach without a call the runtime looks. */
static bool looks_first(const wt_call_probe *probe) {
  const wt_options *options = &probe->link->job->options;
  return (probe->node || probe->events) && !probe->opener && !options->split && !options->heap;
}

static void emit_position(const wt_link *link, wt_buf *code) {
  wt_emit_i32(code, WTR_STATE_ADDRESS + offsetof(wtr_state, position));
  wt_emit_access_in(code, WT_OP_I32_LOAD, 2, link->module->memory_count, 0);
}

void wt_event_if_recorded(wt_buf *code) {
  wt_emit_is_position(code);
  wt_emit_if(code);
}

/* The first of open, enter_tree and enter that runs returns the caller's position. */
static void emit_enter(const wt_call_probe *probe, wt_buf *code, uint32_t saved, bool kept) {
  const wt_link *link = probe->link;
  uint32_t words = 0;
  if (probe->node) {
    emit_enter_node(probe, code);
    keep_result(code, saved, &kept);
  }
  if (probe->detail)
    words = wt_emit_values(code, &link->entries, probe->detail->args, probe->detail->arg_count, 0, probe->events);
  if (!probe->events)
    return;
  if (probe->node) {
    wt_event_record(link, code, WTR_RECORD_ENTER, probe->func, words);
    return;
  }
  wt_emit_header(code, WTR_RECORD_ENTER, probe->func, words);
  wt_link_entry(link, code, WTR_ENTRY_enter);
  keep_result(code, saved, &kept);
}

/* What has passed outside of --only is nobody's. */
static void emit_open(const wt_link *link, wt_buf *code, uint32_t saved) {
  wt_link_entry(link, code, WTR_ENTRY_open);
  wt_emit_local_set(code, saved);
  if (!wt_plan_timed(link->plan))
    return;
  wt_emit_local_get(code, saved);
  wt_emit_i32(code, (int32_t)WTR_OUTSIDE);
  wt_buf_u8(code, WT_OP_I32_EQ);
  wt_emit_if(code);
  wt_clock_skip(link, code);
  wt_buf_u8(code, WT_OP_END);
}

/* Where no position is kept: whether the beginning was recorded, which the end has to be told. */
static void emit_remember(const wt_link *link, wt_buf *code, uint32_t saved) {
  wt_link_entry(link, code, WTR_ENTRY_position);
  wt_emit_local_set(code, saved);
}

void wt_event_enter(const wt_call_probe *probe, wt_buf *code, uint32_t saved) {
  const wt_link *link = probe->link;
  bool kept = false;
  emit_windows(probe, code);
  emit_gates(probe, code);
  if (probe->opener) {
    emit_open(link, code, saved);
    kept = true;
  }
  if (wt_call_probe_remembers(probe))
    emit_remember(link, code, saved);
  bool look = looks_first(probe);
  if (look) {
    emit_position(link, code);
    wt_emit_local_tee(code, saved);
    wt_event_if_recorded(code);
  }
  emit_enter(probe, code, saved, kept || look);
  if (look)
    wt_buf_u8(code, WT_OP_END);
}

/* That of its durations, or WTR_NO_HISTOGRAM. */
static uint32_t histogram_of(const wt_call_probe *probe) {
  const wt_plan *plan = probe->link->plan;
  for (uint32_t i = 0; (plan->flags[probe->func] & WT_PLAN_DURATION) && i < plan->duration_count; i++)
    if (plan->durations[i] == probe->func)
      return i;
  return WTR_NO_HISTOGRAM;
}

/* Behind the caller's position, and the header where an event is recorded: the end of a call. The clock is read once: a ticker by the entry
   point itself, another one passes through what counts the duration. A frame that has no node of its own (it only opens the subtree of --only)
   has no time either. */
static void emit_end(const wt_call_probe *probe, wt_buf *code) {
  const wt_link *link = probe->link;
  wt_clock_kind kind = probe->node ? link->plan->clock.kind : WT_CLOCK_NONE;
  uint32_t histogram = histogram_of(probe);
  bool counts = histogram != WTR_NO_HISTOGRAM;
  switch (kind) {
  case WT_CLOCK_NONE: wt_link_entry(link, code, probe->events ? WTR_ENTRY_leave : WTR_ENTRY_restore); break;
  case WT_CLOCK_TICKER:
    if (counts || probe->events)
      wt_emit_i32(code, (int32_t)histogram);
    wt_link_entry(link, code,
                  probe->events ? WTR_ENTRY_leave_event_ticker
                  : counts      ? WTR_ENTRY_leave_counted_ticker
                                : WTR_ENTRY_leave_ticker);
    break;
  default:
    if (counts)
      wt_emit_i32(code, (int32_t)histogram);
    wt_clock_push(link, code);
    if (counts)
      wt_link_entry(link, code, WTR_ENTRY_duration);
    wt_link_entry(link, code, probe->events ? WTR_ENTRY_leave_event_timed : WTR_ENTRY_leave_timed);
  }
}

/* Begins what is done only if the beginning of the call was recorded. One that has entered the subtree of --only came from outside: of the
   words in the place of a position, that one passes. */
static void emit_if_seen(const wt_call_probe *probe, wt_buf *code, uint32_t saved) {
  wt_emit_local_get(code, saved);
  if (probe->opener) {
    wt_emit_i32(code, 1);
    wt_buf_u8(code, WT_OP_I32_ADD);
  }
  wt_event_if_recorded(code);
}

/* Returns the words of payload. */
static uint32_t emit_results(const wt_call_probe *probe, wt_buf *code, uint32_t saved, uint32_t first_result) {
  const wt_detail *detail = probe->detail;
  if (!detail || !detail->result_count)
    return 0;
  if (probe->opener)
    emit_if_seen(probe, code, saved);
  uint32_t words =
      wt_emit_values(code, &probe->link->entries, detail->results, detail->result_count, first_result, probe->events);
  if (probe->opener)
    wt_buf_u8(code, WT_OP_END);
  return words;
}

static void emit_leave(const wt_call_probe *probe, wt_buf *code, uint32_t kind, uint32_t saved, uint32_t words) {
  const wt_link *link = probe->link;
  if (!probe->node)
    wt_clock_account(link, code);
  wt_emit_local_get(code, saved);
  if (probe->events)
    wt_emit_header(code, kind, probe->func, with_time(link->plan, words));
  emit_end(probe, code);
  if (!probe->opener)
    return;
  wt_emit_local_get(code, saved);
  wt_link_entry(link, code, WTR_ENTRY_leave_only);
}

/* A frame that was entered while nothing was recorded has nothing to tell at its end, and the position is right: those that it called have put it
   back. But the frame that opens the subtree of --only has to close it. */
void wt_event_leave(const wt_call_probe *probe, wt_buf *code, uint32_t kind, uint32_t saved, uint32_t first_result) {
  uint32_t words = 0;
  bool looks = !probe->opener && wt_call_probe_saves(probe);
  emit_gates(probe, code);
  if (looks)
    emit_if_seen(probe, code, saved);
  if (kind == WTR_RECORD_LEAVE)
    words = emit_results(probe, code, saved, first_result);
  if (wt_call_probe_keeps(probe))
    emit_leave(probe, code, kind, saved, words);
  if (looks)
    wt_buf_u8(code, WT_OP_END);
}
