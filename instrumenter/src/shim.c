/* A shim:

     position -> saved; base -> base; outgoing -> before; host_enter(outgoing); outgoing = none
     arguments; call function, guarded: the same as
     host_return(saved, base); outgoing = before

   Afterwards all is what it was, so that who called finds its own again. */
#include "shim.h"

#include "clock.h"
#include "event.h"
#include "guard.h"
#include "handshake.h"
#include "valtype.h"

typedef struct shim {
  wt_link *link;
  wt_buf *body;
  uint32_t func;
  uint32_t params;
  uint32_t saved, base, before; /* locals */
} shim;

static void emit_entry(const shim *s, int entry) { wt_link_entry(s->link, s->body, entry); }

static void emit_enter(const shim *s) {
  wt_clock_account_crossing(s->link, s->body);
  emit_entry(s, WTR_ENTRY_position);
  wt_emit_local_set(s->body, s->saved);
  emit_entry(s, WTR_ENTRY_base);
  wt_emit_local_set(s->body, s->base);
  bool handshake = s->link->plan->handshake;
  if (handshake) {
    wt_emit_global_get(s->body, s->link->outgoing);
    wt_emit_local_tee(s->body, s->before);
  } else {
    wt_emit_i32(s->body, 0);
  }
  wt_event_host_enter(s->link, s->body);
  if (handshake)
    wt_handshake_clear(s->link, s->body);
}

static void emit_call(void *user) {
  const shim *s = user;
  for (uint32_t i = 0; i < s->params; i++)
    wt_emit_local_get(s->body, i);
  wt_emit_call(s->body, s->func);
}

static void emit_return(void *user) {
  const shim *s = user;
  wt_clock_account_crossing(s->link, s->body);
  wt_emit_local_get(s->body, s->saved);
  wt_emit_local_get(s->body, s->base);
  emit_entry(s, WTR_ENTRY_host_return);
  if (!s->link->plan->handshake)
    return;
  wt_emit_local_get(s->body, s->before);
  wt_emit_global_set(s->body, s->link->outgoing);
}

void wt_shim_write(wt_link *link, wt_buf *body, uint32_t func) {
  uint32_t params = wt_module_func_type(link->module, func)->params.count;
  shim s = {.link = link, .body = body, .func = func, .params = params};
  s.saved = params;
  s.base = params + 1;
  s.before = params + 2;
  wt_buf_u8(body, 1); /* one group of locals */
  wt_buf_u32(body, link->plan->handshake ? 3 : 2);
  wt_buf_u8(body, WT_TYPE_I32);
  emit_enter(&s);
  wt_guard_write(link, body, link->module->func_types[func], emit_call, emit_return, &s);
  emit_return(&s);
  wt_buf_u8(body, WT_OP_END);
}
