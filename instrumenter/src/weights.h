/* What each instruction adds to the count: 1, or what a table of the user says. */
#ifndef WT_WEIGHTS_H
#define WT_WEIGHTS_H

#include "job.h"
#include "opcodes.h"

#define WT_PREFIXED_CODES 0x120 /* above all codes behind a prefix */
#define WT_WEIGHTS (256 + 4 * WT_PREFIXED_CODES)

typedef struct wt_weights {
  uint32_t of[WT_WEIGHTS]; /* instructions of one byte by that byte; then those behind each prefix */
  const char *name;        /* of the table; "" where each instruction is 1 */
} wt_weights;

static inline uint32_t wt_weight(const wt_weights *weights, uint8_t prefix, uint32_t code) {
  if (prefix == WT_PREFIX_NONE)
    return weights->of[code];
  return code < WT_PREFIXED_CODES ? weights->of[256 + (prefix - WT_PREFIX_GC) * WT_PREFIXED_CODES + code] : 0;
}

/* Every instruction weighs 1. What only delimits, such as `end`, weighs nothing, in any table. NULL when out of memory. */
wt_weights *wt_weights_new(wt_job *job);

/* Reads a table:

     # a comment
     name Some machine, 2026
     default 2
     i32.div_s 10

   Later lines win. NULL on an error, which says the line. */
wt_weights *wt_weights_read(wt_job *job, wt_slice text);

#endif
