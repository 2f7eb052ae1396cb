/* The loop over instructions decides most of the instrumenter's speed: plain ones are stepped over (plain.c), the frequent others
   are read inline, the rest by wt_instr_read. */
#include "code.h"

#include "body.h"
#include "inlining.h"
#include "plain.h"
#include "valtype.h"

/* One reading of one body. */
typedef struct walk {
  wt_reader reader;
  wt_spaces spaces;
  wt_body *body;
  uint32_t depth; /* open blocks, the function itself not counted */
  wt_buf frames;  /* one byte for each open block, kept only in bodies with try_table */
  bool again;     /* something was found that the beginning of the body should have known */
} walk;

enum { FRAME_LOOP = 1, FRAME_CAUGHT = 2 };

/* ---- blocks ---- */

static void push_block(walk *w, uint8_t kind) {
  w->depth++;
  w->spaces.labels++;
  if (w->body->try_table)
    wt_buf_u8(&w->frames, kind);
}

/* A block that a catch clause branches to: behind its end the position is the function's own again. */
static void pop_block(walk *w, const uint8_t *end) {
  w->depth--;
  w->spaces.labels--;
  if (!w->body->try_table || !w->frames.size)
    return;
  uint8_t kind = w->frames.data[--w->frames.size];
  if (kind == FRAME_CAUGHT)
    wt_body_handler(w->body, end);
}

static void visit_catch_label(void *user, uint32_t label) {
  walk *w = user;
  wt_body *body = w->body;
  if (label >= w->frames.size) {
    w->again |= !body->label_target;
    body->label_target = true;
    return;
  }
  uint8_t *frame = &w->frames.data[w->frames.size - 1 - label];
  if (*frame & FRAME_LOOP) {
    w->again |= !body->loop_target;
    body->loop_target = true;
  } else {
    *frame = FRAME_CAUGHT;
  }
}

/* Where the clauses lead decides what is inserted further up, so a first try_table begins the reading anew. */
static void enter_try_table(walk *w, const wt_instr *instr) {
  wt_body *body = w->body;
  if (body->active && (wt_plan_positions(body->code->plan) || body->count.weights)) {
    if (!body->try_table) {
      body->try_table = w->again = true;
      return;
    }
    wt_reader clauses = w->reader;
    clauses.at = instr->start + 1;
    clauses.end = instr->end;
    wt_try_table_labels(clauses, body->code->module, w, visit_catch_label);
  }
  push_block(w, 0);
}

static void enter_loop(walk *w, const uint8_t *end) {
  push_block(w, FRAME_LOOP);
  if (w->body->loop_target)
    wt_body_handler(w->body, end);
}

/* ---- instructions off the common path ---- */

static void visit_control(walk *w, const wt_instr *instr) {
  wt_body *body = w->body;
  switch (instr->code) {
  case WT_OP_BLOCK:
  case WT_OP_IF:
  case WT_OP_TRY: push_block(w, 0); break;
  case WT_OP_LOOP: enter_loop(w, instr->end); break;
  case WT_OP_TRY_TABLE: enter_try_table(w, instr); break;
  case WT_OP_CATCH:
  case WT_OP_CATCH_ALL:
    if (body->active)
      wt_body_handler(body, instr->end);
    break;
  case WT_OP_DELEGATE:
    /* its label counts from outside of the try that it ends */
    if (!w->depth || instr->index >= w->depth) {
      wt_reader_fail_at(&w->reader, instr->start + 1, "unknown label in delegate");
      break;
    }
    if (body->active)
      wt_body_delegate(body, instr->start, instr->end, instr->index, w->depth - 1);
    pop_block(w, instr->end);
    break;
  default: break;
  }
}

static void visit_active(walk *w, const wt_instr *instr) {
  wt_body *body = w->body;
  switch (instr->code) {
  case WT_OP_CALL_INDIRECT:
  case WT_OP_CALL_REF: wt_body_call_reference(body, instr); break;
  case WT_OP_RETURN_CALL:
    wt_body_tail_call(body, instr->start);
    wt_body_call(body, instr->start, instr->end, instr->index);
    break;
  case WT_OP_RETURN_CALL_INDIRECT:
  case WT_OP_RETURN_CALL_REF: wt_body_tail_call_reference(body, instr); break;
  case WT_OP_UNREACHABLE: wt_body_unreachable(body, instr->start); break;
  case WT_OP_MEMORY_GROW: wt_body_memory_grow(body, instr->start, instr->end, instr->index); break;
  case WT_OP_RESUME:
  case WT_OP_RESUME_THROW:
  case WT_OP_RESUME_THROW_REF:
  case WT_OP_SUSPEND:
  case WT_OP_SWITCH: body->essential = true; break;
  default: break;
  }
}

static bool names_element(uint8_t immediate) {
  return immediate == WT_IMM_ELEM || immediate == WT_IMM_ELEM_TABLE || immediate == WT_IMM_TYPE_ELEM;
}

/* What only an export declares can have no shim: the export of a shim would declare that one instead, and the body would
   be invalid. */
static void take_address(wt_module *module, uint32_t func) {
  module->functions_escape |= func >= module->func_imports && !module->address_taken[func];
  module->address_taken[func] = 1;
}

static void visit_other(walk *w) {
  wt_instr instr;
  wt_module *module = w->body->code->module;
  if (!wt_instr_read(&w->reader, &w->spaces, &instr, &module->features))
    return;
  module->names_elements |= names_element(instr.immediate);
  if (instr.prefix)
    return;
  module->uses_exnref |= instr.code == WT_OP_TRY_TABLE || instr.code == WT_OP_THROW_REF;
  if (instr.code == WT_OP_REF_FUNC)
    take_address(module, instr.index);
  visit_control(w, &instr);
  if (w->body->active)
    visit_active(w, &instr);
}

/* ---- the common path ---- */

static void skip_plain(walk *w) {
  wt_body *body = w->body;
  uint64_t *features = &body->code->module->features;
  if (body->count.weights)
    body->count.sum += wt_plain_skip_counted(&w->reader, &w->spaces, features, body->count.weights);
  else
    wt_plain_skip(&w->reader, &w->spaces, features);
}

static void visit_call(walk *w) {
  const uint8_t *at = w->reader.at++;
  uint32_t callee = wt_reader_index(&w->reader, w->spaces.module->func_count, "function");
  if (w->body->active && wt_reader_ok(&w->reader))
    wt_body_call(w->body, at, w->reader.at, callee);
}

/* A block without parameters and with at most one result, of a one-byte type. */
static bool visit_short_block(walk *w) {
  const uint8_t *at = w->reader.at;
  if (w->reader.end - at < 2 || (at[1] != WT_TYPE_EMPTY && (at[1] < WT_TYPE_V128 || at[1] > WT_TYPE_I32)))
    return false;
  w->reader.at += 2;
  if (*at == WT_OP_LOOP)
    enter_loop(w, w->reader.at);
  else
    push_block(w, 0);
  return true;
}

/* false at the end of the body */
static bool visit_end(walk *w) {
  w->reader.at++;
  if (w->depth == 0)
    return false;
  pop_block(w, w->reader.at);
  return true;
}

static void visit_return(walk *w) {
  const uint8_t *at = w->reader.at++;
  if (w->body->active)
    wt_body_return(w->body, at, w->reader.at, w->depth);
}

/* One instruction that is not plain; false at the end of the body. */
static bool visit(walk *w) {
  switch (*w->reader.at) {
  case WT_OP_END: return visit_end(w);
  case WT_OP_ELSE: w->reader.at++; break;
  case WT_OP_RETURN: visit_return(w); break;
  case WT_OP_CALL: visit_call(w); break;
  case WT_OP_BLOCK:
  case WT_OP_LOOP:
  case WT_OP_IF:
    if (!visit_short_block(w))
      visit_other(w);
    break;
  default: visit_other(w); break;
  }
  return true;
}

static void walk_instructions(walk *w) {
  const wt_weights *weights = w->body->count.weights;
  while (wt_reader_ok(&w->reader) && !w->again) {
    skip_plain(w);
    if (w->reader.at == w->reader.end) {
      wt_reader_fail(&w->reader, "the body ends without an end instruction");
      return;
    }
    if (weights)
      w->again |= !wt_count_before(w->body, w->reader.at, w->depth);
    if (!visit(w))
      return;
    if (weights)
      wt_count_after(w->body, w->reader.at);
  }
}

/* ---- bodies ---- */

static bool read_locals(walk *w, wt_body *body) {
  wt_reader *reader = &w->reader;
  body->start = reader->at;
  body->group_count = wt_reader_count(reader);
  body->groups = reader->at;
  uint64_t total = wt_module_func_type(body->code->module, body->func)->params.count;
  for (uint32_t i = 0; i < body->group_count && wt_reader_ok(reader); i++) {
    const uint8_t *place = reader->at;
    total += wt_reader_u32(reader);
    wt_valtype_skip(reader, body->code->module->type_count);
    if (total > UINT32_MAX)
      wt_reader_fail_at(reader, place, "too many locals");
  }
  body->first_instr = reader->at;
  body->local_count = w->spaces.locals = (uint32_t)total;
  return wt_reader_ok(reader);
}

static bool walk_body(walk *w, wt_reader content, uint32_t func) {
  wt_body *body = w->body;
  body->func = func;
  w->reader = content;
  w->depth = 0;
  w->again = false;
  w->frames.size = 0;
  w->spaces.labels = 1; /* the function's own label */
  if (!read_locals(w, body))
    return false;
  wt_body_begin(body, func);
  walk_instructions(w);
  body->code->module->uses_exnref |= w->reader.exnref;
  return w->again || wt_reader_done(&w->reader, "function body");
}

static WT_NOINLINE bool rewrite_body(walk *w, wt_reader content, uint32_t func) {
  wt_body *body = w->body;
  wt_code *code = body->code;
  uint32_t traced = code->traced, tiny = code->tiny;
  int64_t size = (int64_t)wt_reader_left(&content) - code->growth;
  body->end = content.end;
  body->try_table = body->label_target = body->loop_target = body->count.resumes = false;
  do {
    code->traced = traced;
    code->tiny = tiny;
    if (!walk_body(w, content, func))
      return false;
  } while (w->again);
  if (w->frames.failed)
    return wt_fail_memory(code->job);
  if (code->places)
    code->places[func - code->module->func_imports].locals = (uint32_t)(body->start - content.file);
  if (!wt_body_finish(body))
    return false;
  code->small_before += wt_inlining_is_small(wt_reader_left(&content));
  code->small += wt_inlining_is_small((uint64_t)(size + code->growth));
  return true;
}

static bool rewrite_bodies(wt_code *code, walk *w, wt_reader *reader) {
  wt_module *module = code->module;
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++) {
    w->body->size_field = reader->at;
    wt_reader content = wt_reader_part(reader, wt_reader_u32(reader), "function body");
    if (!wt_reader_ok(reader) || !rewrite_body(w, content, module->func_imports + i))
      return false;
  }
  return wt_reader_done(reader, "code section");
}

bool wt_code_rewrite(wt_code *code, wt_job *job, wt_module *module, const wt_plan *plan, wt_link *link,
                     bool keep_places) {
  *code = (wt_code){.job = job, .module = module, .plan = plan, .link = link};
  wt_buf_init(&code->edits, &job->arena.allocator);
  wt_buf_init(&code->inserts, &job->arena.allocator);
  const wt_section *section = wt_module_section(module, WT_SECTION_CODE);
  if (!section)
    return true;
  if (keep_places) {
    code->places = wt_arena_array(&job->arena, module->func_count, sizeof(wt_body_place));
    if (!code->places)
      return wt_fail_memory(job);
  }
  wt_slice content = {module->file.data + section->content, section->end - section->content};
  wt_reader reader = wt_reader_new(job, module->file.data, content);
  wt_body body;
  wt_body_init(&body, code);
  walk w = {.spaces = {.module = module}, .body = &body};
  wt_buf_init(&w.frames, &job->arena.allocator);
  bool done = rewrite_bodies(code, &w, &reader);
  wt_buf_free(&w.frames);
  wt_body_free(&body);
  return done && (!code->edits.failed && !code->inserts.failed ? true : wt_fail_memory(job));
}

void wt_code_free(wt_code *code) {
  if (!code->job)
    return;
  wt_buf_free(&code->edits);
  wt_buf_free(&code->inserts);
}
