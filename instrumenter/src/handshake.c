#include "handshake.h"

#include "clock.h"
#include "event.h"
#include "scan.h"
#include "valtype.h"

/* What is announced beside places in tables, which have WT_SLOT_BIT. ONCE is meant for the callee alone. */
enum { NOTHING = 0, ONCE = 1, BY_REFERENCE = 2 };

/* With 64-bit indices there are no numbers for places, so all calls through tables are like calls of references. */
static bool knows_slots(const wt_link *link) { return !link->module->wide_tables; }

static bool has_slot(const wt_link *link, uint32_t func) {
  uint32_t slot = link->module->slots[func];
  return knows_slots(link) && slot && slot != WT_NO_SLOT;
}

/* Whether a call that was announced for a place of the function can be meant for no other. Where one stands at several, imports may
   stand at others of the table. */
static bool knows_own_slot(const wt_link *link, uint32_t func) {
  bool several = (link->module->slots[func] & WT_SLOT_INDEX) == WT_SLOT_INDEX;
  return has_slot(link, func) && !link->module->table_imports && !(several && link->plan->hosts_references);
}

/* The usual case: only calls through one place in a table, or direct ones, can be meant for it. */
static bool stands_alone(const wt_link *link, uint32_t func) {
  return knows_own_slot(link, func) && !link->plan->calls_references;
}

static void announce(const wt_link *link, wt_buf *code, uint32_t value) {
  wt_emit_i32(code, (int32_t)value);
  wt_emit_global_set(code, link->outgoing);
}

void wt_handshake_call(const wt_link *link, wt_buf *code, uint32_t func) {
  announce(link, code, stands_alone(link, func) ? link->module->slots[func] : ONCE);
}

/* What the host calls next stands where execution stands now, unless the caller goes on before. BUSY: it may have gone. */
static void expect_more(const wt_link *link, wt_buf *code) {
  wt_link_entry(link, code, WTR_ENTRY_host_call);
  wt_buf_u8(code, WT_OP_DROP);
  wt_link_entry(link, code, WTR_ENTRY_position);
  wt_link_entry(link, code, WTR_ENTRY_base);
  wt_emit_i32(code, WTR_BASE_BUSY);
  wt_buf_u8(code, WT_OP_I32_OR);
  wt_link_entry(link, code, WTR_ENTRY_host_return);
}

/* Nobody is left to take it back, so it is for one callee only; the host may be that, and calls several. */
static void announce_tail(const wt_link *link, wt_buf *code) {
  if (link->plan->hosts_references || link->module->table_imports)
    expect_more(link, code);
  announce(link, code, ONCE);
}

void wt_handshake_table(const wt_link *link, wt_buf *code, const wt_instr *instr, uint32_t local, bool tail) {
  if (tail && (!knows_slots(link) || link->module->table_imports)) {
    announce_tail(link, code);
    return;
  }
  if (!knows_slots(link)) {
    announce(link, code, BY_REFERENCE);
    return;
  }
  wt_emit_local_tee(code, local);
  wt_emit_i32(code, (int32_t)wt_slot(link->module, instr->table, instr->index, 0));
  wt_buf_u8(code, WT_OP_I32_ADD);
  wt_emit_global_set(code, link->outgoing);
  wt_emit_local_get(code, local);
}

void wt_handshake_reference(const wt_link *link, wt_buf *code, uint32_t local, bool tail) {
  if (tail && link->plan->hosts_references)
    expect_more(link, code);
  wt_emit_local_tee(code, local);
  wt_buf_u8(code, WT_OP_REF_IS_NULL);
  wt_buf_u8(code, WT_OP_I32_EQZ); /* ONCE or NOTHING */
  if (!tail) {
    wt_emit_i32(code, 1);
    wt_buf_u8(code, WT_OP_I32_SHL); /* BY_REFERENCE */
  }
  wt_emit_global_set(code, link->outgoing);
  wt_emit_local_get(code, local);
}

void wt_handshake_clear(const wt_link *link, wt_buf *code) { announce(link, code, NOTHING); }

/* Replaces what was announced by whether that is another place than the function's; of several places in one table only table and
   type are compared. */
static void emit_is_elsewhere(wt_buf *code, uint32_t slot) {
  wt_emit_i32(code, (int32_t)slot);
  if ((slot & WT_SLOT_INDEX) == WT_SLOT_INDEX) {
    wt_buf_u8(code, WT_OP_I32_XOR);
    wt_emit_i32(code, WT_SLOT_INDEX_BITS);
    wt_buf_u8(code, WT_OP_I32_SHR_U);
  } else {
    wt_buf_u8(code, WT_OP_I32_NE);
  }
}

static void keep_place(const wt_link *link, wt_buf *code, wt_handshake_locals locals) {
  wt_clock_account_crossing(link, code);
  wt_emit_i32(code, 1);
  wt_emit_local_set(code, locals.entered);
  wt_link_entry(link, code, WTR_ENTRY_position);
  wt_emit_local_set(code, locals.place);
  wt_link_entry(link, code, WTR_ENTRY_base);
  wt_emit_local_set(code, locals.base);
}

/* Unless this very call was announced, the host called, or somebody that a call through the table led to. */
static void arrive_alone(const wt_link *link, wt_buf *code, uint32_t func, wt_handshake_locals locals) {
  wt_emit_global_get(code, link->outgoing);
  emit_is_elsewhere(code, link->module->slots[func]);
  wt_emit_if(code);
  keep_place(link, code, locals);
  wt_emit_global_get(code, link->outgoing);
  wt_emit_local_tee(code, locals.before);
  wt_event_host_enter(link, code);
  wt_buf_u8(code, WT_OP_END);
  wt_handshake_clear(link, code);
}

/* Pushes whether what was announced is meant for nobody else than the function, so that it need not be put back. */
static void emit_is_own(const wt_link *link, wt_buf *code, uint32_t func, uint32_t before) {
  wt_emit_local_get(code, before);
  wt_emit_i32(code, ONCE);
  wt_buf_u8(code, WT_OP_I32_EQ);
  if (!knows_own_slot(link, func))
    return;
  wt_emit_local_get(code, before);
  emit_is_elsewhere(code, link->module->slots[func]);
  wt_buf_u8(code, WT_OP_I32_EQZ);
  wt_buf_u8(code, WT_OP_I32_OR);
}

/* Pushes whether what was announced is not meant for the function. Where other modules fill the table, its places are not known,
   and anything may be. */
static void emit_is_foreign(const wt_link *link, wt_buf *code, uint32_t func, uint32_t before) {
  wt_emit_local_get(code, before);
  if (link->module->table_imports) {
    wt_buf_u8(code, WT_OP_I32_EQZ);
    return;
  }
  wt_emit_i32(code, BY_REFERENCE);
  wt_buf_u8(code, WT_OP_I32_NE);
  if (!has_slot(link, func) || knows_own_slot(link, func))
    return;
  wt_emit_local_get(code, before);
  emit_is_elsewhere(code, link->module->slots[func]);
  wt_emit_i32(code, 0);
  wt_buf_u8(code, WT_OP_I32_NE);
  wt_buf_u8(code, WT_OP_I32_AND);
}

/* It may be the host that was called so, and calls the function: then it calls others, too, however this call ends. */
static void arrive_by_reference(const wt_link *link, wt_buf *code, uint32_t before) {
  if (!link->plan->hosts_references)
    return;
  wt_emit_local_get(code, before);
  wt_emit_i32(code, BY_REFERENCE);
  wt_buf_u8(code, WT_OP_I32_EQ);
  wt_emit_if(code);
  expect_more(link, code);
  wt_buf_u8(code, WT_OP_END);
}

static void arrive_among_others(const wt_link *link, wt_buf *code, uint32_t func, wt_handshake_locals locals) {
  wt_emit_global_get(code, link->outgoing);
  wt_emit_local_set(code, locals.before);
  emit_is_own(link, code, func, locals.before);
  wt_buf_u8(code, WT_OP_I32_EQZ);
  wt_emit_if(code);
  keep_place(link, code, locals);
  emit_is_foreign(link, code, func, locals.before);
  wt_emit_if(code);
  wt_emit_local_get(code, locals.before);
  wt_event_host_enter(link, code);
  wt_buf_u8(code, WT_OP_END);
  arrive_by_reference(link, code, locals.before);
  wt_buf_u8(code, WT_OP_END);
  wt_handshake_clear(link, code);
}

void wt_handshake_arrive(const wt_link *link, wt_buf *code, uint32_t func, wt_handshake_locals locals) {
  if (stands_alone(link, func))
    arrive_alone(link, code, func, locals);
  else
    arrive_among_others(link, code, func, locals);
}

void wt_handshake_restore(const wt_link *link, wt_buf *code, wt_handshake_locals locals) {
  wt_emit_local_get(code, locals.entered);
  wt_emit_if(code);
  wt_clock_account_crossing(link, code);
  wt_emit_local_get(code, locals.place);
  wt_emit_local_get(code, locals.base);
  wt_link_entry(link, code, WTR_ENTRY_host_return);
  wt_emit_local_get(code, locals.before);
  wt_emit_global_set(code, link->outgoing);
  wt_buf_u8(code, WT_OP_END);
}

void wt_handshake_leave(const wt_link *link, wt_buf *code, wt_handshake_locals locals) {
  if (!link->module->table_imports)
    return;
  wt_emit_local_get(code, locals.entered);
  wt_emit_if(code);
  expect_more(link, code);
  wt_buf_u8(code, WT_OP_END);
}
