/* Demangling. The Rust symbols are rustc's own (1.95, for x86-64), the forms those of rustc-demangle without hashes. */
#include "demangle.h"
#include "names.h"

#include <stdio.h>
#include <string.h>

typedef struct row {
  const char *symbol;
  const char *expected;
} row;

static const row rows[] = {
    /* C++ */
    {"_ZN6Player6updateEfi", "Player::update(float, int)"},
    {"__ZN6Player6updateEfi", "Player::update(float, int)"},
    {"_Z3addii", "add(int, int)"},
    {"_ZN3app4ListIiE4pushIiEEvRKT_", "void app::List<int>::push<int>(int const&)"},
    {"_ZNSt6vectorIS_IiSaIiEESaIS1_EE9push_backERKS1_",
     "std::vector<std::vector<int, std::allocator<int>>, std::allocator<std::vector<int, "
     "std::allocator<int>>>>::push_back"
     "(std::vector<int, std::allocator<int>> const&)"},
    {"_ZN3foo3barEv.isra.0", "foo::bar() [clone .isra.0]"},
    {"_ZN3foo3barEv.llvm.123", "foo::bar()"},
    /* Rust, legacy */
    {"_ZN3foo3bar17h0123456789abcdefE", "foo::bar"},
    {"_ZN3foo3bar17h0123456789abcdefE.llvm.99", "foo::bar"},
    {"_ZN3foo3bar17h0123456789abcdefE.1", "foo::bar [clone .1]"},
    {"_ZN52_$LT$$RF$$u5b$T$u5d$$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE",
     "<&[T] as core::fmt::Debug>::fmt"},
    {"_ZN4main4main28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE", "main::main::{{closure}}"},
    {"_ZN1r9gr$u00f6$17hzzzz456789abcdefE", "r::gr$u00f6$::hzzzz456789abcdef"}, /* no hash: not Rust's */
    {"_ZN1r10gr$u00f6$s17h0123456789abcdefE", "r::gr\xc3\xb6s"},
    {"_ZN1r9gr$unow$x17h0123456789abcdefE", "r::gr$unow$x"},
    {"_ZN9999999993foo17h0123456789abcdefE", NULL},
    /* Rust, v0 */
    {"_RNvNtCsgEmfK2I1SDS_4core3fmt17pointer_fmt_inner", "core::fmt::pointer_fmt_inner"},
    {"_RINvCs6GmmlP4bgsG_1r3genAThEj12c_EB2_", "r::gen::<[(u8,); 300]>"},
    {"_RINvCs6GmmlP4bgsG_1r3genDG_INtNtNtCsgEmfK2I1SDS_4core3ops8function2FnTRL0_hlEEp6OutputNtNtCslNYArtu3iFV_5alloc"
     "6string6StringEL_EB2_",
     "r::gen::<dyn for<'a> core::ops::function::Fn<(&'a u8, i32), Output = alloc::string::String>>"},
    {"_RINvCs6GmmlP4bgsG_1r3genDNtB2_2Trp1AhEL_EB2_", "r::gen::<dyn r::Tr<A = u8>>"},
    {"_RINvCs6GmmlP4bgsG_1r3genDNtNtCsgEmfK2I1SDS_4core3fmt5DebugNtNtBr_6marker4SendEL_EB2_",
     "r::gen::<dyn core::fmt::Debug + core::marker::Send>"},
    {"_RINvCs6GmmlP4bgsG_1r3genFG_UKCRL0_hOlEzEB2_", "r::gen::<for<'a> unsafe extern \"C\" fn(&'a u8, *mut i32) -> !>"},
    {"_RNvMs0_Cs6GmmlP4bgsG_1rINtB5_1BKb0_Kce9_Kx5_E4showB5_", "<r::B<false, '\xc3\xa9', 5>>::show"},
    {"_RNvMs0_Cs6GmmlP4bgsG_1rINtB5_1BKb1_Kc27_Kxn5_E4showB5_", "<r::B<true, '\\'', -5>>::show"},
    {"_RNvNCNvMCs6GmmlP4bgsG_1rINtB6_1PKppE2go05inner", "<r::P<_, _>>::go::{closure#0}::inner"},
    {"_RNvNtCs6GmmlP4bgsG_1ru9gre_6ka8i4wert", "r::gr\xc3\xb6\xc3\x9f"
                                               "e::wert"},
    {"_RNvC1a1b.llvm.77", "a::b"},
    {"_RNvC1a1b.3", "a::b [clone .3]"},
    {"_RNSC1a1bs_1c", NULL},
    {"_RINvC1a1bKRe616263_E", "a::b::<\"abc\">"},
    {"_RINvC1a1bKVNtC1a1CS1xh1_1yhff_EE", "a::b::<{a::C { x: 1, y: 255 }}>"},
    {"_RINvC1a1bKThh1_EE", NULL},
    {"_RINvC1a1bKTh1_h2_EE", "a::b::<{(1, 2)}>"},
    {"_RINvC1a1bKAh1_EE", "a::b::<{[1]}>"},
    {"_RINvC1a1bKof0000000000000000_E", "a::b::<0xf0000000000000000>"},
    {"_RNvYNtC1a1bNtC1a1c1d", "<a::b as a::c>::d"},
    {"_RNvXC1mNtC1a1bINtC1a1chE1d", "<a::b as a::c<u8>>::d"},
    {"_RNvC1au3_zz", NULL},
    /* malformed: stay as they are */
    {"_RNvC1a9b", NULL},
    {"_RNvB_1b", NULL},
    {"_RNvC1a1bzzz", NULL},
    {"_RINvC1a1bL5_E", NULL},
    {"_R", NULL},
    {"_RC", NULL},
    {"_Z", NULL},
    {"_ZN", NULL},
    {"_Z3", NULL},
    /* not mangled */
    {"malloc", NULL},
    {"i", NULL},
    {"", NULL},
    {"app::run::h0123456789abcdef", "app::run"},
    {"runtime.mallocgc", NULL},
};

static int failures;

static void check(wt_arena *arena, wt_slice symbol, const char *expected) {
  wt_slice got = wt_demangle(arena, symbol);
  if (got.size == strlen(expected) && memcmp(got.data, expected, got.size) == 0)
    return;
  printf("%.*s: \"%.*s\", expected \"%s\"\n", (int)symbol.size, (const char *)symbol.data, (int)got.size,
         (const char *)got.data, expected);
  failures++;
}

static wt_slice slice(const char *text) { return (wt_slice){(const uint8_t *)text, strlen(text)}; }

/* Every prefix, in memory of exactly its size, so that a sanitizer sees a read past the end. */
static void check_prefixes(wt_arena *arena, wt_slice symbol) {
  for (size_t size = 0; size < symbol.size; size++) {
    char *copy = wt_arena_copy(arena, symbol.data, size);
    wt_slice got = wt_demangle(arena, (wt_slice){(const uint8_t *)copy, size});
    if (!got.data) {
      printf("%.*s: no result\n", (int)size, copy);
      failures++;
    }
  }
}

/* `count` times `head`, then `tail`. */
static wt_slice repeat(wt_arena *arena, const char *start, const char *head, size_t count, const char *tail) {
  size_t size = strlen(start) + strlen(head) * count + strlen(tail);
  char *text = wt_arena_alloc(arena, size + 1);
  strcpy(text, start);
  char *at = text + strlen(start);
  for (size_t i = 0; i < count; i++, at += strlen(head))
    memcpy(at, head, strlen(head));
  strcpy(at, tail);
  return (wt_slice){(const uint8_t *)text, size};
}

/* Deep and exploding symbols come back as they are, soon. */
static void check_limits(wt_arena *arena) {
  const wt_slice symbols[] = {
      repeat(arena, "_R", "Nv", 100000, "C1a1b"),        repeat(arena, "_RINvC1a1b", "R", 100000, "hE"),
      repeat(arena, "_RINvC1a1b", "TB7_B7_", 2000, "E"), repeat(arena, "_RINvC1a1bD", "G____", 2000, "E"),
      repeat(arena, "_Z1f", "P", 100000, "i"),           repeat(arena, "_ZN", "1a", 50000, "17h0123456789abcdefE"),
  };
  for (size_t i = 0; i < WT_COUNT_OF(symbols); i++) {
    wt_slice got = wt_demangle(arena, symbols[i]);
    if (!wt_slice_equal(got, symbols[i])) {
      printf("symbol %zu of the limits is not left alone\n", i);
      failures++;
    }
  }
}

static void check_punycode(wt_arena *arena) {
  wt_scratch out;
  wt_scratch_init(&out, arena, 1000);
  bool good = wt_punycode(&out, slice("Bcher"), slice("kva")) && strcmp(out.data, "B\xc3\xbc"
                                                                                  "cher") == 0;
  wt_scratch_clear(&out);
  bool bad = wt_punycode(&out, slice("a"), slice("99999999")) || wt_punycode(&out, slice("a"), slice("A"));
  if (!good || bad) {
    printf("punycode\n");
    failures++;
  }
}

int main(void) {
  wt_arena arena;
  wt_arena_init(&arena, NULL);
  for (size_t i = 0; i < WT_COUNT_OF(rows); i++) {
    check(&arena, slice(rows[i].symbol), rows[i].expected ? rows[i].expected : rows[i].symbol);
    check_prefixes(&arena, slice(rows[i].symbol));
  }
  check_limits(&arena);
  check_punycode(&arena);
  wt_arena_free(&arena);
  return failures != 0;
}
