/* What the JS glue of Emscripten tells of a module whose export and import names are minified.

   Exports are chains of assignments that end in a member of the object with the exports, in many spellings:
     _malloc = Module["_malloc"] = wasmExports["La"]      ja=k._free=c.Ma
     _malloc=Module["_malloc"]=function(){return(_malloc=Module["_malloc"]=Module["asm"]["ta"]).apply(null,arguments)}
   The name of that object differs, and members of any object may be called "a". The true one is the object whose
   members include the most of the module's exports at one stretch of the text.
   Imports are an object literal {a:_fd_write,b:___assert_fail,...} with the import names as keys.

   The text is never parsed as a program: strings and comments may look like code, but not like all of that. */
#include "js_scan.h"
#include "symbols.h"

#include <stdlib.h>
#include <string.h>

/* Chains further apart than this do not belong to one list. */
#define STRETCH 4096u

/* No item of a list is longer than this. */
#define ITEM 256u

/* Closure Compiler and terser make identifiers of up to three characters for code of this size. */
#define MINIFIED_SIZE 3u

/* Import names longer than this have not been minified. */
#define IMPORT_SIZE 3u

typedef struct found_export {
  wt_slice object; /* "c", "wasmExports", "Module["asm"]" */
  size_t place;
  const wt_func_export *item; /* NULL: the module has no such export */
  wt_slice name;              /* the C name; size 0 when all names on the left are minified */
} found_export;

typedef struct found_import {
  uint32_t func;
  wt_slice name;
} found_import;

typedef struct glue {
  wt_arena *arena;
  const wt_names_input *input;
  wt_js js;
  const wt_func_export **exports; /* by name */
  found_export *found;
  size_t count, capacity;
  const wt_func_import **imports; /* by name; those with short names */
  size_t import_count;
  found_import *best, *current; /* longest import list so far, and the one being read; room for import_count items */
  size_t best_count, best_keys;
} glue;

/* createExportWrapper("La") stands for wasmExports["La"] in debug builds. */
static void take_wrapper(glue *g, wt_js_path *p) {
  size_t start = g->js.at;
  wt_slice key;
  if (p->is_member || !wt_slice_is(p->last, "createExportWrapper") || !wt_js_take(&g->js, '(') ||
      !wt_js_take_string(&g->js, &key)) {
    g->js.at = start;
    return;
  }
  *p = (wt_js_path){.object = p->last, .last = key, .is_member = true};
}

/* The C name that Emscripten made the JS name from: one underscore less. Size 0: a minified name. */
static wt_slice c_name(const wt_js_path *p) {
  wt_slice name = p->last;
  if (name.size > 1 && name.data[0] == '_' && (p->is_member || name.size > MINIFIED_SIZE))
    return (wt_slice){name.data + 1, name.size - 1};
  return name.size > MINIFIED_SIZE ? name : (wt_slice){NULL, 0};
}

/* Names with an underscore are surely made by Emscripten, members are surely not minified. */
static unsigned trust(const wt_js_path *p) { return (p->last.data[0] == '_' ? 2u : 0u) + (p->is_member ? 1u : 0u); }

/* Behind "function" of `_malloc=function(){return Module["asm"]["ta"].apply(...)}`: goes to the returned path. */
static bool enter_function(glue *g, wt_js_path *p) {
  size_t start = g->js.at;
  wt_slice word;
  if (wt_js_take(&g->js, '(') && wt_js_take(&g->js, ')') && wt_js_take(&g->js, '{') &&
      wt_js_take_ident(&g->js, &word) && wt_slice_is(word, "return") && wt_js_take_space(&g->js) &&
      wt_js_take_path(&g->js, p))
    return true;
  g->js.at = start;
  return false;
}

static int compare_names(wt_slice a, wt_slice b) {
  size_t common = a.size < b.size ? a.size : b.size;
  int order = common ? memcmp(a.data, b.data, common) : 0;
  return order ? order : (a.size > b.size) - (a.size < b.size);
}

static const wt_func_export *find_export(const glue *g, wt_slice name) {
  size_t low = 0, high = g->input->export_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare_names(g->exports[middle]->name, name);
    if (order == 0)
      return g->exports[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

static bool grow(glue *g) {
  size_t capacity = g->capacity ? g->capacity * 2 : 256;
  found_export *found = wt_arena_array(g->arena, capacity, sizeof *found);
  if (!found)
    return false;
  if (g->count)
    memcpy(found, g->found, g->count * sizeof *found);
  g->found = found;
  g->capacity = capacity;
  return true;
}

static void add_found(glue *g, const wt_js_path *source, size_t place, wt_slice name) {
  if (g->count < g->capacity || grow(g))
    g->found[g->count++] = (found_export){source->object, place, find_export(g, source->last), name};
}

typedef struct left_side {
  wt_slice name; /* the best C name so far */
  unsigned trust;
} left_side;

static void note_name(left_side *left, const wt_js_path *p) {
  wt_slice name = c_name(p);
  if (name.size && (left->name.size == 0 || trust(p) > left->trust))
    *left = (left_side){name, trust(p)};
}

/* At an identifier: reads path = path = ... as far as it goes, and notes it when it ends in an export. */
static void read_chain(glue *g) {
  size_t place = g->js.at;
  wt_js_path p;
  left_side left = {{NULL, 0}, 0};
  bool assigned = false;
  if (!wt_js_take_path(&g->js, &p))
    return;
  for (; wt_js_take_assign(&g->js); assigned = true) {
    note_name(&left, &p);
    if (!wt_js_take_path(&g->js, &p))
      return;
  }
  if (!assigned || (!p.is_member && wt_slice_is(p.last, "function") && !enter_function(g, &p)))
    return;
  take_wrapper(g, &p);
  if (p.is_member)
    add_found(g, &p, place, left.name);
}

static size_t find_imports(const glue *g, wt_slice name) {
  size_t low = 0, high = g->import_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_names(g->imports[middle]->name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* key:identifier; true as long as it is one. */
static bool take_property(glue *g, wt_slice *key, wt_js_path *value) {
  if (!wt_js_take_string(&g->js, key) && !wt_js_take_ident(&g->js, key))
    return false;
  return wt_js_take(&g->js, ':') && wt_js_take_path(&g->js, value) && !value->is_member;
}

static size_t note_import(glue *g, size_t count, wt_slice key, const wt_js_path *value) {
  wt_slice name = c_name(value);
  for (size_t i = find_imports(g, key); name.size && i < g->import_count; i++) {
    if (compare_names(g->imports[i]->name, key) != 0 || count >= g->import_count)
      break;
    g->current[count++] = (found_import){(uint32_t)(g->imports[i] - g->input->imports), name};
  }
  return count;
}

/* At "{": an object literal is a list of imports when it has most of them as keys. */
static void read_literal(glue *g) {
  size_t count = 0, keys = 0, start = g->js.at;
  wt_slice key;
  wt_js_path value;
  wt_js_take(&g->js, '{');
  while (take_property(g, &key, &value)) {
    count = note_import(g, count, key, &value);
    keys++;
    if (!wt_js_take(&g->js, ','))
      break;
  }
  if (count > g->best_count) {
    found_import *list = g->best;
    g->best = g->current;
    g->current = list;
    g->best_count = count;
    g->best_keys = keys;
  } else {
    g->js.at = start + 1;
  }
}

static int compare_found(const void *a, const void *b) {
  const found_export *left = a, *right = b;
  int order = compare_names(left->object, right->object);
  return order ? order : (left->place > right->place) - (left->place < right->place);
}

typedef struct stretch {
  size_t start, end; /* in g->found; both ends are exports */
  size_t hits;       /* exports */
} stretch;

static bool goes_on(const stretch *s, const found_export *last, const found_export *next) {
  return s->hits && compare_names(last->object, next->object) == 0 && next->place - last->place <= STRETCH;
}

static stretch find_best_stretch(const glue *g) {
  stretch best = {0, 0, 0}, current = {0, 0, 0};
  for (size_t i = 0; i < g->count; i++) {
    if (!g->found[i].item)
      continue;
    if (!goes_on(&current, &g->found[current.end - (current.end > 0)], &g->found[i]))
      current = (stretch){i, i, 0};
    current.end = i + 1;
    current.hits++;
    best = current.hits > best.hits ? current : best;
  }
  return best;
}

/* Members behind the last export that stand as close as the list's own items. */
static size_t misses_behind(const glue *g, const stretch *s) {
  size_t end = s->end;
  while (end > 0 && end < g->count && compare_names(g->found[end - 1].object, g->found[end].object) == 0 &&
         g->found[end].place - g->found[end - 1].place <= ITEM)
    end++;
  return end - s->end;
}

/* The glue of another build names other exports and lacks some of ours. Memories, tables and what the program
   itself does with its exports are no functions of ours either, but they are few. */
static bool is_of_this_module(const glue *g, const stretch *s) {
  size_t misses = s->end - s->start - s->hits + misses_behind(g, s), minified = 0;
  for (size_t i = 0; i < g->input->export_count; i++)
    minified += g->input->exports[i].name.size <= MINIFIED_SIZE;
  return misses <= s->hits / 4 + 4 && s->hits * 5 >= minified * 3;
}

/* The first of two chains for one function counts: debug glue says the same again in comments and messages. */
static size_t give_exports(const glue *g, const wt_symbols *symbols) {
  size_t named = 0;
  if (g->count)
    qsort(g->found, g->count, sizeof *g->found, compare_found);
  stretch best = find_best_stretch(g);
  bool of_this_module = is_of_this_module(g, &best);
  for (size_t i = best.start; i < best.end && of_this_module; i++) {
    const found_export *found = &g->found[i];
    if (!found->item || found->name.size == 0)
      continue;
    symbols->name(symbols->user, found->item->func, found->name);
    symbols->alias(symbols->user, found->item->func, found->name);
    named++;
  }
  return named;
}

static size_t give_imports(const glue *g, const wt_symbols *symbols) {
  bool of_this_module = g->best_count * 4 >= g->import_count * 3 && g->best_count * 4 >= g->best_keys * 3;
  if (!of_this_module)
    return 0;
  for (size_t i = 0; i < g->best_count; i++)
    symbols->name(symbols->user, g->best[i].func, g->best[i].name);
  return g->best_count;
}

static int compare_export_pointers(const void *a, const void *b) {
  const wt_func_export *const *left = a, *const *right = b;
  return compare_names((*left)->name, (*right)->name);
}

static int compare_import_pointers(const void *a, const void *b) {
  const wt_func_import *const *left = a, *const *right = b;
  int order = compare_names((*left)->name, (*right)->name);
  return order ? order : (*left > *right) - (*left < *right);
}

static bool index_exports(glue *g) {
  size_t count = g->input->export_count;
  g->exports = wt_arena_array(g->arena, count, sizeof *g->exports);
  for (size_t i = 0; g->exports && i < count; i++)
    g->exports[i] = &g->input->exports[i];
  if (g->exports && count)
    qsort(g->exports, count, sizeof *g->exports, compare_export_pointers);
  return g->exports != NULL;
}

static bool index_imports(glue *g) {
  size_t count = g->input->import_count;
  g->imports = wt_arena_array(g->arena, count, sizeof *g->imports);
  g->best = wt_arena_array(g->arena, count, sizeof *g->best);
  g->current = wt_arena_array(g->arena, count, sizeof *g->current);
  if (!g->imports || !g->best || !g->current)
    return false;
  for (size_t i = 0; i < count; i++)
    if (g->input->imports[i].name.size <= IMPORT_SIZE)
      g->imports[g->import_count++] = &g->input->imports[i];
  if (g->import_count)
    qsort(g->imports, g->import_count, sizeof *g->imports, compare_import_pointers);
  return true;
}

size_t wt_symbols_read_glue(const wt_symbols *symbols, wt_slice text) {
  glue g = {.arena = symbols->arena, .input = symbols->input, .js = {.text = text}};
  if (!index_exports(&g) || !index_imports(&g))
    return 0;
  while (g.js.at < text.size) {
    uint8_t c = text.data[g.js.at], before = g.js.at ? text.data[g.js.at - 1] : 0;
    size_t start = g.js.at;
    if (c == '{' && g.import_count)
      read_literal(&g);
    else if (wt_js_is_ident_start(c) && !wt_js_is_ident(before) && before != '.')
      read_chain(&g);
    g.js.at = g.js.at > start ? g.js.at : start + 1;
  }
  return give_exports(&g, symbols) + give_imports(&g, symbols);
}
