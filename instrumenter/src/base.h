/* What every file of the core shares: byte slices and the forward types. */
#ifndef WT_BASE_H
#define WT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Borrowed bytes; not terminated. */
typedef struct wt_slice {
  const uint8_t *data;
  size_t size;
} wt_slice;

static inline wt_slice wt_slice_of(const char *text) { return (wt_slice){(const uint8_t *)text, strlen(text)}; }

static inline bool wt_slice_is(wt_slice slice, const char *text) {
  return slice.size == strlen(text) && memcmp(slice.data, text, slice.size) == 0;
}

static inline bool wt_is_space(uint8_t c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static inline wt_slice wt_slice_trim(wt_slice text) {
  while (text.size && wt_is_space(text.data[0]))
    text = (wt_slice){text.data + 1, text.size - 1};
  while (text.size && wt_is_space(text.data[text.size - 1]))
    text.size--;
  return text;
}

typedef struct wt_arena wt_arena;

/* For the inner loops. In wasm an engine replaces slow first code by fast code only between calls, so a loop that lives inside
   its only caller would run in slow code to the end. */
#define WT_NOINLINE __attribute__((noinline))

#define WT_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
