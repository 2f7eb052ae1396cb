/* Sections -> facts. Checks structure and every index, and leaves typing to the engine, which sees the same bytes after
   the rewrite. */
#include "module.h"

#include "instr.h"
#include "valtype.h"

#define WASM_VERSION 1u
#define COMPONENT_LAYER 1u

/* One handler for each section, in the table of sections. */
typedef bool section_reader(wt_module *module, wt_reader *reader);

static bool add(wt_reader *reader, void **items, size_t count, size_t item_size) {
  *items = wt_arena_array(&reader->job->arena, count, item_size);
  if (!*items)
    reader->failed = true;
  return *items || wt_fail_memory(reader->job);
}

/* ---- types ---- */

enum {
  FORM_REC = 0x4e,
  FORM_SUB = 0x50,
  FORM_SUB_FINAL = 0x4f,
  FORM_DESCRIPTOR = 0x4d,
  FORM_DESCRIBES = 0x4c,
  FORM_FUNC = 0x60,
  FORM_STRUCT = 0x5f,
  FORM_ARRAY = 0x5e,
  FORM_CONT = 0x5d,
  PACKED_I8 = 0x78,
  PACKED_I16 = 0x77,
};

/* Type indices inside the type section may point ahead; they are held against the final count by a second reading. */
typedef struct type_scan {
  wt_reader *reader;
  wt_type *types;
  uint32_t count;
  uint32_t capacity;
  uint32_t limit;
} type_scan;

static wt_types read_result_type(type_scan *scan) {
  wt_types types = {.count = wt_reader_count(scan->reader)};
  types.encoded.data = scan->reader->at;
  for (uint32_t i = 0; i < types.count && wt_reader_ok(scan->reader); i++)
    wt_valtype_skip(scan->reader, scan->limit);
  types.encoded.size = (size_t)(scan->reader->at - types.encoded.data);
  return types;
}

static void read_field(type_scan *scan) {
  wt_reader *reader = scan->reader;
  if (wt_reader_left(reader) && (*reader->at == PACKED_I8 || *reader->at == PACKED_I16))
    wt_reader_u8(reader);
  else
    wt_valtype_skip(reader, scan->limit);
  if (wt_reader_u8(reader) > 1)
    wt_reader_fail_at(reader, reader->at - 1, "malformed mutability");
}

static void read_struct(type_scan *scan) {
  uint32_t count = wt_reader_count(scan->reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(scan->reader); i++)
    read_field(scan);
}

static void read_composite_type(type_scan *scan, uint8_t form, wt_type *type) {
  wt_reader *reader = scan->reader;
  while (form == FORM_DESCRIPTOR || form == FORM_DESCRIBES) {
    wt_reader_index(reader, scan->limit, "type");
    form = wt_reader_u8(reader);
  }
  switch (form) {
  case FORM_FUNC:
    type->is_func = true;
    type->params = read_result_type(scan);
    type->results = read_result_type(scan);
    break;
  case FORM_STRUCT: read_struct(scan); break;
  case FORM_ARRAY: read_field(scan); break;
  case FORM_CONT: wt_heap_type_skip(reader, scan->limit); break;
  default: wt_reader_fail_at(reader, reader->at - 1, "malformed type"); break;
  }
}

static void read_sub_type(type_scan *scan, uint8_t form) {
  wt_reader *reader = scan->reader;
  if (form == FORM_SUB || form == FORM_SUB_FINAL) {
    uint32_t count = wt_reader_count(reader);
    for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
      wt_reader_index(reader, scan->limit, "type");
    form = wt_reader_u8(reader);
  }
  wt_type type = {0};
  read_composite_type(scan, form, &type);
  if (scan->count < scan->capacity)
    scan->types[scan->count] = type;
  scan->count++;
}

static void read_type_entry(type_scan *scan) {
  uint8_t form = wt_reader_u8(scan->reader);
  if (form != FORM_REC) {
    read_sub_type(scan, form);
    return;
  }
  uint32_t count = wt_reader_count(scan->reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(scan->reader); i++)
    read_sub_type(scan, wt_reader_u8(scan->reader));
}

static uint32_t read_all_types(type_scan *scan) {
  uint32_t entries = wt_reader_count(scan->reader);
  for (uint32_t i = 0; i < entries && wt_reader_ok(scan->reader); i++)
    read_type_entry(scan);
  return scan->count;
}

/* Twice: the first reading counts, since groups hold several types; the second stores and checks. */
static bool read_types(wt_module *module, wt_reader *reader) {
  wt_reader counting = *reader;
  type_scan first = {.reader = &counting, .limit = UINT32_MAX};
  uint32_t count = read_all_types(&first);
  if (!wt_reader_ok(&counting)) {
    reader->failed = true;
    return false;
  }
  type_scan second = {.reader = reader, .capacity = count, .limit = count};
  if (!add(reader, (void **)&second.types, count, sizeof(wt_type)))
    return false;
  read_all_types(&second);
  module->types = second.types;
  module->type_count = count;
  return wt_reader_done(reader, "type section");
}

/* ---- imports and definitions ---- */

enum { LIMITS_MAX = 1, LIMITS_SHARED = 2, LIMITS_64 = 4, LIMITS_PAGE_SIZE = 8 };

static uint8_t read_limits(wt_reader *reader, uint8_t allowed) {
  uint8_t flags = wt_reader_u8(reader);
  if (flags & ~allowed)
    wt_reader_fail_at(reader, reader->at - 1, "malformed limits");
  wt_reader_u64(reader);
  if (flags & LIMITS_MAX)
    wt_reader_u64(reader);
  if (flags & LIMITS_PAGE_SIZE)
    wt_reader_u32(reader);
  return flags;
}

static void note_limits(wt_module *module, uint8_t flags) {
  if (flags & LIMITS_64)
    module->features |= (uint64_t)1 << WT_FEATURE_MEMORY64;
  if (flags & LIMITS_SHARED)
    module->features |= (uint64_t)1 << WT_FEATURE_THREADS;
  if (flags & LIMITS_PAGE_SIZE)
    module->features |= (uint64_t)1 << WT_FEATURE_CUSTOM_PAGE_SIZES;
}

static void read_table_type(wt_module *module, wt_reader *reader) {
  wt_valtype_skip(reader, module->type_count);
  note_limits(module, read_limits(reader, LIMITS_MAX | LIMITS_SHARED | LIMITS_64));
}

static uint8_t read_memory_type(wt_module *module, wt_reader *reader) {
  uint8_t flags = read_limits(reader, LIMITS_MAX | LIMITS_SHARED | LIMITS_64 | LIMITS_PAGE_SIZE);
  note_limits(module, flags);
  return flags;
}

static void add_memory(wt_module *module, uint8_t flags) {
  module->memory_is_64[module->memory_count++] = (flags & LIMITS_64) != 0;
  if (module->memory_count > 1)
    module->features |= (uint64_t)1 << WT_FEATURE_MULTI_MEMORY;
}

/* Memories are few, but each needs its address type: the list is made anew for each section that adds some. */
static bool more_memories(wt_module *module, wt_reader *reader, uint32_t count) {
  uint8_t *before = module->memory_is_64;
  if (!add(reader, (void **)&module->memory_is_64, (size_t)module->memory_count + count, 1))
    return false;
  for (uint32_t i = 0; i < module->memory_count; i++)
    module->memory_is_64[i] = before[i];
  return true;
}

static void read_global_type(wt_module *module, wt_reader *reader) {
  wt_valtype_skip(reader, module->type_count);
  if (wt_reader_u8(reader) > 1)
    wt_reader_fail_at(reader, reader->at - 1, "malformed mutability");
}

static void read_tag_type(wt_module *module, wt_reader *reader) {
  if (wt_reader_u8(reader) != 0)
    wt_reader_fail_at(reader, reader->at - 1, "malformed tag attribute");
  wt_reader_index(reader, module->type_count, "type");
}

enum { KIND_FUNC = 0, KIND_TABLE = 1, KIND_MEMORY = 2, KIND_GLOBAL = 3, KIND_TAG = 4, KIND_FUNC_EXACT = 0x20 };

static void read_func_type_index(wt_module *module, wt_reader *reader, uint32_t *type) {
  const uint8_t *place = reader->at;
  *type = wt_reader_index(reader, module->type_count, "type");
  if (wt_reader_ok(reader) && !module->types[*type].is_func)
    wt_reader_fail_at(reader, place, "the type of a function is no function type");
}

/* The type of an import. *detail gets what is remembered of it: a function's type index, a memory's flags. */
static void read_import_type(wt_module *module, wt_reader *reader, uint8_t kind, uint32_t *detail) {
  switch (kind) {
  case KIND_FUNC:
  case KIND_FUNC_EXACT: read_func_type_index(module, reader, detail); break;
  case KIND_TABLE: read_table_type(module, reader); break;
  case KIND_MEMORY: *detail = read_memory_type(module, reader); break;
  case KIND_GLOBAL: read_global_type(module, reader); break;
  case KIND_TAG: read_tag_type(module, reader); break;
  default: wt_reader_fail(reader, "malformed import kind"); break;
  }
}

/* The import's place in its index space. */
static void add_import(wt_module *module, uint8_t kind, uint32_t detail, wt_slice from, wt_slice name) {
  switch (kind) {
  case KIND_FUNC:
  case KIND_FUNC_EXACT:
    module->func_types[module->func_imports] = detail;
    module->imports[module->func_imports++] = (wt_func_import){from, name};
    break;
  case KIND_TABLE: module->table_imports = ++module->table_count; break;
  case KIND_MEMORY: add_memory(module, (uint8_t)detail); break;
  case KIND_GLOBAL: module->global_count++; break;
  case KIND_TAG: module->tag_count++; break;
  default: break;
  }
}

static void read_one_import(wt_module *module, wt_reader *reader, wt_slice from, wt_slice name) {
  uint8_t kind = wt_reader_u8(reader);
  uint32_t detail = 0;
  read_import_type(module, reader, kind, &detail);
  if (wt_reader_ok(reader))
    add_import(module, kind, detail, from, name);
}

/* The compact encodings of the compact-import-section proposal: after an empty name, 0x7f is a list of (name, type) and
   0x7e one type and a list of names, all from the same module. */
enum { COMPACT_TYPES = 0x7f, COMPACT_ONE_TYPE = 0x7e };

static void read_compact_types(wt_module *module, wt_reader *reader, wt_slice from) {
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    read_one_import(module, reader, from, wt_reader_name(reader));
}

static void read_compact_names(wt_module *module, wt_reader *reader, wt_slice from) {
  uint8_t kind = wt_reader_u8(reader);
  uint32_t detail = 0;
  read_import_type(module, reader, kind, &detail);
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    add_import(module, kind, detail, from, wt_reader_name(reader));
}

static void read_import(wt_module *module, wt_reader *reader) {
  wt_slice from = wt_reader_name(reader);
  wt_slice name = wt_reader_name(reader);
  uint8_t next = wt_reader_left(reader) ? *reader->at : 0;
  if (name.size || (next != COMPACT_TYPES && next != COMPACT_ONE_TYPE)) {
    read_one_import(module, reader, from, name);
    return;
  }
  wt_reader_u8(reader);
  module->features |= (uint64_t)1 << WT_FEATURE_COMPACT_IMPORTS;
  if (next == COMPACT_TYPES)
    read_compact_types(module, reader, from);
  else
    read_compact_names(module, reader, from);
}

/* Room for every import: an import takes at least one byte, of whichever encoding. */
static bool read_imports(wt_module *module, wt_reader *reader) {
  uint32_t most = (uint32_t)wt_reader_left(reader);
  if (!add(reader, (void **)&module->imports, most, sizeof(wt_func_import)) ||
      !add(reader, (void **)&module->func_types, most, sizeof(uint32_t)) || !more_memories(module, reader, most))
    return false;
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    read_import(module, reader);
  module->func_count = module->func_imports;
  return wt_reader_done(reader, "import section");
}

static bool read_functions(wt_module *module, wt_reader *reader) {
  uint32_t count = wt_reader_count(reader);
  const uint32_t *imported = module->func_types;
  if (!add(reader, (void **)&module->func_types, (size_t)module->func_imports + count, sizeof(uint32_t)))
    return false;
  for (uint32_t i = 0; i < module->func_imports; i++)
    module->func_types[i] = imported[i];
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    read_func_type_index(module, reader, &module->func_types[module->func_imports + i]);
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
  read_table_type(module, reader);
  if (initialised)
    wt_const_expr_read(reader, module);
}

static bool read_tables(wt_module *module, wt_reader *reader) {
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    read_table(module, reader);
  module->table_count += count;
  return wt_reader_done(reader, "table section");
}

static bool read_memories(wt_module *module, wt_reader *reader) {
  uint32_t count = wt_reader_count(reader);
  if (!more_memories(module, reader, count))
    return false;
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    add_memory(module, read_memory_type(module, reader));
  return wt_reader_done(reader, "memory section");
}

static bool read_tags(wt_module *module, wt_reader *reader) {
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    read_tag_type(module, reader);
  module->tag_count += count;
  return wt_reader_done(reader, "tag section");
}

/* An initialiser may name the globals before it only. */
static bool read_globals(wt_module *module, wt_reader *reader) {
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++) {
    read_global_type(module, reader);
    wt_const_expr_read(reader, module);
    module->global_count++;
  }
  return wt_reader_done(reader, "global section");
}

/* ---- exports, start, segments ---- */

static void read_export(wt_module *module, wt_reader *reader) {
  wt_slice name = wt_reader_name(reader);
  uint8_t kind = wt_reader_u8(reader);
  switch (kind) {
  case KIND_FUNC: {
    uint32_t func = wt_reader_index(reader, module->func_count, "function");
    module->exports[module->export_count++] = (wt_func_export){name, func};
    break;
  }
  case KIND_TABLE: wt_reader_index(reader, module->table_count, "table"); break;
  case KIND_MEMORY: wt_reader_index(reader, module->memory_count, "memory"); break;
  case KIND_GLOBAL: wt_reader_index(reader, module->global_count, "global"); break;
  case KIND_TAG: wt_reader_index(reader, module->tag_count, "tag"); break;
  default: wt_reader_fail_at(reader, reader->at - 1, "malformed export kind"); break;
  }
  static const char reserved[] = "__wasm_trace_";
  if (!module->may_be_traced && name.size >= sizeof(reserved) - 1 &&
      memcmp(name.data, reserved, sizeof(reserved) - 1) == 0) {
    wt_fail(reader->job, WT_ERROR_TRACED, wt_reader_offset(reader), "the module exports a name of ours, \"%.*s\"",
            name.size > 64 ? 64 : (int)name.size, (const char *)name.data);
    reader->failed = true;
  }
}

static bool read_exports(wt_module *module, wt_reader *reader) {
  uint32_t count = wt_reader_count(reader);
  if (!add(reader, (void **)&module->exports, count, sizeof(wt_func_export)))
    return false;
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    read_export(module, reader);
  return wt_reader_done(reader, "export section");
}

static bool read_start(wt_module *module, wt_reader *reader) {
  const uint8_t *place = reader->at;
  module->start = wt_reader_index(reader, module->func_count, "function");
  if (wt_reader_ok(reader)) {
    const wt_type *type = wt_module_func_type(module, module->start);
    if (type->params.count || type->results.count)
      wt_reader_fail_at(reader, place, "the start function has parameters or results");
  }
  return wt_reader_done(reader, "start section");
}

/* Bits of an element segment's flags (specification 5.5.12). */
enum { ELEM_NOT_ACTIVE = 1, ELEM_EXPLICIT = 2, ELEM_EXPRESSIONS = 4 };

static void read_element_items(wt_module *module, wt_reader *reader, bool expressions) {
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++) {
    if (expressions) {
      wt_const_expr_read(reader, module);
      continue;
    }
    uint32_t func = wt_reader_index(reader, module->func_count, "function");
    if (wt_reader_ok(reader))
      module->address_taken[func] = 1;
  }
}

static void read_element(wt_module *module, wt_reader *reader) {
  uint32_t flags = wt_reader_u32(reader);
  if (flags > 7)
    wt_reader_fail_at(reader, reader->at - 1, "malformed element segment");
  bool active = !(flags & ELEM_NOT_ACTIVE);
  if (active && (flags & ELEM_EXPLICIT))
    wt_reader_index(reader, module->table_count, "table");
  else if (active && !module->table_count)
    wt_reader_fail(reader, "unknown table 0");
  if (active)
    wt_const_expr_read(reader, module);
  if (flags & (ELEM_NOT_ACTIVE | ELEM_EXPLICIT)) {
    if (flags & ELEM_EXPRESSIONS)
      wt_valtype_skip(reader, module->type_count);
    else if (wt_reader_u8(reader) != 0)
      wt_reader_fail_at(reader, reader->at - 1, "malformed element kind");
  }
  read_element_items(module, reader, flags & ELEM_EXPRESSIONS);
}

static bool read_elements(wt_module *module, wt_reader *reader) {
  module->elem_count = wt_reader_count(reader);
  for (uint32_t i = 0; i < module->elem_count && wt_reader_ok(reader); i++)
    read_element(module, reader);
  return wt_reader_done(reader, "element section");
}

static bool read_data_count(wt_module *module, wt_reader *reader) {
  module->data_count = wt_reader_u32(reader);
  module->has_data_count = true;
  return wt_reader_done(reader, "data count section");
}

static void read_data_segment(wt_module *module, wt_reader *reader) {
  uint32_t flags = wt_reader_u32(reader);
  if (flags > 2)
    wt_reader_fail_at(reader, reader->at - 1, "malformed data segment");
  if (flags == 2)
    wt_reader_index(reader, module->memory_count, "memory");
  else if (flags == 0 && !module->memory_count)
    wt_reader_fail(reader, "unknown memory 0");
  if (flags != 1)
    wt_const_expr_read(reader, module);
  wt_reader_name(reader);
}

static bool read_data(wt_module *module, wt_reader *reader) {
  const uint8_t *place = reader->at;
  uint32_t count = wt_reader_count(reader);
  if (module->has_data_count && count != module->data_count)
    return wt_reader_fail_at(reader, place, "data count and data section have inconsistent lengths");
  module->data_count = count;
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    read_data_segment(module, reader);
  return wt_reader_done(reader, "data section");
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

static const struct {
  section_reader *read;
  uint8_t order;
} section_table[] = {
#define WT_SECTION(name, id, place, read) [id] = {read, place},
#include "sections.def"
#undef WT_SECTION
};

static bool slice_is(wt_slice slice, const char *text) {
  return slice.size == strlen(text) && memcmp(slice.data, text, slice.size) == 0;
}

static bool note_custom(wt_module *module, wt_reader *reader, wt_section *section) {
  section->name = wt_reader_name(reader);
  section->content = wt_reader_offset(reader);
  if (!wt_reader_ok(reader))
    return false;
  if (slice_is(section->name, "name"))
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
  return add(reader, (void **)&module->address_taken, module->func_count, 1);
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
    *traced |= id == WT_SECTION_CUSTOM && slice_is(wt_reader_name(&content), "wasm-trace");
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
  return add(reader, (void **)&module->sections, count, sizeof(wt_section));
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
