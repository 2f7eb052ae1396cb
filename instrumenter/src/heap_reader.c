/* What the host gets at the block by: an answer to a query of the Internet Computer, where the module imports all that it takes; else a
   function that returns the block's address. */
#include "heap.h"

#include "layout.h"
#include "valtype.h"

/* Of the Internet Computer's system interface. */
enum { ARG_SIZE, ARG_COPY, REPLY_APPEND, REPLY, SYSTEM_CALLS };

static const struct system_call {
  const char *name;
  uint32_t params;
  uint32_t results;
} system_calls[SYSTEM_CALLS] = {
    {"msg_arg_data_size", 0, 1}, {"msg_arg_data_copy", 3, 0}, {"msg_reply_data_append", 2, 0}, {"msg_reply", 0, 0}};

static uint32_t find_system_call(const wt_module *module, const struct system_call *call) {
  for (uint32_t func = 0; func < module->func_imports; func++) {
    const wt_type *type = wt_module_func_type(module, func);
    if (wt_slice_is(module->imports[func].module, "ic0") && wt_slice_is(module->imports[func].name, call->name) &&
        wt_heap_is_i32(type->params, call->params) && wt_heap_is_i32(type->results, call->results))
      return func;
  }
  return WT_NO_INDEX;
}

/* Whether all of them are imported. */
static bool find_system_calls(const wt_module *module, uint32_t *funcs) {
  bool all = true;
  for (int i = 0; i < SYSTEM_CALLS; i++) {
    funcs[i] = find_system_call(module, &system_calls[i]);
    all &= funcs[i] != WT_NO_INDEX;
  }
  return all;
}

/* Keeps in the local the smaller of it and of the number that the code in `most` pushes. */
static void keep_smaller(wt_buf *code, uint32_t local, const wt_buf *most) {
  wt_emit_local_get(code, local);
  wt_buf_bytes(code, most->data, most->size);
  wt_emit_local_get(code, local);
  wt_buf_bytes(code, most->data, most->size);
  wt_buf_u8(code, WT_OP_I32_LT_U);
  wt_buf_u8(code, WT_OP_SELECT);
  wt_emit_local_set(code, local);
}

enum { READ_BLOCK, READ_OFFSET, READ_SIZE };

/* The piece that the argument asks for, as far as the block reaches: offset and size, 32 bits each. */
static void write_piece(const uint32_t *funcs, uint32_t bytes, wt_buf *code, wt_buf *most) {
  wt_emit_local_get(code, READ_BLOCK);
  wt_emit_i32(code, (int32_t)bytes);
  wt_buf_u8(code, WT_OP_I32_ADD);
  wt_emit_i32(code, 0);
  wt_emit_i32(code, WT_HEAP_SCRATCH_BYTES);
  wt_emit_call(code, funcs[ARG_COPY]);
  for (uint32_t i = 0; i < 2; i++) {
    wt_emit_local_get(code, READ_BLOCK);
    wt_emit_access(code, WT_OP_I32_LOAD, 0, bytes + i * 4);
    wt_emit_local_set(code, READ_OFFSET + i);
  }
  wt_emit_i32(most, (int32_t)bytes);
  keep_smaller(code, READ_OFFSET, most);
  wt_emit_local_get(most, READ_OFFSET);
  wt_buf_u8(most, WT_OP_I32_SUB);
  keep_smaller(code, READ_SIZE, most);
  wt_emit_local_get(code, READ_BLOCK);
  wt_emit_local_get(code, READ_OFFSET);
  wt_buf_u8(code, WT_OP_I32_ADD);
  wt_emit_local_get(code, READ_SIZE);
  wt_emit_call(code, funcs[REPLY_APPEND]);
}

/* Replies with the piece; with nothing where there is no block, or the argument is of another size. */
static void write_query(const wt_link *link, const uint32_t *funcs, uint32_t bytes, wt_buf *code, wt_buf *most) {
  static const uint8_t locals[] = {1, 3, WT_TYPE_I32};
  wt_buf_bytes(code, locals, sizeof locals);
  wt_emit_global_get(code, link->block);
  wt_emit_local_tee(code, READ_BLOCK);
  wt_buf_u8(code, WT_OP_I32_EQZ);
  wt_emit_call(code, funcs[ARG_SIZE]);
  wt_emit_i32(code, WT_HEAP_SCRATCH_BYTES);
  wt_buf_u8(code, WT_OP_I32_NE);
  wt_buf_u8(code, WT_OP_I32_OR);
  wt_buf_u8(code, WT_OP_I32_EQZ);
  wt_emit_if(code);
  write_piece(funcs, bytes, code, most);
  wt_buf_u8(code, WT_OP_END);
  wt_emit_call(code, funcs[REPLY]);
  wt_buf_u8(code, WT_OP_END);
}

static uint32_t block_bytes(const wt_link *link) {
  uint32_t pages;
  wt_layout_state(link->plan, link->job->options.buffer_size, &pages);
  return pages * WT_PAGE_BYTES;
}

void wt_heap_add_reader(wt_link *link, wt_buf *body) {
  uint32_t funcs[SYSTEM_CALLS];
  if (!link->job->options.heap)
    return;
  body->size = 0;
  link->answers_queries = find_system_calls(link->module, funcs);
  if (link->answers_queries) {
    wt_buf most;
    wt_buf_init(&most, &link->job->arena.allocator);
    write_query(link, funcs, block_bytes(link), body, &most);
    body->failed |= most.failed;
    wt_buf_free(&most);
  } else {
    wt_buf_u8(body, 0);
    wt_emit_global_get(body, link->block);
    wt_buf_u8(body, WT_OP_END);
  }
  link->reader = wt_link_add_function(link, wt_link_nullary_type(link, !link->answers_queries), body, "wtr_read");
}

const char *wt_heap_export_name(const wt_link *link) {
  return link->answers_queries ? "canister_query __wasm_trace" : "__wasm_trace_block";
}
