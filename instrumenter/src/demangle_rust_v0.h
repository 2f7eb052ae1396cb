/* What the two halves of the v0 demangler share: the parser, and the few entry points between them. */
#ifndef WT_DEMANGLE_RUST_V0_H
#define WT_DEMANGLE_RUST_V0_H

#include "demangle.h"

typedef struct wt_v0 {
  wt_slice text; /* behind "_R": back references count from here */
  size_t at;
  wt_scratch *out;
  uint32_t depth;     /* of nesting in the symbol */
  uint32_t steps;     /* back references make work without bound out of few bytes */
  uint32_t lifetimes; /* bound around here */
  bool silent;        /* parse, print nothing */
  bool failed;
} wt_v0;

typedef struct wt_v0_ident {
  wt_slice ascii;
  wt_slice punycode; /* size 0: none */
} wt_v0_ident;

bool wt_v0_fail(wt_v0 *v);

/* Leave the function at once when enter says false; otherwise leave it through wt_v0_leave. */
bool wt_v0_enter(wt_v0 *v);
void wt_v0_leave(wt_v0 *v);

char wt_v0_peek(const wt_v0 *v); /* NUL at the end */
char wt_v0_next(wt_v0 *v);       /* fails at the end */
bool wt_v0_take(wt_v0 *v, char wanted);
bool wt_v0_more(wt_v0 *v); /* in a list: not at its E (which is then taken), and nothing has failed */

uint64_t wt_v0_base62(wt_v0 *v);           /* digits and "_" */
uint64_t wt_v0_tagged(wt_v0 *v, char tag); /* 0 without the tag, else base62 + 1 */
wt_v0_ident wt_v0_take_ident(wt_v0 *v);    /* without disambiguator */
wt_slice wt_v0_hex(wt_v0 *v);              /* lower-case nibbles, without the closing "_" */

void wt_v0_put(wt_v0 *v, const char *text);
void wt_v0_put_slice(wt_v0 *v, wt_slice slice);
void wt_v0_put_char(wt_v0 *v, char c);
void wt_v0_put_number(wt_v0 *v, uint64_t number);
void wt_v0_put_ident(wt_v0 *v, wt_v0_ident ident);

/* Behind a "B": goes to the earlier place that it names. false when there is nothing to print there; on true the caller
   prints, then sets v->at = *resume. */
bool wt_v0_follow(wt_v0 *v, size_t *resume);

/* value: generic arguments are written "::<T>", as in an expression. */
void wt_v0_path(wt_v0 *v, bool value);
void wt_v0_type(wt_v0 *v);

/* nested: already inside an expression, so no braces are needed. */
void wt_v0_const(wt_v0 *v, bool nested);

/* The name of a one-letter type; NULL when `tag` is none. */
const char *wt_v0_basic_type(char tag);

#endif
