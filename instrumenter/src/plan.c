/* Options and probes -> plan: a list of passes, each a few lines. */
#include "plan.h"

#include "clock.h"
#include "heap.h"
#include "name_entries.h"
#include "tables.h"
#include "valtype.h"
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

static bool is_bare_calls(const wt_probe *probe) { return probe->kind == WT_PROBE_CALLS && !probe->pattern; }

/* ---- what is kept ---- */

/* Something is asked for that only a clock can tell. */
static bool asks_for_time(const planner *p) {
  return (p->job->options.displays & WT_DISPLAY_REPORT) || has_kind(p, 1u << WT_PROBE_DURATION);
}

/* Bare `calls` asks "what calls what": a tree. Calls of named functions read best nested, values as a flat log. */
static unsigned default_displays(const planner *p) {
  bool all_bare = true;
  for (size_t i = 0; i < p->job->options.traces.count; i++)
    all_bare &= is_bare_calls(&p->plan->probes[i]);
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
  plan->closed =
      (options->stopped || options->froms.count ? WTR_CLOSED_WINDOW : 0) | (options->skip ? WTR_CLOSED_EVENTS : 0);
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

/* ---- selecting ---- */

static bool matches(const planner *p, const wt_pattern *pattern, uint32_t func) {
  return !pattern || wt_pattern_is_everything(pattern) || wt_pattern_matches(pattern, p->plan->names, func);
}

/* The detail of a function, with room for all its values. */
static wt_detail *detail_of(planner *p, uint32_t func) {
  wt_plan *plan = p->plan;
  wt_arena *arena = &p->job->arena;
  if (!plan->details)
    plan->details = wt_arena_array(arena, p->module->func_count, sizeof(wt_detail *));
  if (!plan->details || plan->details[func])
    return plan->details ? plan->details[func] : NULL;
  const wt_type *type = wt_module_func_type(p->module, func);
  wt_detail *detail = wt_arena_alloc(arena, sizeof(wt_detail));
  if (!detail)
    return NULL;
  detail->args = wt_arena_array(arena, type->params.count, sizeof(wt_value));
  detail->results = wt_arena_array(arena, type->results.count, sizeof(wt_value));
  return detail->args && detail->results ? plan->details[func] = detail : NULL;
}

/* Adds the wanted values (all, or one) that are not in the list yet, keeping the list in the order of their indices. */
static void add_values(wt_value *values, uint32_t *count, wt_types types, uint32_t first, uint32_t last) {
  const uint8_t *encoded = types.encoded.data;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < types.count; i++, encoded += wt_valtype_size(encoded)) {
    bool there = kept < *count && values[kept].index == i;
    if (!there && (i < first || i > last))
      continue;
    if (!there) {
      memmove(values + kept + 1, values + kept, (*count - kept) * sizeof(wt_value));
      values[kept] = (wt_value){i, *encoded, wt_valtype_display(encoded), WT_NO_INDEX};
      (*count)++;
    }
    kept++;
  }
}

static bool select_values(planner *p, const wt_probe *probe, uint32_t func) {
  wt_detail *detail = detail_of(p, func);
  if (!detail)
    return wt_fail_memory(p->job);
  const wt_type *type = wt_module_func_type(p->module, func);
  if (probe->kind == WT_PROBE_ARG)
    add_values(detail->args, &detail->arg_count, type->params, probe->number, probe->number);
  if (probe->kind == WT_PROBE_ARGS || probe->kind == WT_PROBE_IMPORTS) {
    add_values(detail->args, &detail->arg_count, type->params, 0, UINT32_MAX);
    detail->all_args = true;
  }
  if (probe->kind == WT_PROBE_RET || probe->kind == WT_PROBE_IMPORTS)
    add_values(detail->results, &detail->result_count, type->results, 0, UINT32_MAX);
  return true;
}

static bool wants_values(const wt_probe *probe) {
  return probe->kind == WT_PROBE_ARG || probe->kind == WT_PROBE_ARGS || probe->kind == WT_PROBE_RET ||
         probe->kind == WT_PROBE_IMPORTS;
}

static bool select_func(planner *p, const wt_probe *probe, uint32_t func) {
  uint16_t *flags = &p->plan->flags[func];
  bool sweeping = is_bare_calls(probe) || (probe->kind == WT_PROBE_CALLS && p->job->options.min_size_given);
  if (!sweeping)
    *flags &= (uint16_t)~WT_PLAN_UNLESS_TINY;
  else if (!(*flags & WT_PLAN_SELECTED))
    *flags |= WT_PLAN_UNLESS_TINY;
  *flags |= WT_PLAN_SELECTED;
  if (probe->kind == WT_PROBE_STACK || p->plan->all_stacks)
    *flags |= WT_PLAN_STACK;
  if (probe->kind == WT_PROBE_DURATION)
    *flags |= WT_PLAN_DURATION;
  return !wants_values(probe) || select_values(p, probe, func);
}

/* Whether the function has what the probe asks for: arg(3, f) of a function with two parameters does not. */
static bool applies(const planner *p, const wt_probe *probe, uint32_t func) {
  return probe->kind != WT_PROBE_ARG || probe->number < wt_module_func_type(p->module, func)->params.count;
}

/* Selects functions in [first, end); counts matching names, whether the probe applies to them or not. */
static bool select_range(planner *p, const wt_probe *probe, uint32_t first, uint32_t end, uint32_t *matched,
                         uint32_t *selected) {
  for (uint32_t func = first; func < end; func++) {
    if (!matches(p, probe->pattern, func))
      continue;
    (*matched)++;
    if (!applies(p, probe, func))
      continue;
    (*selected)++;
    if (!select_func(p, probe, func))
      return false;
  }
  return true;
}

/* No error: another module may have the function. */
static bool note_miss(planner *p, size_t pattern, const char *text) {
  if (!text)
    return wt_fail_memory(p->job);
  p->plan->misses[p->plan->miss_count++] = (wt_miss){(uint32_t)pattern, text};
  return true;
}

static const char *no_match_text(const planner *p, const wt_probe *probe) {
  return wt_names_no_match(p->plan->names, probe->pattern, probe->pattern_text, probe->kind == WT_PROBE_IMPORTS);
}

static bool fail_no_match(planner *p, const wt_probe *probe, uint32_t matched) {
  if (matched && probe->kind == WT_PROBE_ARG)
    return wt_fail(p->job, WT_ERROR_NO_MATCH, WT_NO_OFFSET, "%.*s: no function that matches has an argument %u",
                   (int)probe->text.size, (const char *)probe->text.data, probe->number);
  if (!probe->pattern)
    return wt_fail(p->job, WT_ERROR_NO_MATCH, WT_NO_OFFSET, "%.*s: the module has no %s", (int)probe->text.size,
                   (const char *)probe->text.data,
                   probe->kind == WT_PROBE_IMPORTS ? "imported functions" : "functions");
  if (!p->plan->names)
    return wt_fail(p->job, WT_ERROR_NO_MATCH, WT_NO_OFFSET, "the module has no functions");
  const char *message = no_match_text(p, probe);
  return message ? wt_fail(p->job, WT_ERROR_NO_MATCH, WT_NO_OFFSET, "%s", message) : wt_fail_memory(p->job);
}

/* What a probe found. */
typedef struct wt_found {
  uint32_t matched;  /* names */
  uint32_t selected; /* functions that also have what the probe asks for */
} wt_found;

/* Patterns mean the module's own functions, and imports where none of these matches or where imports are asked for. */
static bool select_probe(planner *p, const wt_probe *probe, wt_found *found) {
  uint32_t imports = p->module->func_imports;
  *found = (wt_found){0};
  if (probe->kind != WT_PROBE_IMPORTS &&
      !select_range(p, probe, imports, p->module->func_count, &found->matched, &found->selected))
    return false;
  if (found->matched || (!probe->pattern && probe->kind != WT_PROBE_IMPORTS))
    return true;
  return select_range(p, probe, 0, imports, &found->matched, &found->selected);
}

/* memory.grow and traps may find nothing to do and are right all the same. */
static bool needs_functions(const wt_probe *probe) {
  return probe->kind != WT_PROBE_MEMORY_GROW && probe->kind != WT_PROBE_TRAPS;
}

static bool select_all(planner *p) {
  const wt_probe *failed = NULL;
  wt_found failure = {0};
  size_t count = p->job->options.traces.count, failures = 0;
  for (size_t i = 0; i < count; i++) {
    const wt_probe *probe = &p->plan->probes[i];
    wt_found found = {0};
    if (probe->kind != WT_PROBE_MEMORY_GROW && !select_probe(p, probe, &found))
      return false;
    if (found.selected || !needs_functions(probe))
      continue;
    if (p->job->options.some_match && probe->pattern && !found.matched && p->plan->names &&
        !note_miss(p, i, no_match_text(p, probe)))
      return false;
    if (failures++)
      continue;
    failed = probe;
    failure = found;
  }
  bool enough = !failures || (p->job->options.some_match && failures < count);
  return enough || fail_no_match(p, failed, failure.matched);
}

/* `traps` wants the last host calls too, with their arguments. */
static bool select_imports_for_traps(planner *p) {
  if (!p->plan->traps)
    return true;
  wt_probe imports = {.kind = WT_PROBE_IMPORTS};
  uint32_t matched = 0, selected = 0;
  return select_range(p, &imports, 0, p->module->func_imports, &matched, &selected);
}

/* ---- --hide and --only ---- */

static void hide(planner *p, uint32_t func) {
  p->plan->flags[func] &= (uint16_t) ~(WT_PLAN_SELECTED | WT_PLAN_UNLESS_TINY | WT_PLAN_TRACKED | WT_PLAN_DURATION);
  p->plan->flags[func] |= WT_PLAN_HIDDEN;
  if (p->plan->details)
    p->plan->details[func] = NULL;
}

static void open_window(planner *p, uint32_t func) { p->plan->flags[func] |= WT_PLAN_FROM; }

static void close_window(planner *p, uint32_t func) { p->plan->flags[func] |= WT_PLAN_UNTIL; }

static void open_only(planner *p, uint32_t func) { p->plan->flags[func] |= WT_PLAN_ONLY; }

typedef void apply_pattern(planner *p, uint32_t func);

static uint32_t apply_matching(planner *p, const wt_pattern *pattern, apply_pattern *apply) {
  uint32_t matched = 0;
  for (uint32_t func = apply == open_only ? p->module->func_imports : 0; func < p->module->func_count; func++)
    if (matches(p, pattern, func)) {
      apply(p, func);
      matched++;
    }
  return matched;
}

/* NULL when out of memory, or where no name was needed. What is recorded inside of begins in a function of the module. */
static const char *no_match(planner *p, const wt_pattern *pattern, wt_slice text, apply_pattern *apply) {
  for (uint32_t func = 0; apply == open_only && func < p->module->func_imports; func++)
    if (matches(p, pattern, func))
      return wt_arena_format(&p->job->arena, "%.*s is an import: --only and --during take functions of the module",
                             (int)text.size, (const char *)text.data);
  return p->plan->names ? wt_names_no_match(p->plan->names, pattern, text, false) : NULL;
}

/* `first`: the number of the first of these patterns. */
static bool for_matching(planner *p, const wt_slices *patterns, apply_pattern *apply, size_t first) {
  for (size_t i = 0; i < patterns->count; i++) {
    const char *message = NULL;
    size_t column = 0;
    wt_pattern *pattern = wt_pattern_new(&p->job->arena, patterns->items[i], &message, &column);
    if (!pattern)
      return message ? wt_fail(p->job, WT_ERROR_PROBE, column, "%s", message) : wt_fail_memory(p->job);
    uint32_t matched = apply_matching(p, pattern, apply);
    const char *none = matched ? NULL : no_match(p, pattern, patterns->items[i], apply);
    wt_pattern_free(pattern);
    bool optional = p->job->options.some_match && (apply == hide || apply == close_window);
    if (!matched && optional && p->plan->names && !note_miss(p, first + i, none))
      return false;
    if (!matched && !optional)
      return none ? wt_fail(p->job, WT_ERROR_NO_MATCH, WT_NO_OFFSET, "%s", none) : wt_fail_memory(p->job);
  }
  return true;
}

/* A stack is only right when every frame passes its position on. */
static void track_all(planner *p) {
  bool stacks = p->plan->all_stacks || has_kind(p, 1u << WT_PROBE_STACK);
  for (uint32_t func = p->module->func_imports; stacks && func < p->module->func_count; func++)
    p->plan->flags[func] |= WT_PLAN_TRACKED;
}

static void count_imports(planner *p) {
  for (uint32_t func = 0; func < p->module->func_imports; func++)
    p->plan->selected_imports += (p->plan->flags[func] & WT_PLAN_SELECTED) != 0;
}

bool wt_plan_make(wt_plan *plan, wt_job *job, const wt_module *module) {
  *plan = (wt_plan){.module = module};
  planner p = {job, plan, module};
  size_t patterns = job->options.traces.count + job->options.hides.count + job->options.untils.count;
  plan->flags = wt_arena_array(&job->arena, module->func_count, sizeof(uint16_t));
  plan->misses = wt_arena_array(&job->arena, patterns, sizeof(wt_miss));
  if (!plan->flags || !plan->misses)
    return wt_fail_memory(job);
  if (!parse_probes(&p) || !choose_structures(&p) || !choose_weights(&p) || !make_names(&p) ||
      !wt_heap_choose(plan, job) || !select_all(&p) || !select_imports_for_traps(&p))
    return false;
  track_all(&p);
  size_t traces = job->options.traces.count, hides = job->options.hides.count;
  if (!for_matching(&p, &job->options.hides, hide, traces) || !for_matching(&p, &job->options.onlys, open_only, 0) ||
      !for_matching(&p, &job->options.froms, open_window, 0) ||
      !for_matching(&p, &job->options.untils, close_window, traces + hides) || !wt_tables_number_values(plan, job) ||
      !wt_tables_number_durations(plan, job))
    return false;
  count_imports(&p);
  wt_plan_find_arrivals(plan);
  return true;
}

void wt_plan_free(wt_plan *plan, const wt_job *job) {
  for (size_t i = 0; plan->probes && i < job->options.traces.count; i++)
    if (plan->probes[i].pattern)
      wt_pattern_free(plan->probes[i].pattern);
}
