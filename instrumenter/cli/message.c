#include "message.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

bool cli_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("wasm-trace: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return false;
}

bool cli_usage_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("wasm-trace: ", stderr);
  vfprintf(stderr, format, arguments);
  fputs("\nTry 'wasm-trace --help'.\n", stderr);
  va_end(arguments);
  return false;
}

bool cli_file_error(const char *file, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "wasm-trace: %s: ", file);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return false;
}

bool cli_system_error(const char *file, const char *what) {
  const char *reason = strerror(errno);
  /* In lower case, as the rest of the sentence and as Node has it. */
  return cli_file_error(file, "%s%s%c%s", what == NULL ? "" : what, what == NULL ? "" : ": ",
                        tolower((unsigned char)reason[0]), reason + (reason[0] != '\0'));
}

void cli_print_quoted(FILE *stream, const char *word) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+:@%,=-";
  if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
    fputs(word, stream);
    return;
  }
  fputc('\'', stream);
  for (const char *at = word; *at != '\0'; at++) {
    if (*at == '\'')
      fputs("'\\''", stream);
    else
      fputc(*at, stream);
  }
  fputc('\'', stream);
}

const char *cli_base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}
