#include "emit.h"

#include "valtype.h"

static void emit_indexed(wt_buf *code, uint8_t opcode, uint32_t index) {
  wt_buf_u8(code, opcode);
  wt_buf_u32(code, index);
}

void wt_emit_local_get(wt_buf *code, uint32_t local) { emit_indexed(code, WT_OP_LOCAL_GET, local); }
void wt_emit_local_set(wt_buf *code, uint32_t local) { emit_indexed(code, WT_OP_LOCAL_SET, local); }
void wt_emit_local_tee(wt_buf *code, uint32_t local) { emit_indexed(code, WT_OP_LOCAL_TEE, local); }
void wt_emit_call(wt_buf *code, uint32_t func) { emit_indexed(code, WT_OP_CALL, func); }
void wt_emit_global_get(wt_buf *code, uint32_t global) { emit_indexed(code, WT_OP_GLOBAL_GET, global); }
void wt_emit_global_set(wt_buf *code, uint32_t global) { emit_indexed(code, WT_OP_GLOBAL_SET, global); }

void wt_emit_access_in(wt_buf *code, uint8_t opcode, uint32_t align, uint32_t memory, uint32_t offset) {
  wt_buf_u8(code, opcode);
  if (memory == 0) {
    wt_buf_u32(code, align);
  } else {
    wt_buf_u32(code, align | 0x40); /* an explicit memory index follows */
    wt_buf_u32(code, memory);
  }
  wt_buf_u32(code, offset);
}

void wt_emit_access(wt_buf *code, uint8_t opcode, uint8_t align, uint32_t offset) {
  wt_emit_access_in(code, opcode, align, 0, offset);
}

void wt_emit_i32(wt_buf *code, int32_t value) {
  wt_buf_u8(code, WT_OP_I32_CONST);
  wt_buf_s64(code, value);
}

void wt_emit_i64(wt_buf *code, int64_t value) {
  wt_buf_u8(code, WT_OP_I64_CONST);
  wt_buf_s64(code, value);
}

void wt_emit_f64_zero(wt_buf *code) {
  wt_buf_u8(code, WT_OP_F64_CONST);
  wt_buf_fixed64(code, 0);
}

void wt_emit_if(wt_buf *code) {
  wt_buf_u8(code, WT_OP_IF);
  wt_buf_u8(code, WT_TYPE_EMPTY);
}

void wt_emit_is_position(wt_buf *code) {
  wt_emit_i32(code, 0);
  wt_buf_u8(code, WT_OP_I32_GE_S);
}

/* Record header without its position. */
static uint64_t header(uint32_t kind, uint32_t id, uint32_t words) {
  return (uint64_t)kind | (uint64_t)id << WTR_ID_SHIFT | (uint64_t)words << WTR_WORDS_SHIFT;
}

void wt_emit_header(wt_buf *code, uint32_t kind, uint32_t id, uint32_t words) {
  wt_emit_i64(code, (int64_t)header(kind, id, words));
}

void wt_emit_put_word(wt_buf *code, const wt_entries *entries, uint32_t word) {
  wt_emit_i32(code, (int32_t)word);
  wt_emit_call(code, entries->func[WTR_ENTRY_put]);
}

static void emit_lane(wt_buf *code, const wt_entries *entries, uint32_t local, uint8_t lane, uint32_t word) {
  wt_emit_local_get(code, local);
  wt_buf_u8(code, WT_PREFIX_SIMD);
  wt_buf_u32(code, WT_OP_CODE(WT_OP_I64X2_EXTRACT_LANE));
  wt_buf_u8(code, lane);
  wt_emit_put_word(code, entries, word);
}

/* i32 keeps its sign; f32 and f64 keep their bits; of a reference only its null-ness can be told. */
void wt_emit_put(wt_buf *code, const wt_entries *entries, uint32_t local, uint8_t type, uint32_t word) {
  if (type == WT_TYPE_V128) {
    emit_lane(code, entries, local, 0, word);
    emit_lane(code, entries, local, 1, word + 1);
    return;
  }
  wt_emit_local_get(code, local);
  switch (type) {
  case WT_TYPE_I32: wt_buf_u8(code, WT_OP_I64_EXTEND_I32_S); break;
  case WT_TYPE_I64: break;
  case WT_TYPE_F32:
    wt_buf_u8(code, WT_OP_I32_REINTERPRET_F32);
    wt_buf_u8(code, WT_OP_I64_EXTEND_I32_U);
    break;
  case WT_TYPE_F64: wt_buf_u8(code, WT_OP_I64_REINTERPRET_F64); break;
  default:
    wt_buf_u8(code, WT_OP_REF_IS_NULL);
    wt_buf_u8(code, WT_OP_I64_EXTEND_I32_U);
    break;
  }
  wt_emit_put_word(code, entries, word);
}

void wt_emit_count(wt_buf *code, const wt_entries *entries, uint32_t local, uint8_t type, uint32_t histogram) {
  bool is_float = type == WT_TYPE_F32 || type == WT_TYPE_F64;
  wt_emit_i32(code, (int32_t)histogram);
  wt_emit_local_get(code, local);
  if (type == WT_TYPE_I32)
    wt_buf_u8(code, WT_OP_I64_EXTEND_I32_S);
  else if (type == WT_TYPE_F32)
    wt_buf_u8(code, WT_OP_F64_PROMOTE_F32);
  wt_emit_call(code, entries->func[is_float ? WTR_ENTRY_count_float : WTR_ENTRY_count]);
}

uint32_t wt_emit_values(wt_buf *code, const wt_entries *entries, const wt_value *values, uint32_t count, uint32_t first,
                        bool put) {
  uint32_t words = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t local = first + values[i].index;
    if (values[i].histogram != WT_NO_INDEX)
      wt_emit_count(code, entries, local, values[i].type, values[i].histogram);
    if (!put)
      continue;
    wt_emit_put(code, entries, local, values[i].type, words);
    words += wt_valtype_words(values[i].type);
  }
  return words;
}
