#include "limits.h"

typedef struct wt_counts {
  uint64_t types, functions, tables, memories, globals, exports, elements, data;
} wt_counts;

static wt_counts counts_of(const wt_module *module) {
  return (wt_counts){.types = module->type_count,
                     .functions = module->func_count,
                     .tables = module->table_count,
                     .memories = module->memory_count,
                     .globals = module->global_count,
                     .exports = module->all_exports,
                     .elements = module->elem_count,
                     .data = module->data_count};
}

static void add_merged(wt_counts *counts) {
  counts->memories++;
  counts->data++;
}

static void add_split(wt_counts *counts) {
  counts->tables++;
  counts->elements++;
}

static void add_linked(wt_counts *counts, const wt_link *link) {
  counts->types += link->type_count;
  counts->functions += link->func_count;
  counts->globals += link->plan->handshake + wt_plan_counts(link->plan) + (link->job->options.heap ? 2 : 0);
  counts->tables += link->hooks;
  counts->elements += link->hooks;
  counts->exports += 1 + (link->start_shim != 0) + link->hooks + wt_plan_counts(link->plan);
  if (link->job->options.split)
    add_split(counts);
  else if (!link->job->options.heap)
    add_merged(counts);
}

typedef struct passed {
  const char *what; /* NULL: none */
  uint64_t count, most;
} passed;

/* The first limit that the original keeps and the result does not. */
static passed find_passed(wt_counts before, wt_counts after) {
#define WT_LIMIT(field, text, limit) \
  if (before.field <= (limit) && after.field > (limit)) \
    return (passed){text, after.field, limit};
#include "limits.def"
#undef WT_LIMIT
  return (passed){0};
}

bool wt_limits_allow_merged(const wt_module *module) {
  wt_counts before = counts_of(module), after = before;
  add_merged(&after);
  return !find_passed(before, after).what;
}

bool wt_limits_check(const wt_link *link) {
  wt_counts before = counts_of(link->module), after = before;
  add_linked(&after, link);
  passed limit = find_passed(before, after);
  if (!limit.what)
    return true;
  bool merged = !link->job->options.split && !link->job->options.heap && !wt_limits_allow_merged(link->module);
  return wt_fail(link->job, WT_ERROR_LIMIT, WT_NO_OFFSET,
                 "the result would have %llu %s, and engines take at most %llu%s", (unsigned long long)limit.count,
                 limit.what, (unsigned long long)limit.most, merged ? "; --link split adds none" : "");
}

bool wt_limits_check_size(wt_job *job, size_t before, size_t after) {
  if (after <= WT_MOST_MODULE_BYTES || before > WT_MOST_MODULE_BYTES)
    return true;
  return wt_fail(job, WT_ERROR_LIMIT, WT_NO_OFFSET, "the result would have %zu bytes, and engines take at most %u",
                 after, WT_MOST_MODULE_BYTES);
}
