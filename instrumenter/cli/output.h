/* Writing files so that at every moment either the old or the new content stands there whole, and the original is kept.

   In place, FILE becomes FILE.orig by a hard link and the new content takes its name by a rename: the original keeps its
   inode, so other links to it (package stores hard-link files) never see the instrumented bytes. */
#ifndef WT_CLI_OUTPUT_H
#define WT_CLI_OUTPUT_H

#include <stdbool.h>

#include "input.h"

/* Replaces the file of an input, which is a regular one. What stood in FILE.orig and is not the same file moves to
   FILE.orig.1 (or the next free number), which is told. false: printed; nothing has changed. */
bool cli_output_in_place(const cli_input *input, cli_buffer content);

/* Writes to a path, or to standard output when it is "-"; refuses to write over the input itself. What is no regular file
   (a pipe, a device) is written to as it is. false: printed; nothing has changed. */
bool cli_output_to(const char *path, const cli_input *input, cli_buffer content);

/* Moves FILE.orig over FILE. The caller has checked that they belong together. */
bool cli_output_restore(const cli_input *input);

/* Is there a FILE.orig? */
bool cli_output_has_original(const cli_input *input);

/* path + ".orig". NULL: out of memory. The caller frees it. */
char *cli_original_path(const char *path);

#endif
