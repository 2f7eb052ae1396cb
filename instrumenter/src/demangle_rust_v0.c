/* Paths and types of Rust v0 symbols (RFC 2603), written the way rustc's own messages do: without hashes and crate
   disambiguators. The symbol is a prefix grammar; one tag letter decides what follows. */
#include "demangle_rust_v0.h"

static const char *const basic_types[26] = {
    ['a' - 'a'] = "i8",  ['b' - 'a'] = "bool", ['c' - 'a'] = "char",  ['d' - 'a'] = "f64",   ['e' - 'a'] = "str",
    ['f' - 'a'] = "f32", ['h' - 'a'] = "u8",   ['i' - 'a'] = "isize", ['j' - 'a'] = "usize", ['l' - 'a'] = "i32",
    ['m' - 'a'] = "u32", ['n' - 'a'] = "i128", ['o' - 'a'] = "u128",  ['p' - 'a'] = "_",     ['s' - 'a'] = "i16",
    ['t' - 'a'] = "u16", ['u' - 'a'] = "()",   ['v' - 'a'] = "...",   ['x' - 'a'] = "i64",   ['y' - 'a'] = "u64",
    ['z' - 'a'] = "!"};

const char *wt_v0_basic_type(char tag) { return tag >= 'a' && tag <= 'z' ? basic_types[tag - 'a'] : NULL; }

/* Lifetimes are numbered from the innermost binder; they are lettered from the outermost. */
static void put_lifetime(wt_v0 *v, uint64_t index) {
  if (index > v->lifetimes) {
    wt_v0_fail(v);
    return;
  }
  uint64_t depth = v->lifetimes - index;
  wt_v0_put_char(v, '\'');
  if (index == 0) {
    wt_v0_put_char(v, '_');
  } else if (depth < 26) {
    wt_v0_put_char(v, (char)('a' + depth));
  } else {
    wt_v0_put_char(v, '_');
    wt_v0_put_number(v, depth);
  }
}

/* for<'a, 'b>; returns what the caller takes off v->lifetimes again. */
static uint32_t open_binder(wt_v0 *v) {
  uint64_t count = wt_v0_tagged(v, 'G');
  if (count > v->text.size)
    wt_v0_fail(v);
  if (v->failed || count == 0)
    return 0;
  wt_v0_put(v, "for<");
  for (uint64_t i = 0; i < count; i++) {
    wt_v0_put(v, i ? ", " : "");
    v->lifetimes++;
    put_lifetime(v, 1);
  }
  wt_v0_put(v, "> ");
  return (uint32_t)count;
}

static void put_generic_argument(wt_v0 *v) {
  if (wt_v0_take(v, 'L'))
    put_lifetime(v, wt_v0_base62(v));
  else if (wt_v0_take(v, 'K'))
    wt_v0_const(v, false);
  else
    wt_v0_type(v);
}

static void put_generic_arguments(wt_v0 *v) {
  for (uint32_t count = 0; wt_v0_more(v); count++) {
    wt_v0_put(v, count ? ", " : "");
    put_generic_argument(v);
  }
}

/* Where an impl stands says nothing that its type does not. */
static void skip_impl_path(wt_v0 *v) {
  bool silent = v->silent;
  v->silent = true;
  wt_v0_tagged(v, 's');
  wt_v0_path(v, false);
  v->silent = silent;
}

static void put_impl(wt_v0 *v, char tag) {
  if (tag != 'Y')
    skip_impl_path(v);
  wt_v0_put_char(v, '<');
  wt_v0_type(v);
  if (tag != 'M') {
    wt_v0_put(v, " as ");
    wt_v0_path(v, false);
  }
  wt_v0_put_char(v, '>');
}

/* {closure#0}, {shim:vtable#0}: things without a name of their own in the source. */
static void put_special(wt_v0 *v, char space, uint64_t disambiguator, wt_v0_ident ident) {
  wt_v0_put(v, "::{");
  if (space == 'C')
    wt_v0_put(v, "closure");
  else if (space == 'S')
    wt_v0_put(v, "shim");
  else
    wt_v0_put_char(v, space);
  if (ident.ascii.size || ident.punycode.size) {
    wt_v0_put_char(v, ':');
    wt_v0_put_ident(v, ident);
  }
  wt_v0_put_char(v, '#');
  wt_v0_put_number(v, disambiguator);
  wt_v0_put_char(v, '}');
}

static void put_nested(wt_v0 *v, bool value) {
  char space = wt_v0_next(v);
  bool upper = space >= 'A' && space <= 'Z';
  if (!upper && !(space >= 'a' && space <= 'z'))
    wt_v0_fail(v);
  wt_v0_path(v, value);
  uint64_t disambiguator = wt_v0_tagged(v, 's');
  wt_v0_ident ident = wt_v0_take_ident(v);
  if (upper) {
    put_special(v, space, disambiguator, ident);
  } else if (ident.ascii.size || ident.punycode.size) {
    wt_v0_put(v, "::");
    wt_v0_put_ident(v, ident);
  }
}

static void put_path(wt_v0 *v, char tag, bool value) {
  size_t resume;
  switch (tag) {
  case 'C':
    wt_v0_tagged(v, 's');
    wt_v0_put_ident(v, wt_v0_take_ident(v));
    return;
  case 'N': put_nested(v, value); return;
  case 'M':
  case 'X':
  case 'Y': put_impl(v, tag); return;
  case 'I':
    wt_v0_path(v, value);
    wt_v0_put(v, value ? "::<" : "<");
    put_generic_arguments(v);
    wt_v0_put_char(v, '>');
    return;
  case 'B':
    if (wt_v0_follow(v, &resume)) {
      wt_v0_path(v, value);
      v->at = resume;
    }
    return;
  default: wt_v0_fail(v);
  }
}

void wt_v0_path(wt_v0 *v, bool value) {
  if (!wt_v0_enter(v))
    return;
  put_path(v, wt_v0_next(v), value);
  wt_v0_leave(v);
}

static void put_reference(wt_v0 *v, bool mutable) {
  wt_v0_put_char(v, '&');
  if (wt_v0_take(v, 'L')) {
    uint64_t lifetime = wt_v0_base62(v);
    if (lifetime) {
      put_lifetime(v, lifetime);
      wt_v0_put_char(v, ' ');
    }
  }
  wt_v0_put(v, mutable ? "mut " : "");
  wt_v0_type(v);
}

static void put_tuple(wt_v0 *v) {
  uint32_t count = 0;
  wt_v0_put_char(v, '(');
  for (; wt_v0_more(v); count++) {
    wt_v0_put(v, count ? ", " : "");
    wt_v0_type(v);
  }
  wt_v0_put(v, count == 1 ? ",)" : ")");
}

static void put_abi(wt_v0 *v) {
  wt_v0_put(v, "extern \"");
  if (wt_v0_take(v, 'C')) {
    wt_v0_put_char(v, 'C');
  } else {
    wt_v0_ident abi = wt_v0_take_ident(v);
    for (size_t i = 0; i < abi.ascii.size; i++) /* "_" stands for "-", which a symbol may not contain */
      wt_v0_put_char(v, abi.ascii.data[i] == '_' ? '-' : (char)abi.ascii.data[i]);
  }
  wt_v0_put(v, "\" ");
}

static void put_function(wt_v0 *v) {
  uint32_t bound = open_binder(v);
  if (wt_v0_take(v, 'U'))
    wt_v0_put(v, "unsafe ");
  if (wt_v0_take(v, 'K'))
    put_abi(v);
  wt_v0_put(v, "fn(");
  for (uint32_t count = 0; wt_v0_more(v); count++) {
    wt_v0_put(v, count ? ", " : "");
    wt_v0_type(v);
  }
  wt_v0_put_char(v, ')');
  if (!wt_v0_take(v, 'u')) { /* no arrow for () */
    wt_v0_put(v, " -> ");
    wt_v0_type(v);
  }
  v->lifetimes -= bound;
}

/* The path of a trait. true: its generic arguments are still open, so that `Item = T` can go among them. */
static bool put_open_trait(wt_v0 *v) {
  bool open = false;
  size_t resume;
  if (!wt_v0_enter(v))
    return false;
  if (wt_v0_take(v, 'B')) {
    if (wt_v0_follow(v, &resume)) {
      open = put_open_trait(v);
      v->at = resume;
    }
  } else if (wt_v0_take(v, 'I')) {
    wt_v0_path(v, false);
    wt_v0_put_char(v, '<');
    put_generic_arguments(v);
    open = true;
  } else {
    wt_v0_path(v, false);
  }
  wt_v0_leave(v);
  return open;
}

static void put_trait(wt_v0 *v) {
  bool open = put_open_trait(v);
  while (wt_v0_take(v, 'p')) {
    wt_v0_put(v, open ? ", " : "<");
    open = true;
    wt_v0_put_ident(v, wt_v0_take_ident(v));
    wt_v0_put(v, " = ");
    wt_v0_type(v);
  }
  wt_v0_put(v, open ? ">" : "");
}

static void put_dyn(wt_v0 *v) {
  wt_v0_put(v, "dyn ");
  uint32_t bound = open_binder(v);
  for (uint32_t count = 0; wt_v0_more(v); count++) {
    wt_v0_put(v, count ? " + " : "");
    put_trait(v);
  }
  v->lifetimes -= bound;
  if (!wt_v0_take(v, 'L'))
    wt_v0_fail(v);
  uint64_t lifetime = wt_v0_base62(v);
  if (lifetime) {
    wt_v0_put(v, " + ");
    put_lifetime(v, lifetime);
  }
}

static void put_array(wt_v0 *v, bool sized) {
  wt_v0_put_char(v, '[');
  wt_v0_type(v);
  if (sized) {
    wt_v0_put(v, "; ");
    wt_v0_const(v, true);
  }
  wt_v0_put_char(v, ']');
}

static void put_pointer(wt_v0 *v, const char *kind) {
  wt_v0_put(v, kind);
  wt_v0_type(v);
}

static void put_type(wt_v0 *v, char tag) {
  size_t resume;
  switch (tag) {
  case 'R':
  case 'Q': put_reference(v, tag == 'Q'); return;
  case 'P': put_pointer(v, "*const "); return;
  case 'O': put_pointer(v, "*mut "); return;
  case 'A':
  case 'S': put_array(v, tag == 'A'); return;
  case 'T': put_tuple(v); return;
  case 'F': put_function(v); return;
  case 'D': put_dyn(v); return;
  case 'B':
    if (wt_v0_follow(v, &resume)) {
      wt_v0_type(v);
      v->at = resume;
    }
    return;
  default: /* any other type is a path */ v->at--; wt_v0_path(v, false);
  }
}

void wt_v0_type(wt_v0 *v) {
  if (!wt_v0_enter(v))
    return;
  char tag = wt_v0_next(v);
  const char *basic = wt_v0_basic_type(tag);
  if (basic)
    wt_v0_put(v, basic);
  else if (tag)
    put_type(v, tag);
  wt_v0_leave(v);
}

/* Behind the path there may stand the crate that instantiated it, and a linker's suffix. */
static bool finish(wt_v0 *v) {
  char next = wt_v0_peek(v);
  if (next >= 'A' && next <= 'Z') {
    v->silent = true;
    wt_v0_path(v, false);
    v->silent = false;
  }
  if (v->failed)
    return false;
  wt_slice suffix = {v->text.data + v->at, v->text.size - v->at};
  wt_demangle_suffix(v->out, suffix);
  return suffix.size == 0 || suffix.data[0] == '.' || suffix.data[0] == '$';
}

bool wt_demangle_rust_v0(wt_scratch *out, wt_slice symbol) {
  if (symbol.size < 3 || symbol.data[0] != '_' || symbol.data[1] != 'R')
    return false;
  wt_v0 v = {.text = {symbol.data + 2, symbol.size - 2}, .out = out};
  char first = wt_v0_peek(&v); /* a digit would be a version of the encoding to come */
  if (first < 'A' || first > 'Z')
    return false;
  wt_v0_path(&v, true);
  return finish(&v) && !out->failed && out->size > 0;
}
