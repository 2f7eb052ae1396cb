/* Bytes that somebody owns: free `data` once. Empty: {NULL, 0}. */
#ifndef WT_CLI_BUFFER_H
#define WT_CLI_BUFFER_H

#include <stddef.h>
#include <stdint.h>

/* What engines load at most (V8: 1 GiB); also the bound of what a gzipped file may grow to. */
#define CLI_SIZE_MAX ((size_t)1 << 30)

typedef struct cli_buffer {
  uint8_t *data;
  size_t size;
} cli_buffer;

#endif
