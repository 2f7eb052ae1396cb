/* Sections -> facts: the walk over the sections, and the short ones. Checks structure and every index, and leaves typing to
   the engine, which sees the same bytes after the rewrite. */
#include "scan.h"

#include "instr.h"
#include "valtype.h"

#define WASM_VERSION 1u
#define COMPONENT_LAYER 1u

bool wt_scan_array(wt_reader *reader, void **items, size_t count, size_t item_size) {
  *items = wt_arena_array(&reader->job->arena, count, item_size);
  if (!*items)
    reader->failed = true;
  return *items || wt_fail_memory(reader->job);
}

/* ---- definitions ---- */

static bool read_functions(wt_module *module, wt_reader *reader) {
  uint32_t count = wt_reader_count(reader);
  const uint32_t *imported = module->func_types;
  if (!wt_scan_array(reader, (void **)&module->func_types, (size_t)module->func_imports + count, sizeof(uint32_t)))
    return false;
  for (uint32_t i = 0; i < module->func_imports; i++)
    module->func_types[i] = imported[i];
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    wt_scan_func_type(module, reader, &module->func_types[module->func_imports + i]);
  module->func_count = module->func_imports + count;
  return wt_reader_done(reader, "function section");
}

enum { TABLE_WITH_INITIALISER = 0x40 };

static void read_table(wt_module *module, wt_reader *reader) {
  bool initialised = wt_reader_left(reader) && *reader->at == TABLE_WITH_INITIALISER;
  if (initialised) {
    wt_reader_u8(reader);
    if (wt_reader_u8(reader) != 0)
      wt_reader_fail_at(reader, reader->at - 1, "malformed table");
  }
  bool holds_functions = wt_scan_table_type(module, reader);
  if (initialised)
    wt_const_expr_read(reader, module);
  wt_scan_add_table(module, holds_functions);
}

static bool read_tables(wt_module *module, wt_reader *reader) {
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    read_table(module, reader);
  return wt_reader_done(reader, "table section");
}

static bool read_memories(wt_module *module, wt_reader *reader) {
  uint32_t count = wt_reader_count(reader);
  if (!wt_scan_more_memories(module, reader, count))
    return false;
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    wt_scan_add_memory(module, wt_scan_memory_type(module, reader));
  return wt_reader_done(reader, "memory section");
}

static bool read_tags(wt_module *module, wt_reader *reader) {
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    wt_scan_tag_type(module, reader);
  module->tag_count += count;
  return wt_reader_done(reader, "tag section");
}

/* An initialiser may name the globals before it only. */
static bool read_globals(wt_module *module, wt_reader *reader) {
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++) {
    module->function_globals |= wt_scan_global_type(module, reader);
    wt_const_expr_read(reader, module);
    module->global_count++;
  }
  return wt_reader_done(reader, "global section");
}

/* Bodies are read by the rewriter; here only their number is held against the function section. */
static bool read_code(wt_module *module, wt_reader *reader) {
  const uint8_t *place = reader->at;
  if (wt_reader_count(reader) != module->func_count - module->func_imports)
    return wt_reader_fail_at(reader, place, "function and code section have inconsistent lengths");
  return wt_reader_ok(reader);
}

static bool read_custom(wt_module *module, wt_reader *reader) {
  (void)module;
  (void)reader;
  return true;
}

/* ---- the walk over the sections ---- */

/* One handler for each section. */
static const struct {
  wt_section_reader *read;
  uint8_t order;
} section_table[] = {
#define WT_SECTION(name, id, place, read) [id] = {read, place},
#include "sections.def"
#undef WT_SECTION
};

static bool note_custom(wt_module *module, wt_reader *reader, wt_section *section) {
  section->name = wt_reader_name(reader);
  section->content = wt_reader_offset(reader);
  if (!wt_reader_ok(reader))
    return false;
  if (wt_slice_is(section->name, "name"))
    module->name_section = (wt_slice){reader->at, wt_reader_left(reader)};
  return true;
}

static bool check_order(wt_reader *reader, uint8_t id, uint8_t *last_order) {
  if (id >= WT_COUNT_OF(section_table))
    return wt_reader_fail_at(reader, reader->at - 1, "malformed section id");
  uint8_t order = section_table[id].order;
  if (id != WT_SECTION_CUSTOM && order <= *last_order)
    return wt_reader_fail_at(reader, reader->at - 1, "unexpected section: out of order or twice");
  if (id != WT_SECTION_CUSTOM)
    *last_order = order;
  return true;
}

/* The function count is needed by initialisers that stand before the code: where the function section comes first, it is
   known by then. address_taken is made once it is. */
static bool prepare_functions(wt_module *module, wt_reader *reader, uint8_t order) {
  if (module->address_taken || order <= section_table[WT_SECTION_FUNCTION].order)
    return true;
  return wt_scan_array(reader, (void **)&module->address_taken, module->func_count, 1) &&
         wt_scan_array(reader, (void **)&module->slots, module->func_count, sizeof(uint32_t));
}

static bool read_section(wt_module *module, wt_reader *reader, uint8_t *last_order) {
  wt_section section = {.start = wt_reader_offset(reader)};
  section.id = wt_reader_u8(reader);
  if (!check_order(reader, section.id, last_order))
    return false;
  uint32_t size = wt_reader_u32(reader);
  wt_reader content = wt_reader_part(reader, size, "section");
  section.content = wt_reader_offset(&content);
  section.end = section.content + (wt_reader_ok(&content) ? size : 0);
  if (!wt_reader_ok(&content) || (section.id == WT_SECTION_CUSTOM && !note_custom(module, &content, &section)) ||
      !prepare_functions(module, &content, section_table[section.id].order) ||
      !section_table[section.id].read(module, &content)) {
    reader->failed = true;
    return false;
  }
  module->uses_exnref |= content.exnref; /* a function of such a type gets locals of it */
  module->sections[module->section_count++] = section;
  return true;
}

static bool read_header(wt_reader *reader) {
  static const uint8_t magic[4] = {0, 'a', 's', 'm'};
  if (wt_reader_left(reader) < 4 || memcmp(reader->at, magic, 4) != 0)
    return wt_reader_fail(reader, "not a WebAssembly module: it does not begin with \\0asm");
  wt_reader_skip(reader, 4);
  if (wt_reader_left(reader) < 4)
    return wt_reader_fail(reader, "unexpected end");
  const uint8_t *version = reader->at;
  wt_reader_skip(reader, 4);
  if (version[2] == COMPONENT_LAYER && version[3] == 0) {
    reader->failed = true;
    return wt_fail(
        reader->job, WT_ERROR_COMPONENT, 4,
        "this is a WebAssembly component, which wraps core modules; wasm-trace instruments core modules: extract "
        "them first, for example with `jco transpile` or `wasm-tools component unbundle`");
  }
  if (version[0] != WASM_VERSION || version[1] || version[2] || version[3])
    return wt_reader_fail_at(reader, version, "unknown binary version");
  return true;
}

/* A first walk over the section headers: counts them, so that their list is allocated once, and finds our own section,
   so that "instrumented already" is said before anything else. What is wrong is left to the reading proper. */
static size_t look_ahead(wt_reader reader, bool *traced) {
  size_t count = 0;
  wt_job *job = reader.job;
  wt_error before = job->error;
  while (wt_reader_left(&reader) && wt_reader_ok(&reader)) {
    uint8_t id = wt_reader_u8(&reader);
    wt_reader content = wt_reader_part(&reader, wt_reader_u32(&reader), "section");
    *traced |= id == WT_SECTION_CUSTOM && wt_slice_is(wt_reader_name(&content), "wasm-trace");
    count++;
  }
  job->error = before;
  return count;
}

static bool begin_sections(wt_module *module, wt_reader *reader) {
  bool traced = false;
  size_t count = look_ahead(*reader, &traced);
  if (traced && !module->may_be_traced)
    return wt_fail(reader->job, WT_ERROR_TRACED, WT_NO_OFFSET,
                   "the module has been instrumented by wasm-trace already");
  return wt_scan_array(reader, (void **)&module->sections, count, sizeof(wt_section));
}

bool wt_module_scan(wt_module *module, wt_job *job, wt_slice file, wt_scan_mode mode) {
  *module = (wt_module){.file = file, .start = WT_NO_INDEX, .may_be_traced = mode == WT_SCAN_TRACED};
  wt_reader reader = wt_reader_new(job, file.data, file);
  if (file.size > UINT32_MAX)
    return wt_fail(job, WT_ERROR_LIMIT, WT_NO_OFFSET, "the module is larger than 4 GiB");
  if (!read_header(&reader) || !begin_sections(module, &reader))
    return false;
  uint8_t last_order = 0;
  while (wt_reader_left(&reader))
    if (!read_section(module, &reader, &last_order))
      return false;
  if (!prepare_functions(module, &reader, UINT8_MAX))
    return false;
  if (!wt_module_section(module, WT_SECTION_CODE) && module->func_count != module->func_imports)
    return wt_reader_fail(&reader, "function and code section have inconsistent lengths");
  if (module->has_data_count && module->data_count && !wt_module_section(module, WT_SECTION_DATA))
    return wt_reader_fail(&reader, "data count and data section have inconsistent lengths");
  return true;
}

const wt_section *wt_module_section(const wt_module *module, uint8_t id) {
  for (size_t i = 0; i < module->section_count; i++)
    if (module->sections[i].id == id)
      return &module->sections[i];
  return NULL;
}
