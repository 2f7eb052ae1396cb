#include "count.h"

#include "body.h"

/* ---- what ends a block ---- */

/* memory.grow does, whether it is traced or not: blocks are the same with any probe. */
wt_flow wt_count_flow(uint8_t prefix, uint32_t code) {
  switch (WT_OP(prefix, code)) {
  case WT_OP_BLOCK:
  case WT_OP_TRY:
  case WT_OP_TRY_TABLE: return WT_FLOW_OPEN;
  case WT_OP_LOOP: return WT_FLOW_LOOP;
  case WT_OP_IF: return WT_FLOW_IF;
  case WT_OP_BR_IF:
  case WT_OP_BR_ON_NULL:
  case WT_OP_BR_ON_NON_NULL:
  case WT_OP_BR_ON_CAST:
  case WT_OP_BR_ON_CAST_FAIL:
  case WT_OP_BR_ON_CAST_DESC_EQ:
  case WT_OP_BR_ON_CAST_DESC_EQ_FAIL:
  case WT_OP_MEMORY_GROW: return WT_FLOW_FORK;
  case WT_OP_CALL:
  case WT_OP_CALL_INDIRECT:
  case WT_OP_CALL_REF:
  case WT_OP_RESUME:
  case WT_OP_RESUME_THROW:
  case WT_OP_RESUME_THROW_REF:
  case WT_OP_SUSPEND:
  case WT_OP_SWITCH: return WT_FLOW_CALL;
  case WT_OP_BR:
  case WT_OP_BR_TABLE: return WT_FLOW_BRANCH;
  case WT_OP_UNREACHABLE:
  case WT_OP_RETURN:
  case WT_OP_RETURN_CALL:
  case WT_OP_RETURN_CALL_INDIRECT:
  case WT_OP_RETURN_CALL_REF:
  case WT_OP_THROW:
  case WT_OP_RETHROW:
  case WT_OP_THROW_REF: return WT_FLOW_LEAVE;
  case WT_OP_ELSE:
  case WT_OP_CATCH:
  case WT_OP_CATCH_ALL: return WT_FLOW_ELSE;
  case WT_OP_END:
  case WT_OP_DELEGATE: return WT_FLOW_CLOSE;
  default: return WT_FLOW_ON;
  }
}

static bool is_resume(uint8_t prefix, uint32_t code) {
  int op = WT_OP(prefix, code);
  return op == WT_OP_RESUME || op == WT_OP_RESUME_THROW || op == WT_OP_RESUME_THROW_REF;
}

/* ---- the code ---- */

/* Adds the weight of the block at its beginning. `keep`: what follows needs the local. */
static void close_block(wt_body *body, bool keep) {
  wt_count *count = &body->count;
  bool behind = count->loop == WT_NO_INDEX || count->stale;
  uint64_t sum = count->sum;
  count->sum = 0;
  if (count->dead || (!sum && !(keep && behind)))
    return;
  uint32_t global = body->code->link->counter;
  uint32_t local = keep || !behind ? wt_body_count_local(body) : WT_NO_INDEX;
  wt_buf *code = &body->inserts;
  size_t before = code->size;
  if (behind)
    wt_emit_global_get(code, global);
  else
    wt_emit_local_get(code, local);
  if (sum) {
    wt_emit_i64(code, (int64_t)sum);
    wt_buf_u8(code, WT_OP_I64_ADD);
    if (keep)
      wt_emit_local_tee(code, local);
    wt_emit_global_set(code, global);
  } else {
    wt_emit_local_set(code, local);
  }
  size_t offset = (size_t)(count->start - body->code->module->file.data);
  wt_edit_add(&body->edits, offset, offset, code->size - before);
}

/* ---- the walk ---- */

void wt_count_begin(wt_body *body) {
  wt_count *count = &body->count;
  bool counts = body->active && wt_plan_counts(body->code->plan);
  *count = (wt_count){.weights = counts ? body->code->plan->weights : NULL,
                      .start = body->first_instr,
                      .local = WT_NO_INDEX,
                      .loop = WT_NO_INDEX,
                      .resumes = count->resumes};
}

static uint32_t prefixed_code(const uint8_t *at, const uint8_t *end) {
  uint32_t code = 0;
  for (unsigned shift = 0; at < end && shift < 35; shift += 7, at++) {
    code |= (uint32_t)(*at & 0x7f) << shift;
    if (*at < 0x80)
      return code;
  }
  return UINT16_MAX; /* the reader says what is wrong */
}

static bool opens(wt_flow flow) { return flow == WT_FLOW_OPEN || flow == WT_FLOW_LOOP || flow == WT_FLOW_IF; }

/* Dead code ends where the frame that it began in does. */
static void walk_dead(wt_count *count, wt_flow flow) {
  count->start = NULL;
  count->sum = 0;
  if (opens(flow))
    count->dead_blocks++;
  else if (flow == WT_FLOW_CLOSE && count->dead_blocks)
    count->dead_blocks--;
  else if (flow >= WT_FLOW_ELSE && !count->dead_blocks)
    count->dead = false;
}

static void leave_loop(wt_count *count, wt_flow flow, uint32_t depth) {
  if (flow == WT_FLOW_CLOSE && depth && depth - 1 == count->loop)
    count->loop = WT_NO_INDEX;
}

/* The loop is counted at each of its iterations, so its weight belongs to the block that it begins. */
static void enter_loop(wt_body *body, uint32_t weight, uint32_t depth) {
  wt_count *count = &body->count;
  close_block(body, true);
  count->start = NULL;
  count->sum = weight;
  count->stale = count->resumes;
  if (count->loop == WT_NO_INDEX)
    count->loop = depth;
}

static bool leaves(wt_flow flow) { return flow == WT_FLOW_BRANCH || flow == WT_FLOW_LEAVE; }

static void end_block(wt_body *body, wt_flow flow) {
  wt_count *count = &body->count;
  bool in_loop = count->loop != WT_NO_INDEX;
  close_block(body, in_loop && flow != WT_FLOW_CALL && flow != WT_FLOW_LEAVE);
  count->start = NULL;
  count->stale = flow == WT_FLOW_CALL || count->resumes;
  count->dead = leaves(flow);
}

bool wt_count_before(wt_body *body, const uint8_t *at, uint32_t depth) {
  wt_count *count = &body->count;
  uint8_t prefix = *at >= WT_PREFIX_GC && *at <= WT_PREFIX_ATOMIC ? *at : WT_PREFIX_NONE;
  uint32_t code = prefix ? prefixed_code(at + 1, body->end) : *at;
  wt_flow flow = wt_count_flow(prefix, code);
  uint32_t weight = wt_weight(count->weights, prefix, code);
  bool again = is_resume(prefix, code) && !count->resumes;
  count->resumes |= again;
  if (count->dead) {
    walk_dead(count, flow);
  } else if (flow == WT_FLOW_LOOP) {
    enter_loop(body, weight, depth);
  } else {
    count->sum += weight;
    if (flow > WT_FLOW_LOOP)
      end_block(body, flow);
  }
  leave_loop(count, flow, depth);
  return !again;
}

void wt_count_after(wt_body *body, const uint8_t *at) {
  if (!body->count.start)
    body->count.start = at;
}
