#include "weights.h"

#include <string.h>

#include "weight_tables.h"

static const cli_weight_table *find_table(const char *name) {
  for (size_t i = 0; i < cli_weight_table_count; i++)
    if (strcmp(cli_weight_tables[i].name, name) == 0)
      return &cli_weight_tables[i];
  return NULL;
}

bool cli_weights_read(const char *name, cli_weights *weights) {
  const cli_weight_table *table = find_table(name);
  *weights = (cli_weights){0};
  if (table == NULL && !cli_input_read(name, &weights->file))
    return false;
  weights->content = table == NULL ? weights->file.module.data : table->content;
  weights->size = table == NULL ? weights->file.module.size : table->size;
  return true;
}

void cli_weights_free(cli_weights *weights) {
  cli_input_free(&weights->file);
  *weights = (cli_weights){0};
}
