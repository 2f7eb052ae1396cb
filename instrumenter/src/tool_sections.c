/* Producers: a count of fields; a field is its name, a count of tools, and a name and a version for each.
   Target features: a count of features; a feature is a prefix ('+' used, '-' must not be used, '=' used, from the days when
   that was said otherwise) and a name. */
#include "tool_sections.h"

#include "opcodes.h"

#include <string.h>

static bool is_named(const wt_section *section, const char *name) {
  size_t size = strlen(name);
  return section->id == WT_SECTION_CUSTOM && section->name.size == size && memcmp(section->name.data, name, size) == 0;
}

bool wt_is_producers(const wt_section *section) { return is_named(section, "producers"); }

bool wt_is_target_features(const wt_section *section) { return is_named(section, "target_features"); }

bool wt_is_relocation(const wt_section *section) {
  static const char prefix[] = "reloc.";
  size_t size = sizeof(prefix) - 1;
  return is_named(section, "linking") || (section->id == WT_SECTION_CUSTOM && section->name.size > size &&
                                          memcmp(section->name.data, prefix, size) == 0);
}

static wt_slice slice_of(const char *text) { return (wt_slice){(const uint8_t *)text, strlen(text)}; }

static bool equals(wt_slice slice, const char *text) {
  return slice.size == strlen(text) && memcmp(slice.data, text, slice.size) == 0;
}

static wt_reader content_of(wt_job *job, const wt_module *module, const wt_section *section) {
  const uint8_t *file = module->file.data;
  return wt_reader_new(job, file, (wt_slice){file + section->content, section->end - section->content});
}

static void write_section(const wt_section *section, uint32_t count, const wt_buf *items, wt_buf *out) {
  wt_buf content;
  wt_buf_init(&content, out->allocator);
  wt_buf_name(&content, section->name);
  wt_buf_u32(&content, count);
  wt_buf_bytes(&content, items->data, items->size);
  wt_buf_u8(out, WT_SECTION_CUSTOM);
  wt_buf_sized(out, &content);
  out->failed |= content.failed | items->failed;
  wt_buf_free(&content);
}

/* ---- producers ---- */

#define TOOL "wasm-trace"
#define PROCESSED_BY "processed-by"

typedef struct tools {
  uint32_t count;
  wt_slice encoded;
  bool ours; /* we are among them */
} tools;

static tools read_tools(wt_reader *reader) {
  tools result = {.count = wt_reader_count(reader)};
  const uint8_t *start = reader->at;
  for (uint32_t i = 0; i < result.count && wt_reader_ok(reader); i++) {
    result.ours |= equals(wt_reader_name(reader), TOOL);
    wt_reader_name(reader);
  }
  result.encoded = (wt_slice){start, (size_t)(reader->at - start)};
  return result;
}

static void write_field(wt_slice name, const tools *of, bool add, wt_buf *out) {
  wt_buf_name(out, name);
  wt_buf_u32(out, of->count + add);
  wt_buf_bytes(out, of->encoded.data, of->encoded.size);
  if (!add)
    return;
  wt_buf_name(out, slice_of(TOOL));
  wt_buf_name(out, slice_of(wt_version()));
}

/* Copies the fields, with us in the one that lists tools. false when we are in it already. */
static bool extend_fields(wt_reader *reader, uint32_t *count, wt_buf *out) {
  bool listed = false, added = false;
  *count = wt_reader_count(reader);
  for (uint32_t i = 0; i < *count && wt_reader_ok(reader); i++) {
    wt_slice name = wt_reader_name(reader);
    tools field = read_tools(reader);
    bool processed = !listed && equals(name, PROCESSED_BY);
    write_field(name, &field, processed && !field.ours, out);
    listed |= processed;
    added |= processed && !field.ours;
  }
  if (listed)
    return added;
  write_field(slice_of(PROCESSED_BY), &(tools){0}, true, out);
  ++*count;
  return true;
}

bool wt_producers_extend(wt_job *job, const wt_module *module, const wt_section *section, wt_buf *out) {
  wt_error before = job->error;
  wt_reader reader = content_of(job, module, section);
  wt_buf fields;
  wt_buf_init(&fields, out->allocator);
  uint32_t count;
  bool changed = extend_fields(&reader, &count, &fields) && wt_reader_done(&reader, "producers");
  job->error = before; /* what is wrong inside a custom section is no error of the module */
  if (changed)
    write_section(section, count, &fields, out);
  wt_buf_free(&fields);
  return changed;
}

/* ---- target features ---- */

/* The features among `features` that tools call so. */
static uint64_t features_named(uint64_t features, wt_slice name) {
  uint64_t found = 0;
  for (int feature = 0; feature < WT_FEATURE_COUNT; feature++)
    if (features & WT_FEATURE_BIT(feature) && equals(name, wt_feature_describe((wt_feature)feature)->target))
      found |= WT_FEATURE_BIT(feature);
  return found;
}

static bool has_target_name(int feature) { return *wt_feature_describe((wt_feature)feature)->target != '\0'; }

/* Copies what is there; what must not be used and is used now gets a '+'. true when something has changed. */
static bool copy_features(wt_reader *reader, uint32_t count, uint64_t *missing, wt_buf *out) {
  bool changed = false;
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++) {
    uint8_t prefix = wt_reader_u8(reader);
    wt_slice name = wt_reader_name(reader);
    uint64_t same = features_named(*missing, name);
    changed |= same && prefix == '-';
    wt_buf_u8(out, same && prefix == '-' ? '+' : prefix);
    wt_buf_name(out, name);
    *missing &= ~same;
  }
  return changed;
}

static uint32_t add_features(uint64_t missing, wt_buf *out) {
  uint32_t count = 0;
  for (int feature = 0; feature < WT_FEATURE_COUNT; feature++) {
    if (!(missing & WT_FEATURE_BIT(feature)) || !has_target_name(feature))
      continue;
    wt_buf_u8(out, '+');
    wt_buf_name(out, slice_of(wt_feature_describe((wt_feature)feature)->target));
    count++;
  }
  return count;
}

bool wt_target_features_extend(wt_job *job, const wt_module *module, const wt_section *section, uint64_t features,
                               wt_buf *out) {
  wt_error before = job->error;
  wt_reader reader = content_of(job, module, section);
  wt_buf list;
  wt_buf_init(&list, out->allocator);
  uint32_t count = wt_reader_count(&reader);
  bool changed = copy_features(&reader, count, &features, &list);
  bool intact = wt_reader_done(&reader, "target features");
  uint32_t added = add_features(features, &list);
  job->error = before; /* as above */
  changed = intact && (changed || added);
  if (changed)
    write_section(section, count + added, &list, out);
  wt_buf_free(&list);
  return changed;
}
