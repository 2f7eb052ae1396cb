/* The tables of the folder weights, put into the program by the build (cmake/generate.mjs). */
#ifndef WT_CLI_WEIGHT_TABLES_H
#define WT_CLI_WEIGHT_TABLES_H

#include <stddef.h>

typedef struct cli_weight_table {
  const char *name; /* of the file, without its ending */
  const unsigned char *content;
  size_t size;
} cli_weight_table;

extern const cli_weight_table cli_weight_tables[];
extern const size_t cli_weight_table_count;

#endif
