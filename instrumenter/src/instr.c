#include "instr.h"

#include "valtype.h"

static uint32_t read_type(wt_reader *reader, const wt_spaces *spaces) {
  return wt_reader_index(reader, spaces->module->type_count, "type");
}

static uint32_t read_label(wt_reader *reader, const wt_spaces *spaces) {
  return wt_reader_index(reader, spaces->labels, "label");
}

static uint32_t read_memory(wt_reader *reader, const wt_spaces *spaces) {
  return wt_reader_index(reader, spaces->module->memory_count, "memory");
}

/* DataCount must stand before the code for a body to name a data segment (specification 5.5.16). */
static uint32_t read_data(wt_reader *reader, const wt_spaces *spaces) {
  if (!spaces->module->has_data_count)
    wt_reader_fail(reader, "data count section required");
  return wt_reader_index(reader, spaces->module->data_count, "data segment");
}

static uint32_t read_elem(wt_reader *reader, const wt_spaces *spaces) {
  return wt_reader_index(reader, spaces->module->elem_count, "element segment");
}

static uint32_t read_table(wt_reader *reader, const wt_spaces *spaces) {
  return wt_reader_index(reader, spaces->module->table_count, "table");
}

static void read_block_type(wt_reader *reader, const wt_spaces *spaces) {
  const uint8_t *place = reader->at;
  if (!wt_reader_left(reader)) {
    wt_reader_fail(reader, "unexpected end");
  } else if (*place == WT_TYPE_EMPTY) {
    wt_reader_u8(reader);
  } else if ((*place & 0xc0) == 0x40) { /* a negative one-byte number: a value type */
    wt_valtype_skip(reader, spaces->module->type_count);
  } else {
    int64_t type = wt_reader_s33(reader);
    if (type < 0 || type >= (int64_t)spaces->module->type_count)
      wt_reader_fail_at(reader, place, "unknown type in a block type");
    else if (!spaces->module->types[type].is_func)
      wt_reader_fail_at(reader, place, "block type is not a function type");
  }
}

/* Bit 6 of the alignment announces an explicit memory index (multi-memory, specification 5.4.6). */
static void read_memarg(wt_reader *reader, const wt_spaces *spaces, wt_instr *instr) {
  const uint8_t *place = reader->at;
  uint32_t flags = wt_reader_u32(reader);
  if (flags >= 0x80)
    wt_reader_fail_at(reader, place, "malformed memory argument");
  instr->align = flags & 0x3f;
  instr->index = 0;
  if (flags & 0x40)
    instr->index = read_memory(reader, spaces);
  else if (!spaces->module->memory_count)
    wt_reader_fail_at(reader, place, "unknown memory 0");
  instr->offset = wt_reader_u64(reader);
}

static void read_br_table(wt_reader *reader, const wt_spaces *spaces) {
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i <= count && wt_reader_ok(reader); i++)
    read_label(reader, spaces);
}

static void read_value_types(wt_reader *reader, const wt_spaces *spaces) {
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++)
    wt_valtype_skip(reader, spaces->module->type_count);
}

enum { CATCH = 0, CATCH_REF = 1, CATCH_ALL = 2, CATCH_ALL_REF = 3 };

static uint32_t read_tag(wt_reader *reader, const wt_spaces *spaces) {
  return wt_reader_index(reader, spaces->module->tag_count, "tag");
}

static void read_try_table(wt_reader *reader, const wt_spaces *spaces) {
  read_block_type(reader, spaces);
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++) {
    uint8_t kind = wt_reader_u8(reader);
    if (kind > CATCH_ALL_REF)
      wt_reader_fail_at(reader, reader->at - 1, "malformed catch clause");
    if (kind <= CATCH_REF)
      read_tag(reader, spaces);
    read_label(reader, spaces);
  }
}

/* Handlers of stack switching: 0x00 tag label (on), 0x01 tag (switch). */
static void read_handlers(wt_reader *reader, const wt_spaces *spaces) {
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++) {
    uint8_t kind = wt_reader_u8(reader);
    if (kind > 1)
      wt_reader_fail_at(reader, reader->at - 1, "malformed handler clause");
    read_tag(reader, spaces);
    if (kind == 0)
      read_label(reader, spaces);
  }
}

static void read_cast_branch(wt_reader *reader, const wt_spaces *spaces, wt_instr *instr) {
  if (wt_reader_u8(reader) > 3)
    wt_reader_fail_at(reader, reader->at - 1, "malformed cast flags");
  instr->index = read_label(reader, spaces);
  wt_heap_type_skip(reader, spaces->module->type_count);
  wt_heap_type_skip(reader, spaces->module->type_count);
}

bool wt_instr_read_immediates(wt_reader *reader, const wt_spaces *spaces, wt_instr *instr) {
  const wt_module *module = spaces->module;
  switch (instr->immediate) {
  case WT_IMM_NONE: break;
  case WT_IMM_BLOCK: read_block_type(reader, spaces); break;
  case WT_IMM_LABEL: instr->index = read_label(reader, spaces); break;
  case WT_IMM_BR_TABLE: read_br_table(reader, spaces); break;
  case WT_IMM_FUNC: instr->index = wt_reader_index(reader, module->func_count, "function"); break;
  case WT_IMM_CALL_INDIRECT:
    instr->index = read_type(reader, spaces);
    instr->table = read_table(reader, spaces);
    break;
  case WT_IMM_TYPE: instr->index = read_type(reader, spaces); break;
  case WT_IMM_LOCAL: instr->index = wt_reader_index(reader, spaces->locals, "local"); break;
  case WT_IMM_GLOBAL: instr->index = wt_reader_index(reader, module->global_count, "global"); break;
  case WT_IMM_TABLE: instr->index = read_table(reader, spaces); break;
  case WT_IMM_TABLE_TABLE:
    instr->index = read_table(reader, spaces);
    read_table(reader, spaces);
    break;
  case WT_IMM_MEMARG: read_memarg(reader, spaces, instr); break;
  case WT_IMM_MEMARG_LANE:
    read_memarg(reader, spaces, instr);
    wt_reader_u8(reader);
    break;
  case WT_IMM_MEMORY: instr->index = read_memory(reader, spaces); break;
  case WT_IMM_MEMORY_MEMORY:
    instr->index = read_memory(reader, spaces);
    read_memory(reader, spaces);
    break;
  case WT_IMM_DATA_MEMORY:
    instr->index = read_data(reader, spaces);
    read_memory(reader, spaces);
    break;
  case WT_IMM_DATA: instr->index = read_data(reader, spaces); break;
  case WT_IMM_ELEM_TABLE:
    instr->index = read_elem(reader, spaces);
    read_table(reader, spaces);
    break;
  case WT_IMM_ELEM: instr->index = read_elem(reader, spaces); break;
  case WT_IMM_I32: wt_reader_skip_s32(reader); break;
  case WT_IMM_I64: wt_reader_skip_s64(reader); break;
  case WT_IMM_F32: wt_reader_skip(reader, 4); break;
  case WT_IMM_F64: wt_reader_skip(reader, 8); break;
  case WT_IMM_V128:
  case WT_IMM_SHUFFLE: wt_reader_skip(reader, 16); break;
  case WT_IMM_LANE: wt_reader_u8(reader); break;
  case WT_IMM_HEAP_TYPE: wt_heap_type_skip(reader, module->type_count); break;
  case WT_IMM_VALTYPES: read_value_types(reader, spaces); break;
  case WT_IMM_TYPE_FIELD:
  case WT_IMM_TYPE_U32:
    instr->index = read_type(reader, spaces);
    wt_reader_u32(reader);
    break;
  case WT_IMM_TYPE_TYPE:
  case WT_IMM_CONT_BIND:
    instr->index = read_type(reader, spaces);
    read_type(reader, spaces);
    break;
  case WT_IMM_TYPE_DATA:
    instr->index = read_type(reader, spaces);
    read_data(reader, spaces);
    break;
  case WT_IMM_TYPE_ELEM:
    instr->index = read_type(reader, spaces);
    read_elem(reader, spaces);
    break;
  case WT_IMM_TAG: instr->index = read_tag(reader, spaces); break;
  case WT_IMM_TRY_TABLE: read_try_table(reader, spaces); break;
  case WT_IMM_BR_CAST: read_cast_branch(reader, spaces, instr); break;
  case WT_IMM_FENCE:
    if (wt_reader_u8(reader) != 0)
      wt_reader_fail_at(reader, reader->at - 1, "zero byte expected");
    break;
  case WT_IMM_RESUME:
  case WT_IMM_RESUME_THROW_REF:
    instr->index = read_type(reader, spaces);
    read_handlers(reader, spaces);
    break;
  case WT_IMM_RESUME_THROW:
    instr->index = read_type(reader, spaces);
    read_tag(reader, spaces);
    read_handlers(reader, spaces);
    break;
  case WT_IMM_SWITCH:
    instr->index = read_type(reader, spaces);
    read_tag(reader, spaces);
    break;
  default: wt_reader_fail_at(reader, instr->start, "unknown opcode"); break;
  }
  instr->end = reader->at;
  return wt_reader_ok(reader);
}

static bool is_prefix(uint8_t byte) { return byte >= 0xfb && byte <= 0xfe; }

bool wt_instr_read(wt_reader *reader, const wt_spaces *spaces, wt_instr *instr, uint64_t *features) {
  *instr = (wt_instr){.start = reader->at};
  instr->code = wt_reader_u8(reader);
  if (is_prefix((uint8_t)instr->code)) {
    instr->prefix = (uint8_t)instr->code;
    instr->code = wt_reader_u32(reader);
  }
  const wt_opcode *opcode = wt_opcode_find(instr->prefix, instr->code);
  instr->immediate = opcode ? opcode->immediate : WT_IMM_UNKNOWN;
  if (opcode)
    *features |= (uint64_t)1 << opcode->feature;
  return wt_instr_read_immediates(reader, spaces, instr);
}

/* Integer add, sub and mul are all that constant expressions may compute with. */
static bool is_arithmetic(uint32_t code) {
  return (code >= WT_OP_I32_ADD && code <= WT_OP_I32_MUL) || (code >= WT_OP_I64_ADD && code <= WT_OP_I64_MUL);
}

bool wt_const_expr_read(wt_reader *reader, wt_module *module) {
  wt_spaces spaces = {.module = module};
  wt_instr instr;
  while (wt_instr_read(reader, &spaces, &instr, &module->features)) {
    if (instr.prefix == 0 && is_arithmetic(instr.code))
      module->features |= WT_FEATURE_BIT(WT_FEATURE_EXTENDED_CONST);
    if (instr.prefix == 0 && instr.code == WT_OP_END)
      return true;
    if (instr.prefix == 0 && instr.code == WT_OP_REF_FUNC)
      module->address_taken[instr.index] = 1;
  }
  return false;
}

void wt_try_table_labels(wt_reader reader, const wt_module *module, void *user, wt_label_visitor *each) {
  wt_spaces spaces = {.module = module, .labels = UINT32_MAX};
  read_block_type(&reader, &spaces);
  uint32_t count = wt_reader_count(&reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(&reader); i++) {
    if (wt_reader_u8(&reader) <= CATCH_REF)
      read_tag(&reader, &spaces);
    each(user, wt_reader_u32(&reader));
  }
}
