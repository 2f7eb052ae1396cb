/* The ways in which one function's symbol may be written in a pattern. */
#ifndef WT_NAME_FORMS_H
#define WT_NAME_FORMS_H

#include "scratch.h"

#define WT_NAME_FORMS 6

typedef struct wt_name_forms {
  wt_slice items[WT_NAME_FORMS]; /* borrowed from the symbol and the writer; the symbol itself first, the barest last */
  size_t count;
} wt_name_forms;

typedef struct wt_name_writer {
  wt_scratch full;
  wt_scratch plain;
} wt_name_writer;

void wt_name_writer_init(wt_name_writer *writer, wt_arena *arena);

/* Bytes that every form of interest contains, by the language of the symbol; size 0: unknown. A symbol that lacks
   them is not even demangled. They differ because demanglers write some words for a letter or two of the symbol. */
typedef struct wt_name_words {
  wt_slice plain; /* of names that are not mangled */
  wt_slice rust;
  wt_slice cxx;
} wt_name_words;

/* From a literal text, or one of which `skip` says which bytes are not literal (NULL: all are). */
wt_name_words wt_name_words_of(wt_slice text, const bool *skip);

/* All forms of `symbol`, without repeats, each with less than the one before:
     the symbol                     _ZN3app4ListIiE4pushIiEEvRKT_
     demangled                      void app::List<int>::push<int>(int const&)
     no parameters, result, clone   app::List<int>::push<int>
     no arguments of its own        app::List<int>::push
     no template arguments at all   app::List::push
   (Rust: <app::List<i32>>::push::<i32> comes to the same.) The hash of wasm-bindgen and of Rust are dropped, too.
   words: NULL for all forms of any symbol. */
wt_name_forms wt_name_forms_of(wt_name_writer *writer, wt_slice symbol, const wt_name_words *words);

bool wt_slice_equal(wt_slice a, wt_slice b);
bool wt_slice_contains(wt_slice text, wt_slice part);

#endif
