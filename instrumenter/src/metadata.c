#include "metadata.h"

#include "clock.h"
#include "entries.h"
#include <string.h>

#define FORMAT_VERSION 1

enum {
  MODULE = 0,
  OPTIONS = 1,
  CONFIG = 2,
  PROBES = 3,
  HISTOGRAMS = 4,
  NAMES = 5,
  CODE_MAP = 6,
  ENTRIES = 7,
  SHIMS = 8,
  CLOCK = 9,
  DURATIONS = 10
};
enum { CLOCK_WALL = 1, CLOCK_WEIGHTS = 2, CLOCK_NS = 4 };
enum { IS_SPLIT = 1, HAS_TREE = 2, HAS_RING = 4, START_DEFERRED = 8, ONLY_GATE = 16, ALL_STACKS = 32, IN_HEAP = 64 };
enum { CALLS = 1, ARGS = 2, RESULTS = 4, STACK = 8 };

typedef struct writer {
  const wt_metadata *metadata;
  const wt_plan *plan;
  const wt_module *module;
  wt_job *job;
} writer;

static void write_module(const writer *w, wt_buf *out) {
  const wt_plan *plan = w->plan;
  uint32_t flags = (w->metadata->run->split ? IS_SPLIT : 0) | (plan->tree ? HAS_TREE : 0) |
                   (plan->ring ? HAS_RING : 0) | (w->metadata->deferred_start ? START_DEFERRED : 0) |
                   (plan->only ? ONLY_GATE : 0) | (plan->all_stacks ? ALL_STACKS : 0) |
                   (w->metadata->run->heap ? IN_HEAP : 0);
  wt_buf_u32(out, flags);
  wt_buf_u32(out, w->module->func_imports);
  wt_buf_u32(out, w->module->func_count);
  wt_buf_u32(out, (uint32_t)w->module->file.size);
  wt_buf_u32(out, w->metadata->run->traced);
  wt_buf_u32(out, w->metadata->run->tiny);
}

static void write_displays(unsigned displays, wt_buf *out) {
  static const char *const names[] = {"log",       "nested", "tree",
                                      "histogram", "report", "inverted"}; /* in the order of wt_display's bits */
  uint32_t count = 0;
  for (unsigned i = 0; i < WT_COUNT_OF(names); i++)
    count += displays >> i & 1;
  wt_buf_u32(out, count);
  for (unsigned i = 0; i < WT_COUNT_OF(names); i++)
    if (displays >> i & 1)
      wt_buf_name(out, wt_slice_of(names[i]));
}

/* Displays in the order the user gave them; the defaults of the plan where none was given. */
static void write_options(const writer *w, wt_buf *out) {
  const wt_options *options = &w->job->options;
  wt_buf_u32(out, (uint32_t)options->traces.count);
  for (size_t i = 0; i < options->traces.count; i++)
    wt_buf_name(out, options->traces.items[i]);
  if (!options->display_names.count) {
    write_displays(w->plan->displays, out);
    return;
  }
  wt_buf_u32(out, (uint32_t)options->display_names.count);
  for (size_t i = 0; i < options->display_names.count; i++)
    wt_buf_name(out, options->display_names.items[i]);
}

static void write_config(const writer *w, wt_buf *out) {
  wt_buf_sized(out, w->metadata->config);
  wt_buf_u32(out, w->metadata->pages);
}

static uint8_t probe_flags(const writer *w, uint32_t func) {
  const wt_detail *detail = wt_plan_detail(w->plan, func);
  uint8_t flags = (w->plan->flags[func] & WT_PLAN_SELECTED) ? CALLS : 0;
  if (detail && (detail->arg_count || detail->all_args))
    flags |= ARGS;
  if (detail && detail->result_count)
    flags |= RESULTS;
  if (w->plan->flags[func] & WT_PLAN_STACK)
    flags |= STACK;
  return flags;
}

static void write_probe(const writer *w, uint32_t func, uint8_t flags, wt_buf *out) {
  const wt_detail *detail = wt_plan_detail(w->plan, func);
  wt_buf_u32(out, func);
  wt_buf_u8(out, flags);
  if (flags & ARGS) {
    wt_buf_u32(out, detail->arg_count);
    for (uint32_t i = 0; i < detail->arg_count; i++) {
      wt_buf_u32(out, detail->args[i].index);
      wt_buf_u8(out, detail->args[i].display);
    }
  }
  if (flags & RESULTS) {
    wt_buf_u32(out, detail->result_count);
    for (uint32_t i = 0; i < detail->result_count; i++)
      wt_buf_u8(out, detail->results[i].display);
  }
}

static void write_probes(const writer *w, wt_buf *out) {
  wt_buf list;
  wt_buf_init(&list, out->allocator);
  uint32_t count = 0;
  for (uint32_t func = 0; func < w->module->func_count; func++) {
    uint8_t flags = probe_flags(w, func);
    if (!(flags & (ARGS | RESULTS | STACK)))
      continue;
    write_probe(w, func, flags, &list);
    count++;
  }
  wt_buf_u32(out, count);
  wt_buf_bytes(out, list.data, list.size);
  out->failed |= list.failed;
  wt_buf_free(&list);
}

static void write_histograms(const writer *w, wt_buf *out) {
  wt_buf_u32(out, w->plan->histogram_count);
  for (uint32_t i = 0; i < w->plan->histogram_count; i++) {
    const wt_histogram *histogram = &w->plan->histograms[i];
    wt_buf_u32(out, histogram->func);
    wt_buf_u8(out, histogram->what);
    wt_buf_u32(out, histogram->index);
    wt_buf_u8(out, histogram->display);
  }
}

/* Import names are in every module; the reader has the name section, too. */
static bool needs_name(const writer *w, uint32_t func) {
  const wt_names *names = w->plan->names;
  return names && names->raw[func].size && names->source[func] != WT_NAME_SECTION &&
         names->source[func] != WT_NAME_IMPORT;
}

static void write_names(const writer *w, wt_buf *out) {
  uint32_t count = 0;
  for (uint32_t func = 0; func < w->module->func_count; func++)
    count += needs_name(w, func);
  wt_buf_u32(out, count);
  for (uint32_t func = 0; func < w->module->func_count; func++)
    if (needs_name(w, func)) {
      wt_buf_u32(out, func);
      wt_buf_name(out, w->plan->names->raw[func]);
    }
}

static void write_code_map(const writer *w, wt_buf *out) {
  uint32_t end = 0;
  wt_buf_u32(out, (uint32_t)w->metadata->edit_count);
  for (size_t i = 0; i < w->metadata->edit_count; i++) {
    const wt_edit *edit = &w->metadata->edits[i];
    wt_buf_u32(out, edit->copy_end - end);
    wt_buf_u32(out, edit->resume - edit->copy_end);
    wt_buf_u32(out, edit->insert_size);
    end = edit->resume;
  }
}

static void write_entries(const writer *w, wt_buf *out) {
  wt_buf_u32(out, w->metadata->link->slots);
  for (int entry = 0; entry < WTR_ENTRY_COUNT; entry++)
    if (wt_entry_needed(w->plan, entry))
      wt_buf_name(out, wt_slice_of(wt_entry_rows[entry].name + strlen("wtr_")));
}

static void write_shims(const writer *w, wt_buf *out) {
  const wt_link *link = w->metadata->link;
  wt_buf_u32(out, link->first_shim);
  wt_buf_u32(out, link->shim_count);
  wt_buf_bytes(out, link->shimmed.data, link->shimmed.size);
}

static void write_clock(const writer *w, wt_buf *out) {
  const wt_clock *clock = &w->plan->clock;
  const wt_weights *weights = wt_plan_counts(w->plan) ? w->job->options.weights : NULL;
  bool import = clock->kind == WT_CLOCK_IMPORT;
  const wt_func_import *named = import ? &w->module->imports[clock->import] : NULL;
  wt_buf_u8(out, (uint8_t)clock->kind);
  wt_buf_u8(out,
            (clock->wall ? CLOCK_WALL : 0) | (weights ? CLOCK_WEIGHTS : 0) | (wt_clock_in_ns(w->plan) ? CLOCK_NS : 0));
  wt_buf_u32(out, import ? (uint32_t)(named->module.size + 1 + named->name.size) : 0);
  if (import) {
    wt_buf_bytes(out, named->module.data, named->module.size);
    wt_buf_u8(out, '.');
    wt_buf_bytes(out, named->name.data, named->name.size);
  }
  wt_buf_name(out, wt_slice_of(weights ? weights->name : ""));
}

static void write_durations(const writer *w, wt_buf *out) {
  wt_buf_u32(out, w->plan->duration_count);
  for (uint32_t i = 0; i < w->plan->duration_count; i++)
    wt_buf_u32(out, w->plan->durations[i]);
}

static bool is_split(const writer *w) { return w->metadata->run->split; }
static bool is_timed(const writer *w) { return wt_plan_timed(w->plan); }

static const struct {
  uint8_t id;
  void (*write)(const writer *w, wt_buf *out);
  bool (*wanted)(const writer *w); /* NULL: always */
} subsections[] = {
    {MODULE, write_module, NULL},     {OPTIONS, write_options, NULL},         {CONFIG, write_config, NULL},
    {PROBES, write_probes, NULL},     {HISTOGRAMS, write_histograms, NULL},   {NAMES, write_names, NULL},
    {CODE_MAP, write_code_map, NULL}, {ENTRIES, write_entries, is_split},     {SHIMS, write_shims, NULL},
    {CLOCK, write_clock, is_timed},   {DURATIONS, write_durations, is_timed},
};

static void write_content(const writer *w, wt_buf *content) {
  static const char name[] = "wasm-trace";
  wt_buf_name(content, (wt_slice){(const uint8_t *)name, sizeof(name) - 1});
  wt_buf_u8(content, FORMAT_VERSION);
  wt_buf part;
  wt_buf_init(&part, content->allocator);
  for (size_t i = 0; i < WT_COUNT_OF(subsections); i++) {
    if (subsections[i].wanted && !subsections[i].wanted(w))
      continue;
    part.size = 0;
    subsections[i].write(w, &part);
    wt_buf_u8(content, subsections[i].id);
    wt_buf_sized(content, &part);
  }
  wt_buf_free(&part);
}

void wt_metadata_write(wt_job *job, const wt_metadata *metadata, wt_buf *out) {
  writer w = {metadata, &metadata->run->plan, &metadata->run->module, job};
  wt_buf content;
  wt_buf_init(&content, out->allocator);
  write_content(&w, &content);
  wt_buf_u8(out, WT_SECTION_CUSTOM);
  wt_buf_sized(out, &content);
  wt_buf_free(&content);
}
