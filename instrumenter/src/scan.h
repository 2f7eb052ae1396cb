/* The readers of sections, shared by the scan_*.c files. Each reads a section's content to its end and stores its facts;
   false on an error. */
#ifndef WT_SCAN_H
#define WT_SCAN_H

#include "module.h"

typedef bool wt_section_reader(wt_module *module, wt_reader *reader);

wt_section_reader wt_scan_types;
wt_section_reader wt_scan_imports;
wt_section_reader wt_scan_exports;
wt_section_reader wt_scan_start;
wt_section_reader wt_scan_elements;
wt_section_reader wt_scan_data_count;
wt_section_reader wt_scan_data;

/* Kinds of imports and exports. */
enum {
  WT_KIND_FUNC = 0,
  WT_KIND_TABLE = 1,
  WT_KIND_MEMORY = 2,
  WT_KIND_GLOBAL = 3,
  WT_KIND_TAG = 4,
  WT_KIND_FUNC_EXACT = 0x20, /* custom descriptors */
};

/* Types of what can be imported or defined. Those of tables and globals tell whether it can hold a function; a memory's flags are remembered by wt_scan_add_memory, which needs room made
   by wt_scan_more_memories. */
void wt_scan_func_type(wt_module *module, wt_reader *reader, uint32_t *type);
bool wt_scan_table_type(wt_module *module, wt_reader *reader);
void wt_scan_add_table(wt_module *module, bool holds_functions);
uint8_t wt_scan_memory_type(wt_module *module, wt_reader *reader);
void wt_scan_add_memory(wt_module *module, uint8_t flags);
bool wt_scan_more_memories(wt_module *module, wt_reader *reader, uint32_t count);
bool wt_scan_global_type(wt_module *module, wt_reader *reader);
void wt_scan_tag_type(wt_module *module, wt_reader *reader);

/* escape.c: whether a value of the type can be a reference to a function, and whether any value of a function's type can. */
bool wt_holds_function(const wt_module *module, const uint8_t *encoded);
bool wt_signature_holds_function(const wt_module *module, uint32_t type);
bool wt_table_holds_functions(const wt_module *module, uint32_t table);

/* A number for a place in a table and the type of what is called there: the index, a few bits of a hash of type and table, and
   WT_SLOT_BIT. All ones as the index stands for several places there; WT_NO_SLOT for places in several tables. */
#define WT_NO_SLOT UINT32_MAX
#define WT_SLOT_BIT UINT32_C(0x80000000)
#define WT_SLOT_INDEX_BITS 24
#define WT_SLOT_INDEX ((UINT32_C(1) << WT_SLOT_INDEX_BITS) - 1)
uint32_t wt_slot(const wt_module *module, uint32_t table, uint32_t type, uint32_t index);

/* Zeroed items in the job's arena; false when out of memory. */
bool wt_scan_array(wt_reader *reader, void **items, size_t count, size_t item_size);

#endif
