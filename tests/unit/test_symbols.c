/* Symbol files: which kind a content is taken for, and what each kind tells. */
#include "names_fixture.h"

static int failures;

static const wt_func_import imports[] = {
    {{(const uint8_t *)"a", 1}, {(const uint8_t *)"a", 1}},
    {{(const uint8_t *)"a", 1}, {(const uint8_t *)"b", 1}},
    {{(const uint8_t *)"a", 1}, {(const uint8_t *)"c", 1}},
    {{(const uint8_t *)"a", 1}, {(const uint8_t *)"d", 1}},
};

static const wt_func_export exports[] = {
    {{(const uint8_t *)"La", 2}, 4},
    {{(const uint8_t *)"Ma", 2}, 5},
    {{(const uint8_t *)"Na", 2}, 6},
};

static const wt_names_input module = {.function_count = 8,
                                      .imports = imports,
                                      .import_count = WT_COUNT_OF(imports),
                                      .exports = exports,
                                      .export_count = WT_COUNT_OF(exports)};

typedef struct row {
  const char *what;
  const char *text;
  const char *names; /* of functions 0 to 7 that the file names, as index=name, with a space behind each */
} row;

#define LIST(a, b, c) "4=" a " 5=" b " 6=" c " "

static const row rows[] = {
    {"map", "4:malloc\n5:app::run\\28int\\29\n0:abort\n", "0=abort 4=malloc 5=app::run(int) "},
    {"map, broken escapes", "4:a\\\n5:b\\2\n6:c\\zz\n", "4=a\\ 5=b\\2 6=c\\zz "},
    {"map, no end of line", "4:malloc", "4=malloc "},
    {"map of another build", "4:malloc\n8:free\n", ""},
    {"map, index too large", "4:malloc\n99999999999:free\n", "4=malloc "},
    {"plain",
     "_malloc=Module[\"_malloc\"]=wasmExports[\"La\"];_free=Module[\"_free\"]=wasmExports[\"Ma\"];"
     "_realloc=Module[\"_realloc\"]=wasmExports[\"Na\"];memory=wasmMemory=wasmExports[\"z\"]",
     LIST("malloc", "free", "realloc")},
    {"debug",
     "var _malloc = Module['_malloc'] = createExportWrapper('La', 1);\n"
     "var _free = Module['_free'] = createExportWrapper(\"Ma\");\n"
     "var stackSave = createExportWrapper('Na');\n",
     LIST("malloc", "free", "stackSave")},
    {"Closure Compiler", "k._malloc=c.La;ha=k._malloc=c.La;ja=k._free=c.Ma;lb=c.Na;", "4=malloc 5=free "},
    {"old",
     "var _malloc=Module[\"_malloc\"]=function(){return(_malloc=Module[\"_malloc\"]=Module[\"asm\"][\"La\"])."
     "apply(null,arguments)};var _free=Module[\"_free\"]=function(){return Module[\"asm\"][\"Ma\"].apply(null,"
     "arguments)};var ___ctors=Module[\"___ctors\"]=function(){return(___ctors=h.asm.Na).apply(null,arguments)}",
     "4=malloc 5=free "},
    {"arrows",
     "Module[\"_malloc\"]=a0=>(Module[\"_malloc\"]=wasmExports[\"La\"])(a0);Module[\"_free\"]=(a0,a1)=>(Module"
     "[\"_free\"]=wasmExports[\"Ma\"])(a0,a1);dynCall_vi=Module[\"dynCall_vi\"]=wasmExports[\"Na\"]",
     LIST("malloc", "free", "dynCall_vi")},
    {"comparisons", "if(_malloc==x.La||_free===x.Ma||_b<=x.Na)f(_a=>x.La)", ""},
    {"members elsewhere", "a._wrong=b.La; x._malloc=c.La;x._free=c.Ma;x._run=c.Na; a._wrong=b.Ma;",
     LIST("malloc", "free", "run")},
    {"another build", "_a1=w.La,_a2=w.Ma,_a3=w.Na,_a4=w.Oa,_a5=w.Pa,_a6=w.Qa,_a7=w.Ra,_a8=w.Sa,_a9=w.Ta", ""},
    {"too few", "_malloc=w.La", ""},
    {"imports", "var wasmImports={a:___assert_fail,b:_fd_write,c:invoke_iii,d:_exit};",
     "0=__assert_fail 1=fd_write 2=invoke_iii 3=exit "},
    {"imports, debug",
     "wasmImports = {\n  /** @export */\n  a: ___assert_fail,\n  /** @export */\n  \"b\": _fd_write,\n"
     "  'c' : invoke_iii,\n  d: _exit\n};",
     "0=__assert_fail 1=fd_write 2=invoke_iii 3=exit "},
    {"imports of another build", "x={a:_a1a,b:_b1b,c:_c1c,d:_d1d,e:_e1e,f:_f1f,g:_g1g};", ""},
    {"minified imports", "x={a:q,b:r,c:s,d:t}", ""},
    {"unclosed", "x={a:/* ", ""},
    {"", "", ""},
    {"nonsense", "hello world", ""},
};

static const char *named(const wt_names *names) {
  static char text[512];
  size_t size = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < names->input.function_count; i++)
    if (names->source[i] == WT_NAME_SYMBOLS)
      size += (size_t)snprintf(text + size, sizeof text - size, "%u=%.*s ", (unsigned)i, (int)names->raw[i].size,
                               (const char *)names->raw[i].data);
  return text;
}

static void check(const char *what, const wt_names *names, const char *expected) {
  bool silent = !names->warning, useful = expected[0] != '\0';
  if (strcmp(named(names), expected) == 0 && silent == useful)
    return;
  printf("%s: %s, expected %s; %s\n", what, named(names), expected, names->warning ? names->warning : "no warning");
  failures++;
}

static wt_names *read_file(wt_arena *arena, wt_slice file) {
  wt_names_input input = module;
  input.symbol_files = &file;
  input.symbol_file_count = 1;
  return wt_names_new(arena, &input);
}

/* Every cut, in memory of exactly its size, so that a sanitizer sees a read past the end. */
static void check_cuts(wt_arena *arena, const char *text) {
  for (size_t size = 0; size < strlen(text); size++) {
    uint8_t *copy = (uint8_t *)wt_arena_copy(arena, text, size);
    if (!read_file(arena, (wt_slice){copy, size}))
      failures++;
  }
}

static void check_twins(wt_arena *arena) {
  static const uint8_t twin[] = {0, 'a', 's', 'm', 1,   0,   0,   0, 3, 5, 4, 0, 0,   0,   0, /* function section */
                                 0, 14,  4,   'n', 'a', 'm', 'e', 1, 7, 1, 5, 4, 'm', 'a', 'i', 'n'};
  uint8_t other[sizeof twin];
  memcpy(other, twin, sizeof twin);
  other[10] = 3; /* functions */
  check("twin", read_file(arena, (wt_slice){twin, sizeof twin}), "5=main ");
  check("twin of another build", read_file(arena, (wt_slice){other, sizeof other}), "");
  check("twin without names", read_file(arena, (wt_slice){twin, 15}), "");
  check("header only", read_file(arena, (wt_slice){twin, 8}), "");
}

int main(void) {
  wt_arena arena;
  wt_arena_init(&arena, NULL);
  for (size_t i = 0; i < WT_COUNT_OF(rows); i++) {
    check(rows[i].what, read_file(&arena, slice_of(rows[i].text)), rows[i].names);
    check_cuts(&arena, rows[i].text);
  }
  check_twins(&arena);
  wt_arena_free(&arena);
  return failures != 0;
}
