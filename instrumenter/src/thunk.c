/* A thunk, with all that may be in it:

     enter; position -> own; host_call -> base;
     try  arguments; call import  catch_all  host_return(own, base); rethrow  end
     host_return(own, base); results -> locals; leave; results

   The exception is not ours to handle: it is thrown on at once. Traps are not seen by catch_all. */
#include "thunk.h"

#include "valtype.h"

/* Locals of a thunk behind its parameters. */
typedef struct thunk {
  wt_link *link;
  wt_buf *body;
  uint32_t import;
  const wt_type *type;
  const wt_detail *detail; /* values to record, or NULL */
  bool results;            /* results are recorded, and so pass through locals */
  uint32_t saved, own, base, first_result;
} thunk;

static void emit_entry(thunk *t, int entry) { wt_emit_call(t->body, t->link->entries.func[entry]); }

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

/* The import's LEAVE, with its results, which stand in locals; they are pushed again at the end. */
static void emit_leave(thunk *t) {
  const wt_plan *plan = t->link->plan;
  uint32_t words = 0;
  if (t->results)
    words = wt_emit_values(t->body, &t->link->entries, t->detail->results, t->detail->result_count, t->first_result,
                           plan->ring);
  if (!plan->ring && !plan->tree)
    return;
  wt_emit_local_get(t->body, t->saved);
  if (plan->ring)
    wt_emit_header(t->body, WTR_RECORD_LEAVE, t->import, words);
  emit_entry(t, plan->ring ? WTR_ENTRY_leave : WTR_ENTRY_restore);
}

static void emit_host_return(thunk *t) {
  wt_emit_local_get(t->body, t->own);
  wt_emit_local_get(t->body, t->base);
  emit_entry(t, WTR_ENTRY_host_return);
}

static void emit_call(thunk *t) {
  for (uint32_t i = 0; i < t->type->params.count; i++)
    wt_emit_local_get(t->body, i);
  wt_emit_call(t->body, t->import);
}

static void emit_block(thunk *t, uint8_t opcode) {
  wt_buf_u8(t->body, opcode);
  wt_link_block_type(t->link, t->body, t->link->module->func_types[t->import]);
}

static void emit_caught_legacy(thunk *t) {
  emit_block(t, WT_OP_TRY);
  emit_call(t);
  wt_buf_u8(t->body, WT_OP_CATCH_ALL);
  emit_host_return(t);
  wt_buf_u8(t->body, WT_OP_RETHROW);
  wt_buf_u32(t->body, 0);
  wt_buf_u8(t->body, WT_OP_END);
}

/* block (results) | block (exnref) | try_table (results) (catch_all_ref 0) call end | br 1 | end | ... throw_ref | end */
static void emit_caught(thunk *t) {
  enum { CATCH_ALL_REF = 3 };
  emit_block(t, WT_OP_BLOCK);
  wt_buf_u8(t->body, WT_OP_BLOCK);
  wt_buf_u8(t->body, WT_TYPE_EXNREF);
  emit_block(t, WT_OP_TRY_TABLE);
  wt_buf_u32(t->body, 1);
  wt_buf_u8(t->body, CATCH_ALL_REF);
  wt_buf_u32(t->body, 0);
  emit_call(t);
  wt_buf_u8(t->body, WT_OP_END);
  wt_buf_u8(t->body, WT_OP_BR);
  wt_buf_u32(t->body, 1);
  wt_buf_u8(t->body, WT_OP_END);
  emit_host_return(t);
  wt_buf_u8(t->body, WT_OP_THROW_REF);
  wt_buf_u8(t->body, WT_OP_END);
}

/* One module may not mix the two flavours; one that uses neither gets what the caller allows. `throw` is in both. */
static void emit_guarded_call(thunk *t) {
  uint64_t used = t->link->module->features;
  bool legacy = used & WT_FEATURE_BIT(WT_FEATURE_LEGACY_EXCEPTIONS);
  if (legacy || (!t->link->module->uses_exnref && t->link->job->options.legacy_exceptions))
    emit_caught_legacy(t);
  else if (t->link->module->uses_exnref)
    emit_caught(t);
  else
    emit_call(t);
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
  emit_guarded_call(t);
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
