/* Reading files: a module, plain or gzipped, and any other file whole. */
#ifndef WT_CLI_INPUT_H
#define WT_CLI_INPUT_H

#include <stdbool.h>
#include <sys/stat.h>

#include "buffer.h"

typedef struct cli_input {
  const char *name; /* as the user gave it; borrowed */
  char *path;       /* of the file itself, symbolic links followed; NULL when it is no regular file */
  struct stat status;
  cli_buffer raw;    /* the content of the file */
  cli_buffer module; /* the module: raw itself, or what it unpacks to */
  bool compressed;
} cli_input;

/* false: the reason has been printed. Free in both cases. */
bool cli_input_read(const char *name, cli_input *input);
void cli_input_free(cli_input *input);

/* The whole content of an open file of at most CLI_SIZE_MAX bytes. false: errno says why, EFBIG when it is larger. The
   caller frees content->data, which is never NULL after success. */
bool cli_read_all(int file, size_t expected_size, cli_buffer *content);

#endif
