#include "runtime.h"

#include "entries.h"
#include "heap.h"
#include "merge.h"
#include "valtype.h"

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
    wt_link_add_name(link, funcs[func], runtime_func_name(link, func));
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

bool wt_runtime_add(wt_link *link, wt_slice bytes) {
  const wt_module *runtime = &link->runtime;
  wt_arena *arena = &link->job->arena;
  if (!wt_module_scan(&link->runtime, link->job, bytes, WT_SCAN_FRESH))
    return false;
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
