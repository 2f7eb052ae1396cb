/* Puts the sources of names together. Later sources only fill what earlier ones left open. */
#include "names.h"

#include "demangle.h"
#include "name_section.h"
#include "symbols.h"

#include <stdlib.h>
#include <string.h>

/* A name that a minifier may have made. */
#define MINIFIED_SIZE 3u

#define TEXT_LIMIT (1u << 20)

typedef struct builder {
  wt_names *names;
  wt_name_source source;
  size_t alias_capacity;
} builder;

static void add_name(void *user, uint32_t func, wt_slice name) {
  const builder *b = user;
  wt_names *names = b->names;
  if (func >= names->input.function_count || name.size == 0 || names->raw[func].size)
    return;
  names->raw[func] = name;
  names->source[func] = (uint8_t)b->source;
  names->named += b->source == WT_NAME_SECTION || b->source == WT_NAME_SYMBOLS;
}

/* The old array stays in the arena; aliases are few. */
static bool grow_aliases(builder *b) {
  wt_names *names = b->names;
  size_t capacity = b->alias_capacity ? b->alias_capacity * 2 : names->input.export_count + 64;
  wt_func_export *aliases = wt_arena_array(names->arena, capacity, sizeof *aliases);
  if (!aliases)
    return false;
  if (names->alias_count)
    memcpy(aliases, names->aliases, names->alias_count * sizeof *aliases);
  names->aliases = aliases;
  b->alias_capacity = capacity;
  return true;
}

static void add_alias(void *user, uint32_t func, wt_slice name) {
  builder *b = user;
  if (func >= b->names->input.function_count || name.size == 0)
    return;
  if (b->names->alias_count == b->alias_capacity && !grow_aliases(b))
    return;
  b->names->aliases[b->names->alias_count++] = (wt_func_export){name, func};
}

/* Down to the names, so that the order does not depend on the library's qsort. */
static int compare_aliases(const void *a, const void *b) {
  const wt_func_export *left = a, *right = b;
  if (left->func != right->func)
    return left->func < right->func ? -1 : 1;
  size_t common = left->name.size < right->name.size ? left->name.size : right->name.size;
  int order = memcmp(left->name.data, right->name.data, common);
  return order ? order : (left->name.size > right->name.size) - (left->name.size < right->name.size);
}

static void read_symbol_files(builder *b) {
  wt_names *names = b->names;
  b->source = WT_NAME_SYMBOLS;
  wt_symbols symbols = {add_name, add_alias, b, names->arena, &names->input};
  for (size_t i = 0; i < names->input.symbol_file_count; i++) {
    const char *warning = wt_symbols_read(&symbols, names->input.symbol_files[i]);
    if (!names->warning)
      names->warning = warning;
  }
}

static bool is_minified(const wt_names *names) {
  size_t minified = 0;
  for (size_t i = 0; i < names->input.export_count; i++)
    minified += names->input.exports[i].name.size <= MINIFIED_SIZE;
  return names->named == 0 && minified * 2 > names->input.export_count;
}

static void add_exports(builder *b) {
  b->source = WT_NAME_EXPORT;
  for (size_t i = 0; i < b->names->input.export_count; i++) {
    const wt_func_export *item = &b->names->input.exports[i];
    add_name(b, item->func, item->name);
    add_alias(b, item->func, item->name);
  }
}

static wt_slice import_name(const wt_names *names, uint32_t func) {
  wt_slice module = names->input.imports[func].module, name = wt_drop_wbg_hash(names->input.imports[func].name);
  size_t size = module.size + 1 + name.size;
  uint8_t *text = wt_arena_alloc(names->arena, size);
  if (!text)
    return (wt_slice){NULL, 0};
  if (module.size)
    memcpy(text, module.data, module.size);
  text[module.size] = '.';
  if (name.size)
    memcpy(text + module.size + 1, name.data, name.size);
  return (wt_slice){text, size};
}

static void add_imports(builder *b) {
  b->source = WT_NAME_IMPORT;
  for (uint32_t func = 0; func < b->names->input.import_count && func < b->names->input.function_count; func++)
    if (b->names->raw[func].size == 0)
      add_name(b, func, import_name(b->names, func));
}

static bool allocate(wt_names *names) {
  names->raw = wt_arena_array(names->arena, names->input.function_count, sizeof *names->raw);
  names->source = wt_arena_array(names->arena, names->input.function_count, sizeof *names->source);
  names->writer = wt_arena_alloc(names->arena, sizeof *names->writer);
  if (!names->raw || !names->source || !names->writer)
    return false;
  wt_name_writer_init(names->writer, names->arena);
  return true;
}

wt_names *wt_names_new(wt_arena *arena, const wt_names_input *input) {
  wt_names *names = wt_arena_alloc(arena, sizeof *names);
  if (!names)
    return NULL;
  names->arena = arena;
  names->input = *input;
  if (!allocate(names))
    return NULL;
  builder b = {.names = names, .source = WT_NAME_SECTION};
  wt_name_section_read(input->name_section, add_name, &b);
  read_symbol_files(&b);
  names->minified = is_minified(names);
  add_exports(&b);
  add_imports(&b);
  if (names->alias_count > 1)
    qsort(names->aliases, names->alias_count, sizeof *names->aliases, compare_aliases);
  return arena->failed ? NULL : names;
}

size_t wt_names_aliases(const wt_names *names, uint32_t func, const wt_func_export **first) {
  size_t low = 0, high = names->alias_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (names->aliases[middle].func < func)
      low = middle + 1;
    else
      high = middle;
  }
  *first = names->alias_count ? names->aliases + low : NULL;
  while (high < names->alias_count && names->aliases[high].func == func)
    high++;
  return high - low;
}

const char *wt_names_show(const wt_names *names, uint32_t func) {
  wt_slice raw = func < names->input.function_count ? names->raw[func] : (wt_slice){NULL, 0};
  if (raw.size == 0)
    return wt_arena_format(names->arena, "wasm-function[%u]", (unsigned)func);
  wt_slice text = wt_demangle_to(&names->writer->full, raw) ? wt_scratch_view(&names->writer->full)
                                                            : wt_drop_wbg_hash(wt_drop_rust_hash(raw));
  wt_scratch out;
  wt_scratch_init(&out, names->arena, TEXT_LIMIT);
  wt_scratch_printable(&out, text);
  return out.failed ? NULL : out.data;
}
