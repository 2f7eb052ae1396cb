/* What the native command says on standard error. Every function that tells of a failure returns false, so that callers
   can say `return cli_fail(...)`. */
#ifndef WT_CLI_MESSAGE_H
#define WT_CLI_MESSAGE_H

#include <stdbool.h>
#include <stdio.h>

#if defined(__GNUC__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

/* "wasm-trace: ..." */
bool cli_fail(const char *format, ...) CLI_PRINTF(1, 2);

/* The same and a pointer to --help. */
bool cli_usage_error(const char *format, ...) CLI_PRINTF(1, 2);

/* "wasm-trace: FILE: ..." */
bool cli_file_error(const char *file, const char *format, ...) CLI_PRINTF(2, 3);

/* "wasm-trace: FILE: WHAT: the reason in errno"; WHAT may be NULL. */
bool cli_system_error(const char *file, const char *what);

/* Prints a word so that a shell reads it back as that word. */
void cli_print_quoted(FILE *stream, const char *word);

/* The last part of a path: how files beside FILE are spoken of. Part of path. */
const char *cli_base_name(const char *path);

#endif
