/* Reads the few shapes of JavaScript that glue code is made of: identifiers, quoted identifiers, paths of
   members. Nothing here looks back, so it may start anywhere in a text. */
#ifndef WT_JS_SCAN_H
#define WT_JS_SCAN_H

#include "base.h"

typedef struct wt_js {
  wt_slice text;
  size_t at;
} wt_js;

/* An identifier with members: a.b["c"]. */
typedef struct wt_js_path {
  wt_slice object; /* the text without the last member */
  wt_slice last;
  bool is_member; /* `last` is a member; else it is the identifier itself */
} wt_js_path;

bool wt_js_is_ident_start(uint8_t c);
bool wt_js_is_ident(uint8_t c);

/* Each of these moves on, behind what it found, or returns false at its old place. */
bool wt_js_take_space(wt_js *js);        /* space and comments, or none: always true */
bool wt_js_take(wt_js *js, char wanted); /* with space and comments around it */
bool wt_js_take_assign(wt_js *js);       /* "=", the same */
bool wt_js_take_ident(wt_js *js, wt_slice *ident);
bool wt_js_take_string(wt_js *js, wt_slice *text); /* a quoted identifier */
bool wt_js_take_path(wt_js *js, wt_js_path *path);

#endif
