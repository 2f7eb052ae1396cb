#include "buf.h"

#include <stdarg.h>
#include <stdio.h>

#define FIRST_CAPACITY 256u

void wt_buf_init(wt_buf *buf, const wt_allocator *allocator) { *buf = (wt_buf){.allocator = allocator}; }

void wt_buf_free(wt_buf *buf) {
  if (buf->data)
    buf->allocator->resize(buf->allocator->user, buf->data, buf->capacity, 0);
  wt_buf_init(buf, buf->allocator);
}

static bool grow(wt_buf *buf, size_t least) {
  size_t capacity = buf->capacity ? buf->capacity : FIRST_CAPACITY;
  while (capacity < least) {
    if (capacity > SIZE_MAX / 2)
      return false;
    capacity *= 2;
  }
  uint8_t *data = buf->allocator->resize(buf->allocator->user, buf->data, buf->capacity, capacity);
  if (!data)
    return false;
  buf->data = data;
  buf->capacity = capacity;
  return true;
}

uint8_t *wt_buf_reserve(wt_buf *buf, size_t more) {
  if (buf->failed)
    return NULL;
  if (more > buf->capacity - buf->size && (more > SIZE_MAX - buf->size || !grow(buf, buf->size + more))) {
    buf->failed = true;
    return NULL;
  }
  return buf->data + buf->size;
}

void wt_buf_bytes(wt_buf *buf, const void *data, size_t size) {
  uint8_t *at = size ? wt_buf_reserve(buf, size) : NULL;
  if (!at)
    return;
  memcpy(at, data, size);
  buf->size += size;
}

void wt_buf_u8(wt_buf *buf, uint8_t value) {
  uint8_t *at = wt_buf_reserve(buf, 1);
  if (!at)
    return;
  *at = value;
  buf->size++;
}

void wt_buf_u32(wt_buf *buf, uint32_t value) {
  uint8_t *at = wt_buf_reserve(buf, 5);
  if (!at)
    return;
  size_t size = 0;
  for (; value >= 0x80; value >>= 7)
    at[size++] = (uint8_t)(value | 0x80);
  at[size++] = (uint8_t)value;
  buf->size += size;
}

void wt_buf_s64(wt_buf *buf, int64_t value) {
  uint8_t *at = wt_buf_reserve(buf, 10);
  if (!at)
    return;
  size_t size = 0;
  bool more = true;
  while (more) {
    uint8_t byte = (uint8_t)(value & 0x7f);
    value = value < 0 ? ~(~value >> 7) : value >> 7; /* an arithmetic shift, whatever the compiler makes of >> */
    more = !((value == 0 && !(byte & 0x40)) || (value == -1 && (byte & 0x40)));
    at[size++] = (uint8_t)(more ? byte | 0x80 : byte);
  }
  buf->size += size;
}

void wt_buf_u32_padded(wt_buf *buf, uint32_t value) {
  for (int i = 0; i < 4; i++, value >>= 7)
    wt_buf_u8(buf, (uint8_t)(value | 0x80));
  wt_buf_u8(buf, (uint8_t)value);
}

void wt_buf_fixed32(wt_buf *buf, uint32_t value) {
  for (int i = 0; i < 4; i++, value >>= 8)
    wt_buf_u8(buf, (uint8_t)value);
}

void wt_buf_fixed64(wt_buf *buf, uint64_t value) {
  wt_buf_fixed32(buf, (uint32_t)value);
  wt_buf_fixed32(buf, (uint32_t)(value >> 32));
}

void wt_buf_name(wt_buf *buf, wt_slice name) {
  wt_buf_u32(buf, (uint32_t)name.size);
  wt_buf_bytes(buf, name.data, name.size);
}

void wt_buf_text(wt_buf *buf, const char *text) { wt_buf_bytes(buf, text, strlen(text)); }

void wt_buf_format(wt_buf *buf, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  uint8_t *at = size < 0 ? NULL : wt_buf_reserve(buf, (size_t)size + 1);
  if (!at)
    return;
  va_start(arguments, format);
  vsnprintf((char *)at, (size_t)size + 1, format, arguments);
  va_end(arguments);
  buf->size += (size_t)size;
}

void wt_buf_sized(wt_buf *buf, const wt_buf *content) {
  buf->failed |= content->failed;
  wt_buf_u32(buf, (uint32_t)content->size);
  wt_buf_bytes(buf, content->data, content->size);
}

void wt_edit_add(wt_buf *edits, size_t copy_end, size_t resume, size_t insert_size) {
  wt_edit edit = {(uint32_t)copy_end, (uint32_t)resume, (uint32_t)insert_size};
  wt_edit last = {0};
  if (edits->size)
    memcpy(&last, edits->data + edits->size - sizeof last, sizeof last);
  edits->failed |= copy_end < last.resume || resume < copy_end; /* a fault of ours: better no output than a wrong one */
  wt_buf_bytes(edits, &edit, sizeof edit);
}

size_t wt_u32_size(uint32_t value) {
  size_t size = 1;
  for (; value >= 0x80; value >>= 7)
    size++;
  return size;
}
