/* What is appended, beside the runtime and the reader (heap_reader.c):

     begin: when there is no block, and none is being allocated
              block = allocate; fill it with zeroes; write the state
              measure what a call costs that is traced; write the state anew
            window_open

   The block: three words of what was measured, the state and all regions as in a memory of the runtime's own (layout.h), and behind
   them a few bytes for the reader. */
#include "heap.h"

#include "clock.h"
#include "entries.h"
#include "event.h"
#include "layout.h"
#include "valtype.h"

#include <stddef.h>

/* The allocator may align as it likes; some are told. */
#define BLOCK_ALIGN 16

/* Locals of `begin`. */
enum { BLOCK, SAVED, BEFORE, BETWEEN, SPENT, INNER, FIRST };

typedef struct begin {
  wt_link *link;
  wt_buf *code;
  wtr_state state; /* at first */
  wt_buf config;   /* its bytes, from WTR_STATE_ADDRESS on */
  uint32_t bytes;  /* of the block */
} begin;

static void emit_op(const begin *b, uint8_t opcode) { wt_buf_u8(b->code, opcode); }

static void store64(const begin *b, uint32_t at, uint64_t value) {
  wt_emit_local_get(b->code, BLOCK);
  wt_emit_i64(b->code, (int64_t)value);
  wt_emit_access(b->code, WT_OP_I64_STORE, 0, at);
}

static void store32(const begin *b, uint32_t at, uint32_t value) {
  wt_emit_local_get(b->code, BLOCK);
  wt_emit_i32(b->code, (int32_t)value);
  wt_emit_access(b->code, WT_OP_I32_STORE, 0, at);
}

static void zero(const begin *b, uint32_t at, uint32_t bytes) {
  wt_emit_local_get(b->code, BLOCK);
  wt_emit_i32(b->code, (int32_t)at);
  emit_op(b, WT_OP_I32_ADD);
  wt_emit_i32(b->code, 0);
  wt_emit_i32(b->code, (int32_t)bytes);
  emit_op(b, WT_PREFIX_MISC);
  wt_buf_u32(b->code, WT_OP_CODE(WT_OP_MEMORY_FILL));
  emit_op(b, 0);
  b->link->features |= WT_FEATURE_BIT(WT_FEATURE_BULK_MEMORY);
}

static void write_state(const begin *b) {
  for (size_t at = 0; at + sizeof(uint32_t) <= b->config.size; at += sizeof(uint32_t)) {
    const uint8_t *bytes = b->config.data + at;
    uint32_t value = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    if (value)
      store32(b, WTR_STATE_ADDRESS + (uint32_t)at, value);
  }
}

/* Pushes the address of a new block, or 0. */
static void emit_allocation(const begin *b) {
  const wt_heap *heap = &b->link->plan->heap;
  enum { ARRAY_BUFFER = 1 }; /* an object without references */
  int32_t bytes = (int32_t)(b->bytes + WT_HEAP_SCRATCH_BYTES);
  if (heap->shape == WT_HEAP_CALLOC)
    wt_emit_i32(b->code, 1);
  wt_emit_i32(b->code, bytes);
  if (heap->shape == WT_HEAP_ALIGNED || heap->shape == WT_HEAP_ZEROED)
    wt_emit_i32(b->code, BLOCK_ALIGN);
  if (heap->shape == WT_HEAP_COLLECTED)
    wt_emit_i32(b->code, ARRAY_BUFFER);
  wt_emit_call(b->code, heap->allocator);
  if (heap->shape == WT_HEAP_COLLECTED)
    wt_emit_call(b->code, heap->pin);
}

/* ---- what tracing costs ---- */

/* A function whose probes are as those of most: not one that opens or closes a window. */
static uint32_t ordinary_function(const wt_plan *plan) {
  for (uint32_t func = plan->module->func_imports; func < plan->module->func_count; func++)
    if ((plan->flags[func] & WT_PLAN_SELECTED) && !(plan->flags[func] & (WT_PLAN_FROM | WT_PLAN_UNTIL)))
      return func;
  return WT_NO_INDEX;
}

static void emit_call_probes(const begin *b, const wt_call_probe *probe) {
  wt_event_enter(probe, b->code, SAVED);
  wt_event_leave(probe, b->code, WTR_RECORD_LEAVE, SAVED, 0);
}

static void keep_clock(const begin *b, uint32_t local) {
  wt_emit_call(b->code, b->link->clock);
  wt_emit_local_set(b->code, local);
}

/* Everything is recorded, at the root, however many events there are. */
static void open_for_measuring(const begin *b) {
  store32(b, WTR_STATE_ADDRESS + offsetof(wtr_state, position), WTR_NODE_ROOT);
  store32(b, WTR_STATE_ADDRESS + offsetof(wtr_state, closed), 0);
  store64(b, WTR_STATE_ADDRESS + offsetof(wtr_state, skip), UINT64_MAX);
  store64(b, WTR_STATE_ADDRESS + offsetof(wtr_state, most), UINT64_MAX);
}

/* Removes all traces of the measuring. */
static void forget(const begin *b, uint32_t func) {
  const wtr_state *state = &b->state;
  const wt_plan *plan = b->link->plan;
  uint32_t nodes = WTR_NODE_FIRST + 1;
  zero(b, WTR_STATE_ADDRESS, WTR_TREE_ADDRESS - WTR_STATE_ADDRESS + nodes * (uint32_t)sizeof(wtr_node));
  zero(b, state->span_base, nodes * (uint32_t)sizeof(wtr_span));
  zero(b, state->hash_base, (state->hash_mask + 1) * (uint32_t)sizeof(uint32_t));
  for (uint32_t i = 0; i < plan->duration_count; i++)
    if (plan->durations[i] == func)
      zero(b, state->duration_base + i * WTR_DURATION_BUCKETS * 8, WTR_DURATION_BUCKETS * 8);
  write_state(b);
}

/* SPENT = SPENT - BETWEEN - (BETWEEN - BEFORE) - INNER: reading the clock here is no part of it. */
static void emit_spent(const begin *b) {
  wt_emit_local_get(b->code, SPENT);
  wt_emit_local_get(b->code, BETWEEN);
  emit_op(b, WT_OP_I64_SUB);
  wt_emit_local_get(b->code, BETWEEN);
  wt_emit_local_get(b->code, BEFORE);
  emit_op(b, WT_OP_I64_SUB);
  emit_op(b, WT_OP_I64_SUB);
  wt_emit_local_get(b->code, INNER);
  emit_op(b, WT_OP_I64_SUB);
  wt_emit_local_set(b->code, SPENT);
}

static void store_low(const begin *b, uint32_t at, uint32_t local) {
  wt_emit_local_get(b->code, BLOCK);
  wt_emit_local_get(b->code, local);
  emit_op(b, WT_OP_I32_WRAP_I64);
  wt_emit_access(b->code, WT_OP_I32_STORE, 0, at);
}

static void store_measured(const begin *b) {
  store_low(b, WTR_CALIBRATION_INNER, INNER);
  store_low(b, WTR_CALIBRATION_OUTER, SPENT);
  store_low(b, WTR_CALIBRATION_FIRST, FIRST);
}

/* Moves a field of the node, or of what is beside it, to a local. */
static void take_field(const begin *b, uint32_t at, uint32_t local) {
  wt_emit_local_get(b->code, BLOCK);
  wt_emit_access(b->code, WT_OP_I64_LOAD, 0, at);
  wt_emit_local_set(b->code, local);
}

/* FIRST = FIRST - INNER / WTR_CALIBRATION_CALLS */
static void keep_first(const begin *b) {
  wt_emit_local_get(b->code, FIRST);
  wt_emit_local_get(b->code, INNER);
  wt_emit_i64(b->code, WTR_CALIBRATION_SHIFT);
  emit_op(b, WT_OP_I64_SHR_U);
  emit_op(b, WT_OP_I64_SUB);
  wt_emit_local_set(b->code, FIRST);
}

/* By the clock in use, on the host that runs the module: a clock that counts what the probes execute tells what they cost. The first
   call makes the node, and the second is the shortest so far; what comes then is as most calls are. */
static void emit_measuring(const begin *b) {
  const wt_plan *plan = b->link->plan;
  uint32_t func = ordinary_function(plan);
  wt_call_probe probe = {b->link, func, .node = plan->tree, .selected = true, .events = plan->ring};
  uint32_t self = WTR_TREE_ADDRESS + WTR_NODE_FIRST * (uint32_t)sizeof(wtr_node) + (uint32_t)offsetof(wtr_node, self);
  if (plan->clock.kind != WT_CLOCK_IMPORT || func == WT_NO_INDEX)
    return;
  open_for_measuring(b);
  emit_call_probes(b, &probe);
  take_field(b, self, FIRST);
  store64(b, self, 0);
  emit_call_probes(b, &probe);
  store64(b, self, 0);
  keep_clock(b, BEFORE);
  keep_clock(b, BETWEEN);
  for (uint32_t i = 0; i < WTR_CALIBRATION_CALLS; i++)
    emit_call_probes(b, &probe);
  keep_clock(b, SPENT);
  take_field(b, self, INNER);
  emit_spent(b);
  keep_first(b);
  forget(b, func);
  store_measured(b);
}

/* ---- begin ---- */

static void say_allocating(const begin *b, int32_t value) {
  wt_emit_i32(b->code, value);
  wt_emit_global_set(b->code, b->link->allocating);
}

static void emit_new_block(const begin *b) {
  wt_heap_shape shape = b->link->plan->heap.shape;
  say_allocating(b, 1);
  emit_allocation(b);
  say_allocating(b, 0);
  wt_emit_local_tee(b->code, BLOCK);
  wt_emit_if(b->code);
  if (shape != WT_HEAP_CALLOC && shape != WT_HEAP_ZEROED)
    zero(b, 0, b->bytes);
  wt_emit_local_get(b->code, BLOCK);
  wt_emit_global_set(b->code, b->link->block);
  write_state(b);
  emit_measuring(b);
  emit_op(b, WT_OP_END);
}

static void write_begin(const begin *b) {
  static const uint8_t locals[] = {2, 2, WT_TYPE_I32, 5, WT_TYPE_I64};
  wt_buf_bytes(b->code, locals, sizeof locals);
  wt_emit_global_get(b->code, b->link->block);
  wt_emit_global_get(b->code, b->link->allocating); /* the allocator may itself be one of --from */
  emit_op(b, WT_OP_I32_OR);
  emit_op(b, WT_OP_I32_EQZ);
  wt_emit_if(b->code);
  emit_new_block(b);
  emit_op(b, WT_OP_END);
  wt_emit_call(b->code, b->link->window_open);
  emit_op(b, WT_OP_END);
}

void wt_heap_number(wt_link *link) {
  if (!link->job->options.heap)
    return;
  link->window_open = link->entries.func[WTR_ENTRY_window_open];
  link->begin = link->module->func_count + link->func_count;
  link->entries.func[WTR_ENTRY_window_open] = link->begin;
}

void wt_heap_finish(wt_link *link, wt_buf *body) {
  if (!link->job->options.heap)
    return;
  uint32_t pages;
  begin b = {.link = link, .code = body};
  wt_buf_init(&b.config, &link->job->arena.allocator);
  b.state = wt_link_config(link, &b.config, &pages);
  b.bytes = pages * WT_PAGE_BYTES;
  body->size = 0;
  write_begin(&b);
  wt_link_add_function(link, wt_link_nullary_type(link, false), body, "wtr_begin");
  link->bodies.failed |= b.config.failed;
  wt_buf_free(&b.config);
}

/* ---- while there is no block ---- */

static int32_t without_block(const wt_link *link, int entry) {
  bool base = entry == WTR_ENTRY_base || entry == WTR_ENTRY_host_call;
  if (!base)
    return link->plan->only ? (int32_t)WTR_OUTSIDE : (int32_t)WTR_SHUT;
  return link->plan->only ? (int32_t)WTR_BASE_POSITION : (int32_t)WTR_NODE_ROOT;
}

void wt_heap_guard(const wt_link *link, int entry, wt_buf *code) {
  wt_emit_global_get(code, link->block);
  wt_buf_u8(code, WT_OP_I32_EQZ);
  wt_emit_if(code);
  if (*wt_entry_rows[entry].result == 'i')
    wt_emit_i32(code, without_block(link, entry));
  if (*wt_entry_rows[entry].result == 'I')
    wt_emit_i64(code, 0);
  wt_buf_u8(code, WT_OP_RETURN);
  wt_buf_u8(code, WT_OP_END);
}
