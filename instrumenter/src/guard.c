#include "guard.h"

#include "valtype.h"

static bool uses_legacy(const wt_link *link) {
  return link->module->features & WT_FEATURE_BIT(WT_FEATURE_LEGACY_EXCEPTIONS);
}

bool wt_guard_possible(const wt_link *link) {
  return uses_legacy(link) || link->module->uses_exnref || link->job->options.legacy_exceptions;
}

static void emit_block(wt_link *link, wt_buf *body, uint8_t opcode, uint32_t type) {
  wt_buf_u8(body, opcode);
  wt_link_block_type(link, body, type);
}

/* try (results) | call | catch_all | ... rethrow 0 | end */
static void write_legacy(wt_link *link, wt_buf *body, uint32_t type, wt_guard_code *call, wt_guard_code *caught,
                         void *user) {
  link->features |= WT_FEATURE_BIT(WT_FEATURE_LEGACY_EXCEPTIONS);
  emit_block(link, body, WT_OP_TRY, type);
  call(user);
  wt_buf_u8(body, WT_OP_CATCH_ALL);
  caught(user);
  wt_buf_u8(body, WT_OP_RETHROW);
  wt_buf_u32(body, 0);
  wt_buf_u8(body, WT_OP_END);
}

/* block (results) | block (exnref) | try_table (results) (catch_all_ref 0) call end | br 1 | end | ... throw_ref | end */
static void write_current(wt_link *link, wt_buf *body, uint32_t type, wt_guard_code *call, wt_guard_code *caught,
                          void *user) {
  enum { CATCH_ALL_REF = 3 };
  emit_block(link, body, WT_OP_BLOCK, type);
  wt_buf_u8(body, WT_OP_BLOCK);
  wt_buf_u8(body, WT_TYPE_EXNREF);
  emit_block(link, body, WT_OP_TRY_TABLE, type);
  wt_buf_u32(body, 1);
  wt_buf_u8(body, CATCH_ALL_REF);
  wt_buf_u32(body, 0);
  call(user);
  wt_buf_u8(body, WT_OP_END);
  wt_buf_u8(body, WT_OP_BR);
  wt_buf_u32(body, 1);
  wt_buf_u8(body, WT_OP_END);
  caught(user);
  wt_buf_u8(body, WT_OP_THROW_REF);
  wt_buf_u8(body, WT_OP_END);
}

void wt_guard_write(wt_link *link, wt_buf *body, uint32_t type, wt_guard_code *call, wt_guard_code *caught,
                    void *user) {
  if (!wt_guard_possible(link))
    call(user);
  else if (uses_legacy(link) || !link->module->uses_exnref)
    write_legacy(link, body, type, call, caught, user);
  else
    write_current(link, body, type, call, caught, user);
}
