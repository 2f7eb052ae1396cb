#include "text.h"

#include "clock.h"
#include "limits.h"
#include "opcodes.h"
#include "scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows of a --list; more are counted only. */
#define MOST_ROWS 1000u

/* ---- growth and engines ---- */

/* In tenths of a percent, with integers: what formats fractions would be a twentieth of the wasm build. */
static void write_growth(const wt_job *job, const wt_run *run, wt_buf *out) {
  size_t before = run->module.file.size, after = job->edits.output_size;
  const char *how = run->split ? "split" : run->heap ? "in the heap" : "merged";
  bool grew = after >= before;
  uint64_t change = grew ? after - before : before - after;
  uint64_t tenths = before ? (change * 1000 + before / 2) / before : 0;
  wt_buf_format(out, "size: %zu -> %zu bytes (%s%llu.%u %%), %s\n", before, after, grew ? "+" : "-",
                (unsigned long long)(tenths / 10), (unsigned)(tenths % 10), how);
}

static uint64_t needed_features(const wt_run *run) {
  return run->module.features | run->added_features | WT_FEATURE_BIT(WT_FEATURE_MVP);
}

typedef const char *engine_version(const wt_feature_info *info);

static const char *chrome_version(const wt_feature_info *info) { return info->chrome; }
static const char *firefox_version(const wt_feature_info *info) { return info->firefox; }
static const char *safari_version(const wt_feature_info *info) { return info->safari; }
static const char *node_version(const wt_feature_info *info) { return info->node; }

/* Whether one version, "27" or "27.3", is above another. Without strtod, which would be a tenth of the wasm build. */
static bool is_above(const char *version, const char *other) {
  for (;;) {
    size_t digits = strspn(version, "0123456789");
    size_t other_digits = strspn(other, "0123456789");
    int order = digits == other_digits ? memcmp(version, other, digits) : digits > other_digits ? 1 : -1;
    if (order != 0)
      return order > 0;
    if (version[digits] == 0)
      return false;
    if (other[digits] == 0)
      return true;
    version += digits + 1;
    other += digits + 1;
  }
}

/* The latest of the first versions, or NULL when some feature is in no version of the engine. */
static const char *newest(uint64_t features, engine_version *version) {
  const char *result = "0";
  for (int feature = 0; feature < WT_FEATURE_COUNT; feature++) {
    if (!(features & WT_FEATURE_BIT(feature)))
      continue;
    const char *first = version(wt_feature_describe((wt_feature)feature));
    if (!*first)
      return NULL;
    if (is_above(first, result))
      result = first;
  }
  return result;
}

static void write_engines(const wt_run *run, wt_buf *out) {
  static const struct {
    const char *name;
    engine_version *version;
  } engines[] = {
      {"Chrome", chrome_version}, {"Firefox", firefox_version}, {"Safari", safari_version}, {"Node", node_version}};
  uint64_t features = needed_features(run);
  const char *separator = "runs in: ";
  for (size_t i = 0; i < WT_COUNT_OF(engines); i++) {
    const char *first = newest(features, engines[i].version);
    if (!first)
      continue;
    wt_buf_format(out, "%s%s %s+", separator, engines[i].name, first);
    separator = ", ";
  }
  wt_buf_text(out, *separator == ',' ? "\n" : "runs in: no engine yet without a flag\n");
}

/* ---- counts ---- */

static const char *plural(uint32_t count) { return count == 1 ? "" : "s"; }

static void write_counts(const wt_run *run, wt_buf *out) {
  uint32_t defined = run->module.func_count - run->module.func_imports;
  wt_buf_format(out, "traced: %u of %u function%s", run->traced, defined, plural(defined));
  if (run->plan.selected_imports)
    wt_buf_format(out, ", %u of %u import%s", run->plan.selected_imports, run->module.func_imports,
                  plural(run->module.func_imports));
  if (run->tiny)
    wt_buf_format(out, "; left out %u tiny one%s (body below %u bytes; --min-size 0 takes %s too)", run->tiny,
                  plural(run->tiny), run->plan.min_size, run->tiny == 1 ? "it" : "them");
  wt_buf_u8(out, '\n');
}

/* ---- the clock ---- */

static const char *unit_of(const wt_plan *plan) {
  if (wt_clock_in_ns(plan))
    return " (ns)";
  return plan->clock.kind == WT_CLOCK_INSTRUCTIONS && !*plan->weights->name ? "" : " (units)";
}

static void write_printable(wt_job *job, wt_slice name, wt_buf *out) {
  wt_scratch text;
  wt_scratch_init(&text, &job->arena, SIZE_MAX);
  wt_scratch_printable(&text, name);
  wt_slice shown = wt_scratch_view(&text);
  wt_buf_bytes(out, shown.data, shown.size);
  out->failed |= text.failed;
}

static void write_import(wt_job *job, const wt_func_import *import, wt_buf *out) {
  wt_buf_u8(out, ' ');
  write_printable(job, import->module, out);
  wt_buf_u8(out, '.');
  write_printable(job, import->name, out);
}

static void write_weights(wt_job *job, const char *name, wt_buf *out) {
  wt_buf_text(out, " weighed by ");
  write_printable(job, (wt_slice){(const uint8_t *)name, strlen(name)}, out);
}

/* In the words of js/views/units.js, which has the same line in reports. */
static void write_clock(wt_job *job, const wt_run *run, wt_buf *out) {
  static const char *const names[] = {"none", "ticker", "instructions", "host", "import"};
  const wt_plan *plan = &run->plan;
  if (!wt_plan_timed(plan))
    return;
  wt_buf_format(out, "clock: %s", names[plan->clock.kind]);
  if (plan->clock.kind == WT_CLOCK_IMPORT)
    write_import(job, &run->module.imports[plan->clock.import], out);
  if (wt_plan_counts(plan) && *plan->weights->name)
    write_weights(job, plan->weights->name, out);
  wt_buf_format(out, "%s%s\n", unit_of(plan), wt_plan_counts(plan) ? ", exact" : "");
}

static void write_summary(wt_job *job, const wt_run *run, wt_buf *out) {
  write_counts(run, out);
  write_clock(job, run, out);
  write_growth(job, run, out);
  write_engines(run, out);
}

/* Functions that are named as left alone; more are counted only. */
#define MOST_NAMED 20u

static void write_left_alone(wt_job *job, wt_run *run, wt_buf *out) {
  const wt_names *names = wt_plan_names(&run->plan, job);
  uint32_t named = 0;
  wt_buf_format(out, "%u function%s left alone, since the result would pass the engines' limits (%u locals, %u bytes):",
                run->left_alone, plural(run->left_alone), WT_MOST_LOCALS, WT_MOST_BODY_BYTES);
  for (uint32_t func = run->module.func_imports; func < run->module.func_count && named < MOST_NAMED; func++) {
    if (!(run->plan.flags[func] & WT_PLAN_LEFT_ALONE))
      continue;
    const char *name = names ? wt_names_show(names, func) : NULL;
    wt_buf_format(out, "%s #%u %s", named++ ? "," : "", func, name ? name : "?");
  }
  if (run->left_alone > named)
    wt_buf_format(out, " and %u more", run->left_alone - named);
  wt_buf_u8(out, '\n');
}

static void write_warnings(wt_job *job, wt_run *run, wt_buf *out) {
  if (run->plan.names && run->plan.names->warning && !job->options.symbols_guessed)
    wt_buf_format(out, "%s\n", run->plan.names->warning);
  if (run->has_relocations)
    wt_buf_text(out,
                "its relocations are kept as they are and mean the original code: trace what a linker makes, not what "
                "it is given\n");
  if (run->relinked)
    wt_buf_text(out, "linked split, since merged adds a memory and a data segment, which would pass the engines' "
                     "limits\n");
  if (run->left_alone)
    write_left_alone(job, run, out);
}

static void write_misses(const wt_plan *plan, wt_buf *out) {
  for (uint32_t i = 0; i < plan->miss_count; i++)
    wt_buf_format(out, "%u %s\n", plan->misses[i].pattern, plan->misses[i].text);
}

/* ---- the list ---- */

static uint32_t *body_sizes(wt_job *job, const wt_module *module) {
  uint32_t *sizes = wt_arena_array(&job->arena, module->func_count, sizeof(uint32_t));
  const wt_section *section = wt_module_section(module, WT_SECTION_CODE);
  if (!sizes || !section)
    return sizes;
  const uint8_t *file = module->file.data;
  wt_reader reader = wt_reader_new(job, file, (wt_slice){file + section->content, section->end - section->content});
  uint32_t count = wt_reader_count(&reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(&reader); i++) {
    sizes[module->func_imports + i] = wt_reader_u32(&reader);
    wt_reader_skip(&reader, sizes[module->func_imports + i]);
  }
  return sizes;
}

static void write_recorded(const wt_run *run, uint32_t func, wt_buf *out) {
  const wt_detail *detail = wt_plan_detail(&run->plan, func);
  wt_buf_text(out, "calls");
  for (uint32_t i = 0; detail && i < detail->arg_count; i++)
    wt_buf_format(out, ", arg %u", detail->args[i].index);
  if (detail && detail->result_count)
    wt_buf_text(out, ", result");
  if (run->plan.flags[func] & WT_PLAN_STACK)
    wt_buf_text(out, ", stack");
  if (run->plan.flags[func] & WT_PLAN_DURATION)
    wt_buf_text(out, ", duration");
}

static bool is_listed(const wt_run *run, const uint32_t *sizes, uint32_t func) {
  uint32_t flags = run->plan.flags[func];
  bool tiny = (flags & WT_PLAN_UNLESS_TINY) && func >= run->module.func_imports && sizes[func] < run->plan.min_size;
  return (flags & WT_PLAN_SELECTED) && !tiny;
}

static void write_row(const wt_run *run, const uint32_t *sizes, uint32_t func, wt_buf *out) {
  const char *name = wt_names_show(run->plan.names, func);
  char size[16];
  snprintf(size, sizeof size, func < run->module.func_imports ? "import" : "%u", sizes[func]);
  wt_buf_format(out, "%8u  %8s  %s  (", func, size, name ? name : "?");
  if (run->plan.flags[func] & WT_PLAN_LEFT_ALONE)
    wt_buf_text(out, "left alone: past the engines' limits");
  else
    write_recorded(run, func, out);
  wt_buf_text(out, ")\n");
}

static void write_list(wt_job *job, wt_run *run, wt_buf *out) {
  const uint32_t *sizes = body_sizes(job, &run->module);
  if (!sizes || !wt_plan_names(&run->plan, job)) {
    out->failed = true;
    return;
  }
  uint32_t rows = 0;
  wt_buf_text(out, "   index     bytes  function\n");
  for (uint32_t func = 0; func < run->module.func_count; func++)
    if (is_listed(run, sizes, func) && rows++ < MOST_ROWS)
      write_row(run, sizes, func, out);
  if (rows > MOST_ROWS)
    wt_buf_format(out, "          ... and %u more\n", rows - MOST_ROWS);
  write_counts(run, out);
  write_clock(job, run, out);
  write_growth(job, run, out);
}

char *wt_text_make(wt_job *job, wt_run *run, wt_text which) {
  wt_buf out;
  wt_buf_init(&out, &job->arena.allocator);
  if (which == WT_TEXT_LIST)
    write_list(job, run, &out);
  else if (which == WT_TEXT_SUMMARY)
    write_summary(job, run, &out);
  else if (which == WT_TEXT_MISSES)
    write_misses(&run->plan, &out);
  else
    write_warnings(job, run, &out);
  bool whole = !out.failed && !job->arena.failed; /* a name may be missing that there was no memory for */
  char *text = !whole ? NULL : wt_arena_copy(&job->arena, out.data, out.size);
  wt_buf_free(&out);
  return text;
}
