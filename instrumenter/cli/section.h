/* The little that the command itself reads of a module: its custom sections. All else is the core's. */
#ifndef WT_CLI_SECTION_H
#define WT_CLI_SECTION_H

#include <stdbool.h>

#include "buffer.h"

/* The payload of the first custom section of that name, borrowed from module. false: none is found before the end or
   before something malformed. */
bool cli_find_custom(cli_buffer module, const char *name, cli_buffer *payload);

/* Does the name section name functions? */
bool cli_has_function_names(cli_buffer module);

/* Size of the module that an instrumented module was made from, by the section "wasm-trace" (docs/ARCHITECTURE.md).
   false: the module was not instrumented by us. */
bool cli_original_size(cli_buffer module, uint32_t *size);

#endif
