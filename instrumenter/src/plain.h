/* Plain instructions are only copied, whatever is asked, and they are most of a body: they are stepped over faster than the exact reader
   could read them. */
#ifndef WT_PLAIN_H
#define WT_PLAIN_H

#include "instr.h"
#include "weights.h"

/* Steps from reader->at to the first instruction that is not plain, or looks unusual, or stands at the end; adds the features that what it
   passed needs. */
void wt_plain_skip(wt_reader *reader, const wt_spaces *spaces, uint64_t *features);

/* The same, but also stops where a block ends; returns what the instructions that it passed weigh together. */
uint64_t wt_plain_skip_counted(wt_reader *reader, const wt_spaces *spaces, uint64_t *features,
                               const wt_weights *weights);

#endif
