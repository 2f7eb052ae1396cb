/* Growth, numbers and UTF-8 of the scratch text. */
#include "scratch.h"

#include <string.h>

#define FIRST_CAPACITY 255u
#define REPLACEMENT 0xfffdu

void wt_scratch_init(wt_scratch *scratch, wt_arena *arena, size_t limit) {
  *scratch = (wt_scratch){.arena = arena, .limit = limit};
}

void wt_scratch_cut(wt_scratch *scratch, size_t size) {
  if (size > scratch->size)
    return;
  scratch->size = size;
  if (scratch->data)
    scratch->data[size] = '\0';
}

void wt_scratch_clear(wt_scratch *scratch) {
  wt_scratch_cut(scratch, 0);
  scratch->failed = false;
}

/* The arena cannot take back the old copy; doubling keeps the waste below the size of the text. */
static bool grow(wt_scratch *scratch, size_t needed) {
  size_t capacity = scratch->capacity ? scratch->capacity : FIRST_CAPACITY;
  while (capacity < needed)
    capacity *= 2;
  char *data = wt_arena_alloc(scratch->arena, capacity + 1);
  if (!data)
    return false;
  if (scratch->size)
    memcpy(data, scratch->data, scratch->size);
  scratch->data = data;
  scratch->capacity = capacity;
  return true;
}

static bool reserve(wt_scratch *scratch, size_t more) {
  if (scratch->failed)
    return false;
  bool fits = more <= scratch->limit && scratch->size <= scratch->limit - more;
  if (!fits || ((scratch->size + more > scratch->capacity || !scratch->data) && !grow(scratch, scratch->size + more)))
    scratch->failed = true;
  return !scratch->failed;
}

void wt_scratch_bytes(wt_scratch *scratch, const void *data, size_t size) {
  if (!reserve(scratch, size))
    return;
  if (size)
    memcpy(scratch->data + scratch->size, data, size);
  scratch->size += size;
  scratch->data[scratch->size] = '\0';
}

void wt_scratch_slice(wt_scratch *scratch, wt_slice slice) { wt_scratch_bytes(scratch, slice.data, slice.size); }

void wt_scratch_text(wt_scratch *scratch, const char *text) { wt_scratch_bytes(scratch, text, strlen(text)); }

void wt_scratch_char(wt_scratch *scratch, char c) { wt_scratch_bytes(scratch, &c, 1); }

void wt_scratch_number(wt_scratch *scratch, uint64_t number) {
  char digits[20];
  size_t at = sizeof digits;
  do {
    digits[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  wt_scratch_bytes(scratch, digits + at, sizeof digits - at);
}

static char continuation(uint32_t code, unsigned shift) { return (char)(0x80 | ((code >> shift) & 0x3f)); }

static bool is_scalar(uint32_t code) { return code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000); }

bool wt_scratch_unicode(wt_scratch *scratch, uint32_t code) {
  if (!is_scalar(code))
    return false;
  size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  char bytes[4] = {(char)code};
  if (size > 1)
    bytes[0] = (char)(uint8_t)(0xf00u >> size | code >> (6 * (size - 1)));
  for (size_t i = 1; i < size; i++)
    bytes[i] = continuation(code, (unsigned)(6 * (size - 1 - i)));
  wt_scratch_bytes(scratch, bytes, size);
  return true;
}

static bool is_control(uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

/* One character of UTF-8 and its size; a byte that starts none is U+FFFD. */
static uint32_t decode(wt_slice text, size_t *size) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  uint8_t lead = text.data[0];
  size_t wanted = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  *size = 1;
  if (lead < 0x80)
    return lead;
  if (lead < 0xc0 || lead >= 0xf8 || wanted > text.size)
    return REPLACEMENT;
  uint32_t code = lead & (0x7fu >> wanted);
  for (size_t i = 1; i < wanted; i++) {
    if ((text.data[i] & 0xc0) != 0x80)
      return REPLACEMENT;
    code = code << 6 | (text.data[i] & 0x3f);
  }
  if (code < least[wanted] || !is_scalar(code))
    return REPLACEMENT;
  *size = wanted;
  return code;
}

void wt_scratch_printable(wt_scratch *scratch, wt_slice text) {
  size_t size;
  for (; text.size; text = (wt_slice){text.data + size, text.size - size}) {
    uint32_t code = decode(text, &size);
    wt_scratch_unicode(scratch, is_control(code) ? REPLACEMENT : code);
  }
}

wt_slice wt_scratch_view(const wt_scratch *scratch) {
  return (wt_slice){(const uint8_t *)(scratch->data ? scratch->data : ""), scratch->size};
}
