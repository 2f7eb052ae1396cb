/* What to say when a pattern matches nothing: the nearest names, and where names come from when there are none. */
#include "pattern.h"

#include <string.h>

#define SUGGESTIONS 3u

/* Distances are computed in one row of this length; longer names can only be found by containing the text. */
#define DISTANCE_LIMIT 64u

/* Names longer than this are no help in a message. */
#define SHOWN_LIMIT 100u

#define MESSAGE_LIMIT 4096u

typedef struct suggestion {
  wt_slice name; /* copied to the arena */
  uint32_t cost;
} suggestion;

typedef struct search {
  const wt_names *names;
  wt_slice wanted;
  suggestion best[SUGGESTIONS]; /* cheapest first */
  size_t count;
} search;

static uint8_t lower(uint8_t c) { return c >= 'A' && c <= 'Z' ? (uint8_t)(c - 'A' + 'a') : c; }

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Edits (insert, delete, replace, swap of neighbours is two) between texts of at most DISTANCE_LIMIT bytes, case
   ignored. */
static uint32_t distance(wt_slice a, wt_slice b) {
  uint32_t row[DISTANCE_LIMIT + 1];
  for (uint32_t j = 0; j <= b.size; j++)
    row[j] = j;
  for (uint32_t i = 0; i < a.size; i++) {
    uint32_t diagonal = row[0];
    row[0] = i + 1;
    for (uint32_t j = 0; j < b.size; j++) {
      uint32_t replaced = diagonal + (lower(a.data[i]) != lower(b.data[j]));
      diagonal = row[j + 1];
      row[j + 1] = least(replaced, least(row[j], row[j + 1]) + 1);
    }
  }
  return row[b.size];
}

static bool contains(wt_slice text, wt_slice part) {
  for (size_t start = 0; part.size && start + part.size <= text.size; start++) {
    size_t i = 0;
    while (i < part.size && lower(text.data[start + i]) == lower(part.data[i]))
      i++;
    if (i == part.size)
      return true;
  }
  return false;
}

/* "Player::update" -> "update". */
static wt_slice last_part(wt_slice name) {
  for (size_t at = name.size; at-- > 0;)
    if (name.data[at] == ':' || name.data[at] == '.')
      return (wt_slice){name.data + at + 1, name.size - at - 1};
  return name;
}

static uint32_t typing_cost(wt_slice wanted, wt_slice name) {
  size_t longer = wanted.size > name.size ? wanted.size : name.size;
  size_t shorter = wanted.size + name.size - longer;
  size_t limit = wanted.size < 3 ? 1 : wanted.size / 3 + 1;
  if (longer > DISTANCE_LIMIT || longer - shorter > limit)
    return UINT32_MAX;
  uint32_t edits = distance(wanted, name);
  return edits <= limit ? edits * 8 : UINT32_MAX;
}

/* Smaller is nearer; UINT32_MAX is not near. A typing error counts 8 an edit, more text around it 1 per 4 bytes. */
static uint32_t cost_of(wt_slice wanted, wt_slice name) {
  uint32_t cost = typing_cost(wanted, name), part = typing_cost(wanted, last_part(name));
  if (part != UINT32_MAX)
    cost = least(cost, part + 2);
  if (wanted.size >= 2 && contains(name, wanted))
    cost = least(cost, (uint32_t)least((uint32_t)(name.size - wanted.size) / 4 + 4, 1000));
  return cost;
}

static bool is_known(const search *s, wt_slice name) {
  for (size_t i = 0; i < s->count; i++)
    if (wt_slice_equal(s->best[i].name, name))
      return true;
  return false;
}

static void consider(search *s, wt_slice name) {
  if (name.size == 0 || name.size > SHOWN_LIMIT)
    return;
  uint32_t cost = cost_of(s->wanted, name);
  bool full = s->count == SUGGESTIONS;
  if (cost == UINT32_MAX || (full && cost >= s->best[s->count - 1].cost) || is_known(s, name))
    return;
  const char *copy = wt_arena_copy(s->names->arena, name.data, name.size);
  if (!copy)
    return;
  size_t at = full ? s->count - 1 : s->count++;
  for (; at > 0 && s->best[at - 1].cost > cost; at--)
    s->best[at] = s->best[at - 1];
  s->best[at] = (suggestion){{(const uint8_t *)copy, name.size}, cost};
}

static void consider_symbol(search *s, wt_slice symbol) {
  if (symbol.size == 0)
    return;
  wt_name_forms forms = wt_name_forms_of(s->names->writer, symbol, NULL);
  consider(s, forms.items[forms.count - 1]);
}

static void consider_func(search *s, uint32_t func) {
  const wt_func_export *alias;
  size_t count = wt_names_aliases(s->names, func, &alias);
  bool qualified = s->names->source[func] == WT_NAME_IMPORT;
  if (!qualified || memchr(s->wanted.data, '.', s->wanted.size))
    consider_symbol(s, s->names->raw[func]);
  for (size_t i = 0; i < count; i++)
    consider_symbol(s, alias[i].name);
  if (func < s->names->input.import_count)
    consider_symbol(s, s->names->input.imports[func].name);
}

/* What the user was probably thinking of: of a glob or a regular expression its longest word. */
static wt_slice wanted_of(const wt_pattern *pattern, wt_slice text) {
  wt_slice inner = pattern ? wt_pattern_text(pattern) : text;
  if (!pattern || wt_pattern_kind_of(pattern) == WT_PATTERN_TEXT)
    return inner;
  wt_slice best = {NULL, 0};
  for (size_t at = 0, start = 0; at <= inner.size; at++) {
    bool in_word = at < inner.size && (inner.data[at] == '_' || inner.data[at] >= 0x80 || inner.data[at] == ':' ||
                                       (lower(inner.data[at]) >= 'a' && lower(inner.data[at]) <= 'z') ||
                                       (inner.data[at] >= '0' && inner.data[at] <= '9'));
    if (in_word)
      continue;
    if (at - start > best.size)
      best = (wt_slice){inner.data + start, at - start};
    start = at + 1;
  }
  return best;
}

/* A near miss makes the far ones noise. */
static size_t worth_saying(const search *s) {
  size_t count = 0;
  while (count < s->count && s->best[count].cost <= s->best[0].cost * 2 + 8)
    count++;
  return count;
}

static void put_suggestions(wt_scratch *out, const search *s) {
  size_t count = worth_saying(s);
  wt_scratch_text(out, "; did you mean ");
  for (size_t i = 0; i < count; i++) {
    wt_scratch_text(out, i == 0 ? "" : i + 1 == count ? " or " : ", ");
    wt_scratch_printable(out, s->best[i].name);
  }
  wt_scratch_text(out, "?");
}

static bool imports_from(const wt_names *names, const char *part) {
  wt_slice wanted = {(const uint8_t *)part, strlen(part)};
  for (uint32_t i = 0; i < names->input.import_count; i++)
    if (contains(names->input.imports[i].module, wanted) || contains(names->input.imports[i].name, wanted))
      return true;
  return false;
}

/* Where names come from, by the toolchain that the imports and exports show. */
static const char *advice(const wt_names *names) {
  if (imports_from(names, "wbindgen") || imports_from(names, "__wbg_"))
    return "build with strip = false and wasm-bindgen --keep-debug (wasm-pack build --profiling)";
  if (names->minified || imports_from(names, "emscripten"))
    return "build with -g2 or --profiling-funcs, or give the .symbols file of --emit-symbol-map or the JS glue "
           "with --symbols FILE";
  return "build without stripping (Emscripten: -g2 or --profiling-funcs; Rust: strip = false), or give an unstripped "
         "build, a symbol map or the JS glue with --symbols FILE";
}

static void put_missing(wt_scratch *out, const wt_names *names) {
  bool behind_question = out->size && out->data[out->size - 1] == '?';
  wt_scratch_text(out, behind_question ? " The module has " : "; the module has ");
  if (names->named) {
    wt_scratch_text(out, "names for only ");
    wt_scratch_number(out, names->named);
    wt_scratch_text(out, " of ");
    wt_scratch_number(out, names->input.function_count);
    wt_scratch_text(out, " functions: ");
  } else {
    wt_scratch_text(out, names->minified ? "only minified names: " : "no names but those of imports and exports: ");
  }
  wt_scratch_text(out, advice(names));
  wt_scratch_text(out, "; #INDEX names any function");
}

static const char *no_such_index(const wt_names *names, const wt_pattern *pattern, uint32_t count, const char *what) {
  if (count == 0)
    return wt_arena_format(names->arena, "the module has no %s", what);
  return wt_arena_format(names->arena, "there is no %s #%u; the last one is #%u", what,
                         (unsigned)wt_pattern_index(pattern), (unsigned)(count - 1));
}

static void find(search *s, bool imports_only) {
  uint32_t count = imports_only ? s->names->input.import_count : s->names->input.function_count;
  for (uint32_t func = 0; s->wanted.size && func < count; func++)
    consider_func(s, func);
}

/* Names of a handful of functions, as a symbol file may give, do not make the others findable. */
static bool lacks_names(const wt_names *names) {
  uint32_t defined = names->input.function_count - names->input.import_count;
  return names->named < defined / 2 || (names->named == 0 && defined > 0);
}

static bool matches_any(const wt_names *names, const wt_pattern *pattern, uint32_t first, uint32_t end) {
  for (uint32_t func = first; pattern && func < end; func++)
    if (wt_pattern_matches(pattern, names, func))
      return true;
  return false;
}

/* Imports and the module's own functions are traced by different probes, which is easily mistaken. */
static bool put_wrong_kind(wt_scratch *out, const wt_names *names, const wt_pattern *pattern, wt_slice text,
                           bool imports_only) {
  uint32_t imports = names->input.import_count;
  if (!matches_any(names, pattern, imports_only ? imports : 0, imports_only ? names->input.function_count : imports))
    return false;
  wt_scratch_printable(out, text);
  wt_scratch_text(out, imports_only ? " is no import; trace it with calls(" : " is an import; trace it with imports(");
  wt_scratch_printable(out, text);
  wt_scratch_char(out, ')');
  return true;
}

static void put_no_match(wt_scratch *out, const wt_names *names, const wt_pattern *pattern, wt_slice text,
                         bool imports_only) {
  search s = {.names = names, .wanted = wanted_of(pattern, text)};
  find(&s, imports_only);
  wt_scratch_text(out, imports_only ? "no imported function matches " : "no function matches ");
  wt_scratch_printable(out, text);
  if (s.count)
    put_suggestions(out, &s);
  if (lacks_names(names) && !imports_only)
    put_missing(out, names);
}

const char *wt_names_no_match(const wt_names *names, const wt_pattern *pattern, wt_slice text, bool imports_only) {
  uint32_t count = imports_only ? names->input.import_count : names->input.function_count;
  bool by_index = pattern && wt_pattern_kind_of(pattern) == WT_PATTERN_INDEX;
  wt_scratch out;
  wt_scratch_init(&out, names->arena, MESSAGE_LIMIT);
  if (!put_wrong_kind(&out, names, pattern, text, imports_only)) {
    if (by_index)
      return no_such_index(names, pattern, count, imports_only ? "imported function" : "function");
    put_no_match(&out, names, pattern, text, imports_only);
  }
  return names->arena->failed ? NULL : out.data;
}
