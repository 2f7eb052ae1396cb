/* What the tests of names share: small tables of functions made from text. */
#ifndef NAMES_FIXTURE_H
#define NAMES_FIXTURE_H

#include "names.h"

#include <stdio.h>
#include <string.h>

#define SLICE(text) ((wt_slice){(const uint8_t *)(text), sizeof(text) - 1})

static inline wt_slice slice_of(const char *text) { return (wt_slice){(const uint8_t *)text, strlen(text)}; }

static inline bool same_text(wt_slice slice, const char *text) {
  return slice.size == strlen(text) && (slice.size == 0 || memcmp(slice.data, text, slice.size) == 0);
}

/* A name section with a function subsection: item i names function i; NULL names leave it out. Names are short. */
static inline wt_slice make_name_section(wt_arena *arena, const char *const *names, size_t count) {
  size_t size = 16;
  for (size_t i = 0; i < count; i++)
    size += names[i] ? strlen(names[i]) + 4 : 0;
  uint8_t *bytes = wt_arena_alloc(arena, size);
  uint8_t *at = bytes + 7;
  uint8_t named = 0;
  for (size_t i = 0; i < count; i++) {
    if (!names[i])
      continue;
    size_t length = strlen(names[i]);
    *at++ = (uint8_t)i;
    *at++ = (uint8_t)(length & 0x7f) | 0x80;
    *at++ = (uint8_t)(length >> 7);
    memcpy(at, names[i], length);
    at += length;
    named++;
  }
  size_t content = (size_t)(at - (bytes + 6));
  bytes[0] = 1;
  for (unsigned i = 0; i < 5; i++)
    bytes[1 + i] = (uint8_t)((content >> (7 * i)) & 0x7f) | (i < 4 ? 0x80 : 0);
  bytes[6] = named;
  return (wt_slice){bytes, (size_t)(at - bytes)};
}

#endif
