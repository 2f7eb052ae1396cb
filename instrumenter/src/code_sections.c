#include "code_sections.h"

#include <string.h>

bool wt_is_code_metadata(const wt_section *section) {
  static const char prefix[] = "metadata.code.";
  size_t size = sizeof(prefix) - 1;
  return section->id == WT_SECTION_CUSTOM && section->name.size >= size &&
         memcmp(section->name.data, prefix, size) == 0;
}

/* An instruction moves by what all edits before it inserted; offsets count from the locals, so the growth of the size
   field in front of them does not. An edit that ends where the instruction begins stands before it. */
static uint32_t rebase(const wt_code *code, const wt_body_place *place, uint32_t offset) {
  const wt_edit *edits = (const wt_edit *)(const void *)code->edits.data;
  uint32_t old = place->locals + offset;
  int64_t moved = -(int64_t)place->size_growth;
  if (!place->edit_count)
    return offset;
  for (uint32_t i = 0; i < place->edit_count; i++) {
    const wt_edit *edit = &edits[place->first_edit + i];
    if (edit->resume > old)
      break;
    moved += (int64_t)edit->insert_size - (int64_t)(edit->resume - edit->copy_end);
  }
  return (uint32_t)((int64_t)offset + moved);
}

static void rebase_function(wt_reader *reader, const wt_code *code, wt_buf *out) {
  const wt_module *module = code->module;
  uint32_t func = wt_reader_index(reader, module->func_count, "function");
  if (func < module->func_imports)
    wt_reader_fail(reader, "annotation of an imported function");
  uint32_t count = wt_reader_count(reader);
  wt_buf_u32(out, func);
  wt_buf_u32(out, count);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++) {
    uint32_t offset = wt_reader_u32(reader);
    wt_slice data = wt_reader_name(reader); /* a size and bytes, as a name is */
    if (wt_reader_ok(reader)) {
      wt_buf_u32(out, rebase(code, &code->places[func - module->func_imports], offset));
      wt_buf_name(out, data);
    }
  }
}

static bool rebase_all(wt_reader *reader, const wt_code *code, wt_buf *out) {
  uint32_t count = wt_reader_count(reader);
  wt_buf_u32(out, count);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    rebase_function(reader, code, out);
  return wt_reader_done(reader, "code metadata");
}

/* What is wrong inside a custom section is no error of the module. */
void wt_code_metadata_rebase(wt_job *job, const wt_code *code, const wt_section *section, wt_buf *out) {
  const uint8_t *file = code->module->file.data;
  wt_error before = job->error;
  wt_reader reader = wt_reader_new(job, file, (wt_slice){file + section->content, section->end - section->content});
  wt_buf content;
  wt_buf_init(&content, out->allocator);
  wt_buf_name(&content, section->name);
  bool done = code->places && rebase_all(&reader, code, &content);
  job->error = before;
  if (done) {
    wt_buf_u8(out, WT_SECTION_CUSTOM);
    wt_buf_sized(out, &content);
  }
  wt_buf_free(&content);
}
