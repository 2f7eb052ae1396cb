/* Exports, the start function, element and data segments. */
#include "instr.h"
#include "scan.h"
#include "valtype.h"

static void read_func_export(wt_module *module, wt_reader *reader, wt_slice name) {
  uint32_t func = wt_reader_index(reader, module->func_count, "function");
  module->exports[module->export_count++] = (wt_func_export){name, func};
  if (wt_reader_ok(reader))
    module->functions_escape |= wt_signature_holds_function(module, module->func_types[func]);
}

static void read_exported_index(wt_module *module, wt_reader *reader, wt_slice name) {
  switch (wt_reader_u8(reader)) {
  case WT_KIND_FUNC: read_func_export(module, reader, name); break;
  case WT_KIND_TABLE:
    module->functions_escape |= wt_table_holds_functions(module, wt_reader_index(reader, module->table_count, "table"));
    break;
  case WT_KIND_MEMORY: wt_reader_index(reader, module->memory_count, "memory"); break;
  case WT_KIND_GLOBAL:
    wt_reader_index(reader, module->global_count, "global");
    module->functions_escape |= module->function_globals;
    break;
  case WT_KIND_TAG: wt_reader_index(reader, module->tag_count, "tag"); break;
  default: wt_reader_fail_at(reader, reader->at - 1, "malformed export kind"); break;
  }
}

static void read_export(wt_module *module, wt_reader *reader) {
  wt_slice name = wt_reader_name(reader);
  read_exported_index(module, reader, name);
  static const char reserved[] = "__wasm_trace_";
  if (!module->may_be_traced && name.size >= sizeof(reserved) - 1 &&
      memcmp(name.data, reserved, sizeof(reserved) - 1) == 0) {
    wt_fail(reader->job, WT_ERROR_TRACED, wt_reader_offset(reader), "the module exports a name of ours, \"%.*s\"",
            name.size > 64 ? 64 : (int)name.size, (const char *)name.data);
    reader->failed = true;
  }
}

bool wt_scan_exports(wt_module *module, wt_reader *reader) {
  uint32_t count = wt_reader_count(reader);
  if (!wt_scan_array(reader, (void **)&module->exports, count, sizeof(wt_func_export)))
    return false;
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    read_export(module, reader);
  module->all_exports = count;
  return wt_reader_done(reader, "export section");
}

bool wt_scan_start(wt_module *module, wt_reader *reader) {
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

/* Where the items of a segment go. */
typedef struct placement {
  bool known;
  uint32_t table;
  uint32_t index; /* of the first item */
} placement;

static void place_function(wt_module *module, const placement *place, uint32_t func, uint32_t item) {
  module->address_taken[func] = 1;
  if (!place->known)
    return;
  uint32_t *slot = &module->slots[func];
  uint32_t type = module->func_types[func], somewhere = wt_slot(module, place->table, type, WT_SLOT_INDEX);
  if (!*slot)
    *slot = wt_slot(module, place->table, type, place->index + item);
  else
    *slot = (*slot | WT_SLOT_INDEX) == somewhere ? somewhere : WT_NO_SLOT;
}

/* An item that is nothing but a ref.func. */
static void read_element_expression(wt_module *module, wt_reader *reader, const placement *place, uint32_t item) {
  wt_reader alone = *reader;
  if (!wt_const_expr_read(reader, module) || wt_reader_u8(&alone) != WT_OP_REF_FUNC)
    return;
  uint32_t func = wt_reader_u32(&alone);
  if (alone.at + 1 == reader->at)
    place_function(module, place, func, item);
}

static void read_element_items(wt_module *module, wt_reader *reader, const placement *place, bool expressions) {
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++) {
    if (expressions) {
      read_element_expression(module, reader, place, i);
      continue;
    }
    uint32_t func = wt_reader_index(reader, module->func_count, "function");
    if (wt_reader_ok(reader))
      place_function(module, place, func, i);
  }
}

/* The offset of an active segment; known when it is nothing but a constant. */
static void read_offset(wt_module *module, wt_reader *reader, placement *place) {
  wt_reader constant = *reader;
  wt_const_expr_read(reader, module);
  if (!wt_reader_ok(reader) || wt_reader_u8(&constant) != WT_OP_I32_CONST)
    return;
  place->index = (uint32_t)wt_reader_s33(&constant);
  place->known = constant.at + 1 == reader->at;
}

static void read_element(wt_module *module, wt_reader *reader) {
  uint32_t flags = wt_reader_u32(reader);
  if (flags > 7)
    wt_reader_fail_at(reader, reader->at - 1, "malformed element segment");
  bool active = !(flags & ELEM_NOT_ACTIVE);
  placement place = {0};
  if (active && (flags & ELEM_EXPLICIT))
    place.table = wt_reader_index(reader, module->table_count, "table");
  else if (active && !module->table_count)
    wt_reader_fail(reader, "unknown table 0");
  if (active)
    read_offset(module, reader, &place);
  if (flags & (ELEM_NOT_ACTIVE | ELEM_EXPLICIT)) {
    if (flags & ELEM_EXPRESSIONS)
      wt_valtype_skip(reader, module->type_count);
    else if (wt_reader_u8(reader) != 0)
      wt_reader_fail_at(reader, reader->at - 1, "malformed element kind");
  }
  read_element_items(module, reader, &place, flags & ELEM_EXPRESSIONS);
}

bool wt_scan_elements(wt_module *module, wt_reader *reader) {
  module->elem_count = wt_reader_count(reader);
  for (uint32_t i = 0; i < module->elem_count && wt_reader_ok(reader); i++)
    read_element(module, reader);
  return wt_reader_done(reader, "element section");
}

bool wt_scan_data_count(wt_module *module, wt_reader *reader) {
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

bool wt_scan_data(wt_module *module, wt_reader *reader) {
  const uint8_t *place = reader->at;
  uint32_t count = wt_reader_count(reader);
  if (module->has_data_count && count != module->data_count)
    return wt_reader_fail_at(reader, place, "data count and data section have inconsistent lengths");
  module->data_count = count;
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    read_data_segment(module, reader);
  return wt_reader_done(reader, "data section");
}
