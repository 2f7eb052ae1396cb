/* A thunk, with all that may be in it:

     enter; position -> own; host_call -> base; time of the host -> began
     arguments; call import, guarded: host_return(own, base); thrown
     time of the host -> took; host_return(own, base); wall(took); results -> locals; leave; results */
#include "thunk.h"

#include "clock.h"
#include "event.h"
#include "guard.h"
#include "handshake.h"
#include "valtype.h"

/* Locals of a thunk behind its parameters. */
typedef struct thunk {
  wt_link *link;
  wt_buf *body;
  uint32_t import;
  const wt_type *type;
  wt_call_probe probe; /* of its call */
  bool results;        /* results are recorded, and so pass through locals */
  bool wall;           /* what the import takes is measured by the host's clock, too */
  uint32_t saved, own, base, began, first_result;
} thunk;

static void emit_entry(thunk *t, int entry) { wt_link_entry(t->link, t->body, entry); }

static void declare_locals(thunk *t) {
  uint32_t first = t->type->params.count;
  wt_buf_u32(t->body, 1 + t->wall + (t->results ? t->type->results.count : 0));
  wt_buf_u32(t->body, 3);
  wt_buf_u8(t->body, WT_TYPE_I32);
  if (t->wall) {
    wt_buf_u32(t->body, 1);
    wt_buf_u8(t->body, WT_TYPE_I64);
  }
  const uint8_t *encoded = t->type->results.encoded.data;
  for (uint32_t i = 0; t->results && i < t->type->results.count; i++, encoded += wt_valtype_size(encoded)) {
    wt_buf_u32(t->body, 1);
    wt_buf_bytes(t->body, encoded, wt_valtype_size(encoded));
  }
  t->saved = first;
  t->own = first + 1;
  t->base = first + 2;
  t->began = first + 3;
  t->first_result = first + 3 + t->wall;
}

/* What the host called may have left an announcement behind. */
static void emit_host_return(thunk *t) {
  wt_clock_account(t->link, t->body);
  wt_emit_local_get(t->body, t->own);
  wt_emit_local_get(t->body, t->base);
  emit_entry(t, WTR_ENTRY_host_return);
  wt_event_room(t->link, t->body);
  if (t->link->plan->handshake)
    wt_handshake_clear(t->link, t->body);
}

static void emit_call(void *user) {
  thunk *t = user;
  for (uint32_t i = 0; i < t->type->params.count; i++)
    wt_emit_local_get(t->body, i);
  wt_emit_call(t->body, t->import);
}

/* While nothing is recorded the host is not asked. A window that opens in the import does not count its beginning. */
static void emit_if_recorded(thunk *t) {
  wt_emit_local_get(t->body, t->own);
  wt_event_if_recorded(t->body);
}

static void emit_began(thunk *t) {
  if (!t->wall)
    return;
  emit_if_recorded(t);
  emit_entry(t, WTR_ENTRY_now);
  wt_emit_local_set(t->body, t->began);
  wt_buf_u8(t->body, WT_OP_END);
}

/* What the import took by the host's clock, where that is not the one of the probes, instead of when it began. */
static void emit_took(thunk *t) {
  if (!t->wall)
    return;
  emit_if_recorded(t);
  emit_entry(t, WTR_ENTRY_now);
  wt_emit_local_get(t->body, t->began);
  wt_buf_u8(t->body, WT_OP_I64_SUB);
  wt_emit_local_set(t->body, t->began);
  wt_buf_u8(t->body, WT_OP_END);
}

static void emit_wall(thunk *t) {
  if (!t->wall)
    return;
  emit_if_recorded(t);
  wt_emit_local_get(t->body, t->began);
  emit_entry(t, WTR_ENTRY_wall);
  wt_buf_u8(t->body, WT_OP_END);
}

/* The host may have left the position elsewhere, so what it took is told when that is put right: whatever was recorded before. */
static void emit_back(thunk *t) {
  emit_took(t);
  emit_host_return(t);
  emit_wall(t);
}

static void emit_caught(void *user) {
  thunk *t = user;
  emit_back(t);
  wt_event_leave(&t->probe, t->body, WTR_RECORD_THROWN, t->saved, 0);
}

static void emit_host_call(thunk *t) {
  if (!wt_plan_positions(t->link->plan)) {
    emit_call(t);
    return;
  }
  emit_entry(t, WTR_ENTRY_position);
  wt_emit_local_set(t->body, t->own);
  emit_entry(t, WTR_ENTRY_host_call);
  wt_emit_local_set(t->body, t->base);
  emit_began(t);
  wt_guard_write(t->link, t->body, t->link->module->func_types[t->import], emit_call, emit_caught, t);
  emit_back(t);
}

void wt_thunk_write(wt_link *link, wt_buf *body, uint32_t import) {
  const wt_plan *plan = link->plan;
  bool selected = plan->flags[import] & WT_PLAN_SELECTED;
  const wt_detail *detail = selected ? wt_plan_detail(plan, import) : NULL;
  thunk t = {.link = link,
             .body = body,
             .import = import,
             .type = wt_module_func_type(link->module, import),
             .probe = {link, import, .node = wt_plan_has_node_of_import(plan, import), .selected = selected,
                       .events = selected && plan->ring, .detail = detail},
             .results = detail && detail->result_count};
  t.wall = plan->clock.wall && t.probe.node;
  declare_locals(&t);
  wt_event_enter(&t.probe, body, t.saved);
  emit_host_call(&t);
  for (uint32_t i = t.type->results.count; t.results && i-- > 0;)
    wt_emit_local_set(body, t.first_result + i);
  wt_event_leave(&t.probe, body, WTR_RECORD_LEAVE, t.saved, t.first_result);
  for (uint32_t i = 0; t.results && i < t.type->results.count; i++)
    wt_emit_local_get(body, t.first_result + i);
  wt_buf_u8(body, WT_OP_END);
}
