/* --restore: FILE.orig takes its old place, when FILE is ours and was made from it. */
#include <stdio.h>
#include <stdlib.h>

#include "input.h"
#include "instrument.h"
#include "message.h"
#include "output.h"
#include "section.h"

/* FILE.orig may be left from an earlier build: its size tells. */
static bool belongs(const cli_input *input, const cli_input *original, uint32_t size) {
  if (original->module.size == size)
    return true;
  return cli_file_error(input->name, "was made from a module of %u bytes, but %s has %zu; both are left as they are",
                        (unsigned)size, cli_base_name(original->path), original->module.size);
}

static bool restore_from(const cli_input *input, const char *original_path, uint32_t size) {
  cli_input original;
  bool ok = cli_input_read(original_path, &original) && belongs(input, &original, size) && cli_output_restore(input);
  cli_input_free(&original);
  return ok;
}

static bool restore(const cli_input *input) {
  uint32_t size;
  if (!cli_original_size(input->module, &size))
    return cli_file_error(input->name, "was not instrumented by wasm-trace; it is left as it is");
  char *original = input->path == NULL ? NULL : cli_original_path(input->path);
  bool ok = original != NULL && restore_from(input, original, size);
  free(original);
  return ok;
}

cli_outcome cli_restore(const char *file) {
  cli_input input;
  bool ok = cli_input_read(file, &input) && restore(&input);
  cli_input_free(&input);
  if (ok)
    fprintf(stderr, "%s: the original is back\n", file);
  return ok ? CLI_DONE : CLI_FAILED;
}
