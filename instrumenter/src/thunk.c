/* A thunk, with all that may be in it:

     enter; position -> own; host_call -> base;
     arguments; call import, guarded: host_return(own, base); thrown
     host_return(own, base); results -> locals; leave; results */
#include "thunk.h"

#include "guard.h"
#include "handshake.h"
#include "valtype.h"

/* Locals of a thunk behind its parameters. */
typedef struct thunk {
  wt_link *link;
  wt_buf *body;
  uint32_t import;
  const wt_type *type;
  const wt_detail *detail; /* values to record, or NULL */
  bool selected;           /* its calls are recorded */
  bool results;            /* results are recorded, and so pass through locals */
  uint32_t saved, own, base, first_result;
} thunk;

static void emit_entry(thunk *t, int entry) { wt_emit_entry(t->body, &t->link->entries, entry); }

static void declare_locals(thunk *t) {
  uint32_t first = t->type->params.count;
  wt_buf_u32(t->body, 1 + (t->results ? t->type->results.count : 0));
  wt_buf_u32(t->body, 3);
  wt_buf_u8(t->body, WT_TYPE_I32);
  const uint8_t *encoded = t->type->results.encoded.data;
  for (uint32_t i = 0; t->results && i < t->type->results.count; i++, encoded += wt_valtype_size(encoded)) {
    wt_buf_u32(t->body, 1);
    wt_buf_bytes(t->body, encoded, wt_valtype_size(encoded));
  }
  t->saved = first;
  t->own = first + 1;
  t->base = first + 2;
  t->first_result = first + 3;
}

/* The import's ENTER, with its arguments. */
static void emit_enter(thunk *t) {
  const wt_plan *plan = t->link->plan;
  uint32_t words = 0;
  if (plan->tree) {
    wt_emit_i32(t->body, (int32_t)t->import);
    emit_entry(t, WTR_ENTRY_enter_tree);
    wt_emit_local_set(t->body, t->saved);
  }
  if (t->detail)
    words = wt_emit_values(t->body, &t->link->entries, t->detail->args, t->detail->arg_count, 0, plan->ring);
  if (!plan->ring)
    return;
  wt_emit_header(t->body, WTR_RECORD_ENTER, t->import, words);
  emit_entry(t, plan->tree ? WTR_ENTRY_event : WTR_ENTRY_enter);
  if (!plan->tree)
    wt_emit_local_set(t->body, t->saved);
}

/* The import's last record, and the position of its caller. */
static void emit_end(thunk *t, uint32_t kind, uint32_t words) {
  const wt_plan *plan = t->link->plan;
  if (!plan->ring && !plan->tree)
    return;
  wt_emit_local_get(t->body, t->saved);
  if (plan->ring)
    wt_emit_header(t->body, kind, t->import, words);
  emit_entry(t, plan->ring ? WTR_ENTRY_leave : WTR_ENTRY_restore);
}

/* The import's LEAVE, with its results, which stand in locals; they are pushed again at the end. */
static void emit_leave(thunk *t) {
  uint32_t words = 0;
  if (t->results)
    words = wt_emit_values(t->body, &t->link->entries, t->detail->results, t->detail->result_count, t->first_result,
                           t->link->plan->ring);
  emit_end(t, WTR_RECORD_LEAVE, words);
}

/* What the host called may have left an announcement behind. */
static void emit_host_return(thunk *t) {
  wt_emit_local_get(t->body, t->own);
  wt_emit_local_get(t->body, t->base);
  emit_entry(t, WTR_ENTRY_host_return);
  if (t->link->plan->handshake)
    wt_handshake_clear(t->link, t->body);
}

static void emit_call(void *user) {
  thunk *t = user;
  for (uint32_t i = 0; i < t->type->params.count; i++)
    wt_emit_local_get(t->body, i);
  wt_emit_call(t->body, t->import);
}

static void emit_caught(void *user) {
  thunk *t = user;
  emit_host_return(t);
  if (t->selected)
    emit_end(t, WTR_RECORD_THROWN, 0);
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
  wt_guard_write(t->link, t->body, t->link->module->func_types[t->import], emit_call, emit_caught, t);
  emit_host_return(t);
}

void wt_thunk_write(wt_link *link, wt_buf *body, uint32_t import) {
  bool selected = link->plan->flags[import] & WT_PLAN_SELECTED;
  const wt_detail *detail = selected ? wt_plan_detail(link->plan, import) : NULL;
  thunk t = {.link = link,
             .body = body,
             .import = import,
             .type = wt_module_func_type(link->module, import),
             .detail = detail,
             .selected = selected,
             .results = detail && detail->result_count};
  declare_locals(&t);
  if (selected)
    emit_enter(&t);
  emit_host_call(&t);
  for (uint32_t i = t.type->results.count; t.results && i-- > 0;)
    wt_emit_local_set(body, t.first_result + i);
  if (selected)
    emit_leave(&t);
  for (uint32_t i = 0; t.results && i < t.type->results.count; i++)
    wt_emit_local_get(body, t.first_result + i);
  wt_buf_u8(body, WT_OP_END);
}
