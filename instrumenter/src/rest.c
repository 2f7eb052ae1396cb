/* What a trap leaves in the count. A block is counted at its beginning; when an instruction inside of it traps, those behind it
   were counted and never began. */
#include "count.h"
#include "module.h"
#include "valtype.h"

/* The body that holds the place, at its locals; false when none does. */
static bool find_body(const wt_module *module, wt_reader *reader, size_t offset) {
  uint32_t count = wt_reader_count(reader);
  for (uint32_t i = 0; i < count && wt_reader_ok(reader); i++) {
    wt_reader body = wt_reader_part(reader, wt_reader_u32(reader), "function body");
    if (offset < (size_t)(body.at - module->file.data) || offset >= (size_t)(body.end - module->file.data))
      continue;
    *reader = body;
    return wt_reader_ok(reader);
  }
  return false;
}

static uint32_t weight_of(const wt_weights *weights, const wt_instr *instr) {
  return wt_weight(weights, instr->prefix, instr->code);
}

static wt_flow flow_of(const wt_instr *instr) { return wt_count_flow(instr->prefix, instr->code); }

/* Reads on to the instruction at the place. */
static bool find_instr(wt_reader *reader, const wt_spaces *spaces, size_t offset, wt_instr *instr) {
  uint64_t features = 0;
  while (wt_reader_left(reader) && wt_reader_offset(reader) <= offset) {
    bool found = wt_reader_offset(reader) == offset;
    if (!wt_instr_read(reader, spaces, instr, &features))
      return false;
    if (found)
      return true;
  }
  return false;
}

/* A loop is no more of the block: it is counted by the one that it begins. */
static uint64_t sum_rest(wt_reader *reader, const wt_spaces *spaces, const wt_weights *weights, wt_instr instr) {
  uint64_t sum = 0, features = 0;
  wt_flow flow = instr.prefix == WT_PREFIX_NONE && instr.code == WT_OP_LOOP ? WT_FLOW_ON : flow_of(&instr);
  while (flow < WT_FLOW_LOOP && wt_reader_left(reader) && wt_instr_read(reader, spaces, &instr, &features)) {
    flow = flow_of(&instr);
    sum += flow == WT_FLOW_LOOP ? 0 : weight_of(weights, &instr);
  }
  return sum;
}

bool wt_job_rest_of_block(wt_job *job, const uint8_t *module, size_t size, size_t offset, uint64_t *rest) {
  wt_module read;
  const wt_weights *weights = job->options.weights ? job->options.weights : wt_weights_new(job);
  if (job->error.status != WT_OK || !weights || !wt_module_scan(&read, job, (wt_slice){module, size}, WT_SCAN_FRESH))
    return false;
  const wt_section *section = wt_module_section(&read, WT_SECTION_CODE);
  if (!section)
    return false;
  wt_reader reader = wt_reader_new(job, module, (wt_slice){module + section->content, section->end - section->content});
  if (!find_body(&read, &reader, offset))
    return false;
  wt_locals_skip(&reader, read.type_count);
  wt_spaces spaces = {&read, UINT32_MAX, UINT32_MAX}; /* these indices are no question here */
  wt_instr instr;
  if (!find_instr(&reader, &spaces, offset, &instr))
    return false;
  *rest = sum_rest(&reader, &spaces, weights, instr);
  return wt_reader_ok(&reader);
}
