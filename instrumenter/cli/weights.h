/* The table of weights that --weights names: one of those that come with the program, else a file. */
#ifndef WT_CLI_WEIGHTS_H
#define WT_CLI_WEIGHTS_H

#include <stdbool.h>

#include "input.h"

typedef struct cli_weights {
  const unsigned char *content; /* NULL: none was asked for */
  size_t size;
  cli_input file;
} cli_weights;

/* false: the reason has been printed. Free in both cases. */
bool cli_weights_read(const char *name, cli_weights *weights);
void cli_weights_free(cli_weights *weights);

#endif
