/* The facts about a module that a rewrite needs: its sections, types, index spaces and names. Slices point into the file. */
#ifndef WT_MODULE_H
#define WT_MODULE_H

#include "job.h"
#include "names.h"
#include "reader.h"

#define WT_NO_INDEX UINT32_MAX

enum wt_section_id {
#define WT_SECTION(name, id, place, read) WT_SECTION_##name = id,
#include "sections.def"
#undef WT_SECTION
};

typedef struct wt_section {
  uint8_t id;
  wt_slice name;  /* of a custom section */
  size_t start;   /* offset of the id byte */
  size_t content; /* offset of the content; of a custom section: behind its name */
  size_t end;
} wt_section;

/* A run of encoded value types. */
typedef struct wt_types {
  wt_slice encoded;
  uint32_t count;
} wt_types;

typedef struct wt_type {
  bool is_func;
  wt_types params;
  wt_types results;
} wt_type;

typedef struct wt_module {
  wt_slice file;
  wt_section *sections;
  size_t section_count;

  wt_type *types;
  uint32_t type_count;
  uint32_t *func_types; /* type index by function index */
  uint32_t func_count;  /* imports included, as all counts of index spaces here */
  uint32_t func_imports;
  wt_func_import *imports; /* of functions only */
  wt_func_export *exports; /* of functions only */
  size_t export_count;     /* of functions only */
  uint32_t all_exports;    /* of whatever kind */
  uint32_t table_count;
  uint32_t table_imports;
  uint32_t memory_count;
  uint8_t *memory_is_64; /* by memory index */
  bool shares_memory;    /* it is one for several threads */
  uint32_t global_count;
  uint32_t tag_count;
  uint32_t elem_count;
  uint32_t data_count;
  bool has_data_count;    /* there is a DataCount section */
  bool names_elements;    /* some instruction names an element segment by its index */
  uint32_t start;         /* function index or WT_NO_INDEX */
  uint8_t *address_taken; /* by function index: element segment, ref.func in an initialiser or a body */
  uint64_t
      function_tables; /* by table index: can hold references to functions; the last bit stands for all from there on */
  bool function_globals; /* some global can */
  bool
      functions_escape; /* references to its functions can reach the host, or other modules: through a table, a global, a
                             tag, the parameters and results of a function that is imported or exported, or, where a
                             body takes the address of one that nothing else declares, its export */
  uint32_t *slots;      /* by function index: its one place in the tables (scan.h, wt_slot), 0 when none is known */
  bool wide_tables;     /* some table has 64-bit indices */
  wt_slice name_section;
  uint64_t features;  /* 1 << WT_FEATURE_..., as far as seen */
  bool uses_exnref;   /* it has the current flavour of exception handling: instructions or types */
  bool may_be_traced; /* names of ours are no error */
} wt_module;

/* Whether a module that has been instrumented already is an error. */
typedef enum wt_scan_mode { WT_SCAN_FRESH, WT_SCAN_TRACED } wt_scan_mode;

/* Reads all but the function bodies. false on an error. */
bool wt_module_scan(wt_module *module, wt_job *job, wt_slice file, wt_scan_mode mode);

/* The section of that id, or NULL. */
const wt_section *wt_module_section(const wt_module *module, uint8_t id);

/* The function's type, which is always a function type. */
static inline const wt_type *wt_module_func_type(const wt_module *module, uint32_t func) {
  return &module->types[module->func_types[func]];
}

#endif
