/* Function names from files beside the module: an Emscripten .symbols map, another build of the module that still
   has its name section, or the JS glue of Emscripten. Which of them it is shows in the content. */
#ifndef WT_SYMBOLS_H
#define WT_SYMBOLS_H

#include "names.h"

typedef struct wt_symbols {
  void (*name)(void *user, uint32_t func, wt_slice name);
  void (*alias)(void *user, uint32_t func, wt_slice name); /* what a function is called besides */
  void *user;
  wt_arena *arena;
  const wt_names_input *input;
} wt_symbols;

/* Gives what the file tells. NULL, or why it is of no use: a sentence without a full stop. */
const char *wt_symbols_read(const wt_symbols *symbols, wt_slice file);

/* The JS glue of Emscripten. The number of names found. */
size_t wt_symbols_read_glue(const wt_symbols *symbols, wt_slice text);

#endif
