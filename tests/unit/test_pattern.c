/* Patterns: which of a table of functions they match, what is no pattern, and what is said when nothing matches. */
#include "names_fixture.h"
#include "pattern.h"

static const wt_func_import imports[] = {
    {{(const uint8_t *)"env", 3}, {(const uint8_t *)"log", 3}},
    {{(const uint8_t *)"wasi_snapshot_preview1", 22}, {(const uint8_t *)"fd_write", 8}},
    {{(const uint8_t *)"./app_bg.js", 11}, {(const uint8_t *)"__wbg_log_0123456789abcdef", 26}},
};

static const char *const names[] = {
    NULL, /* 0..2: imports */
    NULL,
    NULL,
    "malloc",                                                  /* 3 */
    "_free",                                                   /* 4 */
    "_ZN6Player6updateEfi",                                    /* 5 */
    "_ZN6Player6updateEv",                                     /* 6 */
    "_ZN3app4ListIiE4pushIiEEvRKT_",                           /* 7 */
    "_ZN3foo3bar17h0123456789abcdefE",                         /* 8 */
    "_RNvMs0_Cs6GmmlP4bgsG_1rINtB5_1BKb1_Kc27_Kxn5_E4showB5_", /* 9 */
    "std::swap<int>(int&, int&)",                              /* 10 */
    "Grid::operator[](unsigned long) const",                   /* 11 */
    "Grid::operator<<(int)",                                   /* 12 */
    "(*regexp/syntax.compiler).nop",                           /* 13 */
    "emscripten_builtin_calloc",                               /* 14 */
    "_exit",                                                   /* 15 */
    "exit",                                                    /* 16 */
    "f[abi:cxx11]",                                            /* 17 */
    NULL,                                                      /* 18: exported as run and as go */
    "core::fmt::Formatter::pad::h0123456789abcdef",            /* 19 */
    "(anonymous namespace)::helper(int)",                      /* 20 */
    "_ZN6Player5clearEv.isra.0",                               /* 21 */
    "Functor::operator()(int) const",                          /* 22 */
};

static const wt_func_export exports[] = {
    {{(const uint8_t *)"run", 3}, 18},
    {{(const uint8_t *)"alloc", 5}, 3},
    {{(const uint8_t *)"go", 2}, 18},
};

typedef struct row {
  const char *pattern;
  const char *functions; /* their indices, with a space behind each */
} row;

static const row rows[] = {
    {"malloc", "3 "},
    {"  malloc ", "3 "},
    {"_malloc", "3 "},
    {"free", "4 "},
    {"_free", "4 "},
    {"alloc", "3 "},
    {"run", "18 "},
    {"go", "18 "},
    {"exit", "16 "},
    {"_exit", "15 "},
    {"calloc", "14 "},
    {"Malloc", ""},
    {"mal*", "3 "},
    {"*lloc", "3 14 "},
    {"m?ll[a-o]c", "3 "},
    {"m?ll[!a-n]c", "3 "},
    {"m?ll[!a-o]c", ""},
    {"#3", "3 "},
    {"#22", "22 "},
    {"#23", ""},
    {"\"malloc\"", "3 "},
    {"\"mal*\"", ""},
    {"\"free\"", ""},
    {"_ZN6Player6updateEfi", "5 "},
    {"Player::update", "5 6 "},
    {"Player::update(float, int)", "5 "},
    {"\"Player::update(float, int)\"", "5 "},
    {"Player::*", "5 6 21 "},
    {"Player::clear", "21 "},
    {"*update", "5 6 "},
    {"Player::update(*int)", "5 "},
    {"app::List<int>::push<int>", "7 "},
    {"app::List<int>::push", "7 "},
    {"app::List::push", "7 "},
    {"void app::List<int>::push<int>(int const&)", "7 "},
    {"foo::bar", "8 "},
    {"foo::*", "8 "},
    {"<r::B<true, '\\'', -5>>::show", "9 "},
    {"r::B::show", "9 "},
    {"*B::show", "9 "},
    {"std::swap", "10 "},
    {"std::swap<int>", "10 "},
    {"Grid::operator[]", "11 "},
    {"Grid::operator<<", "12 "},
    {"(*regexp/syntax.compiler).nop", "13 "},
    {"*.nop", "13 "},
    {"f[abi:cxx11]", "17 "},
    {"core::fmt::Formatter::pad", "19 "},
    {"(anonymous namespace)::helper", "20 "},
    {"Functor::operator()", "22 "},
    {"env.log", "0 "},
    {"env.*", "0 "},
    {"log", "0 "},
    {"fd_write", "1 "},
    {"wasi*.fd_*", "1 "},
    {"__wbg_log", "2 "},
    {"./app_bg.js.__wbg_log", "2 "},
    {"__wbg_log_0123456789abcdef", "2 "},
    {"./app_bg.js.__wbg_log_0123456789abcdef", "2 "},
    {"/^mal+oc$/", "3 "},
    {"/Player::(update|clear)\\(/", "5 6 21 "},
    {"/^Player::update$/", "5 6 "},
    {"/fd_/", "1 "},
    {"*", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 "},
};

typedef struct bad_row {
  const char *pattern;
  size_t offset;
  const char *message; /* its start */
} bad_row;

static const bad_row bad_rows[] = {
    {"", 0, "a pattern is missing"},
    {"   ", 3, "a pattern is missing"},
    {"#", 1, "\"#\" is followed by"},
    {"#12x", 3, "\"#\" is followed by"},
    {" #99999999999", 12, "\"#\" is followed by"},
    {"/abc", 4, "a \"/\" is missing"},
    {"//", 2, "the regular expression is empty"},
    {"/a(b/", 1, "the regular expression is not valid"},
    {"\"abc", 4, "a quote is missing"},
    {"\"", 1, "a quote is missing"},
    {"\"\"", 2, "the quotes are empty"},
};

typedef struct message_row {
  const char *pattern;
  bool imports_only;
  const char *message;
} message_row;

static const message_row message_rows[] = {
    {"maloc", false, "no function matches maloc; did you mean malloc or alloc?"},
    {"update", false, "no function matches update; did you mean Player::update?"},
    {"player::UPDATE", false, "no function matches player::UPDATE; did you mean Player::update?"},
    {"Player::updte*", false, "no function matches Player::updte*; did you mean Player::update?"},
    {"zzzzzz", false, "no function matches zzzzzz"},
    {"fd_wrte", true, "no imported function matches fd_wrte; did you mean fd_write?"},
    {"#99", false, "there is no function #99; the last one is #22"},
    {"#3", true, "#3 is no import; trace it with calls(#3)"},
    {"malloc", true, "malloc is no import; trace it with calls(malloc)"},
    {"fd_write", false, "fd_write is an import; trace it with imports(fd_write)"},
};

static int failures;

static const char *matches(const wt_names *table, const wt_pattern *pattern) {
  static char text[256];
  size_t size = 0;
  text[0] = '\0';
  for (uint32_t func = 0; func < table->input.function_count; func++)
    if (wt_pattern_is_everything(pattern) || wt_pattern_matches(pattern, table, func))
      size += (size_t)snprintf(text + size, sizeof text - size, "%u ", (unsigned)func);
  return text;
}

static wt_pattern *parse(wt_arena *arena, const char *text) {
  const char *message = NULL;
  size_t offset = 0;
  wt_pattern *pattern = wt_pattern_new(arena, slice_of(text), &message, &offset);
  if (!pattern) {
    printf("%s: %s at %zu\n", text, message, offset);
    failures++;
  }
  return pattern;
}

static void check_matches(wt_arena *arena, const wt_names *table) {
  for (size_t i = 0; i < WT_COUNT_OF(rows); i++) {
    wt_pattern *pattern = parse(arena, rows[i].pattern);
    const char *got = pattern ? matches(table, pattern) : "";
    if (strcmp(got, rows[i].functions) != 0) {
      printf("%s matches %s, expected %s\n", rows[i].pattern, got, rows[i].functions);
      failures++;
    }
    wt_pattern_free(pattern);
  }
}

static void check_errors(wt_arena *arena) {
  for (size_t i = 0; i < WT_COUNT_OF(bad_rows); i++) {
    const char *message = NULL;
    size_t offset = 0;
    wt_pattern *pattern = wt_pattern_new(arena, slice_of(bad_rows[i].pattern), &message, &offset);
    bool good = !pattern && message && offset == bad_rows[i].offset &&
                strncmp(message, bad_rows[i].message, strlen(bad_rows[i].message)) == 0;
    if (!good) {
      printf("%s: \"%s\" at %zu\n", bad_rows[i].pattern, message ? message : "", offset);
      failures++;
    }
    wt_pattern_free(pattern);
  }
}

static void check_message(wt_arena *arena, const wt_names *table, const message_row *expected) {
  wt_pattern *pattern = parse(arena, expected->pattern);
  const char *got = wt_names_no_match(table, pattern, slice_of(expected->pattern), expected->imports_only);
  if (!got || strcmp(got, expected->message) != 0) {
    printf("%s: \"%s\", expected \"%s\"\n", expected->pattern, got ? got : "", expected->message);
    failures++;
  }
  wt_pattern_free(pattern);
}

/* No names but one-letter exports: the message says where names come from. */
static void check_missing(wt_arena *arena) {
  static const wt_func_export minified[] = {{{(const uint8_t *)"La", 2}, 1}, {{(const uint8_t *)"b", 1}, 0}};
  wt_names_input input = {.function_count = 2, .exports = minified, .export_count = 2};
  const message_row expected = {"malloc", false,
                                "no function matches malloc; the module has only minified names: build with -g2 or "
                                "--profiling-funcs, or give the .symbols file of --emit-symbol-map or the JS glue with "
                                "--symbols FILE; #INDEX names any function"};
  wt_names *table = wt_names_new(arena, &input);
  if (!table || !table->minified) {
    printf("not seen as minified\n");
    failures++;
    return;
  }
  check_message(arena, table, &expected);
}

int main(void) {
  wt_arena arena;
  wt_arena_init(&arena, NULL);
  wt_names_input input = {.function_count = WT_COUNT_OF(names),
                          .imports = imports,
                          .import_count = WT_COUNT_OF(imports),
                          .exports = exports,
                          .export_count = WT_COUNT_OF(exports),
                          .name_section = make_name_section(&arena, names, WT_COUNT_OF(names))};
  wt_names *table = wt_names_new(&arena, &input);
  check_matches(&arena, table);
  check_errors(&arena);
  for (size_t i = 0; i < WT_COUNT_OF(message_rows); i++)
    check_message(&arena, table, &message_rows[i]);
  check_missing(&arena);
  wt_arena_free(&arena);
  return failures != 0;
}
