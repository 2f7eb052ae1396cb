#include "trampolines.h"

#include "entries.h"
#include "valtype.h"

static uint8_t letter_type(char letter) {
  switch (letter) {
  case 'i': return WT_TYPE_I32;
  case 'I': return WT_TYPE_I64;
  case 'D': return WT_TYPE_F64;
  default: return 0;
  }
}

/* "iI" -> i32 i64; "v" -> nothing. */
static wt_slice letters(const char *text, uint8_t *types) {
  size_t count = 0;
  for (; *text; text++)
    if (letter_type(*text))
      types[count++] = letter_type(*text);
  return (wt_slice){types, count};
}

#define MOST_ENTRY_PARAMS 4

static uint32_t add_entry_type(wt_link *link, int entry) {
  uint8_t params[MOST_ENTRY_PARAMS], results[1];
  wt_slice from = letters(wt_entry_rows[entry].params, params);
  wt_slice to = letters(wt_entry_rows[entry].result, results);
  return wt_link_add_type(link, from, (uint32_t)from.size, to, (uint32_t)to.size);
}

/* locals: none; local.get 0..n; i32.const slot; call_indirect type table; end */
static void trampoline_body(wt_link *link, wt_buf *body, uint32_t params, uint32_t type, uint32_t slot) {
  wt_buf_u8(body, 0);
  for (uint32_t i = 0; i < params; i++)
    wt_emit_local_get(body, i);
  wt_emit_i32(body, (int32_t)slot);
  wt_buf_u8(body, WT_OP_CALL_INDIRECT);
  wt_buf_u32(body, type);
  wt_buf_u32(body, link->module->table_count);
  wt_buf_u8(body, WT_OP_END);
}

static void noop_body(wt_buf *body, const char *result) {
  wt_buf_u8(body, 0);
  if (letter_type(*result) == WT_TYPE_I32)
    wt_emit_i32(body, 0);
  if (letter_type(*result) == WT_TYPE_I64)
    wt_emit_i64(body, 0);
  wt_buf_u8(body, WT_OP_END);
}

/* Behind each trampoline stands the no-op that its slot of the table holds at first. */
void wt_trampolines_add(wt_link *link) {
  wt_buf body;
  wt_buf_init(&body, &link->job->arena.allocator);
  uint32_t slot = 0;
  for (int entry = 0; entry < WTR_ENTRY_COUNT; entry++) {
    link->entries.func[entry] = WT_NO_INDEX;
    if (!wt_entry_needed(link->plan, entry))
      continue;
    uint32_t type = add_entry_type(link, entry);
    body.size = 0;
    uint8_t scratch[MOST_ENTRY_PARAMS];
    uint32_t params = (uint32_t)letters(wt_entry_rows[entry].params, scratch).size;
    trampoline_body(link, &body, params, type, slot++);
    link->entries.func[entry] = wt_link_add_function(link, type, &body, wt_entry_rows[entry].name);
    body.size = 0;
    noop_body(&body, wt_entry_rows[entry].result);
    wt_link_add_function(link, type, &body, "wtr_detached");
  }
  link->slots = slot;
  link->bodies.failed |= body.failed;
  wt_buf_free(&body);
}
