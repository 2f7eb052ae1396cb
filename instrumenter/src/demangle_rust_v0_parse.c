/* The lexical level of Rust v0 symbols. Everything is sticky: after a failure nothing moves and nothing is printed. */
#include "demangle_rust_v0.h"

#define DEPTH_LIMIT 200u
#define STEP_LIMIT 50000u

bool wt_v0_fail(wt_v0 *v) {
  v->failed = true;
  return false;
}

bool wt_v0_enter(wt_v0 *v) {
  if (v->out->failed || v->depth >= DEPTH_LIMIT || v->steps >= STEP_LIMIT)
    wt_v0_fail(v);
  if (v->failed)
    return false;
  v->depth++;
  v->steps++;
  return true;
}

void wt_v0_leave(wt_v0 *v) { v->depth--; }

char wt_v0_peek(const wt_v0 *v) { return !v->failed && v->at < v->text.size ? (char)v->text.data[v->at] : '\0'; }

char wt_v0_next(wt_v0 *v) {
  char c = wt_v0_peek(v);
  if (c)
    v->at++;
  else
    wt_v0_fail(v);
  return c;
}

bool wt_v0_take(wt_v0 *v, char wanted) {
  bool found = wt_v0_peek(v) == wanted;
  if (found)
    v->at++;
  return found;
}

bool wt_v0_more(wt_v0 *v) { return !v->failed && !wt_v0_take(v, 'E'); }

static int base62_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 10;
  return c >= 'A' && c <= 'Z' ? c - 'A' + 36 : -1;
}

uint64_t wt_v0_base62(wt_v0 *v) {
  uint64_t value = 0;
  if (wt_v0_take(v, '_'))
    return 0;
  while (!v->failed && !wt_v0_take(v, '_')) {
    int digit = base62_digit(wt_v0_next(v));
    if (digit < 0 || value > (UINT64_MAX - 63) / 62)
      wt_v0_fail(v);
    else
      value = value * 62 + (uint64_t)digit;
  }
  return value + 1;
}

uint64_t wt_v0_tagged(wt_v0 *v, char tag) { return wt_v0_take(v, tag) ? wt_v0_base62(v) + 1 : 0; }

static size_t take_length(wt_v0 *v) {
  size_t size = 0;
  if (wt_v0_take(v, '0'))
    return 0;
  char c = wt_v0_peek(v);
  if (c < '1' || c > '9')
    wt_v0_fail(v);
  for (; c >= '0' && c <= '9' && size <= v->text.size; c = wt_v0_peek(v)) {
    size = size * 10 + (size_t)(c - '0');
    v->at++;
  }
  return size;
}

/* The last "_" parts the ASCII characters from the insertions. */
static wt_v0_ident split_punycode(wt_slice bytes) {
  size_t cut = bytes.size;
  while (cut > 0 && bytes.data[cut - 1] != '_')
    cut--;
  return (wt_v0_ident){{bytes.data, cut ? cut - 1 : 0}, {bytes.data + cut, bytes.size - cut}};
}

wt_v0_ident wt_v0_take_ident(wt_v0 *v) {
  bool punycode = wt_v0_take(v, 'u');
  size_t size = take_length(v);
  wt_v0_take(v, '_');
  if (v->failed || size > v->text.size - v->at) {
    wt_v0_fail(v);
    return (wt_v0_ident){{NULL, 0}, {NULL, 0}};
  }
  wt_slice bytes = {v->text.data + v->at, size};
  v->at += size;
  return punycode ? split_punycode(bytes) : (wt_v0_ident){bytes, {NULL, 0}};
}

wt_slice wt_v0_hex(wt_v0 *v) {
  size_t start = v->at;
  while (!v->failed && !wt_v0_take(v, '_')) {
    char c = wt_v0_next(v);
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
      wt_v0_fail(v);
  }
  return v->failed ? (wt_slice){NULL, 0} : (wt_slice){v->text.data + start, v->at - start - 1};
}

static bool printing(const wt_v0 *v) { return !v->silent && !v->failed; }

void wt_v0_put(wt_v0 *v, const char *text) {
  if (printing(v))
    wt_scratch_text(v->out, text);
}

void wt_v0_put_slice(wt_v0 *v, wt_slice slice) {
  if (printing(v))
    wt_scratch_slice(v->out, slice);
}

void wt_v0_put_char(wt_v0 *v, char c) {
  if (printing(v))
    wt_scratch_char(v->out, c);
}

void wt_v0_put_number(wt_v0 *v, uint64_t number) {
  if (printing(v))
    wt_scratch_number(v->out, number);
}

void wt_v0_put_ident(wt_v0 *v, wt_v0_ident ident) {
  size_t start = v->out->size;
  if (ident.punycode.size == 0 || !printing(v)) {
    wt_v0_put_slice(v, ident.ascii);
  } else if (!wt_punycode(v->out, ident.ascii, ident.punycode)) {
    wt_scratch_cut(v->out, start);
    wt_v0_put(v, "punycode{");
    wt_v0_put_slice(v, ident.ascii);
    wt_v0_put(v, ident.ascii.size ? "-" : "");
    wt_v0_put_slice(v, ident.punycode);
    wt_v0_put(v, "}");
  }
}

bool wt_v0_follow(wt_v0 *v, size_t *resume) {
  size_t start = v->at - 1;
  uint64_t target = wt_v0_base62(v);
  if (target >= start)
    wt_v0_fail(v);
  *resume = v->at;
  if (!printing(v)) /* silent parsing checks only what stands here: without this, time could grow exponentially */
    return false;
  v->at = (size_t)target;
  return true;
}
