/* One instruction at a time: opcode, immediates, range. Every index immediate is checked against the debuggee's own index
   spaces, because an index one past their end would silently become one of ours after the rewrite. */
#ifndef WT_INSTR_H
#define WT_INSTR_H

#include "module.h"
#include "opcodes.h"

/* The limits of index immediates. locals and labels change from function to function. */
typedef struct wt_spaces {
  const wt_module *module;
  uint32_t locals;
  uint32_t labels; /* label indices below this are valid: nesting depth, the function's own label included */
} wt_spaces;

typedef struct wt_instr {
  const uint8_t *start;
  const uint8_t *end;
  uint32_t code;     /* behind the prefix, or the single byte itself */
  uint8_t prefix;    /* 0 for single-byte opcodes */
  uint8_t immediate; /* WT_IMM_... */
  uint32_t index;    /* the first index immediate: function, local, label, type, memory ... */
  uint32_t table;    /* of call_indirect and return_call_indirect */
  uint64_t offset;   /* of a memory argument */
  uint32_t align;    /* of a memory argument: the exponent, without the flag of an explicit memory index */
} wt_instr;

/* Reads the next instruction. false on an error. */
bool wt_instr_read(wt_reader *reader, const wt_spaces *spaces, wt_instr *instr, uint64_t *features);

/* Reads the immediates of an instruction whose opcode has been read; instr->start, prefix, code and immediate are set. */
bool wt_instr_read_immediates(wt_reader *reader, const wt_spaces *spaces, wt_instr *instr);

/* Reads a constant expression up to its `end`; functions that it names become address-taken. */
bool wt_const_expr_read(wt_reader *reader, wt_module *module);

/* Calls `each` for every label of a br_table or of catch clauses; used where labels need a second look. */
typedef void wt_label_visitor(void *user, uint32_t label);
void wt_try_table_labels(wt_reader reader, const wt_module *module, void *user, wt_label_visitor *each);

#endif
