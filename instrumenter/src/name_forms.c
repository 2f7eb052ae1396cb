/* A demangled C++ function reads "result name<arguments>(parameters) qualifiers [clone ...]". Cutting works on brackets
   alone, so that names which a linker has demangled already, and those of other languages, are served as well. */
#include "name_forms.h"

#include "demangle.h"

#include <string.h>

#define FORM_LIMIT (WT_DEMANGLE_LIMIT * 2)

/* Words that demanglers write where the symbol has a letter or two. A word that is part of one may come from there. */
static const char rust_words[] = "bool char str isize usize i16 i32 i64 i128 u16 u32 u64 u128 f32 f64 const mut dyn "
                                 "for as unsafe extern closure shim "
                                 "punycode true false";

static const char cxx_words[] = "std allocator basic_string char_traits string istream ostream iostream operator "
                                "unsigned signed long short char bool "
                                "int float double void wchar_t char8_t char16_t char32_t __int128 __float128 _Float16 "
                                "_BitInt half decimal32 decimal64 "
                                "decimal128 _fract _accum nullptr_t complex imaginary auto decltype const volatile "
                                "restrict noexcept throw requires new "
                                "delete sizeof alignof typeid static_cast const_cast dynamic_cast reinterpret_cast "
                                "co_await true false vtable typeinfo "
                                "name virtual non thunk covariant return construction guard variable reference "
                                "temporary tls initialization initializer "
                                "wrapper template parameter object anonymous namespace lambda unnamed type default abi "
                                "global constructors destructors "
                                "keyed";

bool wt_slice_equal(wt_slice a, wt_slice b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

bool wt_slice_contains(wt_slice text, wt_slice part) {
  if (part.size == 0)
    return true;
  while (text.size >= part.size) {
    const uint8_t *at = memchr(text.data, part.data[0], text.size - part.size + 1);
    if (!at)
      return false;
    if (memcmp(at, part.data, part.size) == 0)
      return true;
    text.size -= (size_t)(at + 1 - text.data);
    text.data = at + 1;
  }
  return false;
}

static bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

static bool is_word_byte(uint8_t c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool may_be_made(wt_slice word, const char *made) {
  return wt_slice_contains((wt_slice){(const uint8_t *)made, strlen(made)}, word);
}

static void consider_word(wt_name_words *words, wt_slice word) {
  if (word.size > words->plain.size)
    words->plain = word;
  if (word.size == 0 || is_digit(word.data[0])) /* numbers are written in other bases */
    return;
  if (word.size > words->rust.size && !may_be_made(word, rust_words))
    words->rust = word;
  if (word.size > words->cxx.size && !may_be_made(word, cxx_words))
    words->cxx = word;
}

wt_name_words wt_name_words_of(wt_slice text, const bool *skip) {
  wt_name_words words = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
  for (size_t at = 0; at < text.size; at++) {
    size_t start = at;
    while (at < text.size && is_word_byte(text.data[at]) && !(skip && skip[at]))
      at++;
    consider_word(&words, (wt_slice){text.data + start, at - start});
  }
  return words;
}

static bool ends_with(wt_slice text, const char *tail) {
  size_t size = strlen(tail);
  return text.size >= size && memcmp(text.data + text.size - size, tail, size) == 0;
}

/* Start of the bracket that closes at the last byte; the size when it has no partner. "->" closes nothing. */
static size_t opening(wt_slice text, uint8_t open, uint8_t close) {
  size_t depth = 0;
  for (size_t at = text.size; at-- > 0;) {
    if (text.data[at] == close && !(close == '>' && at > 0 && text.data[at - 1] == '-'))
      depth++;
    else if (text.data[at] == open && --depth == 0)
      return at;
    if (depth == 0)
      break;
  }
  return text.size;
}

static wt_slice first_bytes(wt_slice text, size_t size) { return (wt_slice){text.data, size}; }

static wt_slice drop_clones(wt_slice text) {
  while (text.size && text.data[text.size - 1] == ']') {
    size_t open = opening(text, '[', ']');
    if (open == 0 || open == text.size || text.data[open - 1] != ' ')
      break;
    text = first_bytes(text, open - 1);
  }
  return text;
}

static wt_slice drop_qualifiers(wt_slice text) {
  static const char *const qualifiers[] = {" const", " volatile", " &&", " &", " noexcept"};
  for (size_t i = 0; i < WT_COUNT_OF(qualifiers);) {
    if (ends_with(text, qualifiers[i])) {
      text = first_bytes(text, text.size - strlen(qualifiers[i]));
      i = 0;
    } else {
      i++;
    }
  }
  return text;
}

/* Parameters stand behind a name: "operator()" and "(anonymous namespace)" are none. */
static wt_slice drop_parameters(wt_slice text) {
  wt_slice cut = drop_qualifiers(text);
  if (cut.size == 0 || cut.data[cut.size - 1] != ')')
    return text;
  size_t open = opening(cut, '(', ')');
  if (open == 0 || open == cut.size || ends_with(first_bytes(cut, open), "operator"))
    return text;
  bool behind_name = cut.data[open - 1] != ':' && cut.data[open - 1] != ' ' && cut.data[open - 1] != '.';
  return behind_name ? first_bytes(cut, open) : text;
}

static int bracket(uint8_t c) {
  return c == '<' || c == '(' || c == '[' || c == '{' ? 1 : c == '>' || c == ')' || c == ']' || c == '}' ? -1 : 0;
}

/* Functions made from templates carry their result type in front; the name begins behind the last space outside
   brackets that does not belong to an operator's name. */
static wt_slice drop_result(wt_slice text) {
  static const wt_slice operator_word = {(const uint8_t *)"operator", 8};
  size_t start = 0;
  int depth = 0;
  for (size_t at = 0; at < text.size; at++) {
    depth += at > 0 && text.data[at - 1] == '-' && text.data[at] == '>' ? 0 : bracket(text.data[at]);
    wt_slice left = {text.data + at, text.size - at};
    if (depth == 0 && left.size >= operator_word.size && memcmp(left.data, operator_word.data, operator_word.size) == 0)
      break;
    if (depth == 0 && text.data[at] == ' ')
      start = at + 1;
  }
  return (wt_slice){text.data + start, text.size - start};
}

static wt_slice drop_own_arguments(wt_slice text) {
  if (text.size == 0 || text.data[text.size - 1] != '>')
    return text;
  size_t open = opening(text, '<', '>');
  if (open == 0 || open == text.size || ends_with(first_bytes(text, open), "operator"))
    return text;
  wt_slice cut = first_bytes(text, open);
  return ends_with(cut, "::") ? first_bytes(cut, cut.size - 2) : cut;
}

/* Bytes of "operator<<" and the like at `text`: brackets in it are none. */
static size_t operator_size(wt_slice text) {
  static const char word[] = "operator";
  size_t at = sizeof word - 1;
  if (text.size < at || memcmp(text.data, word, at) != 0)
    return 0;
  while (at < text.size && strchr("<>=-", text.data[at]) && text.data[at])
    at++;
  return at;
}

/* `text` starts with "<": the size up to and with its ">", or all of it. *as: it says "<Type as Trait>". */
static size_t closing(wt_slice text, bool *as) {
  int depth = 0;
  *as = false;
  for (size_t at = 0; at < text.size; at++) {
    depth += at > 0 && text.data[at - 1] == '-' && text.data[at] == '>' ? 0 : bracket(text.data[at]);
    if (depth == 0)
      return at + 1;
    *as = *as || (depth == 1 && text.size - at > 4 && memcmp(text.data + at, " as ", 4) == 0);
  }
  return text.size;
}

static bool opens_arguments(wt_slice text, size_t at) {
  return at > 0 && text.data[at - 1] != ' ' && text.data[at - 1] != '<' && text.data[at - 1] != '&';
}

static void write_without_arguments(wt_scratch *out, wt_slice text) {
  bool as;
  for (size_t at = 0; at < text.size;) {
    wt_slice left = {text.data + at, text.size - at};
    size_t operator_word = operator_size(left);
    if (left.size > 2 && memcmp(left.data, "::<", 3) == 0) { /* Rust, in an expression */
      at += 2;
    } else if (left.data[0] == '<' && opens_arguments(text, at)) {
      at += closing(left, &as);
    } else {
      wt_scratch_bytes(out, left.data, operator_word ? operator_word : 1);
      at += operator_word ? operator_word : 1;
    }
  }
}

/* "<Type>::f" of Rust also loses the brackets around the type; "<Type as Trait>::f" needs them. */
static void write_plain(wt_scratch *out, wt_slice text) {
  bool as = false;
  size_t close = text.data[0] == '<' ? closing(text, &as) : 0;
  bool unwrap = close > 2 && !as;
  if (unwrap)
    write_without_arguments(out, (wt_slice){text.data + 1, close - 2});
  write_without_arguments(out, unwrap ? (wt_slice){text.data + close, text.size - close} : text);
}

static void add(wt_name_forms *forms, wt_slice form) {
  if (form.size && !wt_slice_equal(forms->items[forms->count - 1], form))
    forms->items[forms->count++] = form;
}

static bool has_structure(wt_slice text) {
  return memchr(text.data, '(', text.size) || memchr(text.data, '<', text.size) || memchr(text.data, ' ', text.size);
}

static void add_bare(wt_name_forms *forms, wt_scratch *plain, wt_slice full) {
  if (full.size == 0 || !has_structure(full))
    return;
  wt_slice bare = drop_result(drop_parameters(drop_clones(full)));
  add(forms, bare);
  wt_slice short_form = drop_own_arguments(bare);
  add(forms, short_form);
  if (!memchr(short_form.data, '<', short_form.size))
    return;
  wt_scratch_clear(plain);
  write_plain(plain, short_form);
  if (!plain->failed)
    add(forms, wt_scratch_view(plain));
}

void wt_name_writer_init(wt_name_writer *writer, wt_arena *arena) {
  wt_scratch_init(&writer->full, arena, FORM_LIMIT);
  wt_scratch_init(&writer->plain, arena, FORM_LIMIT);
}

static const wt_slice *word_of(const wt_name_words *words, wt_slice symbol) {
  if (!wt_is_mangled(symbol))
    return &words->plain;
  return wt_is_rust(symbol) ? &words->rust : &words->cxx;
}

wt_name_forms wt_name_forms_of(wt_name_writer *writer, wt_slice symbol, const wt_name_words *words) {
  wt_name_forms forms = {.items = {symbol}, .count = 1};
  if (words && !wt_slice_contains(symbol, *word_of(words, symbol)))
    return forms;
  bool mangled = wt_demangle_to(&writer->full, symbol);
  wt_slice full = mangled ? wt_scratch_view(&writer->full) : wt_drop_wbg_hash(wt_drop_rust_hash(symbol));
  add(&forms, full);
  add_bare(&forms, &writer->plain, full);
  return forms;
}
