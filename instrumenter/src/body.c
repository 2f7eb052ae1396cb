#include "body.h"

#include "clock.h"
#include "handshake.h"
#include "limits.h"
#include "valtype.h"

#include <string.h>

void wt_body_init(wt_body *body, wt_code *code) {
  const wt_allocator *allocator = &code->job->arena.allocator;
  *body = (wt_body){.code = code, .entries = code->link ? &code->link->entries : NULL};
  wt_buf_init(&body->locals, allocator);
  wt_buf_init(&body->edits, allocator);
  wt_buf_init(&body->inserts, allocator);
  wt_buf_init(&body->head, allocator);
  wt_buf_init(&body->references, allocator);
}

void wt_body_free(wt_body *body) {
  wt_buf_free(&body->locals);
  wt_buf_free(&body->edits);
  wt_buf_free(&body->inserts);
  wt_buf_free(&body->head);
  wt_buf_free(&body->references);
}

/* ---- what is done to the function ---- */

static bool is_tiny(const wt_body *body, uint32_t flags) {
  return (flags & WT_PLAN_UNLESS_TINY) && (size_t)(body->end - body->start) < body->code->plan->min_size;
}

static void decide(wt_body *body, uint32_t func) {
  const wt_plan *plan = body->code->plan;
  uint32_t flags = plan->flags[func];
  bool tiny = is_tiny(body, flags);
  bool selected = (flags & WT_PLAN_SELECTED) && !tiny;
  bool positions = wt_plan_positions(plan);
  const wt_detail *detail = selected ? wt_plan_detail(plan, func) : NULL;
  body->probe = (wt_call_probe){.link = body->code->link,
                                .func = func,
                                .opener = positions && (flags & WT_PLAN_ONLY),
                                .node = plan->tree && (selected || (flags & WT_PLAN_TRACKED)),
                                .selected = selected,
                                .events = selected && plan->ring,
                                .detail = detail};
  body->wrapped = wt_call_probe_keeps(&body->probe) || wt_call_probe_counts(&body->probe) ||
                  (detail && detail->result_count) || (positions && body->label_target) || (flags & WT_PLAN_ARRIVES);
  body->selected = selected;
  body->code->tiny += tiny;
  body->code->traced += selected;
}

void wt_body_begin(wt_body *body, uint32_t func) {
  body->func = func;
  body->active = body->code->link != NULL;
  body->type = wt_module_func_type(body->code->module, func);
  body->probe = (wt_call_probe){0};
  body->wrapped = body->handler = body->essential = false;
  body->locals.size = body->edits.size = body->inserts.size = body->head.size = body->references.size = 0;
  body->added_groups = body->replaced = 0;
  body->saved = body->own = body->base = body->index = body->first_result = WT_NO_INDEX;
  memset(body->grow_locals, 0xff, sizeof body->grow_locals);
  memset(&body->handshake, 0xff, sizeof body->handshake);
  if (body->active)
    decide(body, func);
  wt_count_begin(body);
}

/* ---- locals and edits ---- */

static uint32_t add_local(wt_body *body, const uint8_t *encoded) {
  wt_buf_u32(&body->locals, 1);
  wt_buf_bytes(&body->locals, encoded, wt_valtype_size(encoded));
  body->added_groups++;
  /* Such a function is left alone in the end (WT_MOST_LOCALS); on the way there the count must not wrap. */
  return body->local_count < UINT32_MAX ? body->local_count++ : UINT32_MAX;
}

static uint32_t need_local(wt_body *body, uint32_t *local, uint8_t type) {
  if (*local == WT_NO_INDEX)
    *local = add_local(body, &type);
  return *local;
}

uint32_t wt_body_count_local(wt_body *body) { return need_local(body, &body->count.local, WT_TYPE_I64); }

static wt_buf *open_edit(wt_body *body) {
  body->edit_start = body->inserts.size;
  return &body->inserts;
}

static void close_edit(wt_body *body, const uint8_t *copy_end, const uint8_t *resume) {
  const uint8_t *file = body->code->module->file.data;
  wt_edit_add(&body->edits, (size_t)(copy_end - file), (size_t)(resume - file), body->inserts.size - body->edit_start);
  body->replaced += (uint32_t)(resume - copy_end);
}

static wt_handshake_locals handshake_locals(wt_body *body) {
  wt_handshake_locals *locals = &body->handshake;
  uint32_t *const each[] = {&locals->entered, &locals->before, &locals->place, &locals->base};
  for (size_t i = 0; i < WT_COUNT_OF(each); i++)
    need_local(body, each[i], WT_TYPE_I32);
  return *locals;
}

/* 0 where the probe has no use for it. */
static uint32_t saved(wt_body *body) {
  return wt_call_probe_saves(&body->probe) ? need_local(body, &body->saved, WT_TYPE_I32) : 0;
}

/* ---- instructions ---- */

/* The block's own label is the outermost one: its index is the number of blocks inside it. */
void wt_body_return(wt_body *body, const uint8_t *at, const uint8_t *end, uint32_t depth) {
  if (!body->wrapped)
    return;
  wt_buf *code = open_edit(body);
  wt_buf_u8(code, WT_OP_BR);
  wt_buf_u32(code, depth);
  close_edit(body, at, end);
}

static bool arrives(const wt_body *body, uint32_t func) { return body->code->plan->flags[func] & WT_PLAN_ARRIVES; }

/* Direct calls of an import go to its thunk. The index of the thunk replaces the import's. */
void wt_body_call(wt_body *body, const uint8_t *at, const uint8_t *end, uint32_t callee) {
  const wt_link *link = body->code->link;
  body->essential = true;
  if (arrives(body, callee)) {
    wt_handshake_call(link, open_edit(body), callee);
    close_edit(body, at, at);
  }
  if (callee >= body->code->module->func_imports || !link->thunks || link->thunks[callee] == WT_NO_INDEX)
    return;
  wt_buf *code = open_edit(body);
  wt_buf_u32(code, link->thunks[callee]);
  close_edit(body, at + 1, end);
}

static void emit_restore_own(wt_body *body, wt_buf *code) {
  body->handler = true;
  wt_emit_local_get(code, need_local(body, &body->own, WT_TYPE_I32));
  wt_emit_local_get(code, need_local(body, &body->base, WT_TYPE_I32));
  wt_link_entry(body->code->link, code, WTR_ENTRY_host_return);
  if (body->code->plan->handshake)
    wt_handshake_clear(body->code->link, code);
}

/* A local for references of the type; functions have few types of calls. */
static uint32_t reference_local(wt_body *body, uint32_t type) {
  const uint32_t *known = (const uint32_t *)(const void *)body->references.data;
  for (size_t i = 0; i < body->references.size / sizeof(uint32_t); i += 2)
    if (known[i] == type)
      return known[i + 1];
  wt_buf encoded;
  wt_buf_init(&encoded, body->references.allocator);
  wt_buf_u8(&encoded, WT_TYPE_REF_NULL);
  wt_buf_s64(&encoded, type);
  uint32_t local = encoded.failed ? 0 : add_local(body, encoded.data);
  const uint32_t pair[2] = {type, local};
  wt_buf_bytes(&body->references, pair, sizeof(pair));
  body->references.failed |= encoded.failed;
  wt_buf_free(&encoded);
  return local;
}

static void announce(wt_body *body, const wt_instr *instr, bool tail) {
  const wt_link *link = body->code->link;
  wt_buf *code = open_edit(body);
  if (instr->immediate == WT_IMM_CALL_INDIRECT)
    wt_handshake_table(link, code, instr, need_local(body, &body->index, WT_TYPE_I32), tail);
  else
    wt_handshake_reference(link, code, reference_local(body, instr->index), tail);
  close_edit(body, instr->start, instr->start);
}

/* What frames that a trap has ended left behind is theirs; hardly ever there are any, so clocks are not read for it otherwise. */
static void emit_account_left(wt_body *body, wt_buf *code) {
  if (body->code->plan->clock.kind == WT_CLOCK_NONE)
    return;
  wt_link_entry(body->code->link, code, WTR_ENTRY_position);
  wt_emit_local_get(code, need_local(body, &body->own, WT_TYPE_I32));
  wt_buf_u8(code, WT_OP_I32_NE);
  wt_emit_if(code);
  wt_clock_account(body->code->link, code);
  wt_buf_u8(code, WT_OP_END);
}

/* The host may be behind the reference, call back, and swallow a trap of that: afterwards the position is put right. */
void wt_body_call_reference(wt_body *body, const wt_instr *instr) {
  body->essential = true;
  if (!body->code->plan->handshake)
    return;
  announce(body, instr, false);
  wt_buf *code = open_edit(body);
  emit_account_left(body, code);
  emit_restore_own(body, code);
  close_edit(body, instr->end, instr->end);
}

void wt_body_tail_call_reference(wt_body *body, const wt_instr *instr) {
  wt_body_tail_call(body, instr->start);
  if (body->code->plan->handshake)
    announce(body, instr, true);
}

/* The frame is gone before the callee begins, so a trap of the call itself belongs to the caller. */
void wt_body_tail_call(wt_body *body, const uint8_t *at) {
  body->essential = true;
  bool ends = wt_call_probe_keeps(&body->probe) || wt_call_probe_counts(&body->probe);
  if (!ends && !arrives(body, body->func))
    return;
  wt_buf *code = open_edit(body);
  if (ends)
    wt_event_leave(&body->probe, code, WTR_RECORD_TAIL, saved(body), 0);
  if (arrives(body, body->func))
    wt_handshake_leave(body->code->link, code, handshake_locals(body));
  close_edit(body, at, at);
}

void wt_body_unreachable(wt_body *body, const uint8_t *at) {
  if (!body->code->plan->traps)
    return;
  body->essential = true;
  wt_buf *code = open_edit(body);
  wt_event_room(body->code->link, code);
  wt_emit_i64(code, at - body->code->module->file.data);
  wt_emit_put_word(code, body->entries, 0);
  wt_event_record(body->code->link, code, WTR_RECORD_TRAP, body->func, 1);
  close_edit(body, at, at);
}

static void emit_grow_event(wt_body *body, wt_buf *code, uint32_t memory, uint8_t type, const uint32_t *locals) {
  const wt_plan *plan = body->code->plan;
  wt_event_gates(body->code->link, code);
  if (plan->grow_histogram != WT_NO_INDEX)
    wt_emit_count(code, body->entries, locals[0], type, plan->grow_histogram);
  if (!plan->ring)
    return;
  wt_emit_i64(code, memory);
  wt_emit_put_word(code, body->entries, 0);
  wt_emit_put(code, body->entries, locals[0], type, 1);
  wt_emit_put(code, body->entries, locals[1], type, 2);
  wt_event_record(body->code->link, code, WTR_RECORD_GROW, body->func, 3);
}

/* The delta is kept on the way in, the previous size on the way out. */
void wt_body_memory_grow(wt_body *body, const uint8_t *at, const uint8_t *end, uint32_t memory) {
  if (!body->code->plan->grow)
    return;
  body->essential = true;
  bool wide = body->code->module->memory_is_64[memory];
  uint8_t type = wide ? WT_TYPE_I64 : WT_TYPE_I32;
  uint32_t *locals = body->grow_locals[wide];
  wt_buf *code = open_edit(body);
  wt_emit_local_tee(code, need_local(body, &locals[0], type));
  close_edit(body, at, at);
  code = open_edit(body);
  wt_emit_local_tee(code, need_local(body, &locals[1], type));
  emit_grow_event(body, code, memory, type, locals);
  close_edit(body, end, end);
}

/* A delegate to the function label means the caller; with the block around, that label is one further out. V8 and JSC
   accept the function level there. */
void wt_body_delegate(wt_body *body, const uint8_t *at, const uint8_t *end, uint32_t label, uint32_t depth) {
  if (!body->wrapped || label != depth)
    return;
  wt_buf *code = open_edit(body);
  wt_buf_u32(code, label + 1);
  close_edit(body, at + 1, end);
}

/* Where an exception lands: what passed before is of the frame that was left. */
static void emit_landing(wt_body *body, wt_buf *code) {
  wt_clock_account(body->code->link, code);
  emit_restore_own(body, code);
}

void wt_body_handler(wt_body *body, const uint8_t *at) {
  body->count.stale = true;
  if (!wt_plan_positions(body->code->plan))
    return;
  emit_landing(body, open_edit(body));
  close_edit(body, at, at);
}

/* ---- head and tail ---- */

static void emit_handler_locals(wt_body *body, wt_buf *code) {
  wt_link_entry(body->code->link, code, WTR_ENTRY_position);
  wt_emit_local_set(code, body->own);
  wt_link_entry(body->code->link, code, WTR_ENTRY_base);
  wt_emit_local_set(code, body->base);
}

static void add_result_locals(wt_body *body) {
  const uint8_t *encoded = body->type->results.encoded.data;
  body->first_result = body->local_count;
  for (uint32_t i = 0; i < body->type->results.count; i++, encoded += wt_valtype_size(encoded))
    add_local(body, encoded);
}

static void emit_exit(wt_body *body, wt_buf *code) {
  const wt_detail *detail = body->probe.detail;
  uint32_t count = detail && detail->result_count ? body->type->results.count : 0;
  if (body->label_target && wt_plan_positions(body->code->plan))
    emit_landing(body, code); /* a clause of a try_table may lead here, from a frame further in */
  if (count) {
    add_result_locals(body);
    for (uint32_t i = count; i-- > 0;)
      wt_emit_local_set(code, body->first_result + i);
  }
  wt_event_leave(&body->probe, code, WTR_RECORD_LEAVE, saved(body), body->first_result);
  if (arrives(body, body->func))
    wt_handshake_restore(body->code->link, code, handshake_locals(body));
  for (uint32_t i = 0; i < count; i++)
    wt_emit_local_get(code, body->first_result + i);
  wt_buf_u8(code, WT_OP_END);
}

/* A frame that only passes its position on, and calls nothing that could ask for it, needs no probe, unless it is counted. */
static bool is_idle(const wt_body *body) {
  const wt_call_probe *probe = &body->probe;
  bool only_tracked = probe->node && !probe->events && !probe->opener && !probe->detail &&
                      !(body->code->plan->flags[body->func] & (WT_PLAN_SELECTED | WT_PLAN_FROM | WT_PLAN_UNTIL));
  return only_tracked && !body->count.weights && !body->essential && !arrives(body, body->func);
}

static bool has_work(const wt_body *body) {
  const wt_detail *detail = body->probe.detail;
  return body->wrapped || body->handler || body->edits.size || (detail && detail->arg_count) ||
         (body->code->plan->flags[body->func] & (WT_PLAN_FROM | WT_PLAN_UNTIL));
}

static void write_entry(wt_body *body, wt_buf *code) {
  if (arrives(body, body->func))
    wt_handshake_arrive(body->code->link, code, body->func, handshake_locals(body));
  wt_event_enter(&body->probe, code, saved(body));
  if (body->handler)
    emit_handler_locals(body, code);
  if (body->wrapped) {
    wt_buf_u8(code, WT_OP_BLOCK);
    wt_link_block_type(body->code->link, code, body->code->module->func_types[body->func]);
  }
}

/* Everything that stands before the first instruction, behind the count of local groups. */
static void write_head(wt_body *body) {
  wt_buf entry;
  wt_buf_init(&entry, body->head.allocator);
  write_entry(body, &entry); /* first: it may add locals */
  wt_buf_bytes(&body->head, body->locals.data, body->locals.size);
  wt_buf_bytes(&body->head, entry.data, entry.size);
  body->head.failed |= entry.failed;
  wt_buf_free(&entry);
}

static size_t new_size(const wt_body *body) {
  return (size_t)(body->end - body->groups) + wt_u32_size(body->group_count + body->added_groups) + body->head.size +
         body->inserts.size - body->replaced;
}

static void leave_alone(wt_body *body) {
  wt_code *code = body->code;
  code->plan->flags[body->func] |= WT_PLAN_LEFT_ALONE;
  code->left_alone++;
  code->traced -= body->selected;
}

static void place_edits(wt_body *body, size_t size, uint32_t first_edit) {
  wt_code *code = body->code;
  size_t size_before = (size_t)(body->start - body->size_field), size_after = wt_u32_size((uint32_t)size);
  code->growth += (int64_t)size + (int64_t)size_after - (body->end - body->size_field);
  if (!code->places)
    return;
  wt_body_place *place = &code->places[body->func - code->module->func_imports];
  place->first_edit = first_edit;
  place->edit_count = (uint32_t)(code->edits.size / sizeof(wt_edit)) - first_edit;
  place->size_growth = (int32_t)size_after - (int32_t)size_before;
}

/* The size and the count of local groups are written anew; where the body has no locals of its own, our locals and the
   probe follow at once, in the same edit. */
static void append_edits(wt_body *body, size_t size) {
  wt_code *code = body->code;
  const uint8_t *file = code->module->file.data;
  uint32_t first_edit = (uint32_t)(code->edits.size / sizeof(wt_edit));
  size_t before = code->inserts.size;
  wt_buf_u32(&code->inserts, (uint32_t)size);
  wt_buf_u32(&code->inserts, body->group_count + body->added_groups);
  if (body->groups != body->first_instr) {
    wt_edit_add(&code->edits, (size_t)(body->size_field - file), (size_t)(body->groups - file),
                code->inserts.size - before);
    before = code->inserts.size;
    wt_buf_bytes(&code->inserts, body->head.data, body->head.size);
    wt_edit_add(&code->edits, (size_t)(body->first_instr - file), (size_t)(body->first_instr - file),
                code->inserts.size - before);
  } else {
    wt_buf_bytes(&code->inserts, body->head.data, body->head.size);
    wt_edit_add(&code->edits, (size_t)(body->size_field - file), (size_t)(body->groups - file),
                code->inserts.size - before);
  }
  wt_buf_bytes(&code->edits, body->edits.data, body->edits.size);
  wt_buf_bytes(&code->inserts, body->inserts.data, body->inserts.size);
  place_edits(body, size, first_edit);
}

static bool has_failed(const wt_body *body) {
  return body->head.failed || body->inserts.failed || body->edits.failed || body->locals.failed ||
         body->references.failed;
}

bool wt_body_finish(wt_body *body) {
  if (has_failed(body)) /* first: an edit that there was no memory for looks like no work */
    return wt_fail_memory(body->code->job);
  if (!body->active || is_idle(body) || !has_work(body))
    return true;
  if (body->wrapped) {
    emit_exit(body, open_edit(body));
    close_edit(body, body->end, body->end);
  }
  write_head(body);
  if (has_failed(body))
    return wt_fail_memory(body->code->job);
  size_t size = new_size(body);
  if (size > WT_MOST_BODY_BYTES || body->local_count > WT_MOST_LOCALS)
    leave_alone(body);
  else
    append_edits(body, size);
  return true;
}
