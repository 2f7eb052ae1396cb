/* Options and probes -> plan: a list of passes, each a few lines. */
#include "plan.h"

#include "clock.h"
#include "heap.h"
#include "name_entries.h"
#include "select.h"
#include "tables.h"
#include "wtr_abi.h"

/* The default of --min-size for bare `calls`: bodies below this are accessors and forwarders of a few instructions, whose
   probes would cost more than they do. */
#define TINY_BODY 16u

typedef struct planner {
  wt_job *job;
  wt_plan *plan;
  const wt_module *module;
} planner;

bool wt_plan_asks(const wt_plan *plan, const wt_job *job, unsigned kinds) {
  for (size_t i = 0; i < job->options.traces.count; i++)
    if (kinds & 1u << plan->probes[i].kind)
      return true;
  return false;
}

static bool has_kind(const planner *p, unsigned kinds) { return wt_plan_asks(p->plan, p->job, kinds); }

/* ---- parsing ---- */

static bool parse_probes(planner *p) {
  const wt_slices *traces = &p->job->options.traces;
  p->plan->probes = wt_arena_array(&p->job->arena, traces->count, sizeof(wt_probe));
  if (!p->plan->probes)
    return wt_fail_memory(p->job);
  for (size_t i = 0; i < traces->count; i++)
    if (!wt_probe_parse(p->job, traces->items[i], &p->plan->probes[i]))
      return false;
  return true;
}

static bool all_are(const planner *p, wt_probe_kind kind) {
  for (size_t i = 0; i < p->job->options.traces.count; i++)
    if (p->plan->probes[i].kind != kind)
      return false;
  return true;
}

/* ---- what is kept ---- */

/* Something is asked for that only a clock can tell. */
static bool asks_for_time(const planner *p) {
  return (p->job->options.displays & WT_DISPLAY_REPORT) || has_kind(p, 1u << WT_PROBE_DURATION);
}

/* Bare `calls` asks "what calls what": a tree. Calls of named functions read best nested, values as a flat log. */
static unsigned default_displays(const planner *p) {
  bool all_bare = true;
  for (size_t i = 0; i < p->job->options.traces.count; i++)
    all_bare &= wt_probe_is_bare_calls(&p->plan->probes[i]);
  if (all_bare)
    return WT_DISPLAY_TREE;
  if (all_are(p, WT_PROBE_DURATION))
    return WT_DISPLAY_HISTOGRAM;
  return has_kind(p, 1u << WT_PROBE_CALLS) ? WT_DISPLAY_NESTED : WT_DISPLAY_LOG;
}

static void choose_windows(planner *p) {
  const wt_options *options = &p->job->options;
  wt_plan *plan = p->plan;
  plan->windows = options->froms.count || options->untils.count;
  plan->counts_events = options->skip || options->max_events;
  plan->skip = options->skip;
  plan->most = options->max_events ? options->skip + options->max_events : UINT64_MAX;
  plan->full = options->full;
  plan->closed = (options->stopped ? WTR_CLOSED_HOST : 0) | (options->froms.count ? WTR_CLOSED_WINDOW : 0) |
                 (options->skip ? WTR_CLOSED_EVENTS : 0);
}

/* No tree shows where a memory grows, and what is drained is the events, whatever else is shown. */
static bool needs_events(const wt_plan *plan, const wt_options *options) {
  bool grow_events = plan->grow && !(plan->displays & WT_DISPLAY_HISTOGRAM);
  return plan->traps || grow_events || (plan->displays & (WT_DISPLAY_LOG | WT_DISPLAY_NESTED)) ||
         options->full == WTR_FULL_DRAIN;
}

static bool choose_structures(planner *p) {
  wt_plan *plan = p->plan;
  const wt_options *options = &p->job->options;
  plan->displays = options->displays ? options->displays : default_displays(p);
  plan->traps = has_kind(p, 1u << WT_PROBE_TRAPS);
  plan->grow = has_kind(p, 1u << WT_PROBE_MEMORY_GROW);
  plan->all_stacks = options->stack;
  plan->only = options->onlys.count > 0;
  plan->ring = needs_events(plan, options);
  if (!wt_clock_choose(plan, p->job, p->module, asks_for_time(p)))
    return false;
  choose_windows(p);
  plan->tree = (plan->displays & WT_DISPLAYS_OF_TREE) || wt_plan_timed(plan) || plan->all_stacks ||
               has_kind(p, 1u << WT_PROBE_STACK);
  plan->min_size = options->min_size_given ? options->min_size : TINY_BODY;
  unsigned valued = 1u << WT_PROBE_ARG | 1u << WT_PROBE_ARGS | 1u << WT_PROBE_RET | 1u << WT_PROBE_MEMORY_GROW |
                    1u << WT_PROBE_IMPORTS | 1u << WT_PROBE_DURATION;
  if ((plan->displays & WT_DISPLAY_HISTOGRAM) && !has_kind(p, valued))
    return wt_fail(
        p->job, WT_ERROR_PROBE, WT_NO_OFFSET,
        "a histogram counts values: trace arg(N, PATTERN), args(PATTERN), ret(PATTERN), duration(PATTERN) or "
        "memory.grow");
  if (has_kind(p, 1u << WT_PROBE_DURATION) && !wt_plan_timed(plan))
    return wt_fail(p->job, WT_ERROR_PROBE, WT_NO_OFFSET, "durations need a clock: --clock none has none");
  return true;
}

static bool choose_weights(planner *p) {
  const wt_options *options = &p->job->options;
  if (wt_plan_counts(p->plan))
    p->plan->weights = options->weights ? options->weights : wt_weights_new(p->job);
  return !wt_plan_counts(p->plan) || p->plan->weights;
}

/* ---- names ---- */

static bool is_everything(const wt_probe *probe) { return !probe->pattern || wt_pattern_is_everything(probe->pattern); }

static bool all_are_named(const planner *p) {
  const wt_module *module = p->module;
  wt_name_place place;
  for (size_t i = 0; i < module->section_count; i++)
    if (wt_is_name_section(&module->sections[i]) && wt_name_place_find(p->job, module, &module->sections[i], &place))
      return place.named >= module->func_count;
  return false;
}

/* Names cost time and memory, so plain `calls` on a module whose name section, which the reader of the trace has too, names
   all functions does without. */
static bool needs_names(const planner *p) {
  const wt_options *options = &p->job->options;
  bool all = options->hides.count == 0 && options->onlys.count == 0 && options->froms.count == 0 &&
             options->untils.count == 0 && all_are_named(p);
  for (size_t i = 0; i < options->traces.count; i++)
    all &= is_everything(&p->plan->probes[i]);
  return !all;
}

wt_names *wt_plan_names(wt_plan *plan, wt_job *job) {
  const wt_module *module = plan->module;
  wt_names_input input = {.function_count = module->func_count,
                          .imports = module->imports,
                          .import_count = module->func_imports,
                          .exports = module->exports,
                          .export_count = module->export_count,
                          .name_section = module->name_section,
                          .symbol_files = job->options.symbols.items,
                          .symbol_file_count = job->options.symbols.count};
  if (!plan->names)
    plan->names = wt_names_new(&job->arena, &input);
  return plan->names;
}

static bool make_names(planner *p) {
  return !needs_names(p) || wt_plan_names(p->plan, p->job) || wt_fail_memory(p->job);
}

bool wt_plan_make(wt_plan *plan, wt_job *job, const wt_module *module) {
  *plan = (wt_plan){.module = module};
  planner p = {job, plan, module};
  if (!parse_probes(&p) || !choose_structures(&p) || !choose_weights(&p) || !make_names(&p) ||
      !wt_heap_choose(plan, job) || !wt_select_functions(plan, job) || !wt_tables_number_values(plan, job) ||
      !wt_tables_number_durations(plan, job))
    return false;
  wt_plan_find_arrivals(plan);
  return true;
}

void wt_plan_free(wt_plan *plan, const wt_job *job) {
  for (size_t i = 0; plan->probes && i < job->options.traces.count; i++)
    if (plan->probes[i].pattern)
      wt_pattern_free(plan->probes[i].pattern);
}
