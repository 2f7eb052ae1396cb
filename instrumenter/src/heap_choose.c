/* Which allocator hands out the block, and what a host for which link mode heap is meant has not. */
#include "heap.h"

#include "valtype.h"

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

bool wt_heap_is_i32(wt_types types, uint32_t count) {
  bool same = types.count == count && types.encoded.size == count;
  for (size_t i = 0; i < types.encoded.size; i++)
    same &= types.encoded.data[i] == WT_TYPE_I32;
  return same;
}

static bool takes(const wt_module *module, uint32_t func, uint32_t params) {
  const wt_type *type = wt_module_func_type(module, func);
  return wt_heap_is_i32(type->params, params) && wt_heap_is_i32(type->results, 1);
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
