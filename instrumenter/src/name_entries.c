#include "name_entries.h"

#include <string.h>

enum { FUNCTION_NAMES = 1 };

bool wt_is_name_section(const wt_section *section) {
  return section->id == WT_SECTION_CUSTOM && section->name.size == 4 && memcmp(section->name.data, "name", 4) == 0;
}

/* What comes behind a damaged entry would be read as a part of it. */
static void note_functions(wt_reader *part, uint32_t func_count, wt_name_place *place) {
  place->count = wt_reader_count(part);
  place->items = wt_reader_offset(part);
  place->end = place->items + wt_reader_left(part);
  uint64_t next = 0;
  for (uint32_t i = 0; i < place->count && wt_reader_ok(part); i++) {
    uint32_t func = wt_reader_u32(part);
    bool is_new = func >= next && func < func_count;
    place->named += wt_reader_name(part).size && is_new;
    next = is_new ? (uint64_t)func + 1 : next;
  }
  wt_reader_done(part, "function names");
}

/* Reads all subsections, so that only a well-formed section is extended. */
static bool find(wt_reader *reader, uint32_t func_count, wt_name_place *place) {
  bool found = false;
  while (wt_reader_ok(reader) && wt_reader_left(reader)) {
    uint8_t id = wt_reader_u8(reader);
    size_t size = wt_reader_offset(reader);
    wt_reader part = wt_reader_part(reader, wt_reader_u32(reader), "names");
    if (id != FUNCTION_NAMES || found || !wt_reader_ok(reader))
      continue;
    place->size = size;
    note_functions(&part, func_count, place);
    reader->failed |= part.failed;
    found = true;
  }
  return found && wt_reader_ok(reader);
}

bool wt_name_place_find(wt_job *job, const wt_module *module, const wt_section *section, wt_name_place *place) {
  const uint8_t *file = module->file.data;
  *place = (wt_name_place){0};
  wt_error before = job->error;
  wt_reader whole = wt_reader_new(job, file, (wt_slice){file + section->start + 1, section->end - section->start - 1});
  wt_reader_u32(&whole);
  place->payload = wt_reader_offset(&whole);
  wt_reader names = wt_reader_new(job, file, (wt_slice){file + section->content, section->end - section->content});
  bool found = find(&names, module->func_count, place);
  job->error = before;
  return found;
}
