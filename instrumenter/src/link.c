#include "link.h"

#include "clock.h"
#include "entries.h"
#include "guard.h"
#include "heap.h"
#include "instr.h"
#include "layout.h"
#include "merge.h"
#include "shim.h"
#include "thunk.h"
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

static uint8_t letter_type(char letter) {
  switch (letter) {
  case 'i': return WT_TYPE_I32;
  case 'I': return WT_TYPE_I64;
  case 'D': return WT_TYPE_F64;
  default: return 0;
  }
}

/* "iI" -> i32 i64; "v" -> nothing. */
static wt_slice letters(const char *text, uint8_t *types) {
  size_t count = 0;
  for (; *text; text++)
    if (letter_type(*text))
      types[count++] = letter_type(*text);
  return (wt_slice){types, count};
}

#define MOST_ENTRY_PARAMS 4

static uint32_t add_entry_type(wt_link *link, int entry) {
  uint8_t params[MOST_ENTRY_PARAMS], results[1];
  wt_slice from = letters(wt_entry_rows[entry].params, params);
  wt_slice to = letters(wt_entry_rows[entry].result, results);
  return wt_link_add_type(link, from, (uint32_t)from.size, to, (uint32_t)to.size);
}

uint32_t wt_link_nullary_type(wt_link *link, bool result) {
  static const uint8_t i32[] = {WT_TYPE_I32};
  return wt_link_add_type(link, (wt_slice){0}, 0, (wt_slice){i32, result}, result);
}

static void add_name(wt_link *link, uint32_t func, const char *name) {
  wt_buf_u32(&link->names, func);
  wt_buf_name(&link->names, (wt_slice){(const uint8_t *)name, strlen(name)});
  link->name_count++;
}

uint32_t wt_link_add_function(wt_link *link, uint32_t type, const wt_buf *body, const char *name) {
  uint32_t func = link->module->func_count + link->func_count++;
  wt_buf_u32(&link->func_types, type);
  wt_buf_sized(&link->bodies, body);
  add_name(link, func, name);
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

/* ---- split: trampolines and no-ops ---- */

/* locals: none; local.get 0..n; i32.const slot; call_indirect type table; end */
static void trampoline_body(wt_link *link, wt_buf *body, uint32_t params, uint32_t type, uint32_t slot) {
  wt_buf_u8(body, 0);
  for (uint32_t i = 0; i < params; i++)
    wt_emit_local_get(body, i);
  wt_emit_i32(body, (int32_t)slot);
  wt_buf_u8(body, WT_OP_CALL_INDIRECT);
  wt_buf_u32(body, type);
  wt_buf_u32(body, link->module->table_count);
  wt_buf_u8(body, WT_OP_END);
}

static void noop_body(wt_buf *body, const char *result) {
  wt_buf_u8(body, 0);
  if (letter_type(*result) == WT_TYPE_I32)
    wt_emit_i32(body, 0);
  if (letter_type(*result) == WT_TYPE_I64)
    wt_emit_i64(body, 0);
  wt_buf_u8(body, WT_OP_END);
}

/* Behind each trampoline stands the no-op that its slot of the table holds at first. */
static void add_trampolines(wt_link *link) {
  wt_buf body;
  wt_buf_init(&body, &link->job->arena.allocator);
  uint32_t slot = 0;
  for (int entry = 0; entry < WTR_ENTRY_COUNT; entry++) {
    link->entries.func[entry] = WT_NO_INDEX;
    if (!wt_entry_needed(link->plan, entry))
      continue;
    uint32_t type = add_entry_type(link, entry);
    body.size = 0;
    uint8_t scratch[MOST_ENTRY_PARAMS];
    uint32_t params = (uint32_t)letters(wt_entry_rows[entry].params, scratch).size;
    trampoline_body(link, &body, params, type, slot++);
    link->entries.func[entry] = wt_link_add_function(link, type, &body, wt_entry_rows[entry].name);
    body.size = 0;
    noop_body(&body, wt_entry_rows[entry].result);
    wt_link_add_function(link, type, &body, "wtr_detached");
  }
  link->slots = slot;
  link->bodies.failed |= body.failed;
  wt_buf_free(&body);
}

/* ---- merged: the runtime itself ---- */

static uint32_t find_export(const wt_module *runtime, const char *name) {
  for (size_t i = 0; i < runtime->export_count; i++) {
    const wt_func_export *export = &runtime->exports[i];
    if (wt_slice_is(export->name, name))
      return export->func;
  }
  return WT_NO_INDEX;
}

/* Finds the runtime's functions that are needed as entries, and marks these and what they call. */
static bool choose_functions(wt_link *link, uint8_t *kept) {
  for (int entry = 0; entry < WTR_ENTRY_COUNT; entry++) {
    link->entries.func[entry] = WT_NO_INDEX;
    if (!wt_entry_needed(link->plan, entry))
      continue;
    uint32_t func = find_export(&link->runtime, wt_entry_rows[entry].name);
    if (func == WT_NO_INDEX)
      return wt_fail(link->job, WT_ERROR_MODULE, WT_NO_OFFSET, "the guest runtime does not export %s",
                     wt_entry_rows[entry].name);
    link->entries.func[entry] = func;
    kept[func] = true;
  }
  return wt_merge_mark(link->job, &link->runtime, kept);
}

static const char *runtime_func_name(const wt_link *link, uint32_t func) {
  for (int entry = 0; entry < WTR_ENTRY_COUNT; entry++)
    if (link->entries.func[entry] == func)
      return wt_entry_rows[entry].name;
  return "wtr_internal";
}

/* What a hook does while the loader has not filled the table: the clock stands still, and a full ring stays as it is. */
static void add_no_hook(wt_link *link, uint32_t hook, uint32_t type, wt_buf *body) {
  body->size = 0;
  wt_buf_u8(body, 0);
  if (hook == WTR_HOOK_NOW)
    wt_emit_f64_zero(body);
  wt_buf_u8(body, WT_OP_END);
  link->no_hooks[hook] = wt_link_add_function(link, type, body, "wtr_detached");
}

/* A function in the place of an import of the runtime, which calls through the table of hooks. */
static uint32_t add_hook(wt_link *link, uint32_t hook, wt_buf *body) {
  static const uint8_t double_result[] = {WT_TYPE_F64};
  uint32_t results = hook == WTR_HOOK_NOW;
  uint32_t type = wt_link_add_type(link, (wt_slice){0}, 0, (wt_slice){double_result, results}, results);
  add_no_hook(link, hook, type, body);
  body->size = 0;
  wt_buf_u8(body, 0);
  wt_emit_i32(body, (int32_t)hook);
  wt_buf_u8(body, WT_OP_CALL_INDIRECT);
  wt_buf_u32(body, type);
  wt_buf_u32(body, link->module->table_count);
  wt_buf_u8(body, WT_OP_END);
  return wt_link_add_function(link, type, body, "wtr_hook");
}

static bool fail_runtime(const wt_link *link, const char *message) {
  return wt_fail(link->job, WT_ERROR_MODULE, WT_NO_OFFSET, "%s", message);
}

static uint32_t find_runtime_import(const wt_module *runtime, const char *name) {
  for (uint32_t import = 0; import < runtime->func_imports; import++)
    if (wt_slice_is(runtime->imports[import].name, name))
      return import;
  return WT_NO_INDEX;
}

/* All of them, when one is needed: then none of the slots is empty. The runtime's imports are the hooks, by name. */
static bool add_hooks(wt_link *link, uint32_t block, const uint8_t *kept, uint32_t *funcs) {
  static const char *const names[WTR_HOOK_COUNT] = {"now", "full"};
  const wt_module *runtime = &link->runtime;
  for (uint32_t import = 0; import < runtime->func_imports; import++)
    link->hooks |= kept[import] && import != block;
  if (!link->hooks)
    return true;
  if (link->job->options.heap)
    return fail_runtime(link, "the guest runtime for --link heap calls the host");
  wt_buf body;
  wt_buf_init(&body, &link->job->arena.allocator);
  bool found = runtime->func_imports == WTR_HOOK_COUNT;
  for (uint32_t hook = 0; hook < WTR_HOOK_COUNT; hook++) {
    uint32_t func = add_hook(link, hook, &body), import = find_runtime_import(runtime, names[hook]);
    found &= import != WT_NO_INDEX;
    if (import != WT_NO_INDEX)
      funcs[import] = func;
  }
  link->bodies.failed |= body.failed;
  wt_buf_free(&body);
  return found || fail_runtime(link, "the guest runtime imports what is no hook");
}

static void add_runtime_types(wt_link *link) {
  const wt_module *runtime = &link->runtime;
  for (uint32_t i = 0; i < runtime->type_count; i++)
    wt_link_add_type(link, runtime->types[i].params.encoded, runtime->types[i].params.count,
                     runtime->types[i].results.encoded, runtime->types[i].results.count);
}

/* Those that are kept get indices, in their order, and names. */
static void add_runtime_functions(wt_link *link, const uint8_t *kept, uint32_t first_type, uint32_t *funcs) {
  const wt_module *runtime = &link->runtime;
  for (uint32_t func = runtime->func_imports; func < runtime->func_count; func++) {
    funcs[func] = WT_NO_INDEX;
    if (!kept[func])
      continue;
    funcs[func] = link->module->func_count + link->func_count++;
    wt_buf_u32(&link->func_types, first_type + runtime->func_types[func]);
    add_name(link, funcs[func], runtime_func_name(link, func));
  }
  for (int entry = 0; entry < WTR_ENTRY_COUNT; entry++)
    if (link->entries.func[entry] != WT_NO_INDEX)
      link->entries.func[entry] = funcs[link->entries.func[entry]];
}

typedef struct guarded {
  const wt_link *link;
  const uint32_t *funcs; /* by function of the runtime */
} guarded;

static void begin_guarded(void *user, uint32_t func, wt_buf *code) {
  const guarded *g = user;
  for (int entry = 0; entry < WTR_ENTRY_COUNT; entry++)
    if (g->link->entries.func[entry] == g->funcs[func]) {
      wt_heap_guard(g->link, entry, code);
      return;
    }
}

static bool add_runtime(wt_link *link) {
  const wt_module *runtime = &link->runtime;
  wt_arena *arena = &link->job->arena;
  uint8_t *kept = wt_arena_array(arena, runtime->func_count, 1);
  uint32_t *funcs = wt_arena_array(arena, runtime->func_count, sizeof(uint32_t));
  if (!kept || !funcs)
    return wt_fail_memory(link->job);
  if (runtime->table_count || runtime->global_count || runtime->data_count)
    return fail_runtime(link, "the guest runtime has tables, globals or data, which cannot be merged");
  /* It tells where the block is, which a global replaces; only the runtime for link mode heap has it. */
  uint32_t block = find_runtime_import(runtime, "block");
  bool heap = link->job->options.heap;
  if (heap != (block != WT_NO_INDEX))
    return fail_runtime(link, heap ? "--link heap needs the guest runtime that is made for it"
                                   : "this guest runtime is for --link heap only");
  if (!choose_functions(link, kept))
    return false;
  uint32_t first_type = link->module->type_count + link->type_count;
  add_runtime_types(link);
  if (!add_hooks(link, block, kept, funcs))
    return false;
  add_runtime_functions(link, kept, first_type, funcs);
  guarded entries = {link, funcs};
  wt_merge_map map = {.funcs = funcs,
                      .memory = heap ? 0 : link->module->memory_count,
                      .block = block,
                      .global = link->block,
                      .begin = heap ? begin_guarded : NULL,
                      .user = &entries};
  return wt_merge_bodies(link->job, runtime, &map, &link->bodies, &link->features);
}

/* ---- thunks around imports ---- */

/* Bodies are rewritten before it is known which flavour of exceptions the module uses, so thunks get their indices first
   and their bodies last. */
static bool number_thunks(wt_link *link) {
  uint32_t imports = link->module->func_imports;
  bool positions = wt_plan_positions(link->plan);
  if (!imports || (!positions && !link->plan->selected_imports))
    return true;
  link->thunks = wt_arena_array(&link->job->arena, imports, sizeof(uint32_t));
  if (!link->thunks)
    return wt_fail_memory(link->job);
  uint32_t next = link->module->func_count + link->func_count + link->job->options.heap;
  for (uint32_t import = 0; import < imports; import++) {
    bool wanted = positions || (link->plan->flags[import] & WT_PLAN_SELECTED);
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
  if (link->job->options.split)
    return WT_FEATURE_BIT(WT_FEATURE_REFERENCE_TYPES);
  if (link->job->options.heap)
    return 0;
  uint64_t threads = link->shared ? WT_FEATURE_BIT(WT_FEATURE_THREADS) : 0;
  if (link->hooks)
    threads |= WT_FEATURE_BIT(WT_FEATURE_REFERENCE_TYPES);
  return threads | WT_FEATURE_BIT(link->module->memory_count ? WT_FEATURE_MULTI_MEMORY : WT_FEATURE_BULK_MEMORY);
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
  link->shared = !job->options.split && !job->options.heap && (job->options.shared || plan->module->shares_memory);
  if (job->options.split)
    add_trampolines(link);
  else if (!wt_module_scan(&link->runtime, job, runtime, WT_SCAN_FRESH) || !add_runtime(link))
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
