/* What is appended, beside the runtime:

     begin: when there is no block, and none is being allocated
              block = allocate; fill it with zeroes; write the state
              measure what a call costs that is traced; write the state anew
            window_open
     reader: what a canister answers to a query, or the block's address

   The block: three words of what was measured, the state and all regions as in a memory of the runtime's own (layout.h), and behind
   them a few bytes for the reader. */
#include "heap.h"

#include "clock.h"
#include "entries.h"
#include "event.h"
#include "layout.h"
#include "valtype.h"

#include <stddef.h>
#include <string.h>

#define WASM_PAGE 65536u

/* Behind the block: an argument of the reader. */
#define SCRATCH_BYTES 8u

#define BLOCK_ALIGN 16

/* ---- allocators ---- */

typedef struct allocator {
  const char *name; /* a pattern */
  uint32_t params;  /* all i32, as the one result is */
  wt_heap_shape shape;
} allocator;

/* In the order of preference. What they hand out is never given back. */
static const allocator allocators[] = {
    {"calloc", 2, WT_HEAP_CALLOC},
    {"malloc", 1, WT_HEAP_SIZE},
    {"__rust_alloc_zeroed", 2, WT_HEAP_ZEROED},
    {"__rustc::__rust_alloc_zeroed", 2, WT_HEAP_ZEROED},
    {"__rust_alloc", 2, WT_HEAP_ALIGNED},
    {"__rustc::__rust_alloc", 2, WT_HEAP_ALIGNED},
    {"__rdl_alloc", 2, WT_HEAP_ALIGNED},
    {"__rustc::__rdl_alloc", 2, WT_HEAP_ALIGNED},
    {"__wbindgen_malloc", 2, WT_HEAP_ALIGNED},
    {"__wbindgen_malloc", 1, WT_HEAP_SIZE},
    {"\"~lib/rt/tlsf/__alloc\"", 1, WT_HEAP_SIZE},
    {"\"~lib/rt/stub/__alloc\"", 1, WT_HEAP_SIZE},
    {"\"~lib/rt/itcms/__new\"", 2, WT_HEAP_COLLECTED},
    {"__new", 2, WT_HEAP_COLLECTED},
};

/* An object of AssemblyScript stays where it is and lives as long as it is pinned. */
static const char *const pins[] = {"\"~lib/rt/itcms/__pin\"", "__pin"};

static bool is_i32(wt_types types, uint32_t count) {
  bool same = types.count == count && types.encoded.size == count;
  for (size_t i = 0; i < types.encoded.size; i++)
    same &= types.encoded.data[i] == WT_TYPE_I32;
  return same;
}

static bool takes(const wt_module *module, uint32_t func, uint32_t params) {
  const wt_type *type = wt_module_func_type(module, func);
  return is_i32(type->params, params) && is_i32(type->results, 1);
}

/* The first function of the module's own that matches and takes so many numbers; with `params` 0, one or two. */
static bool find(const wt_plan *plan, wt_job *job, wt_slice text, uint32_t params, uint32_t *func) {
  const wt_module *module = plan->module;
  const char *message = NULL;
  size_t column = 0;
  wt_pattern *pattern = wt_pattern_new(&job->arena, text, &message, &column);
  *func = WT_NO_INDEX;
  if (!pattern)
    return message ? wt_fail(job, WT_ERROR_PROBE, WT_NO_OFFSET, "--allocator: %s", message) : wt_fail_memory(job);
  for (uint32_t i = module->func_imports; i < module->func_count && *func == WT_NO_INDEX; i++) {
    bool fits = params ? takes(module, i, params) : takes(module, i, 1) || takes(module, i, 2);
    if (fits && wt_pattern_matches(pattern, plan->names, i))
      *func = i;
  }
  wt_pattern_free(pattern);
  return true;
}

static bool find_pin(wt_plan *plan, wt_job *job) {
  plan->heap.pin = WT_NO_INDEX;
  for (size_t i = 0; i < WT_COUNT_OF(pins) && plan->heap.pin == WT_NO_INDEX; i++)
    if (!find(plan, job, wt_slice_of(pins[i]), 1, &plan->heap.pin))
      return false;
  return true;
}

static bool find_known(wt_plan *plan, wt_job *job) {
  wt_heap *heap = &plan->heap;
  if (!find_pin(plan, job))
    return false;
  for (size_t i = 0; i < WT_COUNT_OF(allocators); i++) {
    const allocator *row = &allocators[i];
    if (row->shape == WT_HEAP_COLLECTED && heap->pin == WT_NO_INDEX)
      continue;
    if (!find(plan, job, wt_slice_of(row->name), row->params, &heap->allocator))
      return false;
    heap->shape = row->shape;
    if (heap->allocator != WT_NO_INDEX)
      return true;
  }
  return wt_fail(job, WT_ERROR_NO_MATCH, WT_NO_OFFSET,
                 "--link heap: the module has none of the allocators that are known (calloc, malloc, __rust_alloc, "
                 "__wbindgen_malloc, AssemblyScript's __alloc or __new with __pin); --allocator PATTERN names one");
}

static bool find_named(wt_plan *plan, wt_job *job) {
  wt_slice text = job->options.allocator;
  if (!find(plan, job, text, 0, &plan->heap.allocator))
    return false;
  if (plan->heap.allocator == WT_NO_INDEX)
    return wt_fail(job, WT_ERROR_NO_MATCH, WT_NO_OFFSET,
                   "--allocator %.*s: no function of the module that matches takes (i32 size) or (i32 size, i32 "
                   "alignment) and returns an i32",
                   (int)text.size, (const char *)text.data);
  plan->heap.shape = takes(plan->module, plan->heap.allocator, 1) ? WT_HEAP_SIZE : WT_HEAP_ALIGNED;
  return true;
}

/* ---- what such a host has not ---- */

static const char *missing(const wt_plan *plan, const wt_job *job) {
  const wt_module *module = plan->module;
  if (!module->memory_count)
    return "the module has no memory";
  if (module->memory_is_64[0])
    return "the module's memory is 64-bit, and addresses in the block are 32-bit";
  if (!job->options.froms.count)
    return "it needs --from PATTERN: the block is allocated when one of these functions is first called";
  if (plan->clock.kind == WT_CLOCK_TICKER || plan->clock.kind == WT_CLOCK_HOST)
    return "nobody is there to tell the time: the clock can be an import, instructions or none";
  if (plan->full == WTR_FULL_DRAIN)
    return "nobody is there to take what a full buffer holds: --on-full can be overwrite, stop or aggregate";
  return NULL;
}

bool wt_heap_choose(wt_plan *plan, wt_job *job) {
  plan->nodes = job->options.nodes ? job->options.nodes : job->options.heap ? WTR_HEAP_NODES : WTR_TREE_NODES;
  if (!job->options.heap) {
    const char *option = job->options.nodes ? "nodes" : job->options.allocator.size ? "allocator" : NULL;
    return !option || wt_fail(job, WT_ERROR_PROBE, WT_NO_OFFSET, "--%s is for --link heap", option);
  }
  const char *reason = missing(plan, job);
  if (reason)
    return wt_fail(job, WT_ERROR_PROBE, WT_NO_OFFSET, "--link heap: %s", reason);
  plan->clock.wall = false;
  return job->options.allocator.size ? find_named(plan, job) : find_known(plan, job);
}

/* ---- code ---- */

/* Locals of `begin`. */
enum { BLOCK, SAVED, BEFORE, BETWEEN, SPENT, INNER, FIRST };

typedef struct begin {
  wt_link *link;
  wt_buf *code;
  wtr_state state; /* at first */
  wt_buf config;   /* its bytes, from WTR_STATE_ADDRESS on */
  uint32_t bytes;  /* of the block */
} begin;

static void emit_access(wt_buf *code, uint8_t opcode, uint32_t offset) {
  wt_buf_u8(code, opcode);
  wt_buf_u8(code, 0); /* the allocator may align as it likes */
  wt_buf_u32(code, offset);
}

static void emit_op(const begin *b, uint8_t opcode) { wt_buf_u8(b->code, opcode); }

static void store64(const begin *b, uint32_t at, uint64_t value) {
  wt_emit_local_get(b->code, BLOCK);
  wt_emit_i64(b->code, (int64_t)value);
  emit_access(b->code, WT_OP_I64_STORE, at);
}

static void store32(const begin *b, uint32_t at, uint32_t value) {
  wt_emit_local_get(b->code, BLOCK);
  wt_emit_i32(b->code, (int32_t)value);
  emit_access(b->code, WT_OP_I32_STORE, at);
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
  int32_t bytes = (int32_t)(b->bytes + SCRATCH_BYTES);
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
  emit_access(b->code, WT_OP_I32_STORE, at);
}

static void store_measured(const begin *b) {
  store_low(b, WTR_CALIBRATION_INNER, INNER);
  store_low(b, WTR_CALIBRATION_OUTER, SPENT);
  store_low(b, WTR_CALIBRATION_FIRST, FIRST);
}

/* Moves a field of the node, or of what is beside it, to a local. */
static void take_field(const begin *b, uint32_t at, uint32_t local) {
  wt_emit_local_get(b->code, BLOCK);
  emit_access(b->code, WT_OP_I64_LOAD, at);
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

static uint32_t add_nullary_type(wt_link *link, bool result) {
  static const uint8_t i32[] = {WT_TYPE_I32};
  return wt_link_add_type(link, (wt_slice){0}, 0, (wt_slice){i32, result}, result);
}

void wt_heap_finish(wt_link *link, wt_buf *body) {
  if (!link->job->options.heap)
    return;
  uint32_t pages;
  begin b = {.link = link, .code = body};
  wt_buf_init(&b.config, &link->job->arena.allocator);
  b.state = wt_link_config(link, &b.config, &pages);
  b.bytes = pages * WASM_PAGE;
  body->size = 0;
  write_begin(&b);
  wt_link_add_function(link, add_nullary_type(link, false), body, "wtr_begin");
  link->bodies.failed |= b.config.failed;
  wt_buf_free(&b.config);
}

/* ---- while there is no block ---- */

static int32_t without_block(const wt_link *link, int entry) {
  bool base = entry == WTR_ENTRY_base || entry == WTR_ENTRY_host_call;
  if (!base)
    return (int32_t)WTR_OUTSIDE;
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

/* ---- the reader ---- */

/* Of the Internet Computer's system interface. */
enum { ARG_SIZE, ARG_COPY, REPLY_APPEND, REPLY, SYSTEM_CALLS };

static const struct system_call {
  const char *name;
  uint32_t params;
  uint32_t results;
} system_calls[SYSTEM_CALLS] = {
    {"msg_arg_data_size", 0, 1}, {"msg_arg_data_copy", 3, 0}, {"msg_reply_data_append", 2, 0}, {"msg_reply", 0, 0}};

static uint32_t find_system_call(const wt_module *module, const struct system_call *call) {
  for (uint32_t func = 0; func < module->func_imports; func++) {
    const wt_type *type = wt_module_func_type(module, func);
    if (wt_slice_is(module->imports[func].module, "ic0") && wt_slice_is(module->imports[func].name, call->name) &&
        is_i32(type->params, call->params) && is_i32(type->results, call->results))
      return func;
  }
  return WT_NO_INDEX;
}

/* Whether all of them are imported. */
static bool find_system_calls(const wt_module *module, uint32_t *funcs) {
  bool all = true;
  for (int i = 0; i < SYSTEM_CALLS; i++) {
    funcs[i] = find_system_call(module, &system_calls[i]);
    all &= funcs[i] != WT_NO_INDEX;
  }
  return all;
}

/* Keeps in the local the smaller of it and of the number that the code in `most` pushes. */
static void keep_smaller(wt_buf *code, uint32_t local, const wt_buf *most) {
  wt_emit_local_get(code, local);
  wt_buf_bytes(code, most->data, most->size);
  wt_emit_local_get(code, local);
  wt_buf_bytes(code, most->data, most->size);
  wt_buf_u8(code, WT_OP_I32_LT_U);
  wt_buf_u8(code, WT_OP_SELECT);
  wt_emit_local_set(code, local);
}

enum { READ_BLOCK, READ_OFFSET, READ_SIZE };

/* The piece that the argument asks for, as far as the block reaches: offset and size, 32 bits each. */
static void write_piece(const uint32_t *funcs, uint32_t bytes, wt_buf *code, wt_buf *most) {
  wt_emit_local_get(code, READ_BLOCK);
  wt_emit_i32(code, (int32_t)bytes);
  wt_buf_u8(code, WT_OP_I32_ADD);
  wt_emit_i32(code, 0);
  wt_emit_i32(code, SCRATCH_BYTES);
  wt_emit_call(code, funcs[ARG_COPY]);
  for (uint32_t i = 0; i < 2; i++) {
    wt_emit_local_get(code, READ_BLOCK);
    emit_access(code, WT_OP_I32_LOAD, bytes + i * 4);
    wt_emit_local_set(code, READ_OFFSET + i);
  }
  wt_emit_i32(most, (int32_t)bytes);
  keep_smaller(code, READ_OFFSET, most);
  wt_emit_local_get(most, READ_OFFSET);
  wt_buf_u8(most, WT_OP_I32_SUB);
  keep_smaller(code, READ_SIZE, most);
  wt_emit_local_get(code, READ_BLOCK);
  wt_emit_local_get(code, READ_OFFSET);
  wt_buf_u8(code, WT_OP_I32_ADD);
  wt_emit_local_get(code, READ_SIZE);
  wt_emit_call(code, funcs[REPLY_APPEND]);
}

/* Replies with the piece; with nothing where there is no block, or the argument is of another size. */
static void write_query(const wt_link *link, const uint32_t *funcs, uint32_t bytes, wt_buf *code, wt_buf *most) {
  static const uint8_t locals[] = {1, 3, WT_TYPE_I32};
  wt_buf_bytes(code, locals, sizeof locals);
  wt_emit_global_get(code, link->block);
  wt_emit_local_tee(code, READ_BLOCK);
  wt_buf_u8(code, WT_OP_I32_EQZ);
  wt_emit_call(code, funcs[ARG_SIZE]);
  wt_emit_i32(code, SCRATCH_BYTES);
  wt_buf_u8(code, WT_OP_I32_NE);
  wt_buf_u8(code, WT_OP_I32_OR);
  wt_buf_u8(code, WT_OP_I32_EQZ);
  wt_emit_if(code);
  write_piece(funcs, bytes, code, most);
  wt_buf_u8(code, WT_OP_END);
  wt_emit_call(code, funcs[REPLY]);
  wt_buf_u8(code, WT_OP_END);
}

static uint32_t block_bytes(const wt_link *link) {
  uint32_t pages;
  wt_layout_state(link->plan, link->job->options.buffer_size, &pages);
  return pages * WASM_PAGE;
}

void wt_heap_add_reader(wt_link *link, wt_buf *body) {
  uint32_t funcs[SYSTEM_CALLS];
  if (!link->job->options.heap)
    return;
  body->size = 0;
  link->answers_queries = find_system_calls(link->module, funcs);
  if (link->answers_queries) {
    wt_buf most;
    wt_buf_init(&most, &link->job->arena.allocator);
    write_query(link, funcs, block_bytes(link), body, &most);
    body->failed |= most.failed;
    wt_buf_free(&most);
  } else {
    wt_buf_u8(body, 0);
    wt_emit_global_get(body, link->block);
    wt_buf_u8(body, WT_OP_END);
  }
  link->reader = wt_link_add_function(link, add_nullary_type(link, !link->answers_queries), body, "wtr_read");
}

const char *wt_heap_export_name(const wt_link *link) {
  return link->answers_queries ? "canister_query __wasm_trace" : "__wasm_trace_block";
}
