/* One body while it is rewritten:

     locals, ours appended | enter probe | block (results) | original bytes ... end | exit probe | end

   A branch to the function label lands on the block by itself; `return` becomes a branch to it. The edits are collected
   here; the head of the body, which depends on what is found inside, is written last. */
#ifndef WT_BODY_H
#define WT_BODY_H

#include "code.h"
#include "count.h"
#include "event.h"
#include "handshake.h"
#include "instr.h"

typedef struct wt_body {
  wt_code *code;
  const wt_entries *entries;
  uint32_t func;
  const wt_type *type;
  wt_call_probe probe; /* of its calls */

  /* What is done; fixed at the beginning. */
  bool active;   /* anything may be inserted at all */
  bool selected; /* its calls or values are recorded */
  bool wrapped;  /* the block is needed */

  /* What is found. */
  bool handler;      /* has an exception handler, which restores the position */
  bool essential;    /* holds something that needs the position: a call, or an event of its own */
  bool label_target; /* a catch clause branches to the function label */
  bool loop_target;  /* a catch clause branches to a loop */
  bool try_table;

  /* Offsets in the file. */
  const uint8_t *size_field;
  const uint8_t *start;  /* locals */
  const uint8_t *groups; /* behind the count of local groups */
  const uint8_t *first_instr;
  const uint8_t *end;
  uint32_t group_count;

  uint32_t local_count; /* parameters, the debuggee's locals, ours */
  wt_buf locals;        /* our local groups, encoded */
  uint32_t added_groups;
  uint32_t saved, own, base, index, first_result; /* our locals, WT_NO_INDEX until needed */
  uint32_t grow_locals[2][2];                     /* delta and result of memory.grow, for 32 and 64 bits */

  wt_handshake_locals handshake;
  wt_count count;
  wt_buf references; /* pairs of u32: a type that is called by reference, our local for it */

  wt_buf edits;   /* wt_edit items behind the head */
  wt_buf inserts; /* their bytes */
  wt_buf head;
  size_t edit_start;
  uint32_t replaced; /* original bytes that edits replace */
} wt_body;

/* Prepares for the function; the caller has set size_field, start, groups, group_count, first_instr, end, local_count and
   keeps try_table, label_target and loop_target from an earlier reading of the same body. */
void wt_body_begin(wt_body *body, uint32_t func);

/* The instructions that matter; `at` is the opcode, `end` the end of the instruction. depth counts the open blocks. */
void wt_body_return(wt_body *body, const uint8_t *at, const uint8_t *end, uint32_t depth);
void wt_body_call(wt_body *body, const uint8_t *at, const uint8_t *end, uint32_t callee);
void wt_body_call_reference(wt_body *body, const wt_instr *instr); /* or through a table */
void wt_body_tail_call(wt_body *body, const uint8_t *at);
void wt_body_tail_call_reference(wt_body *body, const wt_instr *instr);
void wt_body_unreachable(wt_body *body, const uint8_t *at);
void wt_body_memory_grow(wt_body *body, const uint8_t *at, const uint8_t *end, uint32_t memory);
void wt_body_delegate(wt_body *body, const uint8_t *at, const uint8_t *end, uint32_t label, uint32_t depth);
void wt_body_handler(wt_body *body, const uint8_t *at); /* a place, behind an instruction, where a handler begins */

/* Our local for the count of instructions. */
uint32_t wt_body_count_local(wt_body *body);

/* Appends the edits of the body to those of the code section. */
bool wt_body_finish(wt_body *body);

void wt_body_init(wt_body *body, wt_code *code);
void wt_body_free(wt_body *body);

#endif
