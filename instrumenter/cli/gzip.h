/* Modules are often kept gzipped, as X.wasm.gz or under the name X.wasm: the first bytes tell, not the name. */
#ifndef WT_CLI_GZIP_H
#define WT_CLI_GZIP_H

#include <stdbool.h>

#include "buffer.h"

bool cli_is_gzip(cli_buffer bytes);

/* false: errno is ENOMEM, or the data is damaged, cut short or larger than CLI_SIZE_MAX. The caller frees output->data. */
bool cli_gunzip(cli_buffer input, cli_buffer *output);

/* false: out of memory. The caller frees output->data. */
bool cli_gzip(cli_buffer input, cli_buffer *output);

#endif
