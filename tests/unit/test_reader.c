/* The bounded cursor: numbers at the edges of their encodings, and that nothing moves after the first error. */
#include "check.h"
#include "reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef enum number_kind { U32, U64, S33, S32, S64 } number_kind;

static const struct {
  number_kind kind;
  const char *bytes;
  size_t size;
  uint64_t value;      /* two's complement where signed */
  const char *message; /* NULL: the number is good and takes all bytes */
  size_t offset;
} numbers[] = {
    {U32, "\x00", 1, 0, NULL, 0},
    {U32, "\x7f", 1, 127, NULL, 0},
    {U32, "\x80\x01", 2, 128, NULL, 0},
    {U32, "\x80\x80\x80\x80\x00", 5, 0, NULL, 0},
    {U32, "\xff\xff\xff\xff\x0f", 5, UINT32_MAX, NULL, 0},
    {U32, "\xff\xff\xff\xff\x10", 5, 0, "integer too large", 4},
    {U32, "\x80\x80\x80\x80\x80\x00", 6, 0, "integer representation too long", 0},
    {U32, "", 0, 0, "unexpected end", 0},
    {U32, "\x80\x80", 2, 0, "unexpected end", 2},
    {U64, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, UINT64_MAX, NULL, 0},
    {U64, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10, 0, "integer too large", 9},
    {S33, "\x40", 1, (uint64_t)-64, NULL, 0},
    {S33, "\x3f", 1, 63, NULL, 0},
    {S33, "\xff\xff\xff\xff\x0f", 5, UINT32_MAX, NULL, 0},
    {S33, "\x80\x80\x80\x80\x70", 5, (uint64_t)INT64_C(-0x100000000), NULL, 0},
    {S33, "\x80\x80\x80\x80\x10", 5, 0, "integer too large", 4},
    {S33, "\x80\x80\x80\x80\x60", 5, 0, "integer too large", 4},
    {S32, "\xff\xff\xff\xff\x07", 5, 0, NULL, 0},
    {S32, "\x80\x80\x80\x80\x78", 5, 0, NULL, 0},
    {S32, "\x80\x80\x80\x80\x08", 5, 0, "integer too large", 4},
    {S32, "\xff\xff\xff\xff\x77", 5, 0, "integer too large", 4},
    {S64, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00", 10, 0, NULL, 0},
    {S64, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f", 10, 0, NULL, 0},
    {S64, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7e", 10, 0, "integer too large", 9},
};

static uint64_t read_number(wt_reader *reader, number_kind kind) {
  switch (kind) {
  case U32: return wt_reader_u32(reader);
  case U64: return wt_reader_u64(reader);
  case S33: return (uint64_t)wt_reader_s33(reader);
  case S32: wt_reader_skip_s32(reader); return 0;
  case S64: wt_reader_skip_s64(reader); return 0;
  }
  return 0;
}

static wt_reader reader_of(wt_job *job, const void *bytes, size_t size) {
  return wt_reader_new(job, bytes, (wt_slice){bytes, size});
}

static void check_numbers(void) {
  for (size_t i = 0; i < WT_COUNT_OF(numbers); i++) {
    wt_job *job = wt_job_new(NULL);
    wt_reader reader = reader_of(job, numbers[i].bytes, numbers[i].size);
    uint64_t value = read_number(&reader, numbers[i].kind);
    wt_error error = wt_job_error(job);
    char what[32];
    snprintf(what, sizeof what, "row %zu", i);
    check(value == numbers[i].value, "numbers", what);
    if (numbers[i].message)
      check(strcmp(error.message, numbers[i].message) == 0 && error.offset == numbers[i].offset, what, error.message);
    else
      check(error.status == WT_OK && wt_reader_left(&reader) == 0, what, error.message);
    wt_job_free(job);
  }
}

static void check_sticky(void) {
  wt_job *job = wt_job_new(NULL);
  wt_reader reader = reader_of(job, "\x01\x02\x03", 3);
  check(wt_reader_u8(&reader) == 1, "sticky", "a byte");
  check(!wt_reader_fail(&reader, "first"), "sticky", "fail returns false");
  wt_reader_fail_at(&reader, reader.file, "second");
  check(wt_reader_u8(&reader) == 0 && wt_reader_u32(&reader) == 0 && wt_reader_u64(&reader) == 0, "sticky", "zeroes");
  check(wt_reader_name(&reader).size == 0 && wt_reader_count(&reader) == 0, "sticky", "nothing");
  wt_reader_skip(&reader, 1);
  check(wt_reader_offset(&reader) == 1 && !wt_reader_done(&reader, "x"), "sticky", "the cursor stays");
  check(strcmp(wt_job_error(job).message, "first") == 0 && wt_job_error(job).offset == 1, "sticky", "the first error");
  wt_job_free(job);
}

static void check_parts(void) {
  wt_job *job = wt_job_new(NULL);
  wt_reader reader = reader_of(job, "\x01\x02\x03\x04", 4);
  wt_reader part = wt_reader_part(&reader, 2, "part");
  check(wt_reader_u8(&part) == 1 && wt_reader_u8(&part) == 2 && wt_reader_done(&part, "part"), "parts", "inside");
  check(wt_reader_u8(&part) == 0 && !wt_reader_ok(&part) && wt_reader_ok(&reader), "parts", "the end of the part");
  check(wt_reader_u8(&reader) == 3 && wt_reader_offset(&reader) == 3, "parts", "behind the part");
  wt_reader too_long = wt_reader_part(&reader, 2, "part");
  check(!wt_reader_ok(&too_long) && !wt_reader_ok(&reader) && wt_reader_left(&too_long) == 0, "parts", "too long");
  wt_job_free(job);
}

static const struct {
  const char *bytes;
  size_t size;
  bool good;
  uint32_t count;
} counts[] = {
    {"\x00", 1, true, 0}, {"\x02xx", 3, true, 2}, {"\x03xx", 3, false, 0}, {"\xff\xff\xff\xff\x0f", 5, false, 0}};

static void check_counts(void) {
  for (size_t i = 0; i < WT_COUNT_OF(counts); i++) {
    wt_job *job = wt_job_new(NULL);
    wt_reader reader = reader_of(job, counts[i].bytes, counts[i].size);
    check(wt_reader_count(&reader) == counts[i].count && wt_reader_ok(&reader) == counts[i].good, "counts",
          counts[i].bytes);
    wt_job_free(job);
  }
}

static void check_names_and_indices(void) {
  wt_job *job = wt_job_new(NULL);
  wt_reader reader = reader_of(job, "\x02hi\x00\x05\x05\xff", 7);
  wt_slice name = wt_reader_name(&reader);
  check(name.size == 2 && memcmp(name.data, "hi", 2) == 0, "names", "a name");
  check(wt_reader_name(&reader).size == 0 && wt_reader_ok(&reader), "names", "an empty name");
  check(wt_reader_index(&reader, 6, "thing") == 5 && wt_reader_ok(&reader), "indices", "the last one");
  check(wt_reader_index(&reader, 5, "thing") == 0 && !wt_reader_ok(&reader), "indices", "one too many");
  check(strcmp(wt_job_error(job).message, "unknown thing 5") == 0 && wt_job_error(job).offset == 5, "indices",
        "message");
  wt_job_free(job);
}

static void check_rest(void) {
  wt_job *job = wt_job_new(NULL);
  wt_reader reader = reader_of(job, "\x01\x02", 2);
  wt_reader_u8(&reader);
  check(!wt_reader_done(&reader, "list"), "rest", "a byte is left");
  check(strcmp(wt_job_error(job).message, "bytes left over at the end of the list") == 0, "rest", "message");
  wt_job_free(job);
}

int main(void) {
  check_numbers();
  check_sticky();
  check_parts();
  check_counts();
  check_names_and_indices();
  check_rest();
  return failures ? 1 : 0;
}
