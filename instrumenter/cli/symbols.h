/* Files that may know the names of a module's functions: those that the user names, and those that stand beside it. */
#ifndef WT_CLI_SYMBOLS_H
#define WT_CLI_SYMBOLS_H

#include <stdbool.h>

#include "buffer.h"

typedef struct cli_symbol_file {
  char *path;
  cli_buffer content; /* unpacked when gzipped */
} cli_symbol_file;

typedef struct cli_symbol_files {
  cli_symbol_file *files;
  size_t count;
  size_t capacity;
} cli_symbol_files;

/* Adds a file that the user named. false: printed; errno is ENOMEM when out of memory. */
bool cli_symbols_add(cli_symbol_files *symbols, const char *path);

/* Adds what stands beside `module_path` (X.wasm or X.wasm.gz) under the names that compilers use: a map of symbols, an
   unstripped twin, the JS glue, the best source first. One that cannot be read is told and passed over.
   false: out of memory, which has been printed. */
bool cli_symbols_find(cli_symbol_files *symbols, const char *module_path);

void cli_symbols_free(cli_symbol_files *symbols);

#endif
