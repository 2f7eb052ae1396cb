#include "reader.h"

wt_reader wt_reader_new(wt_job *job, const uint8_t *file, wt_slice part) {
  return (wt_reader){.file = file, .at = part.data, .end = part.data + part.size, .job = job};
}

wt_reader wt_reader_part(wt_reader *reader, size_t size, const char *what) {
  wt_reader part = *reader;
  if (size > wt_reader_left(reader)) {
    wt_fail(reader->job, WT_ERROR_MODULE, wt_reader_offset(reader), "%s ends behind the end of what holds it", what);
    reader->failed = part.failed = true;
    size = 0;
  }
  part.end = reader->at + size;
  reader->at += size;
  return part;
}

bool wt_reader_fail_at(wt_reader *reader, const uint8_t *place, const char *message) {
  if (!reader->failed)
    wt_fail(reader->job, WT_ERROR_MODULE, (size_t)(place - reader->file), "%s", message);
  reader->failed = true;
  return false;
}

bool wt_reader_fail(wt_reader *reader, const char *message) { return wt_reader_fail_at(reader, reader->at, message); }

uint8_t wt_reader_u8(wt_reader *reader) {
  if (reader->failed)
    return 0;
  if (reader->at == reader->end) {
    wt_reader_fail(reader, "unexpected end");
    return 0;
  }
  return *reader->at++;
}

/* LEB128 of `bits` bits: at most ceil(bits / 7) bytes, and in the last one the bits past `bits` must be zero (unsigned) or
   copies of the sign (WebAssembly core specification, 5.2.2). */
static uint64_t read_leb(wt_reader *reader, unsigned bits, bool is_signed) {
  const uint8_t *start = reader->at;
  uint64_t value = 0;
  for (unsigned shift = 0; shift < bits; shift += 7) {
    uint8_t byte = wt_reader_u8(reader);
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte & 0x80)
      continue;
    unsigned used = bits - shift;
    if (used < 7) {
      uint8_t rest = (uint8_t)((byte & 0x7f) >> (is_signed ? used - 1 : used));
      uint8_t all_ones = (uint8_t)(0x7f >> (is_signed ? used - 1 : used));
      if (rest != 0 && !(is_signed && rest == all_ones)) {
        wt_reader_fail_at(reader, reader->at - 1, "integer too large");
        return 0;
      }
    }
    if (is_signed && (byte & 0x40) && shift + 7 < 64)
      value |= ~(uint64_t)0 << (shift + 7);
    return reader->failed ? 0 : value;
  }
  wt_reader_fail_at(reader, start, "integer representation too long");
  return 0;
}

uint32_t wt_reader_u32(wt_reader *reader) {
  const uint8_t *at = reader->at;
  size_t left = wt_reader_left(reader);
  if (!reader->failed && left >= 1 && at[0] < 0x80) { /* nearly all numbers have one or two bytes */
    reader->at += 1;
    return at[0];
  }
  if (!reader->failed && left >= 2 && at[1] < 0x80) {
    reader->at += 2;
    return (uint32_t)(at[0] & 0x7f) | (uint32_t)at[1] << 7;
  }
  return (uint32_t)read_leb(reader, 32, false);
}

uint64_t wt_reader_u64(wt_reader *reader) { return read_leb(reader, 64, false); }
int64_t wt_reader_s33(wt_reader *reader) { return (int64_t)read_leb(reader, 33, true); }
void wt_reader_skip_s32(wt_reader *reader) { (void)read_leb(reader, 32, true); }
void wt_reader_skip_s64(wt_reader *reader) { (void)read_leb(reader, 64, true); }

void wt_reader_skip(wt_reader *reader, size_t size) {
  if (reader->failed)
    return;
  if (size > wt_reader_left(reader))
    wt_reader_fail(reader, "unexpected end");
  else
    reader->at += size;
}

wt_slice wt_reader_name(wt_reader *reader) {
  uint32_t size = wt_reader_u32(reader);
  const uint8_t *data = reader->at;
  wt_reader_skip(reader, size);
  return reader->failed ? (wt_slice){0} : (wt_slice){data, size};
}

uint32_t wt_reader_count(wt_reader *reader) {
  const uint8_t *place = reader->at;
  uint32_t count = wt_reader_u32(reader);
  if (count <= wt_reader_left(reader))
    return count;
  wt_reader_fail_at(reader, place, "count larger than the bytes that follow");
  return 0;
}

uint32_t wt_reader_index(wt_reader *reader, uint32_t limit, const char *what) {
  const uint8_t *place = reader->at;
  uint32_t index = wt_reader_u32(reader);
  if (index < limit || reader->failed)
    return index;
  reader->failed = true;
  wt_fail(reader->job, WT_ERROR_MODULE, (size_t)(place - reader->file), "unknown %s %u", what, index);
  return 0;
}

bool wt_reader_done(wt_reader *reader, const char *what) {
  if (!reader->failed && reader->at != reader->end) {
    wt_fail(reader->job, WT_ERROR_MODULE, wt_reader_offset(reader), "bytes left over at the end of the %s", what);
    reader->failed = true;
  }
  return !reader->failed;
}
