/* Constants of Rust v0 symbols: values of const generics. */
#include "demangle_rust_v0.h"

#include <string.h>

#define U64_NIBBLES 16u

static uint32_t nibble(uint8_t c) { return (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10); }

static wt_slice without_zeros(wt_slice hex) {
  while (hex.size && hex.data[0] == '0')
    hex = (wt_slice){hex.data + 1, hex.size - 1};
  return hex;
}

static uint64_t hex_value(wt_slice hex) {
  uint64_t value = 0;
  for (size_t i = 0; i < hex.size; i++)
    value = value << 4 | nibble(hex.data[i]);
  return value;
}

static void put_integer(wt_v0 *v) {
  wt_slice hex = without_zeros(wt_v0_hex(v));
  if (hex.size <= U64_NIBBLES) {
    wt_v0_put_number(v, hex_value(hex));
    return;
  }
  wt_v0_put(v, "0x");
  wt_v0_put_slice(v, hex);
}

static void put_signed(wt_v0 *v) {
  if (wt_v0_take(v, 'n'))
    wt_v0_put_char(v, '-');
  put_integer(v);
}

static void put_bool(wt_v0 *v) {
  wt_slice hex = without_zeros(wt_v0_hex(v));
  uint64_t value = hex.size <= 1 ? hex_value(hex) : 2;
  if (value > 1)
    wt_v0_fail(v);
  wt_v0_put(v, value ? "true" : "false");
}

static void put_code_point(wt_v0 *v, uint32_t code, char quote) {
  if (code == (uint32_t)(uint8_t)quote || code == '\\') {
    wt_v0_put_char(v, '\\');
    wt_v0_put_char(v, (char)code);
  } else if (code < 0x20 || code == 0x7f) {
    static const char digits[] = "0123456789abcdef";
    wt_v0_put(v, "\\x");
    wt_v0_put_char(v, digits[code >> 4]);
    wt_v0_put_char(v, digits[code & 15]);
  } else if (!v->silent && !wt_scratch_unicode(v->out, code)) {
    wt_v0_fail(v);
  }
}

static void put_character(wt_v0 *v) {
  wt_slice hex = without_zeros(wt_v0_hex(v));
  uint64_t code = hex.size <= 6 ? hex_value(hex) : UINT32_MAX;
  wt_v0_put_char(v, '\'');
  put_code_point(v, (uint32_t)code, '\'');
  wt_v0_put_char(v, '\'');
}

/* UTF-8 as pairs of nibbles; bytes above ASCII are passed on as they are. */
static void put_string(wt_v0 *v) {
  wt_slice hex = wt_v0_hex(v);
  if (hex.size % 2)
    wt_v0_fail(v);
  wt_v0_put_char(v, '"');
  for (size_t i = 0; i + 1 < hex.size; i += 2) {
    uint32_t byte = nibble(hex.data[i]) << 4 | nibble(hex.data[i + 1]);
    if (byte < 0x80)
      put_code_point(v, byte, '"');
    else
      wt_v0_put_char(v, (char)byte);
  }
  wt_v0_put_char(v, '"');
}

static uint32_t put_list(wt_v0 *v) {
  uint32_t count = 0;
  for (; wt_v0_more(v); count++) {
    wt_v0_put(v, count ? ", " : "");
    wt_v0_const(v, true);
  }
  return count;
}

static void put_tuple(wt_v0 *v) {
  wt_v0_put_char(v, '(');
  uint32_t count = put_list(v);
  wt_v0_put(v, count == 1 ? ",)" : ")");
}

static void put_fields(wt_v0 *v) {
  wt_v0_put(v, " { ");
  for (uint32_t count = 0; wt_v0_more(v); count++) {
    wt_v0_put(v, count ? ", " : "");
    wt_v0_tagged(v, 's');
    wt_v0_put_ident(v, wt_v0_take_ident(v));
    wt_v0_put(v, ": ");
    wt_v0_const(v, true);
  }
  wt_v0_put(v, " }");
}

static void put_adt(wt_v0 *v) {
  wt_v0_path(v, true);
  switch (wt_v0_next(v)) {
  case 'U': return;
  case 'T':
    wt_v0_put_char(v, '(');
    put_list(v);
    wt_v0_put_char(v, ')');
    return;
  case 'S': put_fields(v); return;
  default: wt_v0_fail(v);
  }
}

static void put_reference(wt_v0 *v, char tag) {
  if (tag == 'R' && wt_v0_take(v, 'e')) {
    put_string(v);
    return;
  }
  wt_v0_put(v, tag == 'Q' ? "&mut " : "&");
  wt_v0_const(v, true);
}

/* Constants that are expressions. */
static void put_expression(wt_v0 *v, char tag) {
  switch (tag) {
  case 'e':
    wt_v0_put_char(v, '*');
    put_string(v);
    return;
  case 'R':
  case 'Q': put_reference(v, tag); return;
  case 'A':
    wt_v0_put_char(v, '[');
    put_list(v);
    wt_v0_put_char(v, ']');
    return;
  case 'T': put_tuple(v); return;
  case 'V': put_adt(v); return;
  default: wt_v0_fail(v);
  }
}

static void put_braced(wt_v0 *v, char tag, bool nested) {
  bool bare = nested || (tag == 'R' && wt_v0_peek(v) == 'e'); /* a literal needs no braces */
  wt_v0_put(v, bare ? "" : "{");
  put_expression(v, tag);
  wt_v0_put(v, bare ? "" : "}");
}

static void put_again(wt_v0 *v, bool nested) {
  size_t resume;
  if (!wt_v0_follow(v, &resume))
    return;
  wt_v0_const(v, nested);
  v->at = resume;
}

static void put_const(wt_v0 *v, char tag, bool nested) {
  if (tag == 'p')
    wt_v0_put_char(v, '_');
  else if (tag == 'b')
    put_bool(v);
  else if (tag == 'c')
    put_character(v);
  else if (tag && strchr("hmtyoj", tag))
    put_integer(v);
  else if (tag && strchr("alsxni", tag))
    put_signed(v);
  else if (tag == 'B')
    put_again(v, nested);
  else
    put_braced(v, tag, nested);
}

void wt_v0_const(wt_v0 *v, bool nested) {
  if (!wt_v0_enter(v))
    return;
  put_const(v, wt_v0_next(v), nested);
  wt_v0_leave(v);
}
