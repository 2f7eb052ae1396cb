/* Patterns: parsed once, then held against every function. Plain names and globs take well under a microsecond each,
   because a symbol is demangled only when it contains the pattern's longest word. */
#include "pattern.h"

#include "demangle.h"

#include <errno.h>
#include <regex.h>
#include <string.h>

#define SUBJECT_LIMIT (1u << 16)

/* Whether some function matches exactly; found out when it first matters. */
typedef enum exactness { UNKNOWN, EXACT, LOOSE } exactness;

/* What changes while matching. */
typedef struct state {
  wt_scratch subject; /* for what must be terminated */
  exactness exactness;
} state;

struct wt_pattern {
  wt_arena *arena;
  wt_pattern_kind kind;
  wt_slice text;       /* as in wt_pattern_text */
  wt_name_words words; /* of none for regular expressions */
  bool quoted;
  uint32_t index;
  regex_t regex;
  bool has_regex;
  state *state;
};

/* Bytes of "[a-z]" at the start of `text`; 0 when no bracket closes it, and then it is an ordinary character. */
static size_t class_size(wt_slice text) {
  size_t at = 1;
  if (at < text.size && (text.data[at] == '!' || text.data[at] == '^'))
    at++;
  for (size_t first = at; at < text.size; at++)
    if (text.data[at] == ']' && at > first)
      return at + 1;
  return 0;
}

static bool class_matches(wt_slice class, uint8_t c) {
  size_t at = 1, end = class.size - 1;
  bool negated = class.data[at] == '!' || class.data[at] == '^', found = false;
  for (at += negated; at < end; at++) {
    bool range = at + 2 < end && class.data[at + 1] == '-';
    uint8_t high = class.data[range ? at + 2 : at];
    found = found || (c >= class.data[at] && c <= high);
    at += range ? 2 : 0;
  }
  return found != negated;
}

/* Whether the glob's first element takes c; *size gets the bytes of that element. */
static bool element_matches(wt_slice glob, uint8_t c, size_t *size) {
  size_t class = glob.data[0] == '[' ? class_size(glob) : 0;
  *size = class ? class : 1;
  if (class)
    return class_matches((wt_slice){glob.data, class}, c);
  return glob.data[0] == '?' || glob.data[0] == c;
}

/* One star can be undone: when a later part fails, only the last star has to take one byte more. So time is
   bounded by the product of the sizes. */
static bool glob_matches(wt_slice glob, wt_slice name) {
  size_t g = 0, n = 0, star = SIZE_MAX, resume = 0, size;
  while (n < name.size) {
    if (g < glob.size && glob.data[g] == '*') {
      star = ++g;
      resume = n;
    } else if (g < glob.size && element_matches((wt_slice){glob.data + g, glob.size - g}, name.data[n], &size)) {
      g += size;
      n++;
    } else if (star != SIZE_MAX) {
      g = star;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (g < glob.size && glob.data[g] == '*')
    g++;
  return g == glob.size;
}

static bool is_glob(wt_slice text) {
  for (size_t i = 0; i < text.size; i++)
    if (text.data[i] == '*' || text.data[i] == '?' ||
        (text.data[i] == '[' && class_size((wt_slice){text.data + i, text.size - i})))
      return true;
  return false;
}

/* What stands in brackets is not literal. */
static wt_name_words glob_words(wt_arena *arena, wt_slice text) {
  bool *skip = wt_arena_array(arena, text.size, sizeof *skip);
  for (size_t i = 0; skip && i < text.size; i++) {
    size_t class = text.data[i] == '[' ? class_size((wt_slice){text.data + i, text.size - i}) : 0;
    for (size_t end = i + class; class && i < end; i++)
      skip[i] = true;
    i -= class ? 1 : 0;
  }
  return wt_name_words_of(text, skip);
}

typedef struct parse_error {
  const char *message;
  size_t offset; /* in the trimmed text */
} parse_error;

static bool parse_index(wt_pattern *pattern, wt_slice text, parse_error *error) {
  uint64_t value = 0;
  size_t at = 1;
  for (; at < text.size && text.data[at] >= '0' && text.data[at] <= '9' && value <= UINT32_MAX; at++)
    value = value * 10 + (uint64_t)(text.data[at] - '0');
  if (text.size == 1 || at < text.size || value > UINT32_MAX) {
    *error = (parse_error){"\"#\" is followed by a function index, as in #123", at};
    return false;
  }
  pattern->kind = WT_PATTERN_INDEX;
  pattern->index = (uint32_t)value;
  return true;
}

static bool closes(wt_slice text) { return text.size > 1 && text.data[text.size - 1] == text.data[0]; }

static wt_slice inside(wt_slice text) { return (wt_slice){text.data + 1, text.size - 2}; }

static bool parse_regex(wt_pattern *pattern, wt_slice text, parse_error *error) {
  if (!closes(text) || text.size < 3) {
    *error =
        (parse_error){closes(text) ? "the regular expression is empty" : "a \"/\" is missing at the end", text.size};
    return false;
  }
  pattern->kind = WT_PATTERN_REGEX;
  pattern->text = inside(text);
  char *source = wt_arena_copy(pattern->arena, pattern->text.data, pattern->text.size);
  if (!source)
    return false;
  int code = regcomp(&pattern->regex, source, REG_EXTENDED | REG_NOSUB);
  pattern->has_regex = code == 0;
  if (code == 0 || code == REG_ESPACE)
    return code == 0;
  *error = (parse_error){"the regular expression is not valid (POSIX extended syntax)", 1};
  return false;
}

static bool parse_quoted(wt_pattern *pattern, wt_slice text, parse_error *error) {
  if (!closes(text) || text.size < 3) {
    *error = (parse_error){closes(text) ? "the quotes are empty" : "a quote is missing at the end", text.size};
    return false;
  }
  pattern->kind = WT_PATTERN_TEXT;
  pattern->quoted = true;
  pattern->text = inside(text);
  pattern->words = wt_name_words_of(pattern->text, NULL);
  return true;
}

static bool parse_name(wt_pattern *pattern, wt_slice text) {
  pattern->text = text;
  pattern->kind = is_glob(text) ? WT_PATTERN_GLOB : WT_PATTERN_TEXT;
  pattern->words = glob_words(pattern->arena, text);
  return !pattern->arena->failed;
}

static bool parse(wt_pattern *pattern, wt_slice text, parse_error *error) {
  if (text.size == 0) {
    *error = (parse_error){"a pattern is missing", 0};
    return false;
  }
  switch (text.data[0]) {
  case '#': return parse_index(pattern, text, error);
  case '/': return parse_regex(pattern, text, error);
  case '"': return parse_quoted(pattern, text, error);
  default: return parse_name(pattern, text);
  }
}

wt_pattern *wt_pattern_new(wt_arena *arena, wt_slice text, const char **message, size_t *offset) {
  wt_slice trimmed = wt_slice_trim(text);
  parse_error error = {NULL, 0};
  wt_pattern *pattern = wt_arena_alloc(arena, sizeof *pattern);
  if (pattern) {
    pattern->arena = arena;
    pattern->state = wt_arena_alloc(arena, sizeof *pattern->state);
  }
  if (pattern && pattern->state) {
    wt_scratch_init(&pattern->state->subject, arena, SUBJECT_LIMIT);
    if (parse(pattern, trimmed, &error))
      return pattern;
  }
  *message = error.message;
  *offset = text.size ? (size_t)(trimmed.data - text.data) + error.offset : 0;
  return NULL;
}

bool wt_pattern_is_everything(const wt_pattern *pattern) {
  return pattern->kind == WT_PATTERN_GLOB && pattern->text.size == 1 && pattern->text.data[0] == '*';
}

wt_pattern_kind wt_pattern_kind_of(const wt_pattern *pattern) { return pattern->kind; }
uint32_t wt_pattern_index(const wt_pattern *pattern) { return pattern->index; }
wt_slice wt_pattern_text(const wt_pattern *pattern) { return pattern->text; }

void wt_pattern_free(wt_pattern *pattern) {
  if (pattern && pattern->has_regex) {
    regfree(&pattern->regex);
    pattern->has_regex = false;
  }
}

typedef enum match { NO_MATCH, LOOSE_MATCH, EXACT_MATCH } match;

/* The library's memory is not the arena's, but a job without it has failed all the same. */
static bool regex_matches(const wt_pattern *pattern, wt_slice name) {
  wt_scratch *subject = &pattern->state->subject;
  wt_scratch_clear(subject);
  wt_scratch_slice(subject, name);
  pattern->arena->failed |= subject->failed;
  if (!pattern->has_regex || subject->failed)
    return false;
  errno = 0; /* glibc calls some of what it had no memory for no match */
  int code = regexec(&pattern->regex, subject->data, 0, NULL, 0);
  pattern->arena->failed |= code == REG_ESPACE || errno == ENOMEM;
  return code == 0;
}

/* A name with brackets in it is also meant as it stands: "operator[]", "f[abi:cxx11]". */
static bool text_matches(const wt_pattern *pattern, wt_slice text, wt_slice name) {
  return wt_slice_equal(text, name) || (pattern->kind == WT_PATTERN_GLOB && glob_matches(text, name));
}

static wt_slice without_underscore(wt_slice text) {
  return text.size > 1 && text.data[0] == '_' ? (wt_slice){text.data + 1, text.size - 1} : (wt_slice){NULL, 0};
}

/* One implementation has many names, and the linker keeps any of them in the name section. */
static wt_slice without_allocator_prefix(wt_slice name) {
  static const char *const prefixes[] = {"emscripten_builtin_", "__libc_", "dl"};
  static const char *const functions[] = {"malloc", "calloc", "realloc", "free", "memalign", "aligned_alloc"};
  for (size_t i = 0; i < WT_COUNT_OF(prefixes); i++)
    for (size_t j = 0; j < WT_COUNT_OF(functions); j++) {
      size_t prefix = strlen(prefixes[i]), size = strlen(functions[j]);
      if (name.size == prefix + size && memcmp(name.data, prefixes[i], prefix) == 0 &&
          memcmp(name.data + prefix, functions[j], size) == 0)
        return (wt_slice){name.data + prefix, size};
    }
  return (wt_slice){NULL, 0};
}

static bool matches_loosely(const wt_pattern *pattern, wt_slice name) {
  const wt_slice names[] = {without_underscore(name), without_allocator_prefix(name)};
  wt_slice text = without_underscore(pattern->text);
  for (size_t i = 0; i < WT_COUNT_OF(names); i++)
    if (names[i].size && text_matches(pattern, pattern->text, names[i]))
      return true;
  return text.size && text_matches(pattern, text, name);
}

static match match_form(const wt_pattern *pattern, wt_slice name) {
  if (pattern->kind == WT_PATTERN_REGEX)
    return regex_matches(pattern, name) ? EXACT_MATCH : NO_MATCH;
  if (text_matches(pattern, pattern->text, name))
    return EXACT_MATCH;
  return !pattern->quoted && matches_loosely(pattern, name) ? LOOSE_MATCH : NO_MATCH;
}

static match better(match a, match b) { return a > b ? a : b; }

static match match_symbol(const wt_pattern *pattern, const wt_names *names, wt_slice symbol) {
  match best = match_form(pattern, symbol);
  if (best == EXACT_MATCH || symbol.size == 0)
    return best;
  wt_name_forms forms = wt_name_forms_of(names->writer, symbol, &pattern->words);
  for (size_t i = 1; i < forms.count && best != EXACT_MATCH; i++)
    best = better(best, match_form(pattern, forms.items[i]));
  return best;
}

static match match_aliases(const wt_pattern *pattern, const wt_names *names, uint32_t func) {
  const wt_func_export *alias;
  size_t count = wt_names_aliases(names, func, &alias);
  match best = NO_MATCH;
  for (size_t i = 0; i < count && best != EXACT_MATCH; i++)
    best = better(best, match_symbol(pattern, names, alias[i].name));
  return best;
}

/* "module.name", with and without the hash of wasm-bindgen. */
static match match_qualified(const wt_pattern *pattern, const wt_names *names, const wt_func_import *import,
                             wt_slice name) {
  wt_scratch *text = &names->writer->full;
  wt_scratch_clear(text);
  wt_scratch_slice(text, import->module);
  wt_scratch_char(text, '.');
  wt_scratch_slice(text, name);
  return text->failed ? NO_MATCH : match_form(pattern, wt_scratch_view(text));
}

static match match_import(const wt_pattern *pattern, const wt_names *names, uint32_t func) {
  const wt_func_import *import = &names->input.imports[func];
  wt_slice name = wt_drop_wbg_hash(import->name);
  match best = match_symbol(pattern, names, import->name);
  best = better(best, match_qualified(pattern, names, import, import->name));
  return name.size == import->name.size ? best : better(best, match_qualified(pattern, names, import, name));
}

static match match_func(const wt_pattern *pattern, const wt_names *names, uint32_t func) {
  match best = names->raw[func].size ? match_symbol(pattern, names, names->raw[func]) : NO_MATCH;
  if (best != EXACT_MATCH)
    best = better(best, match_aliases(pattern, names, func));
  if (best != EXACT_MATCH && func < names->input.import_count)
    best = better(best, match_import(pattern, names, func));
  return best;
}

static exactness find_exactness(const wt_pattern *pattern, const wt_names *names) {
  for (uint32_t func = 0; func < names->input.function_count; func++)
    if (match_func(pattern, names, func) == EXACT_MATCH)
      return EXACT;
  return LOOSE;
}

bool wt_pattern_matches(const wt_pattern *pattern, const wt_names *names, uint32_t func) {
  if (func >= names->input.function_count)
    return false;
  if (pattern->kind == WT_PATTERN_INDEX)
    return func == pattern->index;
  match found = match_func(pattern, names, func);
  exactness *known = &pattern->state->exactness;
  if (found == LOOSE_MATCH && *known == UNKNOWN)
    *known = find_exactness(pattern, names);
  return found == EXACT_MATCH || (found == LOOSE_MATCH && *known == LOOSE);
}
