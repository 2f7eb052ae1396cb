#include "merge.h"

#include "emit.h"
#include "instr.h"
#include "opcodes.h"
#include "valtype.h"

static bool write_instr(wt_reader *reader, const wt_instr *instr, const wt_merge_map *map, wt_buf *code) {
  switch (instr->immediate) {
  case WT_IMM_MEMARG:
    if (instr->prefix && instr->prefix != WT_PREFIX_ATOMIC)
      break;
    if (instr->prefix)
      wt_buf_u8(code, instr->prefix);
    wt_emit_access_in(code, (uint8_t)instr->code, instr->align, map->memory, (uint32_t)instr->offset);
    return true;
  case WT_IMM_FUNC:
    if (instr->index == map->block) {
      wt_buf_u8(code, WT_OP_GLOBAL_GET);
      wt_buf_u32(code, map->global);
      return true;
    }
    wt_buf_u8(code, (uint8_t)instr->code);
    wt_buf_u32(code, map->funcs[instr->index]);
    return true;
  case WT_IMM_NONE:
  case WT_IMM_LABEL:
  case WT_IMM_BR_TABLE:
  case WT_IMM_LOCAL:
  case WT_IMM_I32:
  case WT_IMM_I64:
  case WT_IMM_F64: wt_buf_bytes(code, instr->start, (size_t)(instr->end - instr->start)); return true;
  case WT_IMM_BLOCK:
    if ((instr->start[1] & 0xc0) != 0x40) /* a type index */
      break;
    wt_buf_bytes(code, instr->start, (size_t)(instr->end - instr->start));
    return true;
  default: break;
  }
  return wt_reader_fail_at(reader, instr->start, "the guest runtime uses an instruction that cannot be merged");
}

static uint32_t copy_locals(wt_reader *reader, wt_buf *code) {
  const uint8_t *start = reader->at;
  uint32_t total = wt_locals_skip(reader, 0);
  wt_buf_bytes(code, start, (size_t)(reader->at - start));
  return total;
}

static bool merge_body(wt_reader *body, const wt_module *runtime, uint32_t func, const wt_merge_map *map, wt_buf *code,
                       uint64_t *features) {
  wt_spaces spaces = {.module = runtime, .labels = UINT32_MAX};
  spaces.locals = wt_module_func_type(runtime, func)->params.count + copy_locals(body, code);
  if (map->begin)
    map->begin(map->user, func, code);
  wt_instr instr;
  while (wt_reader_ok(body) && wt_reader_left(body))
    if (!wt_instr_read(body, &spaces, &instr, features) || !write_instr(body, &instr, map, code))
      return false;
  return wt_reader_ok(body);
}

/* ---- the bodies of the runtime, one after the other ---- */

typedef struct bodies {
  wt_job *job;
  const wt_module *runtime;
  wt_reader reader;
  uint32_t func, end;
} bodies;

static bool open_bodies(bodies *all, wt_job *job, const wt_module *runtime) {
  const wt_section *section = wt_module_section(runtime, WT_SECTION_CODE);
  if (!section)
    return wt_fail(job, WT_ERROR_MODULE, WT_NO_OFFSET, "the guest runtime has no code");
  wt_slice content = {runtime->file.data + section->content, section->end - section->content};
  *all = (bodies){job, runtime, wt_reader_new(job, runtime->file.data, content), runtime->func_imports, 0};
  all->end = all->func + wt_reader_count(&all->reader);
  return wt_reader_ok(&all->reader) && all->end <= runtime->func_count;
}

/* false at the end, or on an error */
static bool next_body(bodies *all, wt_reader *body, uint32_t *func) {
  if (all->func == all->end)
    return false;
  *body = wt_reader_part(&all->reader, wt_reader_u32(&all->reader), "body");
  *func = all->func++;
  return wt_reader_ok(&all->reader);
}

/* Marks what one body calls; returns whether there is more than before. */
static bool mark_calls(wt_reader *body, const wt_module *runtime, uint8_t *kept) {
  wt_spaces spaces = {.module = runtime, .labels = UINT32_MAX, .locals = UINT32_MAX};
  wt_instr instr;
  uint64_t features = 0;
  bool more = false;
  wt_locals_skip(body, 0);
  while (wt_reader_ok(body) && wt_reader_left(body) && wt_instr_read(body, &spaces, &instr, &features))
    if (instr.immediate == WT_IMM_FUNC && !kept[instr.index])
      kept[instr.index] = more = true;
  return more;
}

bool wt_merge_mark(wt_job *job, const wt_module *runtime, uint8_t *kept) {
  for (bool more = true; more;) {
    bodies all;
    wt_reader body;
    uint32_t func;
    more = false;
    if (!open_bodies(&all, job, runtime))
      return false;
    while (next_body(&all, &body, &func))
      more |= kept[func] && mark_calls(&body, runtime, kept);
  }
  return job->error.status == WT_OK;
}

bool wt_merge_bodies(wt_job *job, const wt_module *runtime, const wt_merge_map *map, wt_buf *bodies_out,
                     uint64_t *features) {
  bodies all;
  wt_reader body;
  uint32_t func;
  wt_buf code;
  if (!open_bodies(&all, job, runtime))
    return false;
  wt_buf_init(&code, &job->arena.allocator);
  bool done = true;
  while (done && next_body(&all, &body, &func)) {
    if (map->funcs[func] == WT_NO_INDEX)
      continue;
    code.size = 0;
    done = merge_body(&body, runtime, func, map, &code, features);
    wt_buf_sized(bodies_out, &code);
  }
  wt_buf_free(&code);
  return done && wt_reader_done(&all.reader, "code section");
}
