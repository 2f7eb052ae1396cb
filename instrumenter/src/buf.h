/* Growable output with LEB128 and the other encodings of the binary format. Sticky: after a failed allocation writes do
   nothing and `failed` is set, so that callers test once, at the end. */
#ifndef WT_BUF_H
#define WT_BUF_H

#include "base.h"
#include "wasm_trace.h"

#include <string.h>

typedef struct wt_buf {
  uint8_t *data;
  size_t size;
  size_t capacity;
  const wt_allocator *allocator;
  bool failed;
} wt_buf;

void wt_buf_init(wt_buf *buf, const wt_allocator *allocator);
void wt_buf_free(wt_buf *buf);

/* Room for `more` bytes behind the end; NULL when out of memory. Does not change the size. */
uint8_t *wt_buf_reserve(wt_buf *buf, size_t more);

void wt_buf_bytes(wt_buf *buf, const void *data, size_t size);
void wt_buf_u8(wt_buf *buf, uint8_t value);
void wt_buf_u32(wt_buf *buf, uint32_t value);        /* unsigned LEB128 */
void wt_buf_s64(wt_buf *buf, int64_t value);         /* signed LEB128; also right for s32 and s33 */
void wt_buf_u32_padded(wt_buf *buf, uint32_t value); /* five bytes, whatever the value */
void wt_buf_fixed32(wt_buf *buf, uint32_t value);    /* four bytes, little-endian */
void wt_buf_fixed64(wt_buf *buf, uint64_t value);
void wt_buf_name(wt_buf *buf, wt_slice name); /* length and bytes */
void wt_buf_text(wt_buf *buf, const char *text);
void wt_buf_format(wt_buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends `content` as a sized block: its length as LEB128, then its bytes. */
void wt_buf_sized(wt_buf *buf, const wt_buf *content);

/* Appends an edit (wasm_trace.h) to a list of edits, in order; offsets are below 4 GiB. */
void wt_edit_add(wt_buf *edits, size_t copy_end, size_t resume, size_t insert_size);

/* Bytes of an unsigned LEB128. */
size_t wt_u32_size(uint32_t value);

#endif
