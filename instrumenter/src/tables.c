#include "tables.h"

#include "valtype.h"

/* Percentiles of so many functions take a megabyte of the debuggee's heap. */
#define MOST_HEAP_DURATIONS 256u

/* A histogram takes 2 KiB; more of them than this is a question nobody can read the answer of. */
#define MOST_HISTOGRAMS 4096u

static bool countable(uint8_t type) { return type >= WT_TYPE_F64 && type <= WT_TYPE_I32; }

static void number_values(wt_plan *plan, wt_value *values, uint32_t count, uint32_t func, uint8_t what) {
  for (uint32_t i = 0; i < count; i++) {
    if (!countable(values[i].type) || plan->histogram_count++ >= MOST_HISTOGRAMS)
      continue;
    values[i].histogram = plan->histogram_count - 1;
    plan->histograms[values[i].histogram] = (wt_histogram){func, what, values[i].index, values[i].display};
  }
}

bool wt_tables_number_values(wt_plan *plan, wt_job *job) {
  plan->grow_histogram = WT_NO_INDEX;
  if (!(plan->displays & WT_DISPLAY_HISTOGRAM))
    return true;
  plan->histograms = wt_arena_array(&job->arena, MOST_HISTOGRAMS + 1, sizeof(wt_histogram));
  if (!plan->histograms)
    return wt_fail_memory(job);
  for (uint32_t func = 0; plan->details && func < plan->module->func_count; func++) {
    wt_detail *detail = plan->details[func];
    if (!detail)
      continue;
    number_values(plan, detail->args, detail->arg_count, func, 0);
    number_values(plan, detail->results, detail->result_count, func, 1);
  }
  if (plan->grow && plan->histogram_count <= MOST_HISTOGRAMS) {
    plan->grow_histogram = plan->histogram_count++;
    plan->histograms[plan->grow_histogram] = (wt_histogram){0, 2, 0, WT_TYPE_I64};
  }
  if (plan->histogram_count > MOST_HISTOGRAMS)
    return wt_fail(job, WT_ERROR_LIMIT, WT_NO_OFFSET,
                   "%u histograms at once are too many (at most %u): narrow the pattern", plan->histogram_count,
                   MOST_HISTOGRAMS);
  if (!plan->histogram_count && !wt_plan_asks(plan, job, 1u << WT_PROBE_DURATION))
    return wt_fail(job, WT_ERROR_NO_MATCH, WT_NO_OFFSET,
                   "nothing to count: the values that were selected are not numbers, or there are none");
  return true;
}

/* The report has a row for it. */
static bool is_shown(const wt_plan *plan, uint32_t func) {
  return func < plan->module->func_imports ? wt_plan_has_node_of_import(plan, func)
                                           : (plan->flags[func] & WT_PLAN_SELECTED) != 0;
}

/* Percentiles of the report come from them, so it counts the durations of all that it shows, while these are not too many. */
static void count_all_durations(wt_plan *plan, const wt_job *job) {
  uint32_t shown = 0, most = job->options.heap ? MOST_HEAP_DURATIONS : MOST_HISTOGRAMS;
  for (uint32_t func = 0; func < plan->module->func_count; func++)
    shown += is_shown(plan, func);
  for (uint32_t func = 0; shown <= most && func < plan->module->func_count; func++)
    if (is_shown(plan, func))
      plan->flags[func] |= WT_PLAN_DURATION;
}

bool wt_tables_number_durations(wt_plan *plan, wt_job *job) {
  if ((plan->displays & WT_DISPLAY_REPORT) && wt_plan_timed(plan))
    count_all_durations(plan, job);
  for (uint32_t func = 0; func < plan->module->func_count; func++)
    plan->duration_count += (plan->flags[func] & WT_PLAN_DURATION) != 0;
  if (!plan->duration_count)
    return true;
  if (plan->duration_count > MOST_HISTOGRAMS)
    return wt_fail(job, WT_ERROR_LIMIT, WT_NO_OFFSET,
                   "durations of %u functions at once are too many (at most %u): narrow the pattern",
                   plan->duration_count, MOST_HISTOGRAMS);
  plan->durations = wt_arena_array(&job->arena, plan->duration_count, sizeof(uint32_t));
  if (!plan->durations)
    return wt_fail_memory(job);
  for (uint32_t func = 0, i = 0; func < plan->module->func_count; func++)
    if (plan->flags[func] & WT_PLAN_DURATION)
      plan->durations[i++] = func;
  return true;
}
