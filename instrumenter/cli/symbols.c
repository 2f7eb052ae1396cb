#define _XOPEN_SOURCE 700
#include "symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"
#include "message.h"

/* Behind X of X.wasm. Emscripten: --emit-symbol-map, -gseparate-dwarf; wasm-split and packagers: the others. The same rows
   stand in node/files.js. */
static const char *const endings[] = {".wasm.symbols",
                                      ".js.symbols",
                                      ".symbols",
                                      ".unstripped.wasm",
                                      ".wasm.debug.wasm",
                                      ".debug.wasm",
                                      ".wasm.unstripped",
                                      ".js",
                                      ".mjs",
                                      ".cjs"};

/* Behind X of X_bg.wasm: wasm-bindgen's module and its glue. */
static const char *const bindgen_endings[] = {".js", ".mjs", ".cjs"};

static bool reserve(cli_symbol_files *symbols) {
  if (symbols->count < symbols->capacity)
    return true;
  size_t capacity = symbols->capacity == 0 ? 8 : symbols->capacity * 2;
  cli_symbol_file *files = realloc(symbols->files, capacity * sizeof *files);
  if (files == NULL)
    return false;
  symbols->files = files;
  symbols->capacity = capacity;
  return true;
}

static bool out_of_memory(void) { return cli_fail("out of memory"); }

/* Keeps the content of a read file; a path and a place in the list are taken first, so that nothing is lost halfway. */
static bool keep(cli_symbol_files *symbols, cli_input *input) {
  char *path = strdup(input->name);
  if (path == NULL || !reserve(symbols)) {
    free(path);
    return out_of_memory();
  }
  symbols->files[symbols->count++] = (cli_symbol_file){path, input->module};
  if (input->compressed)
    input->module = (cli_buffer){NULL, 0};
  else
    input->raw = (cli_buffer){NULL, 0};
  return true;
}

bool cli_symbols_add(cli_symbol_files *symbols, const char *path) {
  cli_input input;
  errno = 0;
  bool ok = cli_input_read(path, &input) && keep(symbols, &input);
  int reason = errno;
  cli_input_free(&input);
  errno = reason;
  return ok;
}

static bool is_readable_file(const char *path) {
  struct stat status;
  int file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file >= 0)
    close(file);
  return file >= 0;
}

static bool find_endings(cli_symbol_files *symbols, const char *stem, size_t stem_size, const char *const *list,
                         size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t size = stem_size + strlen(list[i]) + 1;
    char *path = malloc(size);
    if (path == NULL)
      return out_of_memory();
    snprintf(path, size, "%.*s%s", (int)stem_size, stem, list[i]);
    bool failed = is_readable_file(path) && !cli_symbols_add(symbols, path) && errno == ENOMEM;
    free(path);
    if (failed)
      return false;
  }
  return true;
}

static size_t without(const char *text, size_t size, const char *ending) {
  size_t ending_size = strlen(ending);
  bool has = size > ending_size && memcmp(text + size - ending_size, ending, ending_size) == 0;
  return has ? size - ending_size : size;
}

bool cli_symbols_find(cli_symbol_files *symbols, const char *module_path) {
  size_t stem_size = without(module_path, without(module_path, strlen(module_path), ".gz"), ".wasm");
  size_t bindgen_size = without(module_path, stem_size, "_bg");
  if (!find_endings(symbols, module_path, stem_size, endings, sizeof endings / sizeof endings[0]))
    return false;
  return bindgen_size == stem_size || find_endings(symbols, module_path, bindgen_size, bindgen_endings,
                                                   sizeof bindgen_endings / sizeof bindgen_endings[0]);
}

void cli_symbols_free(cli_symbol_files *symbols) {
  for (size_t i = 0; i < symbols->count; i++) {
    free(symbols->files[i].path);
    free(symbols->files[i].content.data);
  }
  free(symbols->files);
  *symbols = (cli_symbol_files){0};
}
