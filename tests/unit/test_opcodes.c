/* The opcode tables: rows spot-checked per proposal, gaps, and that every row of opcodes.def is found again. */
#include "opcodes.h"

#include <stdio.h>
#include <string.h>

typedef struct op_row {
  uint8_t prefix;
  uint32_t code;
  const char *name;
  wt_immediate immediate;
  wt_feature feature;
} op_row;

#define ROW_COUNT 589

static const op_row all[] = {
#define WT_OPCODE(prefix, code, name, text, immediate, feature) \
  {prefix, code, text, WT_IMM_##immediate, WT_FEATURE_##feature},
#include "opcodes.def"
#undef WT_OPCODE
};

/* From the specifications, not from opcodes.def. */
static const op_row expected[] = {
    {0x00, 0x00, "unreachable", WT_IMM_NONE, WT_FEATURE_MVP},
    {0x00, 0x04, "if", WT_IMM_BLOCK, WT_FEATURE_MVP},
    {0x00, 0x06, "try", WT_IMM_BLOCK, WT_FEATURE_LEGACY_EXCEPTIONS},
    {0x00, 0x08, "throw", WT_IMM_TAG, WT_FEATURE_EXCEPTIONS},
    {0x00, 0x0E, "br_table", WT_IMM_BR_TABLE, WT_FEATURE_MVP},
    {0x00, 0x11, "call_indirect", WT_IMM_CALL_INDIRECT, WT_FEATURE_MVP},
    {0x00, 0x13, "return_call_indirect", WT_IMM_CALL_INDIRECT, WT_FEATURE_TAIL_CALL},
    {0x00, 0x15, "return_call_ref", WT_IMM_TYPE, WT_FEATURE_TYPED_REFERENCES},
    {0x00, 0x18, "delegate", WT_IMM_LABEL, WT_FEATURE_LEGACY_EXCEPTIONS},
    {0x00, 0x1C, "select", WT_IMM_VALTYPES, WT_FEATURE_REFERENCE_TYPES},
    {0x00, 0x1F, "try_table", WT_IMM_TRY_TABLE, WT_FEATURE_EXCEPTIONS},
    {0x00, 0x24, "global.set", WT_IMM_GLOBAL, WT_FEATURE_MVP},
    {0x00, 0x3E, "i64.store32", WT_IMM_MEMARG, WT_FEATURE_MVP},
    {0x00, 0x40, "memory.grow", WT_IMM_MEMORY, WT_FEATURE_MVP},
    {0x00, 0x44, "f64.const", WT_IMM_F64, WT_FEATURE_MVP},
    {0x00, 0x7C, "i64.add", WT_IMM_NONE, WT_FEATURE_MVP},
    {0x00, 0xBF, "f64.reinterpret_i64", WT_IMM_NONE, WT_FEATURE_MVP},
    {0x00, 0xC4, "i64.extend32_s", WT_IMM_NONE, WT_FEATURE_SIGN_EXT},
    {0x00, 0xD0, "ref.null", WT_IMM_HEAP_TYPE, WT_FEATURE_REFERENCE_TYPES},
    {0x00, 0xD3, "ref.eq", WT_IMM_NONE, WT_FEATURE_GC},
    {0x00, 0xD6, "br_on_non_null", WT_IMM_LABEL, WT_FEATURE_TYPED_REFERENCES},
    {0x00, 0xE4, "resume_throw", WT_IMM_RESUME_THROW, WT_FEATURE_STACK_SWITCHING},
    {0x00, 0xE6, "switch", WT_IMM_SWITCH, WT_FEATURE_STACK_SWITCHING},
    {0xFB, 0x02, "struct.get", WT_IMM_TYPE_FIELD, WT_FEATURE_GC},
    {0xFB, 0x08, "array.new_fixed", WT_IMM_TYPE_U32, WT_FEATURE_GC},
    {0xFB, 0x18, "br_on_cast", WT_IMM_BR_CAST, WT_FEATURE_GC},
    {0xFB, 0x1E, "i31.get_u", WT_IMM_NONE, WT_FEATURE_GC},
    {0xFB, 0x26, "br_on_cast_desc_eq_fail", WT_IMM_BR_CAST, WT_FEATURE_CUSTOM_DESCRIPTORS},
    {0xFC, 0x07, "i64.trunc_sat_f64_u", WT_IMM_NONE, WT_FEATURE_SAT_FLOAT},
    {0xFC, 0x08, "memory.init", WT_IMM_DATA_MEMORY, WT_FEATURE_BULK_MEMORY},
    {0xFC, 0x0A, "memory.copy", WT_IMM_MEMORY_MEMORY, WT_FEATURE_BULK_MEMORY},
    {0xFC, 0x0C, "table.init", WT_IMM_ELEM_TABLE, WT_FEATURE_BULK_MEMORY},
    {0xFC, 0x11, "table.fill", WT_IMM_TABLE, WT_FEATURE_REFERENCE_TYPES},
    {0xFC, 0x16, "i64.mul_wide_u", WT_IMM_NONE, WT_FEATURE_WIDE_ARITHMETIC},
    {0xFD, 0x00, "v128.load", WT_IMM_MEMARG, WT_FEATURE_SIMD},
    {0xFD, 0x0D, "i8x16.shuffle", WT_IMM_SHUFFLE, WT_FEATURE_SIMD},
    {0xFD, 0x22, "f64x2.replace_lane", WT_IMM_LANE, WT_FEATURE_SIMD},
    {0xFD, 0x5B, "v128.store64_lane", WT_IMM_MEMARG_LANE, WT_FEATURE_SIMD},
    {0xFD, 0xAE, "i32x4.add", WT_IMM_NONE, WT_FEATURE_SIMD},
    {0xFD, 0xFF, "f64x2.convert_low_i32x4_u", WT_IMM_NONE, WT_FEATURE_SIMD},
    {0xFD, 0x113, "i32x4.relaxed_dot_i8x16_i7x16_add_s", WT_IMM_NONE, WT_FEATURE_RELAXED_SIMD},
    {0xFE, 0x03, "atomic.fence", WT_IMM_FENCE, WT_FEATURE_THREADS},
    {0xFE, 0x10, "i32.atomic.load", WT_IMM_MEMARG, WT_FEATURE_THREADS},
    {0xFE, 0x4E, "i64.atomic.rmw32.cmpxchg_u", WT_IMM_MEMARG, WT_FEATURE_THREADS},
};

static const struct {
  uint8_t prefix;
  uint32_t code;
} unknown[] = {
    {0x00, 0x16}, {0x00, 0x27},  {0x00, 0xC5}, {0x00, 0xFC}, {0x00, 0x100}, {0x00, UINT32_MAX}, {0xFB, 0x1F},
    {0xFB, 0x27}, {0xFC, 0x12},  {0xFC, 0x17}, {0xFD, 0x9A}, {0xFD, 0x114}, {0xFE, 0x04},       {0xFE, 0x0F},
    {0xFE, 0x4F}, {0xFE, 0x100}, {0xFF, 0x00}, {0xFA, 0x00}, {0x01, 0x00},  {0xFD, UINT32_MAX}, {0xFB, UINT32_MAX},
};

static int failures;

static void check(bool ok, uint8_t prefix, uint32_t code, const char *what) {
  if (ok)
    return;
  failures++;
  printf("opcode 0x%02X 0x%X: %s\n", prefix, (unsigned)code, what);
}

/* NULL where there is no such instruction. */
static const char *name_of(uint8_t prefix, uint32_t code) {
  const char *name = wt_opcode_names;
  for (size_t i = 0; *name; i++, name += strlen(name) + 1)
    if (all[i].prefix == prefix && all[i].code == code)
      return name;
  return NULL;
}

static void check_row(const op_row *row) {
  const wt_opcode *opcode = wt_opcode_find(row->prefix, row->code);
  const char *name = name_of(row->prefix, row->code);
  check(opcode != NULL, row->prefix, row->code, "not found");
  check(name && strcmp(name, row->name) == 0, row->prefix, row->code, "wrong name");
  if (!opcode)
    return;
  check(opcode->immediate == row->immediate, row->prefix, row->code, "wrong immediate");
  check(opcode->feature == row->feature, row->prefix, row->code, "wrong feature");
  check(opcode->immediate != WT_IMM_UNKNOWN, row->prefix, row->code, "unknown immediate in a row");
}

static void check_rows(void) {
  for (size_t i = 0; i < WT_COUNT_OF(all); i++)
    check_row(&all[i]);
  for (size_t i = 0; i < WT_COUNT_OF(expected); i++)
    check_row(&expected[i]);
  check(WT_COUNT_OF(all) == ROW_COUNT, 0, 0, "the number of rows changed: adjust ROW_COUNT");
}

/* Ascending numbers, hence no duplicates. */
static void check_order(void) {
  for (size_t i = 1; i < WT_COUNT_OF(all); i++)
    check(WT_OP(all[i - 1].prefix, all[i - 1].code) < WT_OP(all[i].prefix, all[i].code), all[i].prefix, all[i].code,
          "not behind the row before it");
}

static void check_unknown(void) {
  for (size_t i = 0; i < WT_COUNT_OF(unknown); i++) {
    check(!wt_opcode_find(unknown[i].prefix, unknown[i].code), unknown[i].prefix, unknown[i].code, "found");
    check(!name_of(unknown[i].prefix, unknown[i].code), unknown[i].prefix, unknown[i].code, "named");
  }
}

/* What can be found at all is exactly the rows. */
static void check_count(void) {
  size_t found = 0;
  for (uint32_t prefix = 0; prefix < 256; prefix++)
    for (uint32_t code = 0; code < 1024; code++)
      found += wt_opcode_find((uint8_t)prefix, code) != NULL;
  check(found == WT_COUNT_OF(all), 0, 0, "more or fewer instructions than rows");
}

static void check_single(void) {
  for (uint32_t code = 0; code < 256; code++) {
    const wt_opcode *opcode = wt_opcode_find(WT_PREFIX_NONE, code);
    bool is_known = wt_opcodes_single[code].immediate != WT_IMM_UNKNOWN;
    check(opcode == (is_known ? &wt_opcodes_single[code] : NULL), 0, code, "tables disagree");
  }
}

static void check_numbers(void) {
  check(WT_OP_CALL == 0x10, 0, 0x10, "wrong number");
  check(WT_OP_MEMORY_COPY == 0xFC000A, 0xFC, 0x0A, "wrong number");
  check(WT_OP_PREFIX(WT_OP_F32X4_RELAXED_MAX) == 0xFD, 0xFD, 0x10E, "wrong prefix");
  check(WT_OP_CODE(WT_OP_F32X4_RELAXED_MAX) == 0x10E, 0xFD, 0x10E, "wrong code");
}

static bool is_version(const char *text) { return text[strspn(text, "0123456789.")] == '\0'; }

static void check_features(void) {
  for (uint32_t i = 0; i < WT_FEATURE_COUNT; i++) {
    const wt_feature_info *info = wt_feature_describe((wt_feature)i);
    bool versions =
        is_version(info->chrome) && is_version(info->firefox) && is_version(info->safari) && is_version(info->node);
    check(info->name[0] != '\0' && versions, 0, i, "wrong feature row (code = feature)");
  }
  check(strcmp(wt_feature_name(WT_FEATURE_TAIL_CALL), "tail calls") == 0, 0, WT_FEATURE_TAIL_CALL,
        "wrong feature name");
  check(strcmp(wt_feature_describe(WT_FEATURE_GC)->chrome, "119") == 0, 0, WT_FEATURE_GC, "wrong version");
}

int main(void) {
  check_rows();
  check_order();
  check_unknown();
  check_count();
  check_single();
  check_numbers();
  check_features();
  return failures ? 1 : 0;
}
