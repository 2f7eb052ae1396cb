/* Bounded input cursor over a part of the module. Sticky: the first malformed byte is recorded in the job with its offset
   in the file; from then on reads give 0 and nothing moves, so callers test at block ends. */
#ifndef WT_READER_H
#define WT_READER_H

#include "job.h"

typedef struct wt_reader {
  const uint8_t *file; /* byte 0 of the module: offsets count from here */
  const uint8_t *at;
  const uint8_t *end;
  wt_job *job;
  bool failed;
  bool exnref; /* a type of exception references was read: valtype.c notes it */
} wt_reader;

wt_reader wt_reader_new(wt_job *job, const uint8_t *file, wt_slice part);

/* The next `size` bytes as a reader of their own; this one goes on behind them. */
wt_reader wt_reader_part(wt_reader *reader, size_t size, const char *what);

static inline bool wt_reader_ok(const wt_reader *reader) { return !reader->failed; }
static inline size_t wt_reader_left(const wt_reader *reader) { return (size_t)(reader->end - reader->at); }
static inline size_t wt_reader_offset(const wt_reader *reader) { return (size_t)(reader->at - reader->file); }

/* Records an error at the cursor (or at an earlier place) and returns false. */
bool wt_reader_fail(wt_reader *reader, const char *message);
bool wt_reader_fail_at(wt_reader *reader, const uint8_t *place, const char *message);

uint8_t wt_reader_u8(wt_reader *reader);
uint32_t wt_reader_u32(wt_reader *reader); /* LEB128, at most 5 bytes, unused bits zero */
uint64_t wt_reader_u64(wt_reader *reader);
int64_t wt_reader_s33(wt_reader *reader);
void wt_reader_skip_s32(wt_reader *reader);
void wt_reader_skip_s64(wt_reader *reader);
void wt_reader_skip(wt_reader *reader, size_t size);
wt_slice wt_reader_name(wt_reader *reader);

/* A count of items of at least one byte each: more than the bytes left is malformed, so loops over it end. */
uint32_t wt_reader_count(wt_reader *reader);

/* An index below `limit`; `what` names the index space for the error. */
uint32_t wt_reader_index(wt_reader *reader, uint32_t limit, const char *what);

/* true when all was read and nothing failed; trailing bytes are an error. */
bool wt_reader_done(wt_reader *reader, const char *what);

#endif
