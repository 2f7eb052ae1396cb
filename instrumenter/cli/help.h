#ifndef WT_CLI_HELP_H
#define WT_CLI_HELP_H

/* Prints --help on standard output. */
void cli_print_help(void);

#endif
