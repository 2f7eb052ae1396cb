/* A scan of text that was not written to be read this way: everything that is not one of the known shapes is
   stepped over. */
#include "js_scan.h"

#include <string.h>

#define COMMENT_LIMIT 512u

static uint8_t peek(const wt_js *js, size_t ahead) {
  return ahead < js->text.size - js->at ? js->text.data[js->at + ahead] : 0;
}

/* Glue may hold a whole module as text, so most of the time is spent here. */
enum { START = 1, INSIDE = 2 };

static const uint8_t ident_bytes[256] = {
    ['$'] = 3, ['_'] = 3, ['0'] = 2, ['1'] = 2, ['2'] = 2, ['3'] = 2, ['4'] = 2, ['5'] = 2, ['6'] = 2, ['7'] = 2,
    ['8'] = 2, ['9'] = 2, ['A'] = 3, ['B'] = 3, ['C'] = 3, ['D'] = 3, ['E'] = 3, ['F'] = 3, ['G'] = 3, ['H'] = 3,
    ['I'] = 3, ['J'] = 3, ['K'] = 3, ['L'] = 3, ['M'] = 3, ['N'] = 3, ['O'] = 3, ['P'] = 3, ['Q'] = 3, ['R'] = 3,
    ['S'] = 3, ['T'] = 3, ['U'] = 3, ['V'] = 3, ['W'] = 3, ['X'] = 3, ['Y'] = 3, ['Z'] = 3, ['a'] = 3, ['b'] = 3,
    ['c'] = 3, ['d'] = 3, ['e'] = 3, ['f'] = 3, ['g'] = 3, ['h'] = 3, ['i'] = 3, ['j'] = 3, ['k'] = 3, ['l'] = 3,
    ['m'] = 3, ['n'] = 3, ['o'] = 3, ['p'] = 3, ['q'] = 3, ['r'] = 3, ['s'] = 3, ['t'] = 3, ['u'] = 3, ['v'] = 3,
    ['w'] = 3, ['x'] = 3, ['y'] = 3, ['z'] = 3};

bool wt_js_is_ident_start(uint8_t c) { return (ident_bytes[c] & START) != 0; }

bool wt_js_is_ident(uint8_t c) { return (ident_bytes[c] & INSIDE) != 0; }

/* false, and nothing is skipped, when it does not end soon: an endless one must not be searched again and again. */
static bool skip_comment(wt_js *js) {
  for (size_t i = 2; i < COMMENT_LIMIT && js->at + i < js->text.size; i++)
    if (peek(js, i) == '*' && peek(js, i + 1) == '/') {
      js->at += i + 2;
      return true;
    }
  return false;
}

bool wt_js_take_space(wt_js *js) {
  for (;;) {
    if (wt_is_space(peek(js, 0)))
      js->at++;
    else if (peek(js, 0) != '/' || peek(js, 1) != '*' || !skip_comment(js))
      return true;
  }
}

bool wt_js_take(wt_js *js, char wanted) {
  size_t start = js->at;
  wt_js_take_space(js);
  if (peek(js, 0) != (uint8_t)wanted) {
    js->at = start;
    return false;
  }
  js->at++;
  wt_js_take_space(js);
  return true;
}

bool wt_js_take_assign(wt_js *js) {
  size_t start = js->at;
  wt_js_take_space(js);
  if (peek(js, 0) != '=' || peek(js, 1) == '=' || peek(js, 1) == '>') {
    js->at = start;
    return false;
  }
  js->at++;
  wt_js_take_space(js);
  return true;
}

bool wt_js_take_ident(wt_js *js, wt_slice *ident) {
  size_t start = js->at, end = start;
  if (!wt_js_is_ident_start(peek(js, 0)))
    return false;
  while (end < js->text.size && wt_js_is_ident(js->text.data[end]))
    end++;
  *ident = (wt_slice){js->text.data + start, end - start};
  js->at = end;
  return true;
}

bool wt_js_take_string(wt_js *js, wt_slice *text) {
  uint8_t quote = peek(js, 0);
  size_t start = js->at;
  if (quote != '"' && quote != '\'')
    return false;
  js->at++;
  if (wt_js_take_ident(js, text) && peek(js, 0) == quote) {
    js->at++;
    return true;
  }
  js->at = start;
  return false;
}

static bool take_member(wt_js *js, wt_slice *member) {
  size_t start = js->at;
  if (peek(js, 0) == '.' && wt_js_is_ident_start(peek(js, 1))) {
    js->at++;
    return wt_js_take_ident(js, member);
  }
  if (peek(js, 0) == '[') {
    js->at++;
    if (wt_js_take_string(js, member) && peek(js, 0) == ']') {
      js->at++;
      return true;
    }
  }
  js->at = start;
  return false;
}

bool wt_js_take_path(wt_js *js, wt_js_path *path) {
  size_t start = js->at, end;
  wt_slice member;
  if (!wt_js_take_ident(js, &path->last))
    return false;
  path->is_member = false;
  for (end = js->at; take_member(js, &member); end = js->at) {
    if (wt_slice_is(member, "apply")) { /* of a function; not a member of the object with the exports */
      js->at = end;
      break;
    }
    path->object = (wt_slice){js->text.data + start, end - start};
    path->last = member;
    path->is_member = true;
  }
  return true;
}
