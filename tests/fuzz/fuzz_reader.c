/* libFuzzer: any bytes as a module, read by the check alone and by a rewrite. Both must be of one mind about them, what is
   wrong must lie inside of the file, and an output read in parts must be the output. */
#include "guest_runtime.h"
#include "wasm_trace.h"

#include <stdlib.h>
#include <string.h>

#define PART 37

static void require(bool holds) {
  if (!holds)
    abort();
}

static void check_error(const wt_job *job, size_t size) {
  wt_error error = wt_job_error(job);
  require(error.status != WT_OK && error.message && *error.message);
  if (error.status == WT_ERROR_MODULE)
    require(error.offset == WT_NO_OFFSET || error.offset <= size);
}

static bool is_accepted(const uint8_t *module, size_t size) {
  wt_job *job = wt_job_new(NULL);
  bool accepted = wt_job_check(job, module, size);
  if (!accepted)
    check_error(job, size);
  wt_job_free(job);
  return accepted;
}

static void check_parts(wt_edits edits, const uint8_t *module, size_t size) {
  uint8_t *output = malloc(edits.output_size);
  uint8_t part[PART];
  wt_edits_cursor cursor = {0};
  size_t at = 0;
  require(output != NULL);
  wt_edits_apply(edits, module, size, output);
  for (size_t read; (read = wt_edits_read(edits, module, size, &cursor, part, PART)) > 0; at += read)
    require(read <= edits.output_size - at && memcmp(part, output + at, read) == 0);
  require(at == edits.output_size);
  free(output);
}

/* What is no fault of the module. */
static bool is_refusal(wt_status status) {
  return status == WT_ERROR_TRACED || status == WT_ERROR_NO_MATCH || status == WT_ERROR_LIMIT;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bool accepted = is_accepted(data, size);
  wt_job *job = wt_job_new(NULL);
  wt_job_set(job, WT_OPTION_TRACE, "calls(*)", 8);
  if (wt_job_run(job, data, size, wt_guest_runtime, wt_guest_runtime_size)) {
    require(accepted);
    check_parts(wt_job_edits(job), data, size);
  } else {
    check_error(job, size);
    require(!accepted || is_refusal(wt_job_error(job).status));
  }
  wt_job_free(job);
  return 0;
}
