/* The native command: what the command line asks, for each FILE, and the exit status. */
#include <stdio.h>

#include "core_options.h"
#include "help.h"
#include "instrument.h"
#include "message.h"
#include "options.h"
#include "wasm_trace.h"

static void print_next(void) {
  fputs("To see the report, run the program that loads it:\n"
        "  wasm-trace-node app.mjs\n"
        "  NODE_OPTIONS=\"--import wasm-tracing/register\" node app.mjs\n",
        stderr);
}

static cli_outcome worse(cli_outcome a, cli_outcome b) { return a > b ? a : b; }

static cli_outcome for_each_file(const cli_options *options) {
  bool restore = cli_options_has(options, CLI_OPTION_RESTORE);
  if (!cli_core_check(options))
    return CLI_MISUSED;
  bool any_done = false;
  cli_outcome worst = CLI_DONE;
  for (size_t i = 0; i < options->file_count && worst != CLI_MISUSED; i++) {
    const char *file = options->files[i];
    cli_outcome outcome = restore ? cli_restore(file) : cli_instrument(options, file);
    any_done = any_done || outcome == CLI_DONE;
    worst = worse(worst, outcome);
  }
  if (any_done && !restore && !cli_options_has(options, CLI_OPTION_LIST))
    print_next();
  return worst;
}

static cli_outcome perform(const cli_options *options) {
  if (cli_options_has(options, CLI_OPTION_HELP))
    cli_print_help();
  else if (cli_options_has(options, CLI_OPTION_VERSION))
    printf("wasm-trace %s\n", wt_version());
  else
    return for_each_file(options);
  return CLI_DONE;
}

int main(int argc, char **argv) {
  cli_options options;
  cli_outcome outcome = cli_options_parse(argc, argv, &options) ? perform(&options) : CLI_MISUSED;
  cli_options_free(&options);
  if (fflush(stdout) == 0 && !ferror(stdout))
    return (int)outcome;
  cli_system_error("standard output", NULL);
  return (int)worse(outcome, CLI_FAILED);
}
