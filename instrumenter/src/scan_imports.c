/* The import section, and the types of what can be imported or defined. */
#include "opcodes.h"
#include "scan.h"
#include "valtype.h"

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
    module->features |= WT_FEATURE_BIT(WT_FEATURE_MEMORY64);
  if (flags & LIMITS_SHARED)
    module->features |= WT_FEATURE_BIT(WT_FEATURE_THREADS);
  if (flags & LIMITS_PAGE_SIZE)
    module->features |= WT_FEATURE_BIT(WT_FEATURE_CUSTOM_PAGE_SIZES);
}

/* A value type; whether it can be a reference to a function. */
static bool skip_value_type(wt_module *module, wt_reader *reader) {
  const uint8_t *place = reader->at;
  wt_valtype_skip(reader, module->type_count);
  return wt_reader_ok(reader) && wt_holds_function(module, place);
}

bool wt_scan_table_type(wt_module *module, wt_reader *reader) {
  bool holds_functions = skip_value_type(module, reader);
  uint8_t flags = read_limits(reader, LIMITS_MAX | LIMITS_SHARED | LIMITS_64);
  note_limits(module, flags);
  module->wide_tables |= (flags & LIMITS_64) != 0;
  return holds_functions;
}

uint8_t wt_scan_memory_type(wt_module *module, wt_reader *reader) {
  uint8_t flags = read_limits(reader, LIMITS_MAX | LIMITS_SHARED | LIMITS_64 | LIMITS_PAGE_SIZE);
  note_limits(module, flags);
  return flags;
}

void wt_scan_add_memory(wt_module *module, uint8_t flags) {
  module->memory_is_64[module->memory_count++] = (flags & LIMITS_64) != 0;
  module->shares_memory |= (flags & LIMITS_SHARED) != 0;
  if (module->memory_count > 1)
    module->features |= WT_FEATURE_BIT(WT_FEATURE_MULTI_MEMORY);
}

/* Memories are few, but each needs its address type: the list is made anew for each section that adds some. */
bool wt_scan_more_memories(wt_module *module, wt_reader *reader, uint32_t count) {
  uint8_t *before = module->memory_is_64;
  if (!wt_scan_array(reader, (void **)&module->memory_is_64, (size_t)module->memory_count + count, 1))
    return false;
  for (uint32_t i = 0; i < module->memory_count; i++)
    module->memory_is_64[i] = before[i];
  return true;
}

bool wt_scan_global_type(wt_module *module, wt_reader *reader) {
  bool holds_functions = skip_value_type(module, reader);
  if (wt_reader_u8(reader) > 1)
    wt_reader_fail_at(reader, reader->at - 1, "malformed mutability");
  return holds_functions;
}

void wt_scan_tag_type(wt_module *module, wt_reader *reader) {
  if (wt_reader_u8(reader) != 0)
    wt_reader_fail_at(reader, reader->at - 1, "malformed tag attribute");
  uint32_t type = wt_reader_index(reader, module->type_count, "type");
  if (wt_reader_ok(reader))
    module->functions_escape |= wt_signature_holds_function(module, type);
}

void wt_scan_func_type(wt_module *module, wt_reader *reader, uint32_t *type) {
  const uint8_t *place = reader->at;
  *type = wt_reader_index(reader, module->type_count, "type");
  if (wt_reader_ok(reader) && !module->types[*type].is_func)
    wt_reader_fail_at(reader, place, "the type of a function is no function type");
}

/* The type of an import. *detail gets what is remembered of it: a function's type index, a memory's flags, whether a table or a
   global can hold functions. */
static void read_import_type(wt_module *module, wt_reader *reader, uint8_t kind, uint32_t *detail) {
  switch (kind) {
  case WT_KIND_FUNC:
  case WT_KIND_FUNC_EXACT: wt_scan_func_type(module, reader, detail); break;
  case WT_KIND_TABLE: *detail = wt_scan_table_type(module, reader); break;
  case WT_KIND_MEMORY: *detail = wt_scan_memory_type(module, reader); break;
  case WT_KIND_GLOBAL: *detail = wt_scan_global_type(module, reader); break;
  case WT_KIND_TAG: wt_scan_tag_type(module, reader); break;
  default: wt_reader_fail(reader, "malformed import kind"); break;
  }
}

/* The import's place in its index space. */
static void add_import(wt_module *module, uint8_t kind, uint32_t detail, wt_slice from, wt_slice name) {
  switch (kind) {
  case WT_KIND_FUNC:
  case WT_KIND_FUNC_EXACT:
    module->func_types[module->func_imports] = detail;
    module->functions_escape |= wt_signature_holds_function(module, detail);
    module->imports[module->func_imports++] = (wt_func_import){from, name};
    break;
  case WT_KIND_TABLE:
    wt_scan_add_table(module, detail);
    module->table_imports = module->table_count;
    module->functions_escape |= detail;
    break;
  case WT_KIND_MEMORY: wt_scan_add_memory(module, (uint8_t)detail); break;
  case WT_KIND_GLOBAL:
    module->global_count++;
    module->functions_escape |= detail;
    break;
  case WT_KIND_TAG: module->tag_count++; break;
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
  module->features |= WT_FEATURE_BIT(WT_FEATURE_COMPACT_IMPORTS);
  if (next == COMPACT_TYPES)
    read_compact_types(module, reader, from);
  else
    read_compact_names(module, reader, from);
}

/* Room for every import: an import takes at least one byte, of whichever encoding. */
bool wt_scan_imports(wt_module *module, wt_reader *reader) {
  uint32_t most = (uint32_t)wt_reader_left(reader);
  if (!wt_scan_array(reader, (void **)&module->imports, most, sizeof(wt_func_import)) ||
      !wt_scan_array(reader, (void **)&module->func_types, most, sizeof(uint32_t)) ||
      !wt_scan_more_memories(module, reader, most))
    return false;
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    read_import(module, reader);
  module->func_count = module->func_imports;
  return wt_reader_done(reader, "import section");
}
