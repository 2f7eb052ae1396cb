/* Counts what the debuggee executes: each basic block adds the weight of its instructions to a global, at its beginning.

   A block ends where somebody else may look at the global (calls, whatever leaves the function), and where control
   forks or joins. Inside of loops the count is also kept in a local, and only written to the global: so a short loop waits for an
   addition, not for a store that is loaded again. */
#ifndef WT_COUNT_H
#define WT_COUNT_H

#include "instr.h"
#include "weights.h"

struct wt_body;

typedef struct wt_count {
  const wt_weights *weights; /* NULL: nothing is counted */
  const uint8_t *start;      /* of the block; NULL while it is not known */
  uint64_t sum;              /* weight of the block so far */
  uint32_t local;            /* WT_NO_INDEX until needed */
  uint32_t loop;             /* depth of the outermost loop that is open, or WT_NO_INDEX */
  bool stale;                /* inside of a loop: the local may be behind the global */
  bool dead;                 /* nothing gets here */
  uint32_t dead_blocks;      /* open blocks that began in dead code */
  bool resumes;              /* has `resume`, whose handlers go to blocks with a local that is behind */
} wt_count;

/* What an instruction is to the blocks. */
typedef enum wt_flow {
  WT_FLOW_ON,     /* inside a block */
  WT_FLOW_OPEN,   /* as ON; opens a frame of control */
  WT_FLOW_LOOP,   /* opens a frame, and is itself counted each time that it is branched to */
  WT_FLOW_FORK,   /* ends a block; may go on behind it */
  WT_FLOW_IF,     /* as FORK; opens a frame */
  WT_FLOW_CALL,   /* as FORK; others may count meanwhile */
  WT_FLOW_BRANCH, /* ends a block; goes to a label */
  WT_FLOW_LEAVE,  /* ends a block; leaves the function or is caught */
  WT_FLOW_ELSE,   /* a delimiter inside a frame: else, catch */
  WT_FLOW_CLOSE,  /* a delimiter that closes a frame: end, delegate */
} wt_flow;

wt_flow wt_count_flow(uint8_t prefix, uint32_t code);

/* At the beginning of a body. `resumes` stays as it is. */
void wt_count_begin(struct wt_body *body);

/* Around every instruction that the reader of the body does not skip; of those that it skips it adds the weights to `sum`.
   `depth`: frames that are open before it. The second is told where the next instruction is. Returns false when the body must be read anew. */
bool wt_count_before(struct wt_body *body, const uint8_t *at, uint32_t depth);
void wt_count_after(struct wt_body *body, const uint8_t *at);

#endif
