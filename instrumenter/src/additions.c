#include "additions.h"

#include "heap.h"
#include "valtype.h"

#include <string.h>

static void add_types(const wt_additions *a, wt_addition *added) {
  wt_buf_bytes(&added->bytes, a->link->types.data, a->link->types.size);
  added->count = a->link->type_count;
}

static void add_functions(const wt_additions *a, wt_addition *added) {
  wt_buf_bytes(&added->bytes, a->link->func_types.data, a->link->func_types.size);
  added->count = a->link->func_count;
}

/* Of entry points when split, of hooks when merged; as many slots as there are, never more. */
static uint32_t table_slots(const wt_additions *a) {
  return a->link->job->options.split ? a->link->slots : WTR_HOOK_COUNT;
}

static bool has_table(const wt_additions *a) { return a->link->job->options.split || a->link->hooks; }

static void add_table(const wt_additions *a, wt_addition *added) {
  if (!has_table(a))
    return;
  wt_buf_u8(&added->bytes, WT_TYPE_FUNCREF);
  wt_buf_u8(&added->bytes, 1); /* with a maximum */
  wt_buf_u32(&added->bytes, table_slots(a));
  wt_buf_u32(&added->bytes, table_slots(a));
  added->count = 1;
}

bool wt_adds_memory(const wt_additions *a) { return !a->link->job->options.split && !a->link->job->options.heap; }

static void add_memory(const wt_additions *a, wt_addition *added) {
  if (!wt_adds_memory(a))
    return;
  wt_buf_u8(&added->bytes, a->link->shared ? 3 : 1); /* with a maximum */
  wt_buf_u32(&added->bytes, a->pages);
  wt_buf_u32(&added->bytes, a->pages);
  added->count = 1;
}

static void add_variable(wt_addition *added, uint8_t type) {
  wt_buf_u8(&added->bytes, type);
  wt_buf_u8(&added->bytes, 1); /* variable */
  if (type == WT_TYPE_I64)
    wt_emit_i64(&added->bytes, 0);
  else
    wt_emit_i32(&added->bytes, 0);
  wt_buf_u8(&added->bytes, WT_OP_END);
  added->count++;
}

/* The handshake, the count of instructions, the address of the block and whether it is being allocated: in the order of their indices in wt_link. */
static void add_globals(const wt_additions *a, wt_addition *added) {
  if (a->link->plan->handshake)
    add_variable(added, WT_TYPE_I32);
  if (wt_plan_counts(a->link->plan))
    add_variable(added, WT_TYPE_I64);
  for (int i = 0; a->link->job->options.heap && i < 2; i++)
    add_variable(added, WT_TYPE_I32);
}

static void add_export(wt_addition *added, const char *name, uint8_t kind, uint32_t index) {
  wt_buf_name(&added->bytes, (wt_slice){(const uint8_t *)name, strlen(name)});
  wt_buf_u8(&added->bytes, kind);
  wt_buf_u32(&added->bytes, index);
  added->count++;
}

/* The host reads it when a trap has ended the module. */
static bool exports_counter(const wt_link *link) { return wt_plan_counts(link->plan) && !link->job->options.heap; }

static void add_exports(const wt_additions *a, wt_addition *added) {
  if (a->link->job->options.split)
    add_export(added, "__wasm_trace_table", 1, a->link->module->table_count);
  else if (a->link->job->options.heap)
    add_export(added, wt_heap_export_name(a->link), 0, a->link->reader);
  else
    add_export(added, "__wasm_trace_memory", 2, a->link->module->memory_count);
  if (a->link->hooks)
    add_export(added, "__wasm_trace_hooks", 1, a->link->module->table_count);
  if (exports_counter(a->link))
    add_export(added, "__wasm_trace_count", 3, a->link->counter);
  if (a->link->start_shim)
    add_export(added, "__wasm_trace_start", 0, a->link->start_shim);
}

/* What a table of ours holds at first: no-ops. */
static void write_no_ops(const wt_additions *a, wt_buf *bytes) {
  const wt_link *link = a->link;
  wt_buf_u32(bytes, table_slots(a));
  for (uint32_t hook = 0; link->hooks && hook < WTR_HOOK_COUNT; hook++)
    wt_buf_u32(bytes, link->no_hooks[hook]);
  for (int entry = 0; a->link->job->options.split && entry < WTR_ENTRY_COUNT; entry++)
    if (link->entries.func[entry] != WT_NO_INDEX)
      wt_buf_u32(bytes, link->entries.func[entry] + 1);
}

/* The table starts out full of no-ops, so the module also runs when nobody attaches. The segment goes in front where
   no instruction names a segment by its index: when a later one traps, functions that are in a shared table already can
   still be called. */
static void add_element(const wt_additions *a, wt_addition *added) {
  if (!has_table(a))
    return;
  wt_buf_u32(&added->bytes, 2); /* active, table index, element kind */
  wt_buf_u32(&added->bytes, a->link->module->table_count);
  wt_emit_i32(&added->bytes, 0);
  wt_buf_u8(&added->bytes, WT_OP_END);
  wt_buf_u8(&added->bytes, 0); /* functions */
  write_no_ops(a, &added->bytes);
  added->count = 1;
  added->first = !a->link->module->names_elements;
}

static void add_code(const wt_additions *a, wt_addition *added) {
  wt_buf_bytes(&added->bytes, a->link->bodies.data, a->link->bodies.size);
  added->count = a->link->func_count;
}

/* Merged: the initial state of the runtime. */
static void add_data(const wt_additions *a, wt_addition *added) {
  if (!wt_adds_memory(a))
    return;
  wt_buf_u32(&added->bytes, 2); /* active, memory index */
  wt_buf_u32(&added->bytes, a->link->module->memory_count);
  wt_emit_i32(&added->bytes, (int32_t)WTR_STATE_ADDRESS);
  wt_buf_u8(&added->bytes, WT_OP_END);
  wt_buf_sized(&added->bytes, &a->config);
  added->count = 1;
}

const wt_growing_section wt_growing_sections[WT_GROWING_SECTIONS] = {
    {WT_SECTION_TYPE, add_types},      {WT_SECTION_FUNCTION, add_functions}, {WT_SECTION_TABLE, add_table},
    {WT_SECTION_MEMORY, add_memory},   {WT_SECTION_GLOBAL, add_globals},     {WT_SECTION_EXPORT, add_exports},
    {WT_SECTION_ELEMENT, add_element}, {WT_SECTION_CODE, add_code},          {WT_SECTION_DATA, add_data},
};

wt_addition wt_addition_new(const wt_additions *a, const wt_growing_section *section) {
  wt_addition added = {0};
  wt_buf_init(&added.bytes, &a->link->job->arena.allocator);
  section->add(a, &added);
  return added;
}
