/* The few instructions that probe code is made of, and the sequences for values and headers. */
#ifndef WT_EMIT_H
#define WT_EMIT_H

#include "buf.h"
#include "opcodes.h"
#include "plan.h"
#include "wtr_abi.h"

/* Function indices of the runtime's entry points in the rewritten module. */
typedef struct wt_entries {
  uint32_t func[WTR_ENTRY_COUNT];
} wt_entries;

void wt_emit_local_get(wt_buf *code, uint32_t local);
void wt_emit_local_set(wt_buf *code, uint32_t local);
void wt_emit_local_tee(wt_buf *code, uint32_t local);
void wt_emit_i32(wt_buf *code, int32_t value);
void wt_emit_i64(wt_buf *code, int64_t value);
void wt_emit_f64_zero(wt_buf *code);
void wt_emit_if(wt_buf *code); /* without parameters and results */
/* Whether the i32 on the stack is a position, and not what stands in the place of one where nothing is recorded (wtr_abi.h). */
void wt_emit_is_position(wt_buf *code);
void wt_emit_call(wt_buf *code, uint32_t func);
/* A load or store, with its operands on the stack; align: a logarithm. */
void wt_emit_access_in(wt_buf *code, uint8_t opcode, uint32_t align, uint32_t memory, uint32_t offset);
void wt_emit_access(wt_buf *code, uint8_t opcode, uint8_t align, uint32_t offset); /* in memory 0 */
void wt_emit_global_get(wt_buf *code, uint32_t global);
void wt_emit_global_set(wt_buf *code, uint32_t global);

/* A call of an entry point of the runtime. */
static inline void wt_emit_entry(wt_buf *code, const wt_entries *entries, int entry) {
  wt_emit_call(code, entries->func[entry]);
}

/* i64.const of the header. */
void wt_emit_header(wt_buf *code, uint32_t kind, uint32_t id, uint32_t words);

/* Word `word` of the next record's payload becomes the i64 on the stack. */
void wt_emit_put_word(wt_buf *code, const wt_entries *entries, uint32_t word);

/* The value in `local` becomes payload of the next record, from its word `word` on. */
void wt_emit_put(wt_buf *code, const wt_entries *entries, uint32_t local, uint8_t type, uint32_t word);

/* The value in `local` is counted in a histogram. */
void wt_emit_count(wt_buf *code, const wt_entries *entries, uint32_t local, uint8_t type, uint32_t histogram);

/* All values of the list, value i standing in local first + values[i].index: counted where they have a histogram and,
   if `put`, made payload. Returns the payload words. */
uint32_t wt_emit_values(wt_buf *code, const wt_entries *entries, const wt_value *values, uint32_t count, uint32_t first,
                        bool put);

#endif
