/* The native instrumenter for tests that make thousands of modules: modules on stdin, results on stdout, one process.

     transform OPTION VALUE ...       as in wt_option, by the names below

   A module is its size (u32, little-endian) and its bytes. A result is a status (u32, wt_status), a size and bytes: the
   instrumented module, or the message. Every output is also read by our own checker. */
#include "guest_runtime.h"
#include "wasm_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  wt_option option;
} options[] = {{"trace", WT_OPTION_TRACE},
               {"display", WT_OPTION_DISPLAY},
               {"link", WT_OPTION_LINK},
               {"stack", WT_OPTION_STACK},
               {"deferStart", WT_OPTION_DEFER_START},
               {"only", WT_OPTION_ONLY},
               {"hide", WT_OPTION_HIDE},
               {"minSize", WT_OPTION_MIN_SIZE},
               {"buffer", WT_OPTION_BUFFER},
               {"legacyExceptions", WT_OPTION_LEGACY_EXCEPTIONS}};

static void die(const char *message) {
  fprintf(stderr, "transform: %s\n", message);
  exit(2);
}

static bool set_option(wt_job *job, const char *name, const char *value) {
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
    if (strcmp(options[i].name, name) == 0)
      return wt_job_set(job, options[i].option, value, strlen(value));
  die("unknown option");
  return false;
}

static bool read_u32(uint32_t *value) {
  uint8_t bytes[4];
  if (fread(bytes, 1, 4, stdin) != 4)
    return false;
  *value = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
  return true;
}

static void write_u32(uint32_t value) {
  for (int i = 0; i < 4; i++)
    putchar((int)(value >> 8 * i & 0xff));
}

static void write_result(wt_status status, const void *data, size_t size) {
  write_u32(status);
  write_u32((uint32_t)size);
  fwrite(data, 1, size, stdout);
}

/* Exactly as large as it must be, so that the address sanitizer sees every read behind the end. */
static uint8_t *room(size_t size) {
  uint8_t *data = malloc(size ? size : 1);
  if (!data)
    die("out of memory");
  return data;
}

static void write_output(const wt_job *job, const uint8_t *module, size_t size) {
  wt_edits edits = wt_job_edits(job);
  uint8_t *output = room(edits.output_size);
  wt_edits_apply(edits, module, size, output);
  wt_job *check = wt_job_new(NULL);
  if (!check || !wt_job_check(check, output, edits.output_size))
    write_result(WT_ERROR_MODULE, "the output fails our own check", 30);
  else
    write_result(WT_OK, output, edits.output_size);
  wt_job_free(check);
  free(output);
}

static void transform(const uint8_t *module, size_t size, int count, char **settings) {
  wt_job *job = wt_job_new(NULL);
  if (!job)
    die("out of memory");
  bool done = true;
  for (int i = 0; i + 1 < count && done; i += 2)
    done = set_option(job, settings[i], settings[i + 1]);
  if (done && wt_job_run(job, module, size, wt_guest_runtime, wt_guest_runtime_size)) {
    write_output(job, module, size);
  } else {
    wt_error error = wt_job_error(job);
    write_result(error.status, error.message, strlen(error.message));
  }
  wt_job_free(job);
}

int main(int argc, char **argv) {
  uint32_t size;
  while (read_u32(&size)) {
    uint8_t *module = room(size);
    if (fread(module, 1, size, stdin) != size)
      die("unexpected end");
    transform(module, size, argc - 1, argv + 1);
    free(module);
  }
  return 0;
}
