/* --help of the native command: the same text as node/help.js makes, byte for byte. */
#include "help.h"

#include <stdio.h>

#include "options.h"

enum { HELP_COLUMN = 23 };

static const char introduction[] = "Usage: wasm-trace --trace SPEC [OPTIONS] FILE.wasm...\n"
                                   "       wasm-trace --restore FILE.wasm...\n"
                                   "       wasm-trace symbolize FILE.wasm < STACK\n"
                                   "       wasm-trace serve [OPTIONS] [DIR]\n"
                                   "       wasm-trace report [OPTIONS] FILE\n"
                                   "       wasm-trace diff [OPTIONS] OLD NEW\n"
                                   "\n"
                                   "Makes WebAssembly modules record what they do while they run. Each FILE is\n"
                                   "rewritten in place; the original is kept as FILE.orig. FILE may be gzipped.\n"
                                   "\n"
                                   "Options:\n";

static const char probes_and_examples[] =
    "\n"
    "Probes:\n"
    "  calls, calls(PATTERN)      calls and returns\n"
    "  args(PATTERN)              calls with their arguments\n"
    "  arg(N, PATTERN)            argument N, counted from 0\n"
    "  ret(PATTERN)               results\n"
    "  imports, imports(PATTERN)  calls to the host, with arguments and results\n"
    "  stack(PATTERN)             the stack at each call\n"
    "  duration(PATTERN)          how long calls take\n"
    "  memory.grow                growing memories\n"
    "  traps                      what led to a trap\n"
    "  Or, with nothing to quote: calls:malloc arg0:malloc ret:malloc imports:env.*\n"
    "\n"
    "Patterns:\n"
    "  malloc   *alloc*   /^std::/   #12   env.abort   \"Player::update(float, int)\"\n"
    "\n"
    "Displays:\n"
    "  report                     functions by time: total, self, calls, percentiles\n"
    "  tree, inverted             who called what; who called this, from below\n"
    "  callers(PATTERN)           callers and callees of functions\n"
    "  log, nested                calls in order, flat or indented\n"
    "  histogram                  values, or how long calls took, by powers of two\n"
    "\n"
    "Examples:\n"
    "  wasm-trace --trace \"arg(0, malloc)\" --display histogram app.wasm\n"
    "  wasm-trace --trace \"calls:*alloc*\" --list app.wasm\n"
    "  wasm-trace --restore app.wasm\n"
    "\n"
    "Exit status: 0 done, 1 a FILE failed (it is left as it was), 2 wrong usage.\n";

static void print_option(const cli_option_row *row) {
  int width = row->letter == 0 ? printf("      --%s", row->name) : printf("  -%c, --%s", row->letter, row->name);
  if (row->value != NULL)
    width += printf(" %s", row->value);
  printf("%*s%s%s\n", HELP_COLUMN - width, "", row->help, row->flags & CLI_MANY ? " (repeatable)" : "");
}

void cli_print_help(void) {
  fputs(introduction, stdout);
  for (size_t i = 0; i < CLI_OPTION_COUNT; i++)
    if (cli_option_rows[i].owner == CLI_OWN)
      print_option(&cli_option_rows[i]);
  fputs(probes_and_examples, stdout);
}
