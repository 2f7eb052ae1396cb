/* The driver of sections: copy, replace, or extend at the end; missing sections are made at their place. */
#include "rewrite.h"

#include "additions.h"
#include "code_sections.h"
#include "inlining.h"
#include "limits.h"
#include "metadata.h"
#include "name_entries.h"
#include "tool_sections.h"

typedef struct driver {
  wt_job *job;
  const wt_module *module;
  wt_link *link;
  const wt_code *code;
  size_t edit_start;
  int order; /* of the last section that has been written */
  wt_additions added;
  size_t code_edits_end; /* edits up to the end of the code section */
} driver;

/* ---- edits ---- */

static wt_buf *open_edit(driver *d) {
  d->edit_start = d->job->inserts.size;
  return &d->job->inserts;
}

static void close_edit(driver *d, size_t copy_end, size_t resume) {
  wt_edit_add(&d->job->edit_list, copy_end, resume, d->job->inserts.size - d->edit_start);
}

static const uint8_t *byte_at(const driver *d, size_t offset) { return d->module->file.data + offset; }

static int order_of(uint8_t id) {
  switch (id) {
#define WT_SECTION(name, number, place, read) \
  case number: \
    return place;
#include "sections.def"
#undef WT_SECTION
  default: return 0;
  }
}

static const wt_growing_section *find_growing(uint8_t id) {
  for (size_t i = 0; i < WT_GROWING_SECTIONS; i++)
    if (wt_growing_sections[i].id == id)
      return &wt_growing_sections[i];
  return NULL;
}

/* ---- sections that are missing ---- */

static void write_new_section(driver *d, const wt_growing_section *section) {
  wt_addition added = wt_addition_new(&d->added, section);
  if (added.count) {
    wt_buf *out = &d->job->inserts;
    wt_buf_u8(out, section->id);
    wt_buf_u32(out, (uint32_t)(wt_u32_size(added.count) + added.bytes.size));
    wt_buf_u32(out, added.count);
    wt_buf_bytes(out, added.bytes.data, added.bytes.size);
    out->failed |= added.bytes.failed;
  }
  wt_buf_free(&added.bytes);
}

/* Makes the sections that belong between the last one written and `order`, at `offset`. */
static void write_missing(driver *d, int order, size_t offset) {
  wt_buf *out = open_edit(d);
  size_t before = out->size;
  for (size_t i = 0; i < WT_GROWING_SECTIONS; i++) {
    int place = order_of(wt_growing_sections[i].id);
    if (place > d->order && place < order)
      write_new_section(d, &wt_growing_sections[i]);
  }
  if (out->size != before)
    close_edit(d, offset, offset);
  if (order_of(WT_SECTION_CODE) > d->order && order_of(WT_SECTION_CODE) < order)
    d->code_edits_end = d->job->edit_list.size;
  d->order = order;
}

/* ---- sections that are there ---- */

static uint32_t section_item_count(const driver *d, const wt_section *section, size_t *items) {
  wt_slice content = {byte_at(d, section->content), section->end - section->content};
  wt_reader reader = wt_reader_new(d->job, d->module->file.data, content);
  uint32_t count = wt_reader_u32(&reader);
  *items = wt_reader_offset(&reader);
  return count;
}

/* Size and count in front, edits of the items between (made already, in the lists given), additions behind, or in front
   of the items where `added` says so. */
static void extend_section(driver *d, const wt_section *section, const wt_addition *added, const wt_buf *edits,
                           const wt_buf *inserts, int64_t growth) {
  size_t items;
  uint32_t count = section_item_count(d, section, &items) + added->count;
  int64_t size = (int64_t)(section->end - items) + growth + (int64_t)(wt_u32_size(count) + added->bytes.size);
  wt_buf *out = open_edit(d);
  wt_buf_u32(out, (uint32_t)size);
  wt_buf_u32(out, count);
  if (added->first)
    wt_buf_bytes(out, added->bytes.data, added->bytes.size);
  close_edit(d, section->start + 1, items);
  if (edits) {
    wt_buf_bytes(&d->job->edit_list, edits->data, edits->size);
    wt_buf_bytes(out, inserts->data, inserts->size);
  }
  out->failed |= added->bytes.failed;
  if (added->first)
    return;
  out = open_edit(d);
  wt_buf_bytes(out, added->bytes.data, added->bytes.size);
  close_edit(d, section->end, section->end);
}

static uint32_t export_target(const driver *d, uint32_t func) {
  return d->link->shims && d->link->shims[func] ? d->link->shims[func] : func;
}

/* Exports of functions with a shim name the shim instead. */
static int64_t redirect_exports(driver *d, const wt_section *section, wt_buf *edits, wt_buf *inserts) {
  size_t items;
  uint32_t count = section_item_count(d, section, &items);
  wt_slice content = {byte_at(d, items), section->end - items};
  wt_reader reader = wt_reader_new(d->job, d->module->file.data, content);
  int64_t growth = 0;
  for (uint32_t i = 0; i < count && wt_reader_ok(&reader); i++) {
    wt_reader_name(&reader);
    uint8_t kind = wt_reader_u8(&reader);
    size_t start = wt_reader_offset(&reader);
    uint32_t index = wt_reader_u32(&reader);
    size_t end = wt_reader_offset(&reader);
    if (kind != 0 || export_target(d, index) == index)
      continue;
    wt_buf_u32(inserts, export_target(d, index));
    size_t size = wt_u32_size(export_target(d, index));
    wt_edit_add(edits, start, end, size);
    growth += (int64_t)size - (int64_t)(end - start);
  }
  return growth;
}

static void write_exports(driver *d, const wt_section *section, const wt_addition *added) {
  wt_buf edits, inserts;
  wt_buf_init(&edits, &d->job->arena.allocator);
  wt_buf_init(&inserts, &d->job->arena.allocator);
  int64_t growth = redirect_exports(d, section, &edits, &inserts);
  extend_section(d, section, added, &edits, &inserts, growth);
  d->job->inserts.failed |= edits.failed | inserts.failed;
  wt_buf_free(&edits);
  wt_buf_free(&inserts);
}

static void write_data_count(driver *d, const wt_section *section) {
  if (!wt_adds_memory(&d->added))
    return;
  wt_buf *out = open_edit(d);
  wt_buf_u32(out, (uint32_t)wt_u32_size(d->module->data_count + 1));
  wt_buf_u32(out, d->module->data_count + 1);
  close_edit(d, section->start + 1, section->end);
}

static bool defers_start(const driver *d) { return d->link->start_shim != 0; }

static void write_start(driver *d, const wt_section *section) {
  if (!defers_start(d))
    return;
  open_edit(d);
  close_edit(d, section->start, section->end);
}

/* Names of our functions, so that a profile can tell them apart. Their order by index holds: ours are the highest. */
static void extend_names(driver *d, const wt_section *section) {
  wt_name_place place;
  if (!wt_name_place_find(d->job, d->module, section, &place))
    return;
  const wt_buf *names = &d->link->names;
  uint32_t count = place.count + d->link->name_count;
  uint32_t size = (uint32_t)(place.end - place.items + wt_u32_size(count) + names->size);
  size_t growth = wt_u32_size(size) + size - (place.end - place.size);
  wt_buf *out = open_edit(d);
  wt_buf_u32(out, (uint32_t)(section->end - place.payload + growth));
  close_edit(d, section->start + 1, place.payload);
  out = open_edit(d);
  wt_buf_u32(out, size);
  wt_buf_u32(out, count);
  close_edit(d, place.size, place.items);
  out = open_edit(d);
  wt_buf_bytes(out, names->data, names->size);
  close_edit(d, place.end, place.end);
}

static void write_custom(driver *d, const wt_section *section, const wt_run *run) {
  wt_buf *out = open_edit(d);
  bool replaced = false;
  if (wt_is_name_section(section))
    extend_names(d, section);
  else if (wt_is_producers(section))
    replaced = wt_producers_extend(d->job, d->module, section, out);
  else if (wt_is_target_features(section))
    replaced = wt_target_features_extend(d->job, d->module, section, run->added_features, out);
  else if ((replaced = wt_is_code_metadata(section)))
    wt_code_metadata_rebase(d->job, d->code, section, out);
  if (replaced)
    close_edit(d, section->start, section->end);
}

static void write_standard(driver *d, const wt_section *section) {
  const wt_growing_section *growing = find_growing(section->id);
  if (section->id == WT_SECTION_DATA_COUNT)
    write_data_count(d, section);
  if (section->id == WT_SECTION_START)
    write_start(d, section);
  if (!growing)
    return;
  wt_addition added = wt_addition_new(&d->added, growing);
  if (section->id == WT_SECTION_EXPORT)
    write_exports(d, section, &added);
  else if (section->id == WT_SECTION_CODE)
    extend_section(d, section, &added, &d->code->edits, &d->code->inserts, d->code->growth);
  else if (added.count)
    extend_section(d, section, &added, NULL, NULL, 0);
  wt_buf_free(&added.bytes);
}

static const wt_section *last_standard(const wt_module *module) {
  const wt_section *last = NULL;
  for (size_t i = 0; i < module->section_count; i++)
    if (module->sections[i].id != WT_SECTION_CUSTOM)
      last = &module->sections[i];
  return last;
}

static void write_section(driver *d, const wt_run *run, const wt_section *section, const wt_section *last) {
  if (section->id == WT_SECTION_CUSTOM) {
    write_custom(d, section, run);
    return;
  }
  write_missing(d, order_of(section->id), section->start);
  write_standard(d, section);
  if (section->id == WT_SECTION_CODE)
    d->code_edits_end = d->job->edit_list.size;
  if (section == last)
    write_missing(d, INT8_MAX, section->end);
}

/* Our own section comes last, since it holds the map of all edits before it. */
static void write_metadata(driver *d, wt_run *run) {
  const wt_edit *edits = (const wt_edit *)(const void *)d->job->edit_list.data;
  wt_metadata metadata = {.run = run,
                          .link = d->link,
                          .config = &d->added.config,
                          .pages = d->added.pages,
                          .deferred_start = defers_start(d),
                          .edits = edits,
                          .edit_count = d->code_edits_end / sizeof(wt_edit)};
  wt_buf *out = open_edit(d);
  wt_metadata_write(d->job, &metadata, out);
  close_edit(d, d->module->file.size, d->module->file.size);
}

static size_t output_size(const driver *d) {
  const wt_edit *edits = (const wt_edit *)(const void *)d->job->edit_list.data;
  size_t size = d->module->file.size + d->job->inserts.size;
  for (size_t i = 0; i < d->job->edit_list.size / sizeof(wt_edit); i++)
    size -= edits[i].resume - edits[i].copy_end;
  return size;
}

static bool write_module(driver *d, wt_run *run) {
  const wt_section *last = last_standard(d->module);
  for (size_t i = 0; i < d->module->section_count; i++)
    write_section(d, run, &d->module->sections[i], last);
  if (!last)
    write_missing(d, INT8_MAX, d->module->file.size);
  write_metadata(d, run);
  if (d->job->inserts.failed || d->job->edit_list.failed || d->added.config.failed)
    return wt_fail_memory(d->job);
  d->job->edits.output_size = output_size(d);
  return d->job->error.status == WT_OK && wt_limits_check_size(d->job, d->module->file.size, d->job->edits.output_size);
}

static bool has_section(const wt_module *module, bool (*is_wanted)(const wt_section *section)) {
  for (size_t i = 0; i < module->section_count; i++)
    if (is_wanted(&module->sections[i]))
      return true;
  return false;
}

/* An instrumented module that records nothing would be an answer to no question. */
static bool note_run(wt_job *job, wt_run *run, const wt_link *link, const wt_code *code) {
  run->added_features = link->features;
  run->has_relocations = has_section(&run->module, wt_is_relocation);
  run->traced = code->traced;
  run->tiny = code->tiny;
  run->left_alone = code->left_alone;
  if (run->traced || run->plan.selected_imports || run->plan.grow || run->plan.traps)
    return true;
  if (run->left_alone)
    return wt_fail(job, WT_ERROR_LIMIT, WT_NO_OFFSET,
                   "nothing is left to trace: with a probe, what was selected would pass the engines' limits (%u "
                   "locals, %u bytes)",
                   WT_MOST_LOCALS, WT_MOST_BODY_BYTES);
  if (!run->tiny)
    return wt_fail(job, WT_ERROR_NO_MATCH, WT_NO_OFFSET,
                   "nothing is left to trace: --hide leaves out all that was selected");
  return wt_fail(
      job, WT_ERROR_NO_MATCH, WT_NO_OFFSET,
      "nothing is left to trace: all %u functions that were selected have bodies below %u bytes; --min-size 0 "
      "takes them too",
      run->tiny, run->plan.min_size);
}

static bool rewrite_bodies(wt_job *job, wt_run *run, wt_slice runtime, wt_link *link, wt_code *code) {
  wt_code_free(code);
  wt_link_free(link);
  return wt_link_begin(link, job, &run->plan, runtime) &&
         wt_code_rewrite(code, job, &run->module, &run->plan, link, has_section(&run->module, wt_is_code_metadata));
}

/* A second time where a body took the address of a function that only an export declares, which nobody could know. */
static bool rewrite_code(wt_job *job, wt_run *run, wt_slice runtime, wt_link *link, wt_code *code) {
  if (!rewrite_bodies(job, run, runtime, link, code))
    return false;
  if (wt_plan_find_arrivals(&run->plan) && !rewrite_bodies(job, run, runtime, link, code))
    return false;
  if (!wt_link_finish(link))
    return false;
  wt_inlining_keep(link, code);
  return wt_link_ok(link) && wt_limits_check(link);
}

/* A module of tiny functions only, such as the first one that somebody tries: leaving them all out helps nobody. */
static bool only_tiny(const wt_job *job, const wt_run *run, const wt_code *code) {
  return !code->traced && code->tiny && !run->plan.selected_imports && !job->options.min_size_given;
}

static bool rewrite_with(wt_job *job, wt_run *run, wt_slice runtime, wt_link *link, wt_code *code) {
  if (!rewrite_code(job, run, runtime, link, code))
    return false;
  if (only_tiny(job, run, code)) {
    run->plan.min_size = 0;
    if (!rewrite_code(job, run, runtime, link, code))
      return false;
  }
  if (!note_run(job, run, link, code))
    return false;
  driver d = {.job = job, .module = &run->module, .link = link, .code = code, .added = {.link = link}};
  wt_buf_init(&d.added.config, &job->arena.allocator);
  wt_link_config(link, &d.added.config, &d.added.pages);
  bool done = write_module(&d, run);
  wt_buf_free(&d.added.config);
  return done;
}

/* What the caller leaves open. */
static void choose_link(wt_job *job, wt_run *run) {
  run->relinked = !job->options.link_given && !wt_limits_allow_merged(&run->module);
  job->options.split |= run->relinked;
  run->split = job->options.split;
  run->heap = job->options.heap;
}

static bool read_and_plan(wt_job *job, wt_run *run, wt_slice file) {
  if (!wt_module_scan(&run->module, job, file, WT_SCAN_FRESH))
    return false;
  choose_link(job, run);
  return wt_plan_make(&run->plan, job, &run->module);
}

bool wt_rewrite(wt_job *job, wt_slice file, wt_slice runtime) {
  wt_run *run = wt_arena_alloc(&job->arena, sizeof(wt_run));
  wt_link link = {0};
  wt_code code = {0};
  if (!run)
    return wt_fail_memory(job);
  bool done = read_and_plan(job, run, file) && rewrite_with(job, run, runtime, &link, &code);
  wt_plan_free(&run->plan, job);
  wt_code_free(&code);
  wt_link_free(&link);
  if (done)
    job->run = run;
  return done;
}
