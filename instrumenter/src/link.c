#include "link.h"

#include "clock.h"
#include "guard.h"
#include "heap.h"
#include "layout.h"
#include "runtime.h"
#include "shim.h"
#include "thunk.h"
#include "trampolines.h"
#include "valtype.h"

#include <string.h>

/* ---- appended types and functions ---- */

uint32_t wt_link_add_type(wt_link *link, wt_slice params, uint32_t param_count, wt_slice results,
                          uint32_t result_count) {
  wt_buf_u8(&link->types, 0x60);
  wt_buf_u32(&link->types, param_count);
  wt_buf_bytes(&link->types, params.data, params.size);
  wt_buf_u32(&link->types, result_count);
  wt_buf_bytes(&link->types, results.data, results.size);
  return link->module->type_count + link->type_count++;
}

uint32_t wt_link_nullary_type(wt_link *link, bool result) {
  static const uint8_t i32[] = {WT_TYPE_I32};
  return wt_link_add_type(link, (wt_slice){0}, 0, (wt_slice){i32, result}, result);
}

void wt_link_add_name(wt_link *link, uint32_t func, const char *name) {
  wt_buf_u32(&link->names, func);
  wt_buf_name(&link->names, (wt_slice){(const uint8_t *)name, strlen(name)});
  link->name_count++;
}

uint32_t wt_link_add_function(wt_link *link, uint32_t type, const wt_buf *body, const char *name) {
  uint32_t func = link->module->func_count + link->func_count++;
  wt_buf_u32(&link->func_types, type);
  wt_buf_sized(&link->bodies, body);
  wt_link_add_name(link, func, name);
  return func;
}

void wt_link_block_type(wt_link *link, wt_buf *code, uint32_t type_index) {
  const wt_type *type = &link->module->types[type_index];
  if (type->results.count == 0) {
    wt_buf_u8(code, WT_TYPE_EMPTY);
  } else if (type->results.count == 1) {
    wt_buf_bytes(code, type->results.encoded.data, type->results.encoded.size);
  } else if (type->params.count == 0) {
    wt_buf_s64(code, type_index);
  } else {
    uint32_t *cached = &link->block_types[type_index];
    if (!*cached)
      *cached = 1 + wt_link_add_type(link, (wt_slice){0}, 0, type->results.encoded, type->results.count);
    wt_buf_s64(code, *cached - 1);
  }
}

/* ---- thunks around imports ---- */

/* Bodies are rewritten before it is known which flavour of exceptions the module uses, so thunks get their indices first
   and their bodies last. */
static bool number_thunks(wt_link *link) {
  uint32_t imports = link->module->func_imports;
  bool positions = wt_plan_positions(link->plan);
  if (!imports)
    return true;
  link->thunks = wt_arena_array(&link->job->arena, imports, sizeof(uint32_t));
  if (!link->thunks)
    return wt_fail_memory(link->job);
  uint32_t next = link->module->func_count + link->func_count + link->job->options.heap;
  for (uint32_t import = 0; import < imports; import++) {
    bool wanted = positions || (link->plan->flags[import] & (WT_PLAN_SELECTED | WT_PLAN_FROM | WT_PLAN_UNTIL));
    link->thunks[import] = wanted ? next++ : WT_NO_INDEX;
  }
  return true;
}

static void add_thunks(wt_link *link, wt_buf *body) {
  for (uint32_t import = 0; link->thunks && import < link->module->func_imports; import++) {
    if (link->thunks[import] == WT_NO_INDEX)
      continue;
    body->size = 0;
    wt_thunk_write(link, body, import);
    wt_link_add_function(link, link->module->func_types[import], body, "wtr_import_thunk");
  }
}

/* ---- shims around exports ---- */

/* A function that is called with the handshake needs none, and may have none: JS may compare identities, and Emscripten
   relies on table.get(i) === exports.f. */
static bool needs_shim(const wt_link *link, uint32_t func) {
  return func >= link->module->func_imports && !(link->plan->flags[func] & WT_PLAN_ARRIVES) && !link->shims[func];
}

/* Split, the start function would run before its probes are connected; merged, the memory with what it did could not be had
   if it trapped. A function of its own: exporting the start function itself would make it a declared function, and a `ref.func` of it
   that was invalid would become valid. */
static void add_start_shim(wt_link *link, wt_buf *body) {
  uint32_t start = link->module->start;
  bool useful = link->job->options.split || link->plan->traps;
  if (!useful || !link->job->options.defer_start || start == WT_NO_INDEX)
    return;
  body->size = 0;
  wt_buf_u8(body, 0);
  wt_emit_call(body, start);
  wt_buf_u8(body, WT_OP_END);
  link->start_shim = wt_link_add_function(link, link->module->func_types[start], body, "wtr_start");
}

static bool add_export_shims(wt_link *link, wt_buf *body) {
  const wt_module *module = link->module;
  if (!wt_plan_positions(link->plan) || !module->export_count)
    return true;
  link->shims = wt_arena_array(&link->job->arena, module->func_count, sizeof(uint32_t));
  if (!link->shims)
    return wt_fail_memory(link->job);
  link->first_shim = module->func_count + link->func_count;
  for (size_t i = 0; i < module->export_count; i++) {
    uint32_t func = module->exports[i].func;
    if (!needs_shim(link, func))
      continue;
    body->size = 0;
    wt_shim_write(link, body, func);
    link->shims[func] = wt_link_add_function(link, module->func_types[func], body, "wtr_export_shim");
    wt_buf_u32(&link->shimmed, func);
    link->shim_count++;
  }
  return true;
}

bool wt_link_finish(wt_link *link) {
  wt_buf body;
  wt_buf_init(&body, &link->job->arena.allocator);
  wt_heap_finish(link, &body);
  add_thunks(link, &body);
  bool done = add_export_shims(link, &body);
  add_start_shim(link, &body);
  wt_heap_add_reader(link, &body);
  link->bodies.failed |= body.failed;
  wt_buf_free(&body);
  return done;
}

/* ---- the whole ---- */

static void init_buffers(wt_link *link) {
  const wt_allocator *allocator = &link->job->arena.allocator;
  wt_buf_init(&link->types, allocator);
  wt_buf_init(&link->func_types, allocator);
  wt_buf_init(&link->bodies, allocator);
  wt_buf_init(&link->names, allocator);
  wt_buf_init(&link->shimmed, allocator);
}

/* Of the sections: split has a table that may not be the only one, merged a memory, and segments name either by its index. */
static uint64_t link_features(const wt_link *link) {
  if (link->job->options.heap)
    return 0;
  uint64_t counter = wt_plan_counts(link->plan) ? WT_FEATURE_BIT(WT_FEATURE_MUTABLE_GLOBALS) : 0;
  if (link->job->options.split)
    return counter | WT_FEATURE_BIT(WT_FEATURE_REFERENCE_TYPES);
  uint64_t threads = link->shared ? WT_FEATURE_BIT(WT_FEATURE_THREADS) : 0;
  if (link->hooks)
    threads |= WT_FEATURE_BIT(WT_FEATURE_REFERENCE_TYPES);
  return counter | threads |
         WT_FEATURE_BIT(link->module->memory_count ? WT_FEATURE_MULTI_MEMORY : WT_FEATURE_BULK_MEMORY);
}

bool wt_link_begin(wt_link *link, wt_job *job, const wt_plan *plan, wt_slice runtime) {
  *link = (wt_link){.job = job, .module = plan->module, .plan = plan, .outgoing = plan->module->global_count};
  link->counter = link->outgoing + plan->handshake;
  link->block = link->counter + wt_plan_counts(plan);
  link->allocating = link->block + 1;
  init_buffers(link);
  link->block_types = wt_arena_array(&job->arena, plan->module->type_count, sizeof(uint32_t));
  if (!link->block_types)
    return wt_fail_memory(job);
  link->shared = !job->options.split && !job->options.heap &&
                 (job->options.shared || plan->module->shares_memory || plan->clock.kind == WT_CLOCK_TICKER);
  if (job->options.split)
    wt_trampolines_add(link);
  else if (!wt_runtime_add(link, runtime))
    return false;
  link->features |= link_features(link);
  wt_clock_link(link);
  wt_heap_number(link);
  return number_thunks(link);
}

wtr_state wt_link_config(const wt_link *link, wt_buf *config, uint32_t *pages) {
  wtr_state state = wt_layout_state(link->plan, link->job->options.buffer_size, pages);
  if (!wt_guard_possible(link))
    state.flags |= WTR_FLAG_BLIND;
  wt_layout_write(&state, config);
  return state;
}

bool wt_link_ok(const wt_link *link) {
  bool failed = link->types.failed || link->func_types.failed || link->bodies.failed || link->names.failed ||
                link->shimmed.failed;
  return failed ? wt_fail_memory(link->job) : true;
}

void wt_link_free(wt_link *link) {
  if (!link->job)
    return;
  wt_buf_free(&link->types);
  wt_buf_free(&link->func_types);
  wt_buf_free(&link->bodies);
  wt_buf_free(&link->names);
  wt_buf_free(&link->shimmed);
}
