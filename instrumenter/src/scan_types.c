/* The type section: function types are kept, all others only checked. */
#include "opcodes.h"
#include "scan.h"
#include "valtype.h"

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
  uint64_t features;
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
  if (form != FORM_FUNC)
    scan->features |= WT_FEATURE_BIT(form == FORM_CONT ? WT_FEATURE_STACK_SWITCHING : WT_FEATURE_GC);
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
bool wt_scan_types(wt_module *module, wt_reader *reader) {
  wt_reader counting = *reader;
  type_scan first = {.reader = &counting, .limit = UINT32_MAX};
  uint32_t count = read_all_types(&first);
  if (!wt_reader_ok(&counting)) {
    reader->failed = true;
    return false;
  }
  type_scan second = {.reader = reader, .capacity = count, .limit = count};
  if (!wt_scan_array(reader, (void **)&second.types, count, sizeof(wt_type)))
    return false;
  read_all_types(&second);
  module->types = second.types;
  module->type_count = count;
  module->features |= second.features;
  module->uses_exnref |= reader->exnref; /* thunks and shims have the types of what they call, in their blocks too */
  return wt_reader_done(reader, "type section");
}
