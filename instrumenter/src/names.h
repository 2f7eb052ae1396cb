/* Which function is called what, and which functions a user's pattern means.
   Sources, best first: name section, symbol files, export names, import names ("module.name"). */
#ifndef WT_NAMES_H
#define WT_NAMES_H

#include "name_forms.h"

typedef enum wt_name_source {
  WT_NAME_NONE = 0,
  WT_NAME_SECTION,
  WT_NAME_SYMBOLS,
  WT_NAME_EXPORT,
  WT_NAME_IMPORT,
} wt_name_source;

typedef struct wt_func_export {
  wt_slice name;
  uint32_t func;
} wt_func_export;

typedef struct wt_func_import { /* item i is function i */
  wt_slice module;
  wt_slice name;
} wt_func_import;

typedef struct wt_names_input {
  uint32_t function_count;       /* imports included */
  const wt_func_import *imports; /* the imported functions, in order */
  uint32_t import_count;
  const wt_func_export *exports; /* exported functions, in order */
  size_t export_count;
  wt_slice name_section;        /* content behind the section's name; size 0 when absent */
  const wt_slice *symbol_files; /* contents, most trusted first */
  size_t symbol_file_count;
} wt_names_input;

typedef struct wt_names {
  wt_arena *arena;
  wt_names_input input;
  wt_slice *raw;           /* by function index; size 0 = no name; the best source wins */
  uint8_t *source;         /* wt_name_source by function index */
  uint32_t named;          /* functions that the name section or a symbol file names */
  wt_func_export *aliases; /* further names: exports, and what the glue calls them; sorted by function */
  size_t alias_count;
  bool minified;       /* no name section and no symbols, and the export names look minified (one to three letters) */
  const char *warning; /* about a symbol file that is of no use, a sentence without a full stop; NULL: none */
  wt_name_writer *writer; /* for readable forms; makes matching need no memory of its own */
} wt_names;

/* NULL when out of memory. A malformed name section or symbol file is no error: what can be read of it counts. */
wt_names *wt_names_new(wt_arena *arena, const wt_names_input *input);

/* Name for messages: demangled, or "wasm-function[123]" where there is none. NULL when out of memory. */
const char *wt_names_show(const wt_names *names, uint32_t func);

/* The further names of a function: *first and the ones behind it. */
size_t wt_names_aliases(const wt_names *names, uint32_t func, const wt_func_export **first);

typedef struct wt_pattern wt_pattern;

/* Parses a PATTERN: name, glob (* ? [a-z]), /regex/ (POSIX extended), #index, module.name, "quoted" (no glob).
   Space around it does not count. On failure NULL, with *message and *offset (a column in text) set; *message
   NULL means out of memory. */
wt_pattern *wt_pattern_new(wt_arena *arena, wt_slice text, const char **message, size_t *offset);

/* "*" and nothing else. */
bool wt_pattern_is_everything(const wt_pattern *pattern);

/* Matches raw and demangled name, the latter also without parameters, result type and template arguments; export
   names; and for imports "module.name" and the bare "name". Where nothing matches exactly, a leading "_" more or
   less does not count (_malloc and malloc), nor what libraries put before the names of their allocator
   (emscripten_builtin_malloc). false also when out of memory; the arena knows. */
bool wt_pattern_matches(const wt_pattern *pattern, const wt_names *names, uint32_t func);

/* Frees what the C library holds for the pattern (regex). */
void wt_pattern_free(wt_pattern *pattern);

/* The sentence for a pattern that matches nothing: near names, and, when names are missing or minified, how to
   get them.
   imports_only: the pattern was looked up among the imports. NULL when out of memory. */
const char *wt_names_no_match(const wt_names *names, const wt_pattern *pattern, wt_slice text, bool imports_only);

/* Readable form of a symbol (C++ Itanium, Rust legacy and v0 without hash); the same bytes when it is none.
   Result in the arena; size 0 and data NULL when out of memory. */
wt_slice wt_demangle(wt_arena *arena, wt_slice symbol);

#endif
