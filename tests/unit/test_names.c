/* Where a function's name comes from, and how it is shown. */
#include "names_fixture.h"

#include <stdlib.h>

static int failures;

static void check(bool good, const char *what) {
  if (good)
    return;
  printf("%s\n", what);
  failures++;
}

static const wt_func_import imports[] = {
    {{(const uint8_t *)"env", 3}, {(const uint8_t *)"log", 3}},
    {{(const uint8_t *)"wbg", 3}, {(const uint8_t *)"__wbg_log_0123456789abcdef", 26}},
    {{(const uint8_t *)"", 0}, {(const uint8_t *)"", 0}},
};

static const wt_func_export exports[] = {
    {{(const uint8_t *)"b", 1}, 4}, {{(const uint8_t *)"a", 1}, 4},  {{(const uint8_t *)"c", 1}, 3},
    {{(const uint8_t *)"", 0}, 5},  {{(const uint8_t *)"x", 1}, 99}, /* out of range */
};

static void check_sources(wt_arena *arena) {
  static const char *const section[] = {"named_import", NULL, NULL, "named"};
  wt_slice files[] = {SLICE("3:worse\n4:mapped\\28int\\29\n6:_ZN3foo3barEv\r\nnonsense\n")};
  wt_names_input input = {8, imports, 3, exports, WT_COUNT_OF(exports), make_name_section(arena, section, 4), files, 1};
  wt_names *names = wt_names_new(arena, &input);
  static const struct {
    wt_name_source source;
    const char *raw;
    const char *shown;
  } expected[] = {
      {WT_NAME_SECTION, "named_import", "named_import"},
      {WT_NAME_IMPORT, "wbg.__wbg_log", "wbg.__wbg_log"},
      {WT_NAME_IMPORT, ".", "."},
      {WT_NAME_SECTION, "named", "named"},
      {WT_NAME_SYMBOLS, "mapped(int)", "mapped(int)"},
      {WT_NAME_NONE, "", "wasm-function[5]"},
      {WT_NAME_SYMBOLS, "_ZN3foo3barEv", "foo::bar()"},
      {WT_NAME_NONE, "", "wasm-function[7]"},
  };
  for (uint32_t i = 0; i < WT_COUNT_OF(expected); i++) {
    check(names->source[i] == expected[i].source, expected[i].shown);
    check(same_text(names->raw[i], expected[i].raw), expected[i].shown);
    check(strcmp(wt_names_show(names, i), expected[i].shown) == 0, wt_names_show(names, i));
  }
  check(names->named == 4 && !names->minified && !names->warning, "named, minified, warning");
}

static void check_aliases(wt_arena *arena) {
  wt_names_input input = {.function_count = 8, .exports = exports, .export_count = WT_COUNT_OF(exports)};
  wt_names *names = wt_names_new(arena, &input);
  const wt_func_export *first;
  check(wt_names_aliases(names, 4, &first) == 2 && same_text(first[0].name, "a") && same_text(first[1].name, "b"),
        "aliases");
  check(wt_names_aliases(names, 3, &first) == 1, "one alias");
  check(wt_names_aliases(names, 5, &first) == 0 && wt_names_aliases(names, 99, &first) == 0, "no alias");
  check(same_text(names->raw[4], "b") && names->source[4] == WT_NAME_EXPORT, "the first export is the name");
  check(names->minified, "minified");
}

static void check_shown(wt_arena *arena, wt_slice raw, const char *expected) {
  const uint8_t head[] = {1, (uint8_t)(raw.size + 3), 1, 0, (uint8_t)raw.size};
  uint8_t *bytes = wt_arena_alloc(arena, sizeof head + raw.size);
  memcpy(bytes, head, sizeof head);
  memcpy(bytes + sizeof head, raw.data, raw.size);
  wt_names_input input = {.function_count = 1, .name_section = {bytes, sizeof head + raw.size}};
  wt_names *names = wt_names_new(arena, &input);
  check(strcmp(wt_names_show(names, 0), expected) == 0, expected);
}

/* What a terminal must not get. */
static void check_printable(wt_arena *arena) {
  check_shown(arena, SLICE("gr\xc3\xb6\xc3\x9f"), "gr\xc3\xb6\xc3\x9f");
  check_shown(arena, SLICE("a\x1b[31mb"), "a\xef\xbf\xbd[31mb");
  check_shown(arena, SLICE("a\xff\xc3(\xed\xa0\x80"), "a\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  check_shown(arena, SLICE("\xc0\xaf\xc2\x9b\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  check_shown(arena, SLICE("nul\0nul"), "nul\xef\xbf\xbdnul");
}

/* What can be read of a broken section counts; every cut of a good one is read without harm. */
static void check_broken(wt_arena *arena) {
  static const char *const section[] = {"first", "second", "third"};
  wt_slice whole = make_name_section(arena, section, 3);
  for (size_t size = 0; size <= whole.size; size++) {
    wt_slice cut = {(const uint8_t *)wt_arena_copy(arena, whole.data, size), size};
    wt_names_input input = {.function_count = 3, .name_section = cut};
    wt_names *names = wt_names_new(arena, &input);
    check(names && names->named <= 3 && (size < whole.size || names->named == 3), "cut name section");
    check(size < 15 || same_text(names->raw[0], "first"), "first of a cut name section");
  }
  static const uint8_t odd[] = {0, 200, 1, 1, 13, 4, 0, 1, 'a', 0, 1, 'b', 9, 1, 'c', 1, 0, 1};
  wt_names_input skipped = {.function_count = 2, .name_section = {odd, sizeof odd}};
  check(wt_names_new(arena, &skipped)->named == 0, "a length past the end");
  wt_names_input input = {.function_count = 2, .name_section = {odd + 3, sizeof odd - 3}};
  wt_names *names = wt_names_new(arena, &input);
  check(names->named == 1 && same_text(names->raw[0], "a"), "the first of two names counts, others are skipped");
}

/* An allocator that fails from the n-th request on. */
static void *failing_resize(void *user, void *old, size_t old_size, size_t new_size) {
  int *left = user;
  (void)old_size;
  if (new_size == 0) {
    free(old);
    return NULL;
  }
  return (*left)-- > 0 ? realloc(old, new_size) : NULL;
}

static bool run_with(int requests, wt_slice section) {
  int left = requests;
  wt_allocator allocator = {failing_resize, &left};
  wt_arena arena;
  const char *message = NULL;
  size_t offset;
  wt_arena_init(&arena, &allocator);
  wt_names_input input = {20000, imports, 3, exports, WT_COUNT_OF(exports), section, NULL, 0};
  wt_names *names = wt_names_new(&arena, &input);
  wt_pattern *pattern = wt_pattern_new(&arena, SLICE("/Player.*x/"), &message, &offset);
  if (names && pattern)
    for (uint32_t i = 0; i < 8; i++)
      wt_pattern_matches(pattern, names, i);
  const char *text = names ? wt_names_no_match(names, pattern, SLICE("Player"), false) : NULL;
  wt_pattern_free(pattern);
  wt_arena_free(&arena);
  return text != NULL;
}

static void check_memory(wt_arena *arena) {
  static const char *const section[] = {"a", "_ZN6Player6updateEfi", "_RNvC1a1b", "PlayerA"};
  wt_slice names = make_name_section(arena, section, 4);
  int requests = 0;
  while (requests < 100 && !run_with(requests, names))
    requests++;
  check(requests > 0 && requests < 100, "out of memory");
}

int main(void) {
  wt_arena arena;
  wt_arena_init(&arena, NULL);
  check_sources(&arena);
  check_aliases(&arena);
  check_printable(&arena);
  check_broken(&arena);
  check_memory(&arena);
  wt_arena_free(&arena);
  return failures != 0;
}
