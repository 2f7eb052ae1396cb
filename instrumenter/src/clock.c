#include "clock.h"

#include "valtype.h"

#include <string.h>

/* ---- which ---- */

static bool is_import(const wt_func_import *import, wt_slice text) {
  size_t size = import->module.size;
  return text.size == size + 1 + import->name.size && memcmp(text.data, import->module.data, size) == 0 &&
         text.data[size] == '.' && memcmp(text.data + size + 1, import->name.data, import->name.size) == 0;
}

static uint32_t find_import(const wt_module *module, wt_slice text) {
  for (uint32_t func = 0; func < module->func_imports; func++)
    if (is_import(&module->imports[func], text))
      return func;
  return WT_NO_INDEX;
}

/* WASI's clock writes what it reads to memory: i32 id, i64 precision, i32 address -> i32 errno. */
static bool is_wasi_clock(const wt_module *module, uint32_t func) {
  return is_import(&module->imports[func], wt_slice_of("wasi_snapshot_preview1.clock_time_get")) ||
         is_import(&module->imports[func], wt_slice_of("wasi_unstable.clock_time_get"));
}

static bool are_numbers(wt_types types) {
  bool numbers = types.encoded.size == types.count;
  for (size_t i = 0; i < types.encoded.size; i++)
    numbers &= types.encoded.data[i] >= WT_TYPE_F64 && types.encoded.data[i] <= WT_TYPE_I32;
  return numbers;
}

/* It can be called with zeroes, and the result be read as a time. */
static bool is_readable(const wt_module *module, uint32_t func) {
  const wt_type *type = wt_module_func_type(module, func);
  return are_numbers(type->params) && are_numbers(type->results) && type->results.count == 1;
}

static bool has_wasi_type(const wt_module *module, uint32_t func) {
  static const uint8_t params[] = {WT_TYPE_I32, WT_TYPE_I64, WT_TYPE_I32};
  wt_types found = wt_module_func_type(module, func)->params;
  return found.encoded.size == sizeof params && memcmp(found.encoded.data, params, sizeof params) == 0;
}

static bool check_import(const wt_plan *plan, wt_job *job, const wt_module *module) {
  wt_slice text = job->options.clock_import;
  int size = (int)text.size;
  const char *name = (const char *)text.data;
  uint32_t func = plan->clock.import;
  if (func == WT_NO_INDEX)
    return wt_fail(job, WT_ERROR_NO_MATCH, WT_NO_OFFSET, "--clock import:%.*s: the module imports no such function",
                   size, name);
  if (!is_readable(module, func))
    return wt_fail(job, WT_ERROR_NO_MATCH, WT_NO_OFFSET,
                   "--clock import:%.*s: that function does not take numbers and return one", size, name);
  if (is_wasi_clock(module, func) &&
      (!has_wasi_type(module, func) || !module->memory_count || module->memory_is_64[0] || module->shares_memory))
    return wt_fail(job, WT_ERROR_NO_MATCH, WT_NO_OFFSET,
                   "--clock import:%.*s: it writes to memory, and this module's is shared, 64-bit or not there", size,
                   name);
  return true;
}

/* A contract on the Internet Computer has a clock that it pays by. */
static wt_clock_kind automatic(const wt_job *job, uint32_t counter) {
  if (counter != WT_NO_INDEX)
    return WT_CLOCK_IMPORT;
  switch (job->options.auto_clock) {
  case WT_CLOCK_OPTION_TICKER: return WT_CLOCK_TICKER;
  case WT_CLOCK_OPTION_HOST: return WT_CLOCK_HOST;
  default: return WT_CLOCK_INSTRUCTIONS;
  }
}

/* Weights are of instructions: they ask for that clock, unless another one is named. */
static wt_clock_option option_of(const wt_options *options, bool asked) {
  if (options->weights && (!options->clock_given || options->clock == WT_CLOCK_OPTION_AUTO))
    return WT_CLOCK_OPTION_INSTRUCTIONS;
  if (options->clock_given)
    return options->clock;
  return asked ? WT_CLOCK_OPTION_AUTO : WT_CLOCK_OPTION_NONE;
}

bool wt_clock_choose(wt_plan *plan, wt_job *job, const wt_module *module, bool asked) {
  const wt_options *options = &job->options;
  wt_clock *clock = &plan->clock;
  wt_clock_option option = option_of(options, asked);
  *clock = (wt_clock){.import = WT_NO_INDEX};
  if (options->weights && option != WT_CLOCK_OPTION_INSTRUCTIONS)
    return wt_fail(job, WT_ERROR_PROBE, WT_NO_OFFSET, "--weights are of instructions: they need --clock instructions");
  switch (option) {
  case WT_CLOCK_OPTION_NONE: break;
  case WT_CLOCK_OPTION_TICKER: clock->kind = WT_CLOCK_TICKER; break;
  case WT_CLOCK_OPTION_INSTRUCTIONS: clock->kind = WT_CLOCK_INSTRUCTIONS; break;
  case WT_CLOCK_OPTION_HOST: clock->kind = WT_CLOCK_HOST; break;
  case WT_CLOCK_OPTION_IMPORT:
    clock->kind = WT_CLOCK_IMPORT;
    clock->import = find_import(module, options->clock_import);
    return check_import(plan, job, module);
  case WT_CLOCK_OPTION_AUTO:
    clock->import = find_import(module, wt_slice_of("ic0.performance_counter"));
    if (clock->import != WT_NO_INDEX && !is_readable(module, clock->import))
      clock->import = WT_NO_INDEX;
    clock->kind = automatic(job, clock->import);
    clock->wall = clock->kind == WT_CLOCK_INSTRUCTIONS && options->wall;
    break;
  }
  return true;
}

bool wt_clock_in_ns(const wt_plan *plan) {
  if (plan->clock.kind != WT_CLOCK_IMPORT)
    return plan->clock.kind == WT_CLOCK_TICKER || plan->clock.kind == WT_CLOCK_HOST;
  uint8_t result = wt_module_func_type(plan->module, plan->clock.import)->results.encoded.data[0];
  return is_wasi_clock(plan->module, plan->clock.import) || result == WT_TYPE_F64 || result == WT_TYPE_F32;
}

/* ---- an import as a clock ---- */

static void emit_zero(wt_buf *body, uint8_t type) {
  switch (type) {
  case WT_TYPE_I32: wt_emit_i32(body, 0); break;
  case WT_TYPE_I64: wt_emit_i64(body, 0); break;
  case WT_TYPE_F32:
    wt_emit_i32(body, 0);
    wt_buf_u8(body, WT_OP_F32_REINTERPRET_I32);
    break;
  default: wt_emit_f64_zero(body); break;
  }
}

/* The clock as the result of a function without side effects: arguments are zeroes. A double or a float is milliseconds, as the web has them. */
static void read_result(wt_link *link, wt_buf *body, uint32_t import) {
  const wt_type *type = wt_module_func_type(link->module, import);
  const uint8_t *encoded = type->params.encoded.data;
  wt_buf_u8(body, 0);
  for (uint32_t i = 0; i < type->params.count; i++, encoded += wt_valtype_size(encoded))
    emit_zero(body, *encoded);
  wt_emit_call(body, import);
  switch (type->results.encoded.data[0]) {
  case WT_TYPE_I32: wt_buf_u8(body, WT_OP_I64_EXTEND_I32_U); break;
  case WT_TYPE_F32: wt_buf_u8(body, WT_OP_F64_PROMOTE_F32); /* fallthrough */
  case WT_TYPE_F64:
    wt_emit_i32(body, 1000000);
    wt_buf_u8(body, WT_OP_F64_CONVERT_I32_S);
    wt_buf_u8(body, WT_OP_F64_MUL);
    wt_buf_u8(body, WT_PREFIX_MISC);
    wt_buf_u32(body, WT_OP_CODE(WT_OP_I64_TRUNC_SAT_F64_U));
    link->features |= WT_FEATURE_BIT(WT_FEATURE_SAT_FLOAT);
    break;
  default: break;
  }
}

/* WASI's clock 1 is the monotonic one. The eight bytes that it writes to are put back. */
static void read_wasi(wt_buf *body, uint32_t import) {
  enum { MONOTONIC = 1, BORROWED = 8, ALIGNED = 3, KEPT = 0, NOW = 1 };
  wt_buf_u8(body, 1);
  wt_buf_u32(body, 2);
  wt_buf_u8(body, WT_TYPE_I64);
  wt_emit_i32(body, BORROWED);
  wt_emit_access(body, WT_OP_I64_LOAD, ALIGNED, 0);
  wt_emit_local_set(body, KEPT);
  wt_emit_i32(body, MONOTONIC);
  wt_emit_i64(body, 0);
  wt_emit_i32(body, BORROWED);
  wt_emit_call(body, import);
  wt_buf_u8(body, WT_OP_DROP);
  wt_emit_i32(body, BORROWED);
  wt_emit_access(body, WT_OP_I64_LOAD, ALIGNED, 0);
  wt_emit_local_set(body, NOW);
  wt_emit_i32(body, BORROWED);
  wt_emit_local_get(body, KEPT);
  wt_emit_access(body, WT_OP_I64_STORE, ALIGNED, 0);
  wt_emit_local_get(body, NOW);
}

void wt_clock_link(wt_link *link) {
  static const uint8_t result[] = {WT_TYPE_I64};
  uint32_t import = link->plan->clock.import;
  link->clock = WT_NO_INDEX;
  if (link->plan->clock.kind != WT_CLOCK_IMPORT)
    return;
  wt_buf body;
  wt_buf_init(&body, &link->job->arena.allocator);
  if (is_wasi_clock(link->module, import))
    read_wasi(&body, import);
  else
    read_result(link, &body, import);
  wt_buf_u8(&body, WT_OP_END);
  uint32_t type = wt_link_add_type(link, (wt_slice){0}, 0, (wt_slice){result, 1}, 1);
  link->clock = wt_link_add_function(link, type, &body, "wtr_clock");
  link->bodies.failed |= body.failed;
  wt_buf_free(&body);
}

/* ---- reading it ---- */

/* Clocks that cost something are not read while nothing is recorded. */
static void push_if_recorded(const wt_link *link, wt_buf *code, uint32_t clock) {
  wt_link_entry(link, code, WTR_ENTRY_position);
  wt_emit_is_position(code);
  wt_buf_u8(code, WT_OP_IF);
  wt_buf_u8(code, WT_TYPE_I64);
  wt_emit_call(code, clock);
  wt_buf_u8(code, WT_OP_ELSE);
  wt_emit_i64(code, 0);
  wt_buf_u8(code, WT_OP_END);
}

void wt_clock_push(const wt_link *link, wt_buf *code) {
  switch (link->plan->clock.kind) {
  case WT_CLOCK_INSTRUCTIONS: wt_emit_global_get(code, link->counter); break;
  case WT_CLOCK_HOST: push_if_recorded(link, code, link->entries.func[WTR_ENTRY_now]); break;
  case WT_CLOCK_IMPORT: push_if_recorded(link, code, link->clock); break;
  case WT_CLOCK_NONE:
  case WT_CLOCK_TICKER: break;
  }
}

static void emit_reading(const wt_link *link, wt_buf *code, int of_ticker, int of_other) {
  wt_clock_kind kind = link->plan->clock.kind;
  if (kind == WT_CLOCK_NONE)
    return;
  wt_clock_push(link, code);
  wt_link_entry(link, code, kind == WT_CLOCK_TICKER ? of_ticker : of_other);
}

void wt_clock_account(const wt_link *link, wt_buf *code) {
  emit_reading(link, code, WTR_ENTRY_account_ticker, WTR_ENTRY_account);
}

void wt_clock_skip(const wt_link *link, wt_buf *code) {
  emit_reading(link, code, WTR_ENTRY_skip_time_ticker, WTR_ENTRY_skip_time);
}

void wt_clock_account_crossing(const wt_link *link, wt_buf *code) {
  if (link->plan->clock.kind == WT_CLOCK_INSTRUCTIONS)
    wt_clock_account(link, code);
}
