#include "valtype.h"

static bool is_exception_ref(uint8_t byte) { return byte == WT_TYPE_EXNREF || byte == WT_TYPE_NULLEXNREF; }

void wt_heap_type_skip(wt_reader *reader, uint32_t type_limit) {
  const uint8_t *place = reader->at;
  if (wt_reader_left(reader) && *place == WT_TYPE_EXACT) {
    wt_reader_u8(reader);
    wt_reader_index(reader, type_limit, "type");
    return;
  }
  int64_t type = wt_reader_s33(reader);
  reader->exnref |= type < 0 && is_exception_ref((uint8_t)(type & 0x7f));
  if (type >= 0 && type >= (int64_t)type_limit)
    wt_reader_fail_at(reader, place, "unknown type in a heap type");
  else if (type < 0 && !wt_is_abstract_ref((uint8_t)(type & 0x7f)))
    wt_reader_fail_at(reader, place, "malformed heap type");
}

uint8_t wt_valtype_skip(wt_reader *reader, uint32_t type_limit) {
  const uint8_t *place = reader->at;
  uint8_t byte = wt_reader_u8(reader);
  reader->exnref |= is_exception_ref(byte);
  if (byte == WT_TYPE_REF_NULL || byte == WT_TYPE_REF)
    wt_heap_type_skip(reader, type_limit);
  else if (!(byte >= WT_TYPE_V128 && byte <= WT_TYPE_I32) && !wt_is_abstract_ref(byte))
    wt_reader_fail_at(reader, place, "malformed value type");
  return byte;
}

static size_t leb_size(const uint8_t *at) {
  size_t size = 1;
  while (at[size - 1] & 0x80)
    size++;
  return size;
}

size_t wt_valtype_size(const uint8_t *encoded) {
  if (encoded[0] != WT_TYPE_REF_NULL && encoded[0] != WT_TYPE_REF)
    return 1;
  return encoded[1] == WT_TYPE_EXACT ? 2 + leb_size(encoded + 2) : 1 + leb_size(encoded + 1);
}

uint8_t wt_valtype_display(const uint8_t *encoded) {
  if (encoded[0] != WT_TYPE_REF_NULL && encoded[0] != WT_TYPE_REF)
    return encoded[0];
  return wt_is_abstract_ref(encoded[1]) ? encoded[1] : WT_TYPE_REF_NULL;
}

uint32_t wt_locals_skip(wt_reader *reader, uint32_t type_limit) {
  uint32_t groups = wt_reader_count(reader), total = 0;
  for (uint32_t i = 0; i < groups && wt_reader_ok(reader); i++) {
    total += wt_reader_u32(reader);
    wt_valtype_skip(reader, type_limit);
  }
  return total;
}
