/* The command line of the native command: words in, a list of settings and files out. */
#ifndef WT_CLI_OPTIONS_H
#define WT_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cli_option {
#define CLI_OPTION(id, name, letter, value, kind, flags, owner, help) CLI_OPTION_##id,
#include "options.def"
#undef CLI_OPTION
  CLI_OPTION_COUNT
} cli_option;

/* CLI_COUNT: a number that is not 0. */
typedef enum cli_kind {
  CLI_FLAG,
  CLI_TEXT,
  CLI_NUMBER,
  CLI_COUNT,
  CLI_SIZE,
  CLI_CHOICE,
  CLI_CLOCK,
  CLI_DISPLAY
} cli_kind;

enum { CLI_MANY = 1, CLI_NEEDS_TRACE = 2 };

typedef enum cli_owner { CLI_OWN, CLI_NODE, CLI_SERVE } cli_owner;

typedef struct cli_option_row {
  const char *name; /* without the dashes */
  char letter;      /* 0: none */
  const char *value;
  cli_kind kind;
  int flags;
  cli_owner owner;
  const char *help;
} cli_option_row;

extern const cli_option_row cli_option_rows[CLI_OPTION_COUNT];

/* An option as given; the value is part of argv, "" for a flag. */
typedef struct cli_setting {
  cli_option option;
  const char *value;
} cli_setting;

typedef struct cli_options {
  cli_setting *settings; /* in the order given */
  size_t count;
  const char **files; /* parts of argv */
  size_t file_count;
} cli_options;

/* Reads argv[1..]. false: a usage error, which has been printed on standard error. Free in both cases. */
bool cli_options_parse(int argc, char **argv, cli_options *options);
void cli_options_free(cli_options *options);

bool cli_options_has(const cli_options *options, cli_option option);

/* The value given last, NULL when the option is not given. */
const char *cli_options_get(const cli_options *options, cli_option option);

#endif
