/* The output buffer: encodings at their edges, read back by the reader, and that it is sticky after a failed allocation. */
#include "buf.h"
#include "check.h"
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>

/* A heap that ends when `left` is used up. */
static void *resize(void *user, void *old, size_t old_size, size_t new_size) {
  size_t *left = user;
  if (new_size == 0) {
    free(old);
    return NULL;
  }
  if (new_size - old_size > *left)
    return NULL;
  *left -= new_size - old_size;
  return realloc(old, new_size);
}

static bool holds(const wt_buf *buf, const char *bytes, size_t size) {
  return !buf->failed && buf->size == size && (size == 0 || memcmp(buf->data, bytes, size) == 0);
}

static const struct {
  uint32_t value;
  const char *bytes;
  size_t size;
} unsigned_rows[] = {
    {0, "\x00", 1},         {127, "\x7f", 1},           {128, "\x80\x01", 2},
    {16383, "\xff\x7f", 2}, {16384, "\x80\x80\x01", 3}, {UINT32_MAX, "\xff\xff\xff\xff\x0f", 5},
};

static const struct {
  int64_t value;
  const char *bytes;
  size_t size;
} signed_rows[] = {
    {0, "\x00", 1},
    {63, "\x3f", 1},
    {64, "\xc0\x00", 2},
    {-1, "\x7f", 1},
    {-64, "\x40", 1},
    {-65, "\xbf\x7f", 2},
    {INT32_MAX, "\xff\xff\xff\xff\x07", 5},
    {INT32_MIN, "\x80\x80\x80\x80\x78", 5},
    {INT64_MAX, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00", 10},
    {INT64_MIN, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f", 10},
};

static void check_numbers(const wt_allocator *allocator) {
  wt_buf buf;
  wt_buf_init(&buf, allocator);
  for (size_t i = 0; i < WT_COUNT_OF(unsigned_rows); i++) {
    buf.size = 0;
    wt_buf_u32(&buf, unsigned_rows[i].value);
    check(holds(&buf, unsigned_rows[i].bytes, unsigned_rows[i].size), "u32", unsigned_rows[i].bytes);
    check(wt_u32_size(unsigned_rows[i].value) == unsigned_rows[i].size, "size of u32", unsigned_rows[i].bytes);
  }
  for (size_t i = 0; i < WT_COUNT_OF(signed_rows); i++) {
    buf.size = 0;
    wt_buf_s64(&buf, signed_rows[i].value);
    check(holds(&buf, signed_rows[i].bytes, signed_rows[i].size), "s64", signed_rows[i].bytes);
  }
  wt_buf_free(&buf);
}

static void check_fixed(const wt_allocator *allocator) {
  wt_buf buf, content;
  wt_buf_init(&buf, allocator);
  wt_buf_init(&content, allocator);
  wt_buf_fixed32(&buf, 0x01020304);
  wt_buf_fixed64(&buf, UINT64_C(0x0102030405060708));
  check(holds(&buf, "\x04\x03\x02\x01\x08\x07\x06\x05\x04\x03\x02\x01", 12), "fixed", "little-endian");
  buf.size = 0;
  wt_buf_u32_padded(&buf, 3);
  check(holds(&buf, "\x83\x80\x80\x80\x00", 5), "padded", "five bytes");
  buf.size = 0;
  wt_buf_text(&content, "abc");
  wt_buf_sized(&buf, &content);
  wt_buf_name(&buf, (wt_slice){0});
  wt_buf_format(&buf, "%d-%s", -1, "x");
  check(holds(&buf,
              "\x03"
              "abc\x00-1-x",
              9),
        "sized", "size and bytes, an empty name, formatted text");
  wt_buf_free(&buf);
  wt_buf_free(&content);
}

static void check_growth(const wt_allocator *allocator) {
  wt_buf buf;
  wt_buf_init(&buf, allocator);
  for (uint32_t i = 0; i < 100000; i++)
    wt_buf_u32(&buf, i * 31);
  wt_job *job = wt_job_new(NULL);
  wt_reader reader = wt_reader_new(job, buf.data, (wt_slice){buf.data, buf.size});
  bool same = true;
  for (uint32_t i = 0; i < 100000; i++)
    same &= wt_reader_u32(&reader) == i * 31;
  check(same && wt_reader_done(&reader, "numbers"), "growth", "what was written is read back");
  wt_job_free(job);
  wt_buf_free(&buf);
}

static void check_out_of_memory(void) {
  size_t left = 600;
  wt_allocator allocator = {resize, &left};
  wt_buf buf, outer;
  wt_buf_init(&buf, &allocator);
  wt_buf_init(&outer, &allocator);
  for (int i = 0; i < 2000; i++)
    wt_buf_u8(&buf, 1);
  size_t size = buf.size;
  check(buf.failed && size >= 256 && size <= 600, "memory", "fails when the heap ends");
  wt_buf_bytes(&buf, "abc", 3);
  wt_buf_format(&buf, "%d", 1);
  check(buf.size == size && !wt_buf_reserve(&buf, 0), "memory", "nothing is written afterwards");
  wt_buf_sized(&outer, &buf);
  check(outer.failed, "memory", "what contains it fails too");
  wt_buf_free(&buf);
  check(!buf.failed && !buf.data, "memory", "empty after free");
  check(!wt_buf_reserve(&buf, SIZE_MAX) && buf.failed, "memory", "a size that overflows");
  wt_buf_free(&buf);
  wt_buf_free(&outer);
}

static void check_edits(const wt_allocator *allocator) {
  wt_buf list;
  wt_buf_init(&list, allocator);
  wt_edit_add(&list, 1, 2, 3); /* "bc" -> replaced "b" by "XYZ" */
  wt_edit_add(&list, 4, 4, 1);
  wt_edits edits = {(const wt_edit *)(const void *)list.data, 2, (const uint8_t *)"XYZ!", 4, 8};
  uint8_t output[8];
  wt_edits_apply(edits, (const uint8_t *)"abcde", 5, output);
  check(memcmp(output, "aXYZcd!e", 8) == 0, "edits", "replace and insert");
  wt_edits_apply((wt_edits){.output_size = 5}, (const uint8_t *)"abcde", 5, output);
  check(memcmp(output, "abcde", 5) == 0, "edits", "none");
  wt_buf_free(&list);
}

int main(void) {
  size_t left = SIZE_MAX / 2;
  wt_allocator allocator = {resize, &left};
  check_numbers(&allocator);
  check_fixed(&allocator);
  check_growth(&allocator);
  check_out_of_memory();
  check_edits(&allocator);
  return failures ? 1 : 0;
}
