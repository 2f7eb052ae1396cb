/* What the command does with one FILE. Results of --list go to standard output, all else to standard error. */
#ifndef WT_CLI_INSTRUMENT_H
#define WT_CLI_INSTRUMENT_H

#include "options.h"

/* Also the exit statuses. */
typedef enum cli_outcome {
  CLI_DONE = 0,
  CLI_FAILED = 1, /* this FILE could not be done; it is as it was */
  CLI_MISUSED = 2 /* a probe, pattern or other option does not parse: no use to try the next FILE */
} cli_outcome;

/* Instruments it, or lists what would be; prints what is to be said. */
cli_outcome cli_instrument(const cli_options *options, const char *file);

/* Brings back the original. */
cli_outcome cli_restore(const char *file);

#endif
