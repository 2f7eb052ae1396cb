#include "name_entries.h"

#include <string.h>

enum { FUNCTION_NAMES = 1 };

bool wt_is_name_section(const wt_section *section) {
  return section->id == WT_SECTION_CUSTOM && section->name.size == 4 && memcmp(section->name.data, "name", 4) == 0;
}

/* Function names with ours behind them; their order by index holds, since ours are the highest. */
static void extend_functions(wt_reader *part, const wt_link *link, wt_buf *content) {
  wt_buf names;
  wt_buf_init(&names, content->allocator);
  uint32_t count = wt_reader_count(part);
  wt_buf_u32(&names, count + link->name_count);
  wt_buf_bytes(&names, part->at, wt_reader_left(part));
  wt_buf_bytes(&names, link->names.data, link->names.size);
  wt_buf_u8(content, FUNCTION_NAMES);
  wt_buf_sized(content, &names);
  wt_buf_free(&names);
}

static bool extend(wt_reader *reader, const wt_link *link, wt_buf *content) {
  bool extended = false;
  while (wt_reader_ok(reader) && wt_reader_left(reader)) {
    const uint8_t *start = reader->at;
    uint8_t id = wt_reader_u8(reader);
    wt_reader part = wt_reader_part(reader, wt_reader_u32(reader), "names");
    if (id == FUNCTION_NAMES && !extended && wt_reader_ok(reader)) {
      extend_functions(&part, link, content);
      extended = wt_reader_ok(&part);
    } else {
      wt_buf_bytes(content, start, (size_t)(reader->at - start));
    }
  }
  return extended && wt_reader_ok(reader);
}

bool wt_name_section_extend(wt_job *job, const wt_module *module, const wt_section *section, const wt_link *link, wt_buf *out) {
  const uint8_t *file = module->file.data;
  wt_error before = job->error;
  wt_reader reader = wt_reader_new(job, file, (wt_slice){file + section->content, section->end - section->content});
  wt_buf content;
  wt_buf_init(&content, out->allocator);
  wt_buf_name(&content, section->name);
  bool done = extend(&reader, link, &content);
  job->error = before; /* garbage in a name section is no error of the module */
  if (done) {
    wt_buf_u8(out, WT_SECTION_CUSTOM);
    wt_buf_sized(out, &content);
  }
  wt_buf_free(&content);
  return done;
}
