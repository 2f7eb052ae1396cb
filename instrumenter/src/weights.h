/* What each instruction adds to the count: 1, or what a table of the user says. */
#ifndef WT_WEIGHTS_H
#define WT_WEIGHTS_H

#include "job.h"
#include "opcodes.h"

#define WT_PREFIXES 4           /* from WT_PREFIX_GC on */
#define WT_PREFIXED_CODES 0x120 /* above all codes behind a prefix */

typedef struct wt_weights {
  uint32_t single[256];
  uint32_t prefixed[WT_PREFIXES][WT_PREFIXED_CODES];
  const char *name; /* of the table; "" when it has none */
} wt_weights;

static inline uint32_t wt_weight(const wt_weights *weights, uint8_t prefix, uint32_t code) {
  if (prefix == WT_PREFIX_NONE)
    return weights->single[code & 0xff];
  return code < WT_PREFIXED_CODES ? weights->prefixed[prefix - WT_PREFIX_GC][code] : 0;
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
