#include "select.h"

#include "valtype.h"

typedef struct selector {
  wt_job *job;
  wt_plan *plan;
  const wt_module *module;
} selector;

static bool matches(const selector *s, const wt_pattern *pattern, uint32_t func) {
  return !pattern || wt_pattern_is_everything(pattern) || wt_pattern_matches(pattern, s->plan->names, func);
}

/* ---- values ---- */

/* The detail of a function, with room for all its values. */
static wt_detail *detail_of(selector *s, uint32_t func) {
  wt_plan *plan = s->plan;
  wt_arena *arena = &s->job->arena;
  if (!plan->details)
    plan->details = wt_arena_array(arena, s->module->func_count, sizeof(wt_detail *));
  if (!plan->details || plan->details[func])
    return plan->details ? plan->details[func] : NULL;
  const wt_type *type = wt_module_func_type(s->module, func);
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

static bool select_values(selector *s, const wt_probe *probe, uint32_t func) {
  wt_detail *detail = detail_of(s, func);
  if (!detail)
    return wt_fail_memory(s->job);
  const wt_type *type = wt_module_func_type(s->module, func);
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

/* ---- functions ---- */

static bool select_func(selector *s, const wt_probe *probe, uint32_t func) {
  uint16_t *flags = &s->plan->flags[func];
  bool sweeping = wt_probe_is_bare_calls(probe) || (probe->kind == WT_PROBE_CALLS && s->job->options.min_size_given);
  if (!sweeping)
    *flags &= (uint16_t)~WT_PLAN_UNLESS_TINY;
  else if (!(*flags & WT_PLAN_SELECTED))
    *flags |= WT_PLAN_UNLESS_TINY;
  *flags |= WT_PLAN_SELECTED;
  if (probe->kind == WT_PROBE_STACK || s->plan->all_stacks)
    *flags |= WT_PLAN_STACK;
  if (probe->kind == WT_PROBE_DURATION)
    *flags |= WT_PLAN_DURATION;
  return !wants_values(probe) || select_values(s, probe, func);
}

/* Whether the function has what the probe asks for: arg(3, f) of a function with two parameters does not. */
static bool applies(const selector *s, const wt_probe *probe, uint32_t func) {
  return probe->kind != WT_PROBE_ARG || probe->number < wt_module_func_type(s->module, func)->params.count;
}

/* What a probe found. */
typedef struct findings {
  uint32_t matched;  /* names */
  uint32_t selected; /* functions that also have what the probe asks for */
} findings;

/* Selects functions in [first, end), and adds to what was found. */
static bool select_range(selector *s, const wt_probe *probe, uint32_t first, uint32_t end, findings *found) {
  for (uint32_t func = first; func < end; func++) {
    if (!matches(s, probe->pattern, func))
      continue;
    found->matched++;
    if (!applies(s, probe, func))
      continue;
    found->selected++;
    if (!select_func(s, probe, func))
      return false;
  }
  return true;
}

/* No error: another module may have the function. */
static bool note_miss(selector *s, size_t pattern, const char *text) {
  if (!text)
    return wt_fail_memory(s->job);
  s->plan->misses[s->plan->miss_count++] = (wt_miss){(uint32_t)pattern, text};
  return true;
}

static const char *no_match_text(const selector *s, const wt_probe *probe) {
  return wt_names_no_match(s->plan->names, probe->pattern, probe->pattern_text, probe->kind == WT_PROBE_IMPORTS);
}

static bool fail_no_match(selector *s, const wt_probe *probe, uint32_t matched) {
  if (matched && probe->kind == WT_PROBE_ARG)
    return wt_fail(s->job, WT_ERROR_NO_MATCH, WT_NO_OFFSET, "%.*s: no function that matches has an argument %u",
                   (int)probe->text.size, (const char *)probe->text.data, probe->number);
  if (!probe->pattern)
    return wt_fail(s->job, WT_ERROR_NO_MATCH, WT_NO_OFFSET, "%.*s: the module has no %s", (int)probe->text.size,
                   (const char *)probe->text.data,
                   probe->kind == WT_PROBE_IMPORTS ? "imported functions" : "functions");
  if (!s->plan->names)
    return wt_fail(s->job, WT_ERROR_NO_MATCH, WT_NO_OFFSET, "the module has no functions");
  const char *message = no_match_text(s, probe);
  return message ? wt_fail(s->job, WT_ERROR_NO_MATCH, WT_NO_OFFSET, "%s", message) : wt_fail_memory(s->job);
}

/* Patterns mean the module's own functions, and imports where none of these matches or where imports are asked for. */
static bool select_probe(selector *s, const wt_probe *probe, findings *found) {
  uint32_t imports = s->module->func_imports;
  *found = (findings){0};
  if (probe->kind != WT_PROBE_IMPORTS && !select_range(s, probe, imports, s->module->func_count, found))
    return false;
  if (found->matched || (!probe->pattern && probe->kind != WT_PROBE_IMPORTS))
    return true;
  return select_range(s, probe, 0, imports, found);
}

/* memory.grow and traps may find nothing to do and are right all the same. */
static bool needs_functions(const wt_probe *probe) {
  return probe->kind != WT_PROBE_MEMORY_GROW && probe->kind != WT_PROBE_TRAPS;
}

static bool select_all(selector *s) {
  const wt_probe *failed = NULL;
  findings failure = {0};
  size_t count = s->job->options.traces.count, failures = 0;
  for (size_t i = 0; i < count; i++) {
    const wt_probe *probe = &s->plan->probes[i];
    findings found = {0};
    if (probe->kind != WT_PROBE_MEMORY_GROW && !select_probe(s, probe, &found))
      return false;
    if (found.selected || !needs_functions(probe))
      continue;
    if (s->job->options.some_match && probe->pattern && !found.matched && s->plan->names &&
        !note_miss(s, i, no_match_text(s, probe)))
      return false;
    if (failures++)
      continue;
    failed = probe;
    failure = found;
  }
  bool enough = !failures || (s->job->options.some_match && failures < count);
  return enough || fail_no_match(s, failed, failure.matched);
}

/* `traps` wants the last host calls too, with their arguments. */
static bool select_imports_for_traps(selector *s) {
  if (!s->plan->traps)
    return true;
  wt_probe imports = {.kind = WT_PROBE_IMPORTS};
  findings all = {0};
  return select_range(s, &imports, 0, s->module->func_imports, &all);
}

/* ---- --hide, --only, --from and --until ---- */

typedef void marker(selector *s, uint32_t func);

static void hide(selector *s, uint32_t func) {
  s->plan->flags[func] &= (uint16_t) ~(WT_PLAN_SELECTED | WT_PLAN_UNLESS_TINY | WT_PLAN_TRACKED | WT_PLAN_DURATION);
  s->plan->flags[func] |= WT_PLAN_HIDDEN;
  if (s->plan->details)
    s->plan->details[func] = NULL;
}

static void open_only(selector *s, uint32_t func) { s->plan->flags[func] |= WT_PLAN_ONLY; }

static void open_window(selector *s, uint32_t func) { s->plan->flags[func] |= WT_PLAN_FROM; }

static void close_window(selector *s, uint32_t func) { s->plan->flags[func] |= WT_PLAN_UNTIL; }

/* Patterns of one option, and what becomes of the functions that match. Without --hide and --until the rest of a question still makes sense:
   there a pattern may miss where others match. */
typedef struct marking {
  const wt_slices *patterns;
  marker *mark;
  bool inside; /* of their calls: then they are functions of the module, not imports */
  bool may_miss;
  size_t first; /* where they may: the number of the first pattern among all that may */
} marking;

static bool mark_matching(selector *s, const wt_pattern *pattern, const marking *m) {
  bool any = false;
  for (uint32_t func = m->inside ? s->module->func_imports : 0; func < s->module->func_count; func++)
    if (matches(s, pattern, func)) {
      m->mark(s, func);
      any = true;
    }
  return any;
}

/* NULL when out of memory. */
static const char *no_match(selector *s, const wt_pattern *pattern, wt_slice text, const marking *m) {
  for (uint32_t func = 0; m->inside && func < s->module->func_imports; func++)
    if (matches(s, pattern, func))
      return wt_arena_format(&s->job->arena, "%.*s is an import: --only and --during take functions of the module",
                             (int)text.size, (const char *)text.data);
  return wt_names_no_match(s->plan->names, pattern, text, false);
}

static bool apply_pattern(selector *s, const marking *m, size_t i) {
  wt_slice text = m->patterns->items[i];
  const char *message = NULL;
  size_t column = 0;
  wt_pattern *pattern = wt_pattern_new(&s->job->arena, text, &message, &column);
  if (!pattern)
    return message ? wt_fail(s->job, WT_ERROR_PROBE, column, "%s", message) : wt_fail_memory(s->job);
  bool any = mark_matching(s, pattern, m);
  const char *none = any ? NULL : no_match(s, pattern, text, m);
  wt_pattern_free(pattern);
  if (any)
    return true;
  if (m->may_miss)
    return note_miss(s, m->first + i, none);
  return none ? wt_fail(s->job, WT_ERROR_NO_MATCH, WT_NO_OFFSET, "%s", none) : wt_fail_memory(s->job);
}

static bool mark_all(selector *s) {
  const wt_options *options = &s->job->options;
  bool some = options->some_match;
  size_t traces = options->traces.count, hides = options->hides.count;
  const marking markings[] = {
      {&options->hides, hide, false, some, traces},
      {&options->onlys, open_only, true, false, 0},
      {&options->froms, open_window, false, false, 0},
      {&options->untils, close_window, false, some, traces + hides},
  };
  for (size_t k = 0; k < WT_COUNT_OF(markings); k++)
    for (size_t i = 0; i < markings[k].patterns->count; i++)
      if (!apply_pattern(s, &markings[k], i))
        return false;
  return true;
}

/* ---- all of it ---- */

/* A stack is only right when every frame passes its position on. */
static void track_all(selector *s) {
  bool stacks = s->plan->all_stacks || wt_plan_asks(s->plan, s->job, 1u << WT_PROBE_STACK);
  for (uint32_t func = s->module->func_imports; stacks && func < s->module->func_count; func++)
    s->plan->flags[func] |= WT_PLAN_TRACKED;
}

static void count_imports(selector *s) {
  for (uint32_t func = 0; func < s->module->func_imports; func++)
    s->plan->selected_imports += (s->plan->flags[func] & WT_PLAN_SELECTED) != 0;
}

bool wt_select_functions(wt_plan *plan, wt_job *job) {
  selector s = {job, plan, plan->module};
  const wt_options *options = &job->options;
  size_t patterns = options->traces.count + options->hides.count + options->untils.count;
  plan->flags = wt_arena_array(&job->arena, plan->module->func_count, sizeof(uint16_t));
  plan->misses = wt_arena_array(&job->arena, patterns, sizeof(wt_miss));
  if (!plan->flags || !plan->misses)
    return wt_fail_memory(job);
  if (!select_all(&s) || !select_imports_for_traps(&s))
    return false;
  track_all(&s);
  if (!mark_all(&s))
    return false;
  count_imports(&s);
  return true;
}
