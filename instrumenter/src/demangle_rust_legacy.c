/* Rust's first mangling: _ZN, length-prefixed parts, the last of them a hash "h" and 16 hex digits, E. The parts
   carry escapes in dollars for what a C++ symbol may not contain. (The C++ demangler reads these too, but leaves
   the escapes.) */
#include "demangle.h"

#include <string.h>

#define HASH_PART 17u

static const struct {
  const char *code;
  char text;
} escapes[] = {{"SP", '@'}, {"BP", '*'}, {"RF", '&'}, {"LT", '<'}, {"GT", '>'}, {"LP", '('}, {"RP", ')'}, {"C", ','}};

typedef struct parts {
  wt_slice text; /* what is left */
} parts;

static bool take_part(parts *p, wt_slice *part) {
  size_t size = 0, digits = 0;
  while (digits < p->text.size && p->text.data[digits] >= '0' && p->text.data[digits] <= '9' && size < p->text.size)
    size = size * 10 + (size_t)(p->text.data[digits++] - '0');
  if (digits == 0 || size > p->text.size - digits)
    return false;
  *part = (wt_slice){p->text.data + digits, size};
  p->text = (wt_slice){part->data + size, p->text.size - digits - size};
  return true;
}

static bool is_lower_hex(uint8_t c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

static bool is_hash(wt_slice part) {
  if (part.size != HASH_PART || part.data[0] != 'h')
    return false;
  for (size_t i = 1; i < part.size; i++)
    if (!is_lower_hex(part.data[i]))
      return false;
  return true;
}

static bool put_code_point(wt_scratch *out, wt_slice hex) {
  uint32_t code = 0;
  if (hex.size == 0 || hex.size > 6)
    return false;
  for (size_t i = 0; i < hex.size; i++) {
    if (!is_lower_hex(hex.data[i]))
      return false;
    code = code * 16 + (uint32_t)(hex.data[i] <= '9' ? hex.data[i] - '0' : hex.data[i] - 'a' + 10);
  }
  return code >= 0x20 && code != 0x7f && wt_scratch_unicode(out, code);
}

static bool put_escape(wt_scratch *out, wt_slice code) {
  for (size_t i = 0; i < WT_COUNT_OF(escapes); i++)
    if (code.size == strlen(escapes[i].code) && memcmp(code.data, escapes[i].code, code.size) == 0) {
      wt_scratch_char(out, escapes[i].text);
      return true;
    }
  return code.size > 1 && code.data[0] == 'u' && put_code_point(out, (wt_slice){code.data + 1, code.size - 1});
}

/* Bytes of an escape at the start of `text`, written; 0 when there is none. */
static size_t take_escape(wt_scratch *out, wt_slice text) {
  const uint8_t *close = text.size > 1 ? memchr(text.data + 1, '$', text.size - 1) : NULL;
  if (!close)
    return 0;
  wt_slice code = {text.data + 1, (size_t)(close - text.data) - 1};
  return put_escape(out, code) ? code.size + 2 : 0;
}

static void put_part(wt_scratch *out, wt_slice part) {
  size_t at = part.size > 1 && part.data[0] == '_' && part.data[1] == '$' ? 1 : 0;
  while (at < part.size) {
    wt_slice left = {part.data + at, part.size - at};
    size_t escape = left.data[0] == '$' ? take_escape(out, left) : 0;
    if (escape) {
      at += escape;
    } else if (left.size > 1 && left.data[0] == '.' && left.data[1] == '.') {
      wt_scratch_text(out, "::");
      at += 2;
    } else {
      wt_scratch_char(out, (char)left.data[0]);
      at++;
    }
  }
}

bool wt_demangle_rust_legacy(wt_scratch *out, wt_slice symbol) {
  if (symbol.size < 3 || memcmp(symbol.data, "_ZN", 3) != 0)
    return false;
  parts p = {{symbol.data + 3, symbol.size - 3}};
  wt_slice part, next;
  bool first = true;
  if (!take_part(&p, &part))
    return false;
  for (; take_part(&p, &next); part = next, first = false) {
    if (!first)
      wt_scratch_text(out, "::");
    put_part(out, part);
  }
  if (first || !is_hash(part) || p.text.size == 0 || p.text.data[0] != 'E')
    return false;
  wt_demangle_suffix(out, (wt_slice){p.text.data + 1, p.text.size - 1});
  return true;
}
