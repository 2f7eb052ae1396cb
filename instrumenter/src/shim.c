/* A shim:

     position -> saved; base -> base; host_enter(outgoing); outgoing = 0
     arguments; call function, guarded: host_return(saved, base)
     host_return(saved, base)

   Afterwards position and base are what they were, so that who called finds its own again. */
#include "shim.h"

#include "guard.h"
#include "valtype.h"

typedef struct shim {
  wt_link *link;
  wt_buf *body;
  uint32_t func;
  uint32_t params;
} shim;

static void emit_entry(const shim *s, int entry) { wt_emit_entry(s->body, &s->link->entries, entry); }

static void emit_enter(const shim *s) {
  emit_entry(s, WTR_ENTRY_position);
  wt_emit_local_set(s->body, s->params);
  emit_entry(s, WTR_ENTRY_base);
  wt_emit_local_set(s->body, s->params + 1);
  if (!s->link->plan->handshake) {
    wt_emit_i32(s->body, 0);
    emit_entry(s, WTR_ENTRY_host_enter);
    return;
  }
  wt_emit_global_get(s->body, s->link->outgoing);
  emit_entry(s, WTR_ENTRY_host_enter);
  wt_link_outgoing(s->link, s->body, false);
}

static void emit_call(void *user) {
  const shim *s = user;
  for (uint32_t i = 0; i < s->params; i++)
    wt_emit_local_get(s->body, i);
  wt_emit_call(s->body, s->func);
}

static void emit_return(void *user) {
  const shim *s = user;
  wt_emit_local_get(s->body, s->params);
  wt_emit_local_get(s->body, s->params + 1);
  emit_entry(s, WTR_ENTRY_host_return);
}

void wt_shim_write(wt_link *link, wt_buf *body, uint32_t func) {
  shim s = {.link = link, .body = body, .func = func, .params = wt_module_func_type(link->module, func)->params.count};
  wt_buf_u8(body, 1); /* two locals behind the parameters: position and base */
  wt_buf_u32(body, 2);
  wt_buf_u8(body, WT_TYPE_I32);
  emit_enter(&s);
  wt_guard_write(link, body, link->module->func_types[func], emit_call, emit_return, &s);
  emit_return(&s);
  wt_buf_u8(body, WT_OP_END);
}
