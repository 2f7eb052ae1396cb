/* Which demangler reads a symbol. C++ is left to the C++ library, which exists natively and in Emscripten; for Rust no C
   library is at hand in both, so those are our own. */
#include "demangle.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

/* Part of every C++ runtime library (Itanium C++ ABI, 3.4); has no C header. */
char *__cxa_demangle(const char *symbol, char *buffer, size_t *size, int *status);

/* The library's parser recurses once per nesting level, which one byte can open; this keeps it within a small stack. */
#define CXX_LIMIT 4096u

/* What the library says. */
enum { CXX_NO_MEMORY = -1, CXX_INVALID = -2 };

#define HASH_DIGITS 16u
#define SCRATCH_LIMIT (WT_DEMANGLE_LIMIT * 2)

static wt_slice behind(wt_slice text, size_t offset) { return (wt_slice){text.data + offset, text.size - offset}; }

static bool starts_with(wt_slice text, const char *prefix) {
  size_t size = strlen(prefix);
  return text.size >= size && memcmp(text.data, prefix, size) == 0;
}

static bool is_hash(const uint8_t *text) {
  for (size_t i = 0; i < HASH_DIGITS; i++)
    if (!((text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f')))
      return false;
  return true;
}

static wt_slice drop_hash(wt_slice name, const char *before) {
  size_t size = strlen(before) + HASH_DIGITS;
  if (name.size <= size)
    return name;
  const uint8_t *tail = name.data + name.size - size;
  bool found = memcmp(tail, before, strlen(before)) == 0 && is_hash(tail + strlen(before));
  return found ? (wt_slice){name.data, name.size - size} : name;
}

wt_slice wt_drop_rust_hash(wt_slice name) { return drop_hash(name, "::h"); }

wt_slice wt_drop_wbg_hash(wt_slice name) {
  wt_slice shorter = drop_hash(name, "_");
  wt_slice last = shorter; /* Rust: crate::module::__wbg_log */
  for (size_t at = shorter.size; at-- > 0;)
    if (shorter.data[at] == ':') {
      last = behind(shorter, at + 1);
      break;
    }
  return shorter.size < name.size && starts_with(last, "__wbg_") ? shorter : name;
}

/* Toolchains for other targets (and old Emscripten) put one more underscore in front. */
static wt_slice without_extra_underscore(wt_slice symbol) {
  return starts_with(symbol, "__Z") || starts_with(symbol, "__R") ? behind(symbol, 1) : symbol;
}

bool wt_is_mangled(wt_slice symbol) {
  symbol = without_extra_underscore(symbol);
  return symbol.size > 3 && (starts_with(symbol, "_Z") || starts_with(symbol, "_R"));
}

bool wt_is_rust(wt_slice symbol) {
  symbol = without_extra_underscore(symbol);
  for (wt_slice left = symbol; left.size > 3 + HASH_DIGITS; left = behind(left, 1)) {
    const uint8_t *digit = memchr(left.data, '1', left.size - 3 - HASH_DIGITS);
    if (!digit)
      break;
    left = behind(left, (size_t)(digit - left.data));
    if (starts_with(left, "17h") && is_hash(left.data + 3) && left.data[3 + HASH_DIGITS] == 'E')
      return true;
  }
  return starts_with(symbol, "_R");
}

/* Libraries differ in "> >" and ">>" behind nested templates; patterns should not. */
static void append_closing_up(wt_scratch *out, const char *text) {
  for (size_t i = 0; text[i]; i++)
    if (!(text[i] == ' ' && i > 0 && text[i - 1] == '>' && text[i + 1] == '>'))
      wt_scratch_char(out, text[i]);
}

void wt_demangle_suffix(wt_scratch *out, wt_slice suffix) {
  if (suffix.size == 0 || starts_with(suffix, ".llvm."))
    return;
  wt_scratch_text(out, " [clone ");
  wt_scratch_slice(out, suffix);
  wt_scratch_char(out, ']');
}

/* Libraries differ in how they show a suffix, so it is kept from them. */
static bool demangle_cxx(wt_scratch *out, wt_slice symbol) {
  const uint8_t *dot = memchr(symbol.data, '.', symbol.size);
  size_t size = dot ? (size_t)(dot - symbol.data) : symbol.size;
  if (size > CXX_LIMIT || memchr(symbol.data, '\0', size))
    return false;
  wt_scratch_bytes(out, symbol.data, size);
  int status = CXX_INVALID;
  char *text = out->failed ? NULL : __cxa_demangle(out->data, NULL, NULL, &status);
  out->arena->failed |= status == CXX_NO_MEMORY;
  wt_scratch_cut(out, 0);
  if (text && status == 0) {
    append_closing_up(out, text);
    wt_demangle_suffix(out, behind(symbol, size));
  }
  free(text);
  return text && status == 0;
}

static bool demangle_rust(wt_scratch *out, wt_slice symbol) {
  bool done = symbol.data[1] == 'R' ? wt_demangle_rust_v0(out, symbol) : wt_demangle_rust_legacy(out, symbol);
  wt_scratch_cut(out, done ? wt_drop_wbg_hash(wt_scratch_view(out)).size : 0);
  return done;
}

bool wt_demangle_to(wt_scratch *out, wt_slice symbol) {
  wt_scratch_clear(out);
  if (!wt_is_mangled(symbol))
    return false;
  symbol = without_extra_underscore(symbol);
  bool done = demangle_rust(out, symbol) || (symbol.data[1] == 'Z' && demangle_cxx(out, symbol));
  return done && !out->failed;
}

wt_slice wt_demangle(wt_arena *arena, wt_slice symbol) {
  wt_scratch out;
  wt_scratch_init(&out, arena, SCRATCH_LIMIT);
  wt_slice result = wt_demangle_to(&out, symbol) ? wt_scratch_view(&out) : wt_drop_rust_hash(symbol);
  char *copy = wt_arena_copy(arena, result.data, result.size);
  return copy ? (wt_slice){(const uint8_t *)copy, result.size} : (wt_slice){NULL, 0};
}
